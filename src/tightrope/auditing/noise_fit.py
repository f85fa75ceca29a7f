"""Goodness of fit: does the noise have the law that it is said to have?

Both tests are exact for any number of samples. The scale: under the law, the likelihood ratio of
any other law has mean 1, so the mean of several of them exceeds 1/a with probability at most a
(Markov). The shape: the empirical distribution function strays from the true one by more than t
with probability at most 2 exp(-2 n t^2), for discrete laws too (Massart, 1990).
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.auditing.findings import Finding
from tightrope.auditing.noise_shapes import NoiseShape
from tightrope.auditing.rates import NINE_IN_TEN
from tightrope.num.arrays import Floats

__all__ = ["scale_of_noise", "shape_of_noise"]

_RATIOS = np.array([0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998])
_RIVALS = np.concatenate([_RATIOS, 1 / _RATIOS])
"""Scales, over that of the law, which a sample is compared with."""

_ALLOWANCE = 1e-8
"""Error of the cumulative probabilities."""


def scale_of_noise(noise: Floats, shape: NoiseShape, level: float) -> Finding:
    """Test the scale of the noise by likelihood ratios.

    Args:
        noise: independent samples.
        shape: the law that they are said to have.
        level: the chance of a false refutation.
    """
    from scipy import special

    own = shape.log_mass(noise, shape.scale)
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = [(shape.log_mass(noise, r * shape.scale) - own).sum() for r in _RIVALS]
    best = float(_RIVALS[int(np.argmax(gains))])
    evidence = float(special.logsumexp(gains)) - math.log(len(_RIVALS))
    value = min(1.0, math.exp(-min(max(evidence, 0.0), 700.0)))
    nearest = "" if evidence <= 0 else f"; the nearest of the rivals is {best:.4g} times the scale"
    return Finding(
        name="scale of the noise",
        tried=f"likelihood ratios of {len(_RIVALS)} other scales",
        statistic=f"their mean is exp({evidence:.4g}){nearest}",
        p_value=value,
        refuted=value <= level,
        samples=len(noise),
        claimed=f"scale {shape.scale:.6g}",
        detectable=f"a scale {100 * _excess(len(noise), level):.2g} % smaller",
        assumes="the input is subtracted from the output; entries are independent",
    )


def shape_of_noise(noise: Floats, shape: NoiseShape, level: float) -> Finding:
    """Test the distribution function of the noise.

    Args:
        noise: independent samples.
        shape: the law that they are said to have.
        level: the chance of a false refutation.
    """
    values, counts = np.unique(noise, return_counts=True)
    upto = np.cumsum(counts) / len(noise)
    after = np.abs(upto - shape.below(values))
    before = np.abs(upto - counts / len(noise) - shape.before(values))
    distance = float(max(after.max(), before.max()))
    excess = max(distance - _ALLOWANCE, 0.0)
    value = min(1.0, 2 * math.exp(-2 * len(noise) * excess**2))
    least = math.sqrt(math.log(2 / level) / (2 * len(noise)))
    return Finding(
        name="shape of the noise",
        tried="the distance of the distribution functions",
        statistic=f"it is {distance:.4g}",
        p_value=value,
        refuted=value <= level,
        samples=len(noise),
        claimed="distance 0",
        detectable=f"distance {least + NINE_IN_TEN / (2 * math.sqrt(len(noise))):.2g}",
        assumes="the input is subtracted from the output; entries are independent",
    )


def _excess(samples: int, level: float) -> float:
    """The part of a Laplace scale that must be missing to be seen nine times in ten."""
    ratios = 1 - np.geomspace(1e-5, 0.99, 400)
    gain = samples * (ratios - 1 - np.log(ratios))
    spread = math.sqrt(samples) * (1 - ratios)
    seen = gain - NINE_IN_TEN * spread >= math.log(len(_RIVALS) / level)
    return float(1 - ratios[seen].max(initial=0.0))
