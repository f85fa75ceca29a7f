"""The laws of noise that an audit compares samples with: masses and cumulative probabilities.

Each is a law on the whole numbers, as our samplers draw it, or its continuous twin.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tightrope.num.arrays import Floats

__all__ = ["GaussianShape", "LaplaceShape", "LogisticShape", "NoiseShape", "SkellamShape"]

_LARGEST_TABLE = 2048.0
"""Scales up to which laws are summed; beyond, a normal law is within 1e-8 of them."""


@dataclass(frozen=True)
class NoiseShape(ABC):
    """A symmetric law of noise.

    Attributes:
        scale: its scale.
        whole: whether it is a law on the whole numbers.
    """

    scale: float
    whole: bool

    @abstractmethod
    def log_mass(self, y: Floats, scale: float) -> Floats:
        """The logarithm of the mass, or density, that the law of another scale has."""

    @abstractmethod
    def below(self, y: Floats) -> Floats:
        """P(Y <= y), within 1e-8."""

    def before(self, y: Floats) -> Floats:
        """P(Y < y)."""
        return self.below(y - 1) if self.whole else self.below(y)


class LaplaceShape(NoiseShape):
    """Mass or density proportional to exp(-|y|/scale)."""

    def log_mass(self, y: Floats, scale: float) -> Floats:
        """The normaliser is tanh(1/(2 scale)), or 1/(2 scale)."""
        half = 0.5 / scale
        return math.log(math.tanh(half) if self.whole else half) - np.abs(y) / scale

    def below(self, y: Floats) -> Floats:
        """Geometric, or exponential, on either side."""
        if self.whole:
            total = 1 + math.exp(-1 / self.scale)
            outer = np.exp(-np.where(y >= 0, y + 1, -y) / self.scale) / total
        else:
            outer = np.exp(-np.abs(y) / self.scale) / 2
        return np.where(y >= 0, 1 - outer, outer)


class LogisticShape(NoiseShape):
    """A logistic variable, or that rounded to nearest."""

    def log_mass(self, y: Floats, scale: float) -> Floats:
        """Its density is q/(scale (1 + q)^2), q = exp(-|y|/scale)."""
        far = np.abs(y) / scale
        if not self.whole:
            return np.asarray(-far - 2 * np.log1p(np.exp(-far)) - math.log(scale))
        half = 0.5 / scale
        ends = np.log1p(np.exp(half - far)) + np.log1p(np.exp(-half - far))
        return np.asarray(half + math.log(-math.expm1(-2 * half)) - far - ends)

    def below(self, y: Floats) -> Floats:
        """A logistic function."""
        from scipy import special

        return np.asarray(special.expit((y + (0.5 if self.whole else 0.0)) / self.scale))


class SummedShape(NoiseShape):
    """A law whose distribution function is a sum, or the normal one where that is near enough."""

    @abstractmethod
    def _sums(self) -> Floats:
        """The cumulative probabilities from far below to as far above."""

    def below(self, y: Floats) -> Floats:
        """By sums while they are short."""
        from scipy import special

        if not self.whole or self.scale > _LARGEST_TABLE:
            return np.asarray(special.ndtr((y + (0.5 if self.whole else 0.0)) / self.scale))
        sums = self._sums()
        reach = len(sums) // 2
        return sums[np.clip(y + reach, 0, len(sums) - 1).astype(np.int64)]


class GaussianShape(SummedShape):
    """Mass or density proportional to exp(-y^2/(2 scale^2))."""

    def log_mass(self, y: Floats, scale: float) -> Floats:
        """The normaliser is a theta function, or sqrt(2 pi) scale."""
        total = _theta(scale) if self.whole else math.sqrt(2 * math.pi) * scale
        return -((y / scale) ** 2) / 2 - math.log(total)

    def _sums(self) -> Floats:
        return _gaussian_sums(self.scale)


def _theta(scale: float) -> float:
    """The sum of exp(-k^2/(2 scale^2)) over all whole k; a long one by Poisson's formula."""
    if scale < 0.5:
        return 1 + 2 * sum(math.exp(-(k**2) / (2 * scale**2)) for k in range(1, 20))
    dual = sum(math.exp(-2 * (math.pi * scale * k) ** 2) for k in (1, 2, 3))
    return math.sqrt(2 * math.pi) * scale * (1 + 2 * dual)


@lru_cache(maxsize=16)
def _gaussian_sums(scale: float) -> Floats:
    reach = math.ceil(12 * scale) + 2
    masses = np.exp(-((np.arange(-reach, reach + 1) / scale) ** 2) / 2) / _theta(scale)
    return np.cumsum(masses)


class SkellamShape(SummedShape):
    """The difference of two Poisson variables; its scale is the standard deviation.

    Of a variance v the normal law is within 1/(40 v) of it.
    """

    def log_mass(self, y: Floats, scale: float) -> Floats:
        """exp(-v) I_|y|(v); where that is no double any more, its first term by Stirling."""
        from scipy import special

        if scale > _LARGEST_TABLE:
            return np.asarray(-((y / scale) ** 2) / 2 - math.log(math.sqrt(2 * math.pi) * scale))
        variance, size = scale**2, np.abs(y)
        with np.errstate(divide="ignore"):
            near = np.log(special.ive(size, variance))
        far = size * math.log(variance / 2) - special.gammaln(size + 1) - variance
        return np.asarray(np.where(np.isneginf(near), far, near))

    def _sums(self) -> Floats:
        return _skellam_sums(self.scale)


@lru_cache(maxsize=16)
def _skellam_sums(scale: float) -> Floats:
    from scipy import special

    reach = math.ceil(12 * scale) + 20
    masses = special.ive(np.abs(np.arange(-reach, reach + 1)), scale**2)
    return np.asarray(np.cumsum(masses))
