"""How M decays for one release where one weight is moved (``one_moved``), by moments of the loss.

Under the law whose density is phi S^e, over its integral, f(t) = M(c + it)/M(c) is the mean of
exp(i t L) with L = log S or -log S. With an independent copy L' of L, its variance V and its
fourth central moment m,

    |f(t)|^2 = E cos(t (L - L')) <= 1 - V t^2 + (m/12 + V^2/4) t^4

by cos x <= 1 - x^2/2 + x^4/24. Farther out, integration by parts gives

    |f(t)| <= 1/t times the variation of phi S^e/(log S)', over M(c).

This is as good as a look at E_y (see ``envelope``) where many runs decay before the fourth power
matters, and much quicker.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.loss.mixture.moments import Moments, moments
from tightrope.loss.mixture.one_moved import OneMoved
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

MEETING = np.linspace(1.0, math.sqrt(2.0), 8)
"""Where the two bounds may meet, over the t at which the first is least."""

DEEP = 50.0
"""-log of what all runs must come to at any large t."""

FOLLOWED, CLOSE = 4.0, 0.02
"""-log of what all runs come to where they matter, and how much of it may be lost there."""

ROUNDED = 1e-12
"""More than four units in the last place of two logarithms."""


@dataclass(frozen=True)
class Spread:
    """Bounds on log |f(t)|, from moments of the loss."""

    moments: Moments

    @property
    def log_ends(self) -> tuple[float, float]:
        """Bounds on log M(c)."""
        return self.moments.log_ends

    @cached_property
    def quartic(self) -> float:
        """The factor of t^4, rounded up."""
        return (self.moments.fourth / 12 + self.moments.most**2 / 4) * (1 + 8 * EPS)

    @cached_property
    def turn(self) -> float:
        """The square of the t at which the first bound is least."""
        return self.moments.least / (2 * self.quartic)

    @cached_property
    def floor(self) -> float:
        """A bound from there on: before any other t the first at that t, beyond it the second."""
        square = self.turn * MEETING**2
        return float(np.maximum(self._near(square), self._far(square)).min())

    def _near(self, square: Floats) -> Floats:
        """The first bound on log |f(t)|, at squares of t up to twice the turn."""
        doubt = 8 * EPS * self.moments.least * square
        return (self.quartic * square - self.moments.least) * square / 2 + doubt

    def _far(self, square: Floats) -> Floats:
        """The second bound, which falls."""
        return math.log(self.moments.variation) - np.log(square) / 2 + ROUNDED

    def serves(self, runs: float) -> bool:
        """Whether it follows all runs as far as they matter, and keeps them small beyond."""
        if not self.moments.least:
            return False
        matters = 2 * FOLLOWED / (runs * self.moments.least)
        lost = runs * self.quartic * matters**2 / 2
        return lost < CLOSE and runs * self.floor < -DEEP

    def log_bound(self, tau: Floats) -> Floats:
        """For all t >= tau."""
        square = tau * tau
        before = np.maximum(self._near(np.minimum(square, self.turn)), self.floor)
        beyond = self._far(np.maximum(square, self.turn))
        return np.minimum(before, np.where(square < self.turn, 0.0, np.minimum(beyond, 0.0)))


def spread(moved: OneMoved) -> Spread | None:
    """Of one release; None if the moments tell too little."""
    found = moments(moved)
    return None if found is None else Spread(found)
