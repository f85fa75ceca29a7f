"""Discrete Gaussian noise: a table of the outcomes for small sigma, of blocks for large.

The law is P(y) proportional to exp(-y**2/(2 sigma**2)), over all integers y (Canonne, Kamath and
Steinke, 2020).  Up to sigma = 256 a table of its cumulative probabilities is inverted.  Above, a
block is looked up, and 1 % of the proposals are refused (see `stepped`).

How many proposals are refused depends on chance; the time is that of a batch, not of a sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.entropy import Entropy
from tightrope.noise.falling import FallingLaw
from tightrope.noise.fixed import Interval, exp_minus, multiply
from tightrope.noise.inversion import Inversion
from tightrope.noise.refine import Probability
from tightrope.noise.scales import noise_variance
from tightrope.noise.shape import Size, sampled
from tightrope.noise.stepped import Stepped, block_bits
from tightrope.num.arrays import Floats

__all__ = ["discrete_gaussian", "gaussian_sampler"]

_WIDEST_TABLE = 256**2


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

    Source: Canonne, Kamath and Steinke (2020), Definition 1.

    >>> from tightrope.noise import InsecureEntropy
    >>> discrete_gaussian(16, (2, 3), entropy=InsecureEntropy(1)).shape
    (2, 3)
    """
    caller = "discrete_gaussian"
    return sampled(gaussian_sampler(noise_variance(variance, caller)), size, entropy, caller)


@lru_cache(maxsize=64)
def gaussian_sampler(variance: Fraction) -> Inversion | Stepped:
    """The sampler of that variance; its tables are kept."""
    law = _Gaussian(variance)
    if variance <= _WIDEST_TABLE:
        return Inversion(law.cuts)
    return Stepped(law, block_bits(math.sqrt(variance)))


@dataclass(frozen=True)
class _Gaussian(FallingLaw):
    """f(g) = exp(-g**2/(2 variance))."""

    variance: Fraction

    def weights(self, step: int, bits: int) -> Iterator[Interval]:
        """Each is the one before times a factor, which falls by the square of the first factor."""
        factor = exp_minus(step**2 / (2 * self.variance), bits)
        square, weight = multiply(factor, factor, bits), (1 << bits, 1 << bits)
        while True:
            yield weight
            weight, factor = multiply(weight, factor, bits), multiply(factor, square, bits)

    def ratio(self, start: int, offset: int) -> Probability:
        """(start + offset)**2 - start**2 in the exponent."""
        return partial(exp_minus, offset * (2 * start + offset) / (2 * self.variance))

    def drop(self, starts: Floats, offsets: Floats | float) -> Floats:
        """Seven roundings, and those of expm1, whose argument's relative error it does not
        enlarge."""
        exponents = offsets * (2 * starts + offsets) / float(2 * self.variance)
        return np.asarray(-np.expm1(-exponents))
