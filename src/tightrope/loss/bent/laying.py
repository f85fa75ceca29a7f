"""Where to lay a hyperbola: through the saddle, as wide as the integrand allows.

Nothing here is a guarantee; a bad choice makes an interval wide, not wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tightrope.loss.bent.contour import DIGITS, SPARE, BentContour, Plan
from tightrope.loss.bent.few import FewSampled
from tightrope.loss.bent.hyperbola import Hyperbola
from tightrope.num.arrays import Floats

TURNS = 0.24 / 1.4 ** np.arange(7.0)
"""Angles d that are tried; 3 d is below pi/4."""

PARTS = np.array([0.6, 0.35, 0.2, 0.1])
"""Which part of c the hyperbola may lose on its way to the nearest of those beside it."""

SHARES = np.array([1.1, 1.0, 0.9, 0.8, 0.65])
"""Where the contour may cross the axis, relative to the saddle."""

NOISE = -29.0
"""log of the rounding error of a moment function, roughly."""

ENOUGH = 25.0
"""-log of a rounding error of the result that does not matter."""


SPARE_GUESS = 5.0
"""By how much a guess of log delta is lowered that left no digit."""


MOST_WORK = 3e7
"""A contour is not laid if the product of the two lengths would be larger."""


def through(few: FewSampled, c: float, epsilon: float, log_delta: float) -> BentContour | None:
    """A contour for values of epsilon near the given one; None if it would be too long.

    Args:
        few: the losses.
        c: the saddle, or its absolute value.
        epsilon: at least 0.
        log_delta: roughly what is looked for.
    """
    distance = few.distance(epsilon)[0]
    if not distance > 0:
        return None
    best = min(_plans(few, c, distance, log_delta), key=lambda one: one.cost)
    return BentContour(few, best.plan, distance) if best.work <= MOST_WORK else None


class _Priced(NamedTuple):
    """A contour, its work and that times what it may lack in digits."""

    cost: float
    work: float
    plan: Plan


def _plans(few: FewSampled, c: float, distance: float, log_delta: float) -> Iterator[_Priced]:
    """The cheapest contour for each angle of the hyperbola.

    The first logarithm of each pair is what the trapezoid rule has to get below: that along the
    hyperbola by the integrand beside it, that along the ray by the moment function. Noise is what
    rounding of the moment function leaves, relative to delta.
    """
    sign = 1.0 if few.mixed else -1.0
    runs = sum(kind.count for kind in few.kinds)
    depth = 2 * (DIGITS + 10) - log_delta / (1 if not few.mixed else 4)
    at = np.array([(share, part) for share in SHARES for part in PARTS])
    cross, part = c * at[:, 0], at[:, 1]
    for turn in TURNS.tolist():
        radius = part * cross / math.sin(turn)
        origin = sign * cross - part * cross
        points = origin + radius * np.sin(turn * np.array([[0.0], [1.0], [2.0]]))
        on = _logs(few, 2 * turn, depth, points.ravel()).reshape(points.shape)
        logs = on - distance * points - 2 * np.log(np.abs(points)) + np.log(radius)
        contour = np.maximum(logs[0], logs[2]) + DIGITS + SPARE - log_delta
        beside = [_logs(few, angle, depth, points[1]) for angle in (turn, 3 * turn)]
        over = np.maximum(*beside) / runs - on[1] / runs
        ray = np.maximum(over, 0) + logs[1] + math.log(runs) + DIGITS + SPARE - log_delta
        small = (
            np.log(-np.expm1(_logs(few, 2 * turn, depth, 0 * cross) - on[1])) if few.mixed else 0
        )
        noise = logs[1] + small - log_delta + math.log(runs) + NOISE
        work, cost = _work_and_cost(contour, ray, noise, turn)
        best = int(np.argmin(cost))
        curve = Hyperbola(float(origin[best]), float(radius[best]), turn)
        reach = float(logs[1, best] - on[1, best] / runs + math.log(runs))
        laid = Plan(curve, turn, depth, log_delta, reach)
        yield _Priced(float(cost[best]), float(work[best]), laid)


def _work_and_cost(
    contour: Floats, ray: Floats, noise: Floats, turn: float
) -> tuple[Floats, Floats]:
    """The product of both lengths, infinite where no digit is left, and a price for lost digits."""
    work = np.maximum(contour, 20) * np.maximum(ray, 20) / turn**2
    work[~(noise < 0)] = np.inf
    return work, work * np.exp(1.5 * np.maximum(noise + ENOUGH, 0))


def _logs(few: FewSampled, angle: float, depth: float, points: Floats) -> Floats:
    omega = points * math.cos(angle)
    return few.bounds(angle, float(omega.max()), depth).log(omega)
