"""The search over a continuous Renyi order.

Every order gives a valid bound, so this search decides only how tight the result is, never
whether it holds. It runs over `log(order - 1)`, in which the bounds are smooth and, for the
curves that arise, have one minimum; it may lie at either end (order 1, or the largest known).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["LOWEST", "argmin", "ceiling"]

LOWEST = -18.0
"""log(order - 1) below which an order is as good as 1: the difference is below 1e-15."""

_UNBOUNDED = 60.0
_FIRST_STEP = 0.5
_GOLDEN = (3 - math.sqrt(5)) / 2
_MOST_STEPS = 100
_NUDGE = 1e-4


class _Point(NamedTuple):
    x: float
    value: float


def argmin(
    f: Callable[[float], float], start: float, highest: float, tolerance: float = 1e-8
) -> float:
    """Return where f is least on [LOWEST, highest], walking downhill from `start`.

    Args:
        f: the function; it may be infinite above some argument, but not everywhere.
        start: where the walk begins; it is moved into the interval.
        highest: the end of the interval.
        tolerance: absolute accuracy of the argument, for a minimum inside the interval.
    """
    low, best, high = _bracket(f, min(max(start, LOWEST), highest), highest)
    if best.x == LOWEST or (best.x == highest and f(highest - _NUDGE) >= best.value):
        return best.x
    return _brent(f, low, best, high, tolerance)


def ceiling(max_order: float) -> float:
    """Where a search up to `max_order`, above 1, ends: log(max_order - 1), or 60 if unbounded."""
    return math.log(max_order - 1) if max_order < math.inf else _UNBOUNDED


def _bracket(
    f: Callable[[float], float], start: float, highest: float
) -> tuple[float, _Point, float]:
    """Walk downhill with doubling steps until f rises or the interval ends."""
    here = _Point(start, f(start))
    above = min(start + _FIRST_STEP, highest)
    behind = _Point(above, f(above))
    step, end = -_FIRST_STEP, LOWEST
    if behind.value < here.value:
        here, behind, step, end = behind, here, _FIRST_STEP, highest
    while here.x != end:
        step *= 2
        x = min(here.x + step, end) if step > 0 else max(here.x + step, end)
        ahead = _Point(x, f(x))
        if ahead.value > here.value:
            return min(behind.x, x), here, max(behind.x, x)
        behind, here = here, ahead
    return min(behind.x, end), here, max(behind.x, end)


def _brent(
    f: Callable[[float], float], low: float, best: _Point, high: float, tolerance: float
) -> float:
    """Minimise inside a bracket by parabolas through the three best points, or golden sections.

    R. P. Brent, "Algorithms for minimization without derivatives" (1973), Chapter 5.
    """
    second = third = best
    step = before = 0.0
    for _ in range(_MOST_STEPS):
        centre = (low + high) / 2
        if abs(best.x - centre) + (high - low) / 2 <= 2 * tolerance:
            break
        jump = _vertex(best, second, third) - best.x
        if low < best.x + jump < high and abs(jump) < abs(before) / 2:
            before, step = step, jump
        else:
            before = (high if best.x < centre else low) - best.x
            step = _GOLDEN * before
        if min(best.x + step - low, high - best.x - step) < 2 * tolerance:
            step = math.copysign(tolerance, centre - best.x)
        x = best.x + (step if abs(step) > tolerance else math.copysign(tolerance, step))
        fresh = _Point(x, f(x))
        if fresh.value < best.value:
            low, high = (best.x, high) if x > best.x else (low, best.x)
            best, second, third = fresh, best, second
            continue
        low, high = (low, x) if x > best.x else (x, high)
        if fresh.value <= second.value or second.x == best.x:
            second, third = fresh, second
        elif fresh.value <= third.value or third.x in (best.x, second.x):
            third = fresh
    return best.x


def _vertex(a: _Point, b: _Point, c: _Point) -> float:
    """Where the parabola through three points is stationary; nan if they do not make one."""
    ab, ac = (a.x - b.x) * (a.value - c.value), (a.x - c.x) * (a.value - b.value)
    if ab == ac or not math.isfinite(ab - ac):
        return math.nan
    return a.x - ((a.x - b.x) * ab - (a.x - c.x) * ac) / (2 * (ab - ac))
