"""Discrete logistic noise: a logistic variable rounded to the nearest integer, exactly.

P(Y > m) = 1/(1 + exp((m + 1/2)/s)), so that P(y) = sinh(h)/(cosh(h) + cosh(y/s)) with h = 1/(2 s).
For integers v, v + Y is v + X rounded, X logistic: post-processing of the continuous mechanism.
Up to s = 64 a table of the cumulative probabilities is inverted.  Above, with q = exp(-|y|/s),

    P(y) = 2 sinh(h) q/((1 + q exp(h)) (1 + q exp(-h))),

so a discrete Laplace proposal of scale s is kept with probability
1/((1 + exp(-(|y| - 1/2)/s)) (1 + exp(-(|y| + 1/2)/s))), every second time.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.fixed import Interval, coarser, logistic_tail, multiply
from tightrope.noise.inversion import Inversion
from tightrope.noise.laplace import laplace_sampler
from tightrope.noise.refine import Probability, rising
from tightrope.noise.scales import noise_scale
from tightrope.noise.shape import Size, in_blocks, shape_of
from tightrope.noise.thinned import ThinnedLaplace

__all__ = ["discrete_logistic", "logistic_sampler"]

_WIDEST_TABLE = 64
_HALF = Fraction(1, 2)


def discrete_logistic(
    scale: Real, size: Size, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Integers, independent: logistic variables of that scale rounded to nearest, exactly.

    Args:
        scale: s in the density exp(-x/s)/(s (1 + exp(-x/s))**2), above 0 and at most 2**60, taken
            as precisely the number that it is.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Returns:
        int64; what lies beyond +-2**62 is returned as +-2**62 (see `saturating_add`).

    Raises:
        InvalidArgument: scale or size is not admissible.

    Source: the cumulative probabilities are those of the logistic law by definition.

    >>> from tightrope.noise import InsecureEntropy
    >>> discrete_logistic(3, 4, entropy=InsecureEntropy(1)).shape
    (4,)
    """
    sampler = logistic_sampler(noise_scale(scale, "discrete_logistic"))
    source = entropy or SystemEntropy()
    shape = shape_of(size, "discrete_logistic")
    return in_blocks(shape, lambda count: sampler.draw(count, source))


@lru_cache(maxsize=64)
def logistic_sampler(scale: Fraction) -> Inversion | ThinnedLaplace:
    """The sampler of that scale; its tables are kept."""
    if scale <= _WIDEST_TABLE:
        return Inversion(partial(_cuts, scale))
    return _thinned(scale)


def _cuts(scale: Fraction, bits: int) -> list[Interval]:
    """1 - P(Y > m - 1) - P(Y > m) once -m is counted, 1 - 2 P(Y > m) once m is, too."""
    work = bits + 16
    one = 1 << work
    found, m, before = [], 0, (0, 0)
    while m == 0 or before[1] >> (work - bits):
        tail = logistic_tail((m + _HALF) / scale, work)
        if m:
            found.append((one - before[1] - tail[1], one - before[0] - tail[0]))
        found.append((one - 2 * tail[1], one - 2 * tail[0]))
        m, before = m + 1, tail
    return rising([coarser(cut, work - bits) for cut in found])


def _thinned(scale: Fraction) -> ThinnedLaplace:
    float_scale = float(scale)

    def chance(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        # a relative error of 2**-52 in x moves exp(-x) by less than that, absolutely; the rest
        # is a few roundings: below 2**-48, where `decide` asks for 2**-40
        near = 1 + np.exp((0.5 - sizes) / float_scale)
        far = 1 + np.exp((-0.5 - sizes) / float_scale)
        return np.asarray(1 / (near * far))

    def exact(size: int) -> Probability:
        def probability(bits: int) -> Interval:
            near = logistic_tail((_HALF - size) / scale, bits)
            far = logistic_tail((-_HALF - size) / scale, bits)
            return multiply(near, far, bits)

        return probability

    return ThinnedLaplace(laplace_sampler(scale), 0.5, chance, exact)
