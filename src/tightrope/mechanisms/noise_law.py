"""The laws of integer noise: how to draw from them, and how far they reach.

Each is the law of an exact sampler; its tail is enclosed, so that an interval that is said to hold
the truth with some probability holds it with at least that probability.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise import discrete_gaussian, discrete_laplace, discrete_logistic, skellam
from tightrope.noise.entropy import Entropy
from tightrope.noise.fixed import exp_minus, logistic_tail
from tightrope.noise.scales import skellam_scale, skellam_variance
from tightrope.num import bessel
from tightrope.num.rounding import float_down, float_up
from tightrope.theorems.discrete_gaussian.law import log_tail

__all__ = ["GaussianLaw", "LaplaceLaw", "LogisticLaw", "NoiseLaw", "SkellamLaw"]

BITS = 192
"""Bits of a tail; a level is a double, so that less than 2^-53 is never asked of it."""

LEAST = 1e-300
"""Taken for tails below it, where doubles lose their digits."""

Samples = NDArray[np.int64]


class NoiseLaw(ABC):
    """A symmetric law on the integers."""

    @property
    @abstractmethod
    def width(self) -> float:
        """The law's own scale: sigma of a Gaussian."""

    @abstractmethod
    def draw(self, count: int, entropy: Entropy) -> Samples:
        """Independent samples."""

    @abstractmethod
    def outside(self, size: int) -> Fraction:
        """P(|Y| > size), rounded up, for size >= 0."""

    def within(self, size: int, miss: Fraction) -> bool:
        """Whether P(|Y| > size) <= miss; False where it cannot be decided."""
        return self.outside(size) <= miss

    def reach(self, miss: Fraction) -> int:
        """The least size with P(|Y| > size) <= miss, for 0 < miss < 1."""
        high = 1
        while not self.within(high, miss):
            high *= 2
        low = -1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.within(middle, miss) else (middle, high)
        return high

    def rare(self, miss: Fraction) -> tuple[int, Fraction]:
        """The least m >= 1 with P(Y >= m) <= miss, for 0 < miss <= 1/2; and that, rounded up.

        The law is symmetric: P(Y > r) is half of P(|Y| > r).
        """
        reach = self.reach(2 * miss)
        return reach + 1, self.outside(reach) / 2


@dataclass(frozen=True)
class LaplaceLaw(NoiseLaw):
    """P(y) proportional to exp(-|y|/scale), so that P(|Y| > q) = 2 a^(q+1)/(1 + a)."""

    scale: Fraction

    @property
    def width(self) -> float:
        """Its scale."""
        return float(self.scale)

    def draw(self, count: int, entropy: Entropy) -> Samples:
        """By ``discrete_laplace``."""
        return discrete_laplace(self.scale, count, entropy=entropy)

    def outside(self, size: int) -> Fraction:
        """By integers."""
        above = exp_minus((size + 1) / self.scale, BITS)[1]
        return Fraction(2 * above, (1 << BITS) + exp_minus(1 / self.scale, BITS)[0])


@dataclass(frozen=True)
class LogisticLaw(NoiseLaw):
    """A logistic variable rounded, so that P(|Y| > q) = 2/(1 + exp((q + 1/2)/scale))."""

    scale: Fraction

    @property
    def width(self) -> float:
        """Its scale."""
        return float(self.scale)

    def draw(self, count: int, entropy: Entropy) -> Samples:
        """By ``discrete_logistic``."""
        return discrete_logistic(self.scale, count, entropy=entropy)

    def outside(self, size: int) -> Fraction:
        """By integers."""
        above = logistic_tail((size + Fraction(1, 2)) / self.scale, BITS)[1]
        return Fraction(2 * above, 1 << BITS)


@dataclass(frozen=True)
class GaussianLaw(NoiseLaw):
    """P(y) proportional to exp(-y^2/(2 variance))."""

    variance: Fraction

    @property
    def width(self) -> float:
        """The root of its variance."""
        return math.sqrt(self.variance)

    def draw(self, count: int, entropy: Entropy) -> Samples:
        """By ``discrete_gaussian``."""
        return discrete_gaussian(self.variance, count, entropy=entropy)

    def outside(self, size: int) -> Fraction:
        """By the tail's formula, its stated error of 1e-15 and a few ulps covered ten times."""
        log_above = float(log_tail(float_up(self.variance), float_down(size + 1)))
        above = math.exp(log_above + 1e-14 * (1 + abs(log_above)))
        return 2 * Fraction(max(above, LEAST))


@dataclass(frozen=True)
class SkellamLaw(NoiseLaw):
    """The difference of two Poisson variables of mean variance/2.

    ``scale`` is the root of the variance as a caller gave it, of whom errors then speak.
    """

    variance: Fraction
    scale: Real | None = field(default=None, compare=False, repr=False)

    @property
    def width(self) -> float:
        """The root of its variance."""
        return math.sqrt(self.variance)

    def draw(self, count: int, entropy: Entropy) -> Samples:
        """By ``skellam``."""
        if self.scale is not None:
            skellam_scale(self.scale, "Skellam")
        return skellam(self.variance, count, entropy=entropy)

    def outside(self, size: int) -> Fraction:
        """By integers."""
        above, total = _skellam_tails(skellam_variance(self.variance, "skellam"))
        return Fraction(2 * above[min(size, len(above) - 1)], total)


@lru_cache(maxsize=16)
def _skellam_tails(variance: Fraction) -> tuple[list[int], int]:
    """Bounds on the sums of the weights beyond 0, 1, 2, ..., and on that of all from below."""
    count = bessel.reach(variance, BITS) + 1
    first, *rest = bessel.weights(variance, count, BITS, BITS)
    above = list(accumulate((high for _, high in reversed(rest)), initial=1))[::-1]
    return above, first[0] + 2 * sum(low for low, _ in rest)
