"""The Gaussian loss: all Gaussian releases together are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from tightrope.loss.loss import ClosedForm
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import EPS, sqrt_up, sum_up

SMALLEST, LARGEST = 1e-14, 1e8
"""mu^2 of what is ordinary."""


@dataclass(frozen=True)
class GaussianLoss(ClosedForm):
    """L ~ N(mu^2/2, mu^2), with log M(z) = z (z + 1) mu^2/2.

    Attributes:
        square: mu^2, the sum of (sensitivity/noise scale)^2 over all releases.

    Source: Dong, Roth and Su (2022), Corollary 3.3 (the composition of Gaussians).
    """

    square: float

    @cached_property
    def mu(self) -> float:
        """The root of ``square``, rounded up."""
        return sqrt_up(Fraction(self.square))

    def times(self, count: int) -> Self:
        """mu^2 grows with the number of runs."""
        return type(self)(sum_up([self.square], [count]))

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Squares add."""
        return cls(sum_up([loss.square for loss in losses]))

    @property
    def nothing(self) -> bool:
        """No shift."""
        return self.square == 0

    @property
    def ordinary(self) -> bool:
        """Between what no test can see and what no noise hides."""
        return self.nothing or SMALLEST <= self.square <= LARGEST

    def raised(self) -> Self:
        """A larger shift leaks more."""
        return self if self.nothing else type(self)(max(self.square, SMALLEST))

    def estimate(self, z: Complexes) -> Complexes:
        """The formula."""
        return np.asarray(z * (z + 1) * (self.square / 2))

    def rounding(self, z: Complexes) -> Floats:
        """Eight roundings, and as many of the square."""
        return np.asarray(16 * EPS * np.abs(z * (z + 1)) * (self.square / 2))

    def decay(self, c: float, tau: Floats) -> Floats:
        """|M(c + i tau)| = M(c) exp(-mu^2 tau^2/2), exactly."""
        return np.asarray(-(1 - 8 * EPS) * self.square / 2 * tau**2)

    def screen(self, c: float, tau: Floats) -> Floats:
        """The same."""
        return self.decay(c, tau)
