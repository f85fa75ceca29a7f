"""Discrete Gaussian noise: a table for small sigma, rejection from discrete Laplace for large.

The law is P(y) proportional to exp(-y**2/(2 sigma**2)), over all integers y (Canonne, Kamath and
Steinke, 2020).  Up to sigma = 256 a table of its cumulative probabilities is inverted.  Above, a
discrete Laplace proposal of scale t = floor(sigma) + 1 is kept with probability
exp(-(|y| - sigma**2/t)**2/(2 sigma**2)), their Algorithm 3, three times out of four.

How many proposals are thrown away depends on chance; the time is that of a batch, not of a sample.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.fixed import Interval, coarser, divide, exp_minus
from tightrope.noise.inversion import Inversion
from tightrope.noise.laplace import laplace_sampler
from tightrope.noise.refine import Probability, rising
from tightrope.noise.scales import noise_variance
from tightrope.noise.shape import Size, in_blocks, shape_of
from tightrope.noise.thinned import ThinnedLaplace

__all__ = ["discrete_gaussian", "gaussian_sampler"]

_WIDEST_TABLE = 256**2
_KEPT = 0.76
"""The share of proposals that is kept: sqrt(pi/(2 e)) for a large sigma."""


def discrete_gaussian(
    variance: Real, size: Size, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Integers y, independent, with probability proportional to exp(-y**2/(2 variance)), exactly.

    Args:
        variance: the law's parameter sigma**2 (its variance is a little smaller), above 0 and below
            2**120, taken as precisely the number that it is.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Returns:
        int64; what lies beyond +-2**62 is returned as +-2**62 (see `saturating_add`).

    Raises:
        InvalidArgument: variance or size is not admissible.

    Source: Canonne, Kamath and Steinke (2020), Definition 1 and Algorithm 3.

    >>> from tightrope.noise import InsecureEntropy
    >>> discrete_gaussian(16, (2, 3), entropy=InsecureEntropy(1)).shape
    (2, 3)
    """
    sampler = gaussian_sampler(noise_variance(variance, "discrete_gaussian"))
    source = entropy or SystemEntropy()
    shape = shape_of(size, "discrete_gaussian")
    return in_blocks(shape, lambda count: sampler.draw(count, source))


@lru_cache(maxsize=64)
def gaussian_sampler(variance: Fraction) -> Inversion | ThinnedLaplace:
    """The sampler of that variance; its tables are kept."""
    if variance <= _WIDEST_TABLE:
        return Inversion(partial(_cuts, variance))
    return _thinned(variance)


def _cuts(variance: Fraction, bits: int) -> list[Interval]:
    """Cumulative probabilities: partial sums over the whole sum, which is known by its tail."""
    work = bits + 32
    sums, beyond = _partial_sums(variance, work)
    total = sums[-1][0], sums[-1][1] + beyond
    shares = (divide(each, total, work) for each in sums)
    cuts = (coarser((low, min(high, 1 << work)), work - bits) for low, high in shares)
    return rising(list(cuts))


def _partial_sums(variance: Fraction, bits: int) -> tuple[list[Interval], int]:
    """Partial sums of the weights in the order 0, -1, 1, ..., and a bound on all that follow.

    The sums stop at the first weight w below 2**-bits.  From there on the weights fall by at least
    the factor exp(-x), x = (2m + 1)/(2 variance), so that those of one sign sum to at most
    w/(1 - exp(-x)) <= w (1 + 1/x).
    """
    low = high = 1 << bits
    sums, m = [(low, high)], 1
    while (weight := exp_minus(m * m / (2 * variance), bits))[1] > 1:
        for _ in range(2):
            low, high = low + weight[0], high + weight[1]
            sums.append((low, high))
        m += 1
    return sums, 2 * (1 + math.ceil(2 * variance / (2 * m + 1)))


def _thinned(variance: Fraction) -> ThinnedLaplace:
    scale = math.isqrt(math.floor(variance)) + 1
    peak = variance / scale
    rate, float_peak = -1 / float(2 * variance), float(peak)

    def chance(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        # size and peak are rounded once each, so z = (size - peak)/sigma is off by at most
        # 2**-52 (2 + |z|), and exp(-z**2/2) by 2**-52 |z| (2 + |z|) exp(-z**2/2) and a few units
        # of exp itself: below 2**-48, where `decide` asks for 2**-40
        off = sizes - float_peak
        return np.asarray(np.exp(off * off * rate))

    def exact(size: int) -> Probability:
        return partial(exp_minus, (size - peak) ** 2 / (2 * variance))

    return ThinnedLaplace(laplace_sampler(Fraction(scale)), _KEPT, chance, exact)
