"""Values of a privacy profile at rising epsilons, and the tests that their chords stand for.

With x = e^epsilon, delta is convex in x, and a test of type I error alpha has type II error at
least 1 - delta(x) - alpha x. The chord of delta between two knots falls with the slope -alpha
of the test at which their two bounds meet. Below x = 1, delta - 1 + x is kept instead (the chance
of what the exchanged data sets cannot explain, times x), which vanishes where delta nears 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.loss.profile import OrderProfile
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp, log_expm1
from tightrope.num.rounding import EPS

MOST_TERMS = 1 << 22
"""Complex exponentials that one question may take."""

FEWEST, MOST = 32, 1 << 15
"""Epsilons at which a profile is computed for one question, whatever one of them takes."""

FARTHEST = 1e6
"""Log-odds of a test beyond which nobody asks."""


@dataclass(frozen=True)
class Knots:
    """One order of the neighbours at epsilons of any sign.

    Attributes:
        epsilon: where; the last axis rises, and 0 lies between no two neighbours of it.
        lower: of log delta (below 0: of log(delta - 1 + x)).
        upper: likewise.
    """

    epsilon: Floats
    lower: Floats
    upper: Floats

    @property
    def columns(self) -> tuple[Floats, Floats, Floats]:
        """All three arrays."""
        return self.epsilon, self.lower, self.upper

    @property
    def value(self) -> Floats:
        """The middle of the bounds, for search only."""
        known = np.isfinite(self.lower)
        return np.where(known, (np.where(known, self.lower, 0) + self.upper) / 2, self.upper)

    def merged(self, other: Knots) -> Knots:
        """All of both, flat."""
        epsilon, index = np.unique(np.append(self.epsilon, other.epsilon), return_index=True)
        lower = np.append(self.lower, other.lower)[index]
        return Knots(epsilon, lower, np.append(self.upper, other.upper)[index])

    def log_odds(self) -> tuple[Floats, Floats]:
        """Between neighbours, flat: half-way epsilons, and log(alpha/(1 - alpha)) of the chord."""
        epsilon, value = self.epsilon, self.value
        with np.errstate(all="ignore"):
            top = np.maximum(value[:-1], value[1:])
            rise = np.abs(np.exp(value[:-1] - top) - np.exp(value[1:] - top))
            slope = top + np.log(rise) - epsilon[:-1] - np.asarray(log_expm1(np.diff(epsilon)))
            odds = slope - np.log1p(-np.minimum(np.exp(slope), 1 - EPS))
        odds = np.where(np.isnan(odds), -FARTHEST, np.maximum(odds, -FARTHEST))
        odds = np.where(epsilon[1:] <= 0, -odds, odds)
        return (epsilon[:-1] + epsilon[1:]) / 2, np.minimum.accumulate(odds)


class Order:
    """One order of the neighbours, with the one of the exchanged data sets.

    Knots are laid in several rounds over the same range, so every stretch of it, from one power of
    two to the next, has a profile with its own contours.

    Attributes:
        total: of this order.
        back: of the exchanged data sets.
        spent: how many values have been asked for.
    """

    def __init__(self, order: OrderProfile, reverse: OrderProfile):
        self.total, self.back = order.total, reverse.total
        self.spent = 0
        self._profiles = order.stretches

    def at(self, epsilon: Floats) -> Knots:
        """The values at epsilons of any shape."""
        flat = epsilon.ravel()
        self.spent += len(flat)
        lower, upper = np.empty((2, len(flat)))
        stretch = np.ceil(np.log2(np.maximum(np.abs(flat), 1))).astype(int)
        stretch = np.where(flat < 0, -1 - stretch, stretch)
        for number in np.unique(stretch):
            here = stretch == number
            found = self._profile(int(number)).log_delta(np.abs(flat[here]))
            lower[here], upper[here] = found.lower, found.upper
        below, error = flat < 0, 4 * EPS * (np.abs(flat) + 1)
        lower[below] += (flat - error)[below]
        upper[below] += (flat + error)[below]
        return Knots(epsilon, lower.reshape(epsilon.shape), upper.reshape(epsilon.shape))

    def _profile(self, stretch: int) -> OrderProfile:
        if stretch not in self._profiles:
            self._profiles[stretch] = OrderProfile(self.back if stretch < 0 else self.total)
        return self._profiles[stretch]

    def room(self) -> int:
        """How many more epsilons can be afforded, judging by what one takes."""
        contours = [kept.contour for one in self._profiles.values() for kept in one.kept]
        terms = [len(contour.at.tau) for contour in contours]
        if not terms and self.total.law is not None:
            terms = [self.total.law.terms]
        return max(min(max(MOST_TERMS // max(terms, default=1), FEWEST), MOST) - self.spent, 0)


def as_delta(epsilon: Floats, log_value: Floats) -> Floats:
    """log delta, from what knots keep."""
    with np.errstate(all="ignore"):
        swapped = np.logaddexp(log_value, np.asarray(log1mexp(np.maximum(-epsilon, 0))))
    return np.where(epsilon < 0, swapped, log_value)


def as_excess(epsilon: Floats, log_value: Floats) -> Floats:
    """log(delta - 1 + x), from what knots keep."""
    with np.errstate(all="ignore"):
        swapped = np.logaddexp(log_value, np.asarray(log_expm1(np.maximum(epsilon, 0))))
    return np.where(epsilon < 0, log_value, swapped)
