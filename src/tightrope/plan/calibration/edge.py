"""The edge between the parameters that meet a target and those that do not.

Everything happens in the logarithm of the parameter, in which most misses are close to linear: a
secant finds the edge in a few evaluations from anywhere, and bisection where the secant fails. An
edge is given by a parameter at which the target was found to be met.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

Miss = Callable[[float], float]
"""How far a parameter misses the target: at most 0 where the target is met."""

MOST = 200
"""Evaluations of one search."""

USABLE = 1e200
"""Misses beyond this size say nothing but their sign."""

CLOSEST = 2.0**-46
"""Relative distance of parameters between which nothing is looked for."""

DISTINCT = 1e-8
"""Relative distance from which on two parameters tell a slope."""

ROUNDING = 1e-9
"""Misses of this size may come from rounding."""

BLURRED = 1e-3
"""The farthest from the edge that a good parameter is tried where misses hide in the width of an
interval: each that does is followed by one eight times as far away."""

LARGEST_STEP = 700.0
"""Largest step in the logarithm of a parameter: exp of it is still a double."""

LEAST_SHARE = 1e-30
"""Of bounds that begin at 0, the share of the upper bound at which logarithms begin."""


class Point(NamedTuple):
    """A parameter and its miss."""

    x: float
    miss: float

    @property
    def met(self) -> bool:
        """Whether the target is met."""
        return self.miss <= 0

    @property
    def usable(self) -> bool:
        """Whether the miss is a number to reckon with."""
        return abs(self.miss) < USABLE


class Axis(NamedTuple):
    """Where parameters may lie.

    Attributes:
        low: the least parameter, at least 0.
        high: the largest.
        whole: whether they are whole numbers.
    """

    low: float
    high: float
    whole: bool

    def nearest(self, x: float) -> float:
        """The parameter nearest to x."""
        inside = min(max(x, self.low), self.high)
        return float(round(inside)) if self.whole else inside

    def moved(self, x: float, step: float) -> float:
        """x exp(step), within the bounds; another number than x unless x is that end."""
        begin = max(x, LEAST_SHARE * self.high) if step > 0 else x
        target = min(begin * math.exp(min(step, LARGEST_STEP)), self.high)
        if target < max(self.low, LEAST_SHARE * self.high):
            return self.low
        if not self.whole:
            return target
        snapped = float(round(target))
        if snapped == x:
            snapped += math.copysign(1, step)
        return min(max(snapped, self.low), self.high)

    def between(self, x: float, low: float, high: float) -> float:
        """x, or if it is to be whole, the nearest whole number strictly between low and high."""
        return min(max(float(round(x)), low + 1), high - 1) if self.whole else x

    def closed(self, a: float, b: float) -> bool:
        """Whether no parameter worth a look lies between a and b."""
        gap = abs(a - b)
        return gap <= 1 if self.whole else gap <= CLOSEST * max(a, b)


def _middle(a: float, b: float) -> float:
    return math.sqrt(a) * math.sqrt(b) if a > 0 else (a + b) / 2


class Search:
    """One search, with all that it has evaluated.

    Args:
        miss: what to bring to zero.
        axis: where.
        tolerance: relative distance from the edge at which a parameter will do.
        slope: that of the miss by the logarithm of the parameter, if something is known of it.
        nudge: relative distance from the edge at which a good parameter is tried.
    """

    def __init__(self, miss: Miss, axis: Axis, tolerance: float, slope: float | None, nudge: float):
        self.miss, self.axis, self.tolerance = miss, axis, tolerance
        self.slope, self.nudge = slope, nudge
        self.trail: list[Point] = []
        self.reach = math.log(2)

    # --- what is known ----------------------------------------------------------------------

    @property
    def sides(self) -> tuple[Point | None, Point | None]:
        """The nearest to the edge of the points that meet the target, and of the others."""
        good, bad = [p for p in self.trail if p.met], [p for p in self.trail if not p.met]
        if not good or not bad:
            least = min(good + bad, key=lambda point: abs(point.miss), default=None)
            return (least, None) if good else (None, least)
        return (min(good), max(bad)) if max(good) > max(bad) else (max(good), min(bad))

    @property
    def good(self) -> Point | None:
        """Of the parameters that meet the target, the one nearest to the edge."""
        return self.sides[0]

    @property
    def bad(self) -> Point | None:
        """Of the others, the nearest to the edge."""
        return self.sides[1]

    @property
    def edge(self) -> float:
        """The best parameter: the good one nearest to the edge, or else the bad one."""
        good, bad = self.sides
        best = good or bad
        assert best is not None
        return best.x

    def expected(self, x: float) -> bool:
        """Whether x should meet the target, if the miss has one direction."""
        good, bad = self.sides
        if good is None:
            return False
        if bad is not None:
            return (x >= good.x) if good.x > bad.x else (x <= good.x)
        if self.slope is None or not self._near(good):
            return True
        return (x >= good.x) if self.slope < 0 else (x <= good.x)

    def _visit(self, x: float) -> None:
        point = Point(x, self.miss(x))
        before = next((p for p in reversed(self.trail) if p.usable), None)
        self.trail.append(point)
        if before is None or not point.usable or min(before.x, x) <= 0:
            return
        run, rise = math.log(x / before.x), point.miss - before.miss
        if abs(run) > DISTINCT and abs(rise) > 1e-9 * max(abs(point.miss), abs(before.miss)):
            self.slope = rise / run

    # --- the search -------------------------------------------------------------------------

    def run(self, start: float) -> Point | None:
        """The good point nearest to the edge; without an edge the nearest to one, or none."""
        x: float | None = start
        while x is not None and all(x != point.x for point in self.trail):
            self._visit(x)
            x = self._proposal() if len(self.trail) < MOST else None
        return self.good

    def _proposal(self) -> float | None:
        good, bad = self.sides
        if good is None or bad is None:
            return None if good is not None and self._near(good) else self._outward()
        if self.axis.closed(good.x, bad.x) or self._near(good):
            return None
        return self._inward(*sorted((good.x, bad.x)))

    def _near(self, good: Point) -> bool:
        if self.axis.whole or not self.slope:
            return False
        return -good.miss <= max(self.tolerance, 2 * self.nudge) * abs(self.slope)

    def _inward(self, low: float, high: float) -> float:
        x = self.trail[-1].x * math.exp(min(self._step(), LARGEST_STEP))
        if self._stalls() or not low < x < high:
            x = _middle(low, high)
        return self.axis.between(x, low, high)

    def _outward(self) -> float | None:
        """Farther to where the miss changes towards 0; to both sides if that is not known."""
        step = self._step()
        upward = len(self.trail) % 2 == 1
        for up in (upward, not upward) if math.isnan(step) else (step > 0,):
            base = (max if up else min)(point.x for point in self.trail)
            size = self.reach if math.isnan(step) else min(abs(step), self.reach)
            x = self.axis.moved(base, size if up else -size)
            if x != base:
                self.reach *= 2
                return x
        return None

    def _step(self) -> float:
        """In log x, from the last point to the edge, and a little to the side that is met."""
        last = self.trail[-1]
        if not (last.usable and self.slope and last.x > 0):
            return math.nan
        step = -last.miss / self.slope
        if 0 < last.miss < ROUNDING and abs(step) < 16 * self.nudge:
            self.nudge = min(8 * self.nudge, BLURRED)
        return step - math.copysign(self.nudge, self.slope)

    def _stalls(self) -> bool:
        """Whether the last evaluation brought no progress."""
        before, last = self.trail[-2:]
        return not abs(last.miss) <= max(abs(before.miss) / 2, ROUNDING)
