"""Report noisy max with Laplace noise, in integers on a grid of the sensitivity.

Why it is epsilon-DP. Rounding to the grid is monotone and moves neighbours' scores apart by less
than a step more, so a rounded score moves by at most m = floor(sensitivity/step) + 1 steps. Break
ties by a random order of the candidates: fix that order and the noise of all but candidate i. Then
i wins exactly if its noise is at least some integer, which moves by at most 2 m between neighbours,
by m if all scores move one way. For discrete Laplace noise of scale t, P(Y >= y + 1) is at least
exp(-1/t) P(Y >= y) for every y. So the ratio is at most exp(2 m/t).

Samples end at 2**62. Scores are kept within 2**60 steps of the best, which moves none by more than
before; then a candidate wins with probability above exp(-2**60/t - 1)/(8 n), while some sample
reaches 2**61 with probability below 2 n exp(-2**61/t), and unless one does, the winner is that of
unlimited samples. With t below 2**47 this changes no probability by a factor farther from 1 than
exp(-8000), which the scale, wider than needed by a 2**-40th, covers.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tightrope._check import POSITIVE, Domain, Real, validated
from tightrope.grid import floor_log2, step_of, to_points
from tightrope.noise.entropy import Entropy
from tightrope.noise.laplace import discrete_laplace
from tightrope.noise.saturation import saturating_add
from tightrope.noise.selection import noisy_argmax

_FINENESS = 24
"""The step is at least a 2**-25th of the sensitivity, and at most a 2**-24th."""

_DEPTH = 1 << 60
"""Steps below the best score at which scores are held."""

_SPARE = 1 + Fraction(1, 1 << 40)

_EPSILON = Domain("at least 2^-20 for Laplace noise", lambda x: x >= 2**-20)


def laplace_argmax(
    scores: NDArray[np.float64],
    epsilon: Real,
    sensitivity: Real,
    monotone: bool,
    source: Entropy,
) -> NDArray[np.int64]:
    """The number of the candidate with the largest noisy score; the last axis runs over them."""
    least = Fraction(validated(epsilon, _EPSILON, "ReportNoisyMax.release: epsilon"))
    size = Fraction(validated(sensitivity, POSITIVE, "ReportNoisyMax.release: sensitivity"))
    exponent = floor_log2(size) - _FINENESS
    points = to_points(scores, exponent)
    below = np.maximum(points - points.max(axis=-1, keepdims=True), -_DEPTH)
    scale = steps_of_noise(least, size, exponent, monotone)
    noise = discrete_laplace(scale, below.shape, entropy=source)
    return noisy_argmax(saturating_add(below, noise), entropy=source)


def steps_of_noise(epsilon: Fraction, sensitivity: Fraction, exponent: int, monotone: bool) -> int:
    """The scale of the noise, in steps of 2**exponent."""
    moved = math.floor(sensitivity / step_of(exponent)) + 1
    return math.ceil((moved if monotone else 2 * moved) / epsilon * _SPARE)
