"""Rough pictures of a loss in doubles: where a saddle lies, which epsilon has which delta.

Nothing here decides a digit of a reference value.  A sketch places contours and chooses the
epsilons of the table; a poor sketch costs nodes, never accuracy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


class Sketch:
    """A loss on finitely many atoms, with the logarithms of their masses under P."""

    def __init__(self, losses: ArrayLike, log_masses: ArrayLike) -> None:
        self.losses = np.asarray(losses, dtype=float)
        weights = np.asarray(log_masses, dtype=float)
        self.log_masses = weights - np.logaddexp.reduce(weights)

    def cumulant(self, c: float) -> tuple[float, float, float]:
        """K(c) = log E_P exp(c L), and its first two derivatives."""
        tilted = self.log_masses + c * self.losses
        log_total = float(np.logaddexp.reduce(tilted))
        share = np.exp(tilted - log_total)
        mean = float((share * self.losses).sum())
        return log_total, mean, float((share * (self.losses - mean) ** 2).sum())

    def saddle(self, n: int, epsilon: float) -> tuple[float, float]:
        """The minimum c of n K(c) - c e - log(c(c + 1)), and one standard deviation there."""
        low, high = -60.0, 25.0
        for _ in range(100):
            middle = (low + high) / 2
            slope = self._epsilon_at(n, float(np.exp(middle))) - epsilon
            low, high = (middle, high) if slope < 0 else (low, middle)
        c = float(np.exp(low))
        return c, float((n * self.cumulant(c)[2] + c**-2 + (c + 1) ** -2) ** -0.5)

    def _epsilon_at(self, n: int, c: float) -> float:
        return n * self.cumulant(c)[1] - 1 / c - 1 / (c + 1)

    def log_delta_at(self, n: int, c: float) -> tuple[float, float]:
        """The epsilon whose saddle is c, and the saddle-point estimate of its log delta."""
        k, slope, variance = self.cumulant(c)
        epsilon = n * slope - 1 / c - 1 / (c + 1)
        height = n * k - c * epsilon - np.log(c) - np.log1p(c)
        curvature = n * variance + c**-2 + (c + 1) ** -2
        return epsilon, float(height - np.log(2 * np.pi * curvature) / 2)

    def epsilon_for(self, n: int, log_delta: float) -> tuple[float, float]:
        """An epsilon of about this log delta, and its saddle."""
        low, high = -60.0, 25.0
        for _ in range(100):
            middle = (low + high) / 2
            above = self.log_delta_at(n, float(np.exp(middle)))[1] > log_delta
            low, high = (middle, high) if above else (low, middle)
        c = float(np.exp(low))
        return self._epsilon_at(n, c), c
