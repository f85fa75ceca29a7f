"""Few runs of sampled Gaussian noise: a route that is taken where a straight contour is long."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.bent import laying
from tightrope.loss.bent.contour import BentContour
from tightrope.loss.bent.few import FewSampled
from tightrope.loss.contour import laying as straight
from tightrope.loss.contour import saddle
from tightrope.loss.contour.contour import Contour
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.precision import EXTENDED
from tightrope.num.rounding import EPS

SHARP = 1e-10
"""Relative width of an interval that is good enough."""

WIDE = 1e-9
"""Relative width of an interval that is worth another try."""

LONG = 1 << 11
"""Nodes of a straight contour that is longer than a bent one."""

LOST = 1e-6
"""Relative width beyond which a straight contour is asked as well."""

MOST_WORK = 2e6
"""Exponentials of a straight contour, beyond which Chernoff's bound has to do."""

DEEPEST = -2000.0
"""Below this log delta Chernoff's bound has to do."""

MOST_LOST = 6
"""Epsilons that no hyperbola answers, after which none is laid any more."""

MOST_TRIES = 3
"""Contours that are laid for one epsilon, each with a better guess of delta than the last."""

MOST_KEPT = 8
"""Contours that are kept."""


UNKNOWN = LogInterval(np.array([-math.inf]), np.array([0.0]), "nothing")
"""What is known without a contour."""


@dataclass(frozen=True, eq=False)
class FewSampledLaw(Law):
    """The profile by contours along hyperbolas.

    Attributes:
        total: the losses.
        few: the same.
        kept: contours and the relative widths of the intervals that they gave.
        lost: what became of each epsilon that no hyperbola answers.
    """

    quick: ClassVar[bool] = False

    total: Total
    few: FewSampled
    kept: list[tuple[BentContour, float]] = field(default_factory=list)
    lost: dict[float, LogInterval] = field(default_factory=dict)

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is of that sort."""
        few = FewSampled.of(total)
        return None if few is None else cls(total, few)

    def preferred_to(self, contour: Contour) -> bool:
        """Beside a contour that needs a fictitious Gaussian, or is longer than a bent one."""
        return contour.eta > 0 or contour.nodes > LONG

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """One epsilon after the other, contours being shared by neighbours."""
        parts = [self._one(float(at)) for at in epsilon]
        lower, upper = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        return LogInterval(lower, upper, parts[0].method)

    def narrowed(self, epsilon: Floats, interval: LogInterval) -> LogInterval:
        """The interval, narrower where it was wide and the epsilon is possible."""
        lower, upper = interval.lower.copy(), interval.upper.copy()
        with np.errstate(invalid="ignore"):
            wide = ~(upper - lower <= WIDE) & (epsilon < self.total.highest)
        for i in np.flatnonzero(wide):
            found = self._one(float(epsilon[i]))
            lower[i] = max(lower[i], found.lower[0])
            upper[i] = min(upper[i], found.upper[0])
        return interval._replace(lower=lower, upper=upper)

    def _one(self, epsilon: float) -> LogInterval:
        for contour, width in self.kept:
            found = contour.log_delta(epsilon)
            if _width(found) <= max(SHARP, 2 * width):
                return found
        if epsilon in self.lost:
            return self.lost[epsilon]
        with np.errstate(all="ignore"):
            if len(self.lost) >= MOST_LOST:
                return self._by_chernoff(epsilon)
            found = self._laid(epsilon)
            if _width(found) > LOST and found.upper[0] > DEEPEST:
                found = self.lost[epsilon] = self._straight(epsilon, found)
        return found

    def _by_chernoff(self, epsilon: float) -> LogInterval:
        """An upper end alone."""
        c = saddle.for_epsilon(self.total, epsilon)
        bound = self.total.log_most(c) + float(saddle.log_kappa(np.array(c))) - c * epsilon
        above = bound + 8 * EPS * (abs(bound) + 2 * c * epsilon + 1)
        above = min(above, 0.0) if math.isfinite(above) else 0.0
        return LogInterval(np.array([-math.inf]), np.array([above]), "Chernoff's bound")

    def _straight(self, epsilon: float, found: LogInterval) -> LogInterval:
        """What a straight contour adds to an interval."""
        c = saddle.for_epsilon(self.total, epsilon)
        contour = straight.through(self.total, c, epsilon)
        if contour.nodes * self.total.cost > MOST_WORK:
            bound = self._by_chernoff(epsilon)
            return bound._replace(lower=found.lower, upper=np.fmin(found.upper, bound.upper))
        sums = contour.sums(np.array([epsilon]))
        lower, upper = np.fmax(found.lower, sums.log_lower), np.fmin(found.upper, sums.log_upper)
        return LogInterval(lower, upper, contour.method)

    def _laid(self, epsilon: float) -> LogInterval:
        """By a new contour."""
        c = saddle.for_epsilon(self.total, epsilon)
        guess = min(saddle.shape(self.total, c).log_delta(epsilon), 0.0)
        if guess < DEEPEST:
            return self._by_chernoff(epsilon)
        best, least = UNKNOWN, math.inf
        for _ in range(MOST_TRIES):
            contour = laying.through(self.few, c, epsilon, guess)
            if contour is None:
                break
            found = contour.log_delta(epsilon)
            if WIDE / 2 < _width(found) < LOST and EXTENDED is not np.float64:
                contour = contour.refined()
                found = contour.log_delta(epsilon)
            if _width(found) < least:
                best, least = found, _width(found)
                self.kept.insert(0, (contour, least))
            before, guess = guess, _guess(found, guess)
            if _width(found) <= SHARP or abs(guess - before) < 1:
                break
        del self.kept[MOST_KEPT:]
        return best


def _width(found: LogInterval) -> float:
    width = float(found.upper[0]) - float(found.lower[0])
    return width if width >= 0 else math.inf


def _guess(found: LogInterval, before: float) -> float:
    lower, upper = float(found.lower[0]), float(found.upper[0])
    if math.isfinite(lower):
        return (lower + upper) / 2
    return min(upper, before) - laying.SPARE_GUESS
