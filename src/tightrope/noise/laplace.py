"""Discrete Laplace noise: exact, a table look-up a sample, in a time that the noise does not show.

The law is P(y) proportional to exp(-|y|/t), over all integers y (Ghosh, Roughgarden and
Sundararajan, 2012).  Below t = 64 a table of its cumulative probabilities is inverted; above, a
table of blocks, since exp(-|y|/t) hardly varies within a 32nd of t (see `stepped`).  How often a
lane needs more than the look-up is the same in every block.
"""

from __future__ import annotations

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
from tightrope.noise.scales import noise_scale
from tightrope.noise.shape import Size, sampled
from tightrope.noise.stepped import Stepped, block_bits
from tightrope.num.arrays import Floats

__all__ = ["discrete_laplace", "geometric", "laplace_sampler"]


def discrete_laplace(
    scale: Real, size: Size, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Integers y, independent, with probability proportional to exp(-|y|/scale), exactly.

    Args:
        scale: above 0 and at most 2**60, taken as precisely the number that it is.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Returns:
        int64; what lies beyond +-2**62 is returned as +-2**62 (see `saturating_add`).

    Raises:
        InvalidArgument: scale or size is not admissible.

    Source: Ghosh, Roughgarden and Sundararajan (2012), the geometric mechanism.

    >>> from tightrope.noise import InsecureEntropy
    >>> discrete_laplace(3, 6, entropy=InsecureEntropy(1)).shape
    (6,)
    """
    caller = "discrete_laplace"
    return sampled(laplace_sampler(noise_scale(scale, caller)), size, entropy, caller)


def geometric(scale: Real, size: Size, *, entropy: Entropy | None = None) -> NDArray[np.int64]:
    """Integers g >= 0, independent, with probability (1 - a) a**g, a = exp(-1/scale), exactly.

    This is a discrete Laplace sample y with its sign bit taken off, y or -y - 1: of bit s and g,
    P(y) = (1 - a)/(1 + a) a**|y| is the product a**s/(1 + a) * (1 - a) a**g. It is one-sided
    exponential noise, rounded down to the grid. Arguments, limits and errors are those of
    `discrete_laplace`.

    >>> bool((geometric(3, 100) >= 0).all())
    True
    """
    caller = "geometric"
    signed = sampled(laplace_sampler(noise_scale(scale, caller)), size, entropy, caller)
    return signed ^ (signed >> 63)


@lru_cache(maxsize=64)
def laplace_sampler(scale: Fraction) -> Inversion | Stepped:
    """The sampler of that scale; its tables are kept."""
    law, bits = _Laplace(scale), block_bits(float(scale))
    return Stepped(law, bits) if bits else Inversion(law.cuts)


@dataclass(frozen=True)
class _Laplace(FallingLaw):
    """f(g) = exp(-g/scale)."""

    scale: Fraction

    def weights(self, step: int, bits: int) -> Iterator[Interval]:
        """Powers; each multiplication adds a unit, and the others fade with the weight."""
        each, weight = exp_minus(step / self.scale, bits), (1 << bits, 1 << bits)
        while True:
            yield weight
            weight = multiply(weight, each, bits)

    def ratio(self, start: int, offset: int) -> Probability:
        """The same from every start."""
        return partial(exp_minus, offset / self.scale)

    def drop(self, starts: Floats, offsets: Floats | float) -> Floats:
        """Two roundings, and those of expm1."""
        return np.asarray(-np.expm1(-offsets / float(self.scale)) + 0 * starts)
