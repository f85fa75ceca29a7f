"""Wanted points of a privacy profile, and three ways to see how far an event misses them.

By proved bounds; roughly, by saddle points alone; and sharply but without proof for events that
hardly differ from one whose nodes are known.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tightrope.events import Event
from tightrope.loss.contour import saddle
from tightrope.loss.many_runs.shared_line import Asked, nodes, placed
from tightrope.loss.many_runs.sheet import Sheet
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS
from tightrope.plan import answers
from tightrope.plan.calibration.misses import LEAST, NARROW, SLIGHT
from tightrope.plan.exact.profile import exact_profile

MOST_NODES = 1 << 12
"""Nodes of a line that is worth to be used again."""


class ProfilePoints:
    """Wanted points of a privacy profile, delta in (0, 1)."""

    def __init__(self, points: list[tuple[float, float]]):
        self.points = points
        self.epsilon = np.array([epsilon for epsilon, _ in points])
        log = np.log([delta for _, delta in points])
        self.log_delta = log + EPS * (log - 1)
        self.near: dict[tuple[int, int], float] = {}

    def miss(self, event: Event) -> float:
        """By how much log delta is above what is wanted, where that is most."""
        if not self.points:
            return LEAST
        found = np.asarray(answers.log_delta(event, self.epsilon))
        miss = float((np.maximum(found, LEAST) - self.log_delta).max())
        return SLIGHT if -NARROW < miss <= 0 and not self._agreed(event) else miss

    def _agreed(self, event: Event) -> bool:
        """Whether epsilon at delta, found by another way, comes out within the target too."""
        return all(answers.best_epsilon(event, d)[0] <= e for e, d in self.points)

    def rough(self, event: Event) -> float | None:
        """The same by saddle points alone."""
        found = self._rough(event)
        return None if found is None else float(found.max())

    def _rough(self, event: Event) -> Floats | None:
        """One row an order, one column a point."""
        profile = exact_profile(event)
        if profile is None or not self.points:
            return None
        found = [
            [self._estimate(order.total, i, j) for j in range(len(self.points))]
            for i, (order, _) in enumerate(profile.orders)
        ]
        return np.array(found) - self.log_delta

    def _estimate(self, total: Total, order: int, point: int) -> float:
        """log delta in that order, to a digit or two: saddles tend to lie near the last ones."""
        epsilon = float(self.epsilon[point])
        shape = _shape(total, epsilon, self.near.get((order, point)))
        if shape is not None:
            self.near[order, point] = shape.c
        return _log_delta(total, shape, epsilon)

    def follow(self, event: Event) -> Callable[[Event], float] | None:
        """The miss at the worst point in the worst order, by the nodes that suit this event."""
        found = self._rough(event)
        if found is None:
            return None
        place, point = np.unravel_index(found.argmax(), found.shape)
        epsilon, wanted = float(self.epsilon[point]), float(self.log_delta[point])
        total = _totals(event)[place]
        asked = Asked(np.ones(1), np.array([epsilon]), np.array([wanted]))
        line_at = placed(total, asked, saddle.for_epsilon(total, epsilon))
        count = nodes(total, asked, line_at, total.line(line_at.c), 1.0)
        if count > MOST_NODES or total.escape:
            return None

        def miss(other: Event) -> float:
            totals = _totals(other)
            if len(totals) != len(found):
                return math.nan
            sheet = Sheet.open_ended(totals[place].line(line_at.c), line_at.step, int(count))
            return float(sheet.bounds(*asked[:2]).log_upper[0]) - wanted

        return miss


def _totals(event: Event) -> list[Total]:
    profile = exact_profile(event)
    return [] if profile is None else [order.total for order, _ in profile.orders]


def _shape(total: Total, epsilon: float, near: float | None) -> saddle.Shape | None:
    """The saddle, if there is one."""
    if epsilon >= total.highest:
        return None
    return saddle.shape(total, saddle.for_epsilon(total, epsilon, near))


def _log_delta(total: Total, shape: saddle.Shape | None, epsilon: float) -> float:
    """log delta by the saddle point alone, to a digit or two."""
    lost = float(log1mexp(total.escape)) if total.escape else LEAST
    if shape is None:
        return lost
    return float(np.logaddexp(lost, min(shape.log_delta(epsilon), 0.0)))
