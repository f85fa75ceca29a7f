"""How wide a step of the trapezoid rule may be: what its aliases add from below and above."""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.contour import saddle
from tightrope.loss.contour.saddle import Shape
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats

FARTHER = 2.0 ** np.arange(-7.0, 5.0)
"""By how much of c the s may exceed c whose Chernoff bound is tried."""

UNKNOWN = 1e100
"""A log M that stands for one beyond reach."""

SMALL = 16.0
"""An s below this one is tried as it is, too, and not only rounded up to a whole number."""

LESS = 0.9
"""What a step may lose for a ceiling at a whole number."""


class Place(NamedTuple):
    """The integrand at c, and where a Chernoff bound might best bound the aliases from above.

    Some losses know M best at whole numbers, which are therefore preferred.
    """

    at: Shape
    s: Floats
    log_most: Floats

    @classmethod
    def of(cls, total: Total, c: float) -> Self:
        """With log of kappa(s) M(s) at some s > c, good to a few digits."""
        s = c + c * FARTHER
        s = np.concatenate((np.ceil(s), s[s < SMALL]))
        at, log_m = saddle.seen(total, c, s)
        return cls(at, s, log_m + saddle.log_kappa(s))

    def moved(self, total: Total, c: float) -> Self:
        """The same a little to the left, with the old s unless nothing is known at any of them."""
        if self.log_most.min() > UNKNOWN:
            return type(self).of(total, c)
        return self._replace(at=saddle.shape(total, c))

    def step(self, epsilon: float, allowed: float) -> tuple[float, float]:
        """The widest step whose aliases stay below exp(allowed), and the s that shows it."""
        c = self.at.c
        with np.errstate(all="ignore"):
            room = np.maximum(self.log_most - self.s * epsilon - allowed, 1.0)
            above = np.where(np.isfinite(room), 2 * math.pi * (self.s - c) / room, 0.0)
        above[len(FARTHER) :] *= LESS
        best = int(np.argmax(above))
        return min(widest(c, allowed), float(above[best])), float(self.s[best])


def widest(c: float, allowed: float) -> float:
    """The step at which the aliases from below are within what is allowed."""
    return 2 * math.pi * c / max(-allowed, 1.0)
