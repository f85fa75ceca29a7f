"""Skellam noise: a table of the outcomes, and a sum of such noises where the law is wide.

The difference of two independent Poisson variables of mean v/2 has the variance v, and
P(y) = exp(-v) I_|y|(v) (Skellam, 1946). Up to sigma = 1024 a table of its cumulative probabilities
is inverted. The sum of independent Skellam variables is one whose variance is the sum of theirs, as
for Poisson variables; so a wider law is drawn as a sum of up to 64 equal parts, each from a table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.entropy import Entropy
from tightrope.noise.falling import GUARD, shares
from tightrope.noise.fixed import Interval
from tightrope.noise.inversion import Inversion
from tightrope.noise.scales import skellam_variance
from tightrope.noise.shape import Size, sampled
from tightrope.num import bessel

__all__ = ["skellam", "skellam_sampler"]

_WIDEST_TABLE = 1 << 20

_FINER = 40
"""Ratios of weights are known to so many bits more than the weights."""


def skellam(variance: Real, size: Size, *, entropy: Entropy | None = None) -> NDArray[np.int64]:
    """Integers, independent: differences of two Poisson variables of mean variance/2, exactly.

    Args:
        variance: above 0 and at most 2**26, taken as precisely the number that it is.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Raises:
        InvalidArgument: variance or size is not admissible.

    Source: Skellam (1946); the law by its modified Bessel functions.

    >>> from tightrope.noise import InsecureEntropy
    >>> skellam(16, (2, 3), entropy=InsecureEntropy(1)).shape
    (2, 3)
    """
    caller = "skellam"
    return sampled(skellam_sampler(skellam_variance(variance, caller)), size, entropy, caller)


@lru_cache(maxsize=64)
def skellam_sampler(variance: Fraction) -> Inversion | _Sum:
    """The sampler of that variance; its tables are kept."""
    parts = math.ceil(variance / _WIDEST_TABLE)
    one = Inversion(partial(_cuts, variance / parts))
    return one if parts == 1 else _Sum(one, parts)


@dataclass(frozen=True)
class _Sum:
    """Sampler of a sum of independent samples of one law."""

    one: Inversion
    parts: int

    def draw(self, count: int, entropy: Entropy) -> NDArray[np.int64]:
        """`count` samples: sums of few parts, each of which is far from 64 bits."""
        total = self.one.draw(count, entropy)
        for _ in range(self.parts - 1):
            total += self.one.draw(count, entropy)
        return total


def _cuts(variance: Fraction, bits: int) -> list[Interval]:
    """Cumulative probabilities in the order 0, -1, 1, -2, 2, ...; 2**-bits or less is left out."""
    work = bits + GUARD
    count = bessel.reach(variance, work) + 1
    first, *rest = bessel.weights(variance, count, work, work + _FINER)
    return shares(chain([first], *([each, each] for each in rest)), 2, bits)
