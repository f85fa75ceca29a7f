"""From bounds on a characteristic function at some points to one everywhere.

Let f be the characteristic function of a real law with variance v, and Y the difference of two
draws from it, so that |f(t)|^2 = E[cos(t Y)] and E[Y^2] = 2 v. As |sin(k x)| <= k |sin x| for
whole k,

    1 - |f(k t)|^2 <= k^2 (1 - |f(t)|^2).

If |f| <= q from T onwards, then |f(t)|^2 <= 1 - (1 - q^2)/k^2 for t < T, with k = ceil(T/t); and
this holds for every later t as well, since k falls. Between two points |f|^2 cannot rise by more
than the integral of its slope, which is at most E|Y| <= sqrt(2 v), and at most t E[Y^2] = 2 v t.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Floats

FINE = 0.1
"""Part of 1 - |f|^2 that may be lost between two points."""

MOST_POINTS = 600
"""Points that are evenly spaced in t, of which each costs a transform."""


class Tails(NamedTuple):
    """Rising points, and bounds on |f| from each of them onwards, which fall."""

    start: Floats
    most: Floats

    def log_bound(self, tau: Floats) -> Floats:
        """Bounds on log |f(t)| for all t >= tau, a flat array of non-negative numbers."""
        gain = 1 - np.minimum(self.most, 1.0) ** 2
        with np.errstate(divide="ignore", over="ignore"):
            times = np.maximum(np.ceil(self.start / tau[:, None]), 1.0)
            bounds = np.log1p(-gain / (times * times)) / 2
        return np.asarray(bounds.min(axis=1))


def by_variation(atoms: float, variation: float) -> Tails:
    """|f(t)| <= atoms + variation/t: the mass of atoms, and the variation of a density."""
    first = variation / max(1 - atoms, 1e-12)
    start = first * 2.0 ** np.arange(-1.0, 40.0, 0.25)
    return Tails(start, atoms + variation / start)


def followed(size: Callable[[Floats], Floats], variance: float, far: Tails) -> Tails:
    """The same with points before it, at which |f| is computed.

    Args:
        size: bounds on |f| at points.
        variance: of the law, rounded up.
        far: what is known far out.
    """
    useful = np.flatnonzero(far.most < 0.9)
    end = float(far.start[useful[0]] if len(useful) else far.start[-1])
    deviation = math.sqrt(variance)
    points = _points(0.05 / deviation, min(end, 60 / deviation), deviation)
    if len(points) < 2:
        return far
    square = size(points) ** 2
    left, right = points[:-1], points[1:]
    slope = np.minimum(math.sqrt(2) * deviation, 2 * variance * right)
    within = square[:-1] + slope * (right - left)
    beyond = float(far.most[np.searchsorted(far.start, points[-1], side="right") - 1]) ** 2
    if points[-1] < far.start[0]:
        beyond = 1.0
    worst = np.maximum.accumulate(np.append(within, beyond)[::-1])[::-1][:-1]
    near = Tails(left, np.sqrt(np.minimum(worst, 1.0)))
    order = np.argsort(np.append(near.start, far.start), kind="stable")
    return Tails(np.append(near.start, far.start)[order], np.append(near.most, far.most)[order])


def _points(first: float, last: float, deviation: float) -> Floats:
    """Evenly in log t while |f| falls, then evenly in t."""
    if last <= first:
        return np.zeros(0)
    turn = min(1 / deviation, last)
    near = np.geomspace(first, turn, 2 + math.ceil(math.log(turn / first) * 2 / FINE))
    many = math.ceil((last - turn) * deviation * math.sqrt(2) / FINE)
    far = np.linspace(turn, last, 1 + min(many, MOST_POINTS)) if many else np.array([turn])
    return np.append(near[:-1], far)
