"""Calibration: the parameter that just meets a target, on the safe side.

The caller gives a function from the parameter to an event. Whether more of the parameter means
more or less leakage is found by trying, a function that does both is refused, and the returned
number is one at which the target was verified to hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from tightrope._errors import InvalidArgument, NotReachable
from tightrope.events import Event
from tightrope.notions import RDP, TCDP, ApproxDP, Guarantee, Profile, PureDP, TradeOff
from tightrope.num.rounding import EPS, float_down
from tightrope.plan import answers
from tightrope.plan.target import to

Loss = Callable[[float], float]
"""How far a parameter misses the target: at most 0 where the target is met."""

LOWEST, HIGHEST = 1e-12, 1e12
PROBES = 25
RELATIVE = 2.0**-46
LARGEST_LOG = 1e300


def calibrate(
    f: Callable[[Any], Event],
    target: Guarantee,
    *,
    bounds: tuple[float, float] | None = None,
    integer: bool = False,
) -> float | int:
    """The least private parameter x at which ``f(x)`` still meets ``target``.

    That is the smallest noise, or the largest rate or number of steps: the direction is found
    by trying. The result is on the safe side and within a relative 1e-13 of the edge.

    Args:
        f: from a number (or a whole number) to an event.
        target: any guarantee with plain parameters, for example ``tr.ApproxDP(1.0, 1e-6)``.
        bounds: where to look, ascending; by default 1e-12 to 1e12 (1 to 2^40 for integers).
        integer: whether the parameter is a whole number.

    Raises:
        InvalidArgument: the loss is not monotone in the parameter, or the bounds are no bounds.
        NotReachable: no parameter within the bounds meets the target.

    Examples:
        >>> import tightrope as tr
        >>> scale = tr.calibrate(lambda s: tr.Gaussian(s) ** 12, tr.ApproxDP(1.0, 1e-6))
        >>> round(scale, 4)
        14.6347
        >>> tr.calibrate(lambda n: tr.Gaussian(10) ** n, tr.GDP(1.0), integer=True)
        100
    """
    if not callable(f):
        raise InvalidArgument(f"calibrate: f must be a function to an event; you passed {f!r}")
    refusals: list[str] = []
    loss = _loss(f, target, integer, refusals)
    lo, hi = _bounds(bounds, integer)
    grid = _grid(lo, hi, integer)
    met = [loss(x) <= 0 for x in grid]
    if not any(met):
        raise NotReachable(
            f"calibrate: no parameter in [{lo:g}, {hi:g}] meets {target!r}{_told(refusals)}",
            reasons=tuple(refusals) or ("every event that was tried leaks more",),
            reachable=(),
        )
    if sum(a != b for a, b in pairwise(met)) > 1:
        raise InvalidArgument(
            "calibrate: the loss must grow or fall with the parameter throughout; it does both "
            f"between {lo:g} and {hi:g}. Give bounds= within which it does one, or integer=True "
            f"for a whole number{_told(refusals)}"
        )
    if all(met):
        return _cheapest_end(loss, grid, integer)
    edge = next(i for i in range(len(met) - 1) if met[i] != met[i + 1])
    good, bad = (grid[edge], grid[edge + 1]) if met[edge] else (grid[edge + 1], grid[edge])
    return _edge_whole(loss, int(good), int(bad)) if integer else _edge(loss, good, bad)


def _cheapest_end(loss: Loss, grid: list[float], integer: bool) -> float | int:
    """Every parameter meets the target: the end at which the loss is largest."""
    first, last = loss(grid[0]), loss(grid[-1])
    if first == last and len(grid) > 1:
        raise InvalidArgument("calibrate: what is measured does not depend on the parameter")
    end = grid[0] if first > last else grid[-1]
    return int(end) if integer else end


def _edge(loss: Loss, good: float, bad: float) -> float:
    """Close in on the edge by the secant where it helps and by bisection where it does not."""
    at_good, at_bad = loss(good), loss(bad)
    for attempt in range(200):
        width = abs(good - bad)
        if width <= RELATIVE * abs(good):
            break
        middle = _next(good, bad, at_good, at_bad, attempt)
        value = loss(middle)
        if value <= 0:
            good, at_good = middle, value
        else:
            bad, at_bad = middle, value
    return good


def _next(good: float, bad: float, at_good: float, at_bad: float, attempt: int) -> float:
    far = not (0.25 < good / bad < 4)
    middle = math.sqrt(good * bad) if far and good * bad > 0 else (good + bad) / 2
    if attempt % 3 == 2 or not (math.isfinite(at_bad) and at_bad > at_good):
        return middle
    share = -at_good / (at_bad - at_good)
    nudge = RELATIVE * abs(good) / 4 / abs(bad - good)
    share = min(max(share + (nudge if attempt % 3 else -nudge), 2 * nudge), 1 - 2 * nudge)
    return good + share * (bad - good) if not far else middle


def _edge_whole(loss: Loss, good: int, bad: int) -> int:
    while abs(good - bad) > 1:
        middle = (good + bad) // 2
        if loss(middle) <= 0:
            good = middle
        else:
            bad = middle
    return good


def _grid(lo: float, hi: float, integer: bool) -> list[float]:
    if lo == hi:
        return [lo]
    low = max(lo, hi * 1e-30) if lo <= 0 else lo
    points = [low * (hi / low) ** (i / (PROBES - 1)) for i in range(PROBES)]
    points[0], points[-1] = lo, hi
    if integer:
        return [float(p) for p in sorted({round(p) for p in points})]
    return points


def _bounds(bounds: tuple[float, float] | None, integer: bool) -> tuple[float, float]:
    if bounds is None:
        return (1, 2.0**40) if integer else (LOWEST, HIGHEST)
    try:
        lo, hi = (float(end) for end in bounds)
    except (TypeError, ValueError):
        lo, hi = math.nan, math.nan
    if not (0 <= lo <= hi < math.inf):
        raise InvalidArgument(
            f"calibrate: bounds must be two ascending numbers of at least 0; you passed {bounds!r}"
        )
    return (math.ceil(lo), math.floor(hi)) if integer else (lo, hi)


# --- how far an event misses a target -------------------------------------------------------


def _told(refusals: list[str]) -> str:
    return f". For example, {refusals[-1]}" if refusals else ""


def _loss(f: Callable[[Any], Event], target: Guarantee, integer: bool, refusals: list[str]) -> Loss:
    """The loss of ``f(x)``; what was refused on the way is noted in ``refusals``."""
    if not isinstance(target, Guarantee) or isinstance(target, RDP | TradeOff | Profile):
        raise InvalidArgument(
            "calibrate: target must be a guarantee with plain parameters, such as "
            f"tr.ApproxDP(1.0, 1e-6) or tr.GDP(0.5); you passed {target!r}"
        )
    measured = _against_approx if isinstance(target, ApproxDP) else _against_scalar

    def loss(x: float) -> float:
        try:
            event = f(int(x) if integer else x)
        except InvalidArgument as error:  # by the event itself, as a sampling rate above 1 is
            refusals.append(str(error))
            return math.inf
        if not isinstance(event, Event):
            raise InvalidArgument(f"calibrate: f must give an event; f({x!r}) gave {event!r}")
        event.neighbors.merged(target.neighbors)
        try:
            return measured(event, target)
        except NotReachable as error:
            refusals.append(str(error))
            return math.inf

    return loss


def _against_approx(event: Event, target: Any) -> float:
    """The excess of log delta at the target's epsilon; of epsilon, where delta is 0."""
    delta = float_down(target.delta)
    if delta == 0:
        return _against_scalar(event, PureDP(target.epsilon, neighbors=event.neighbors))
    found = float(answers.log_delta(event, float_down(target.epsilon)))
    return max(found, -LARGEST_LOG) - math.log(delta) * (1 + math.copysign(EPS, math.log(delta)))


def _against_scalar(event: Event, target: Any) -> float:
    found = to(event, type(target))
    misses = [
        float(have) - float(want) for have, want in zip(found.values, target.values, strict=True)
    ]
    if isinstance(target, TCDP):  # a larger reach is the stronger promise
        misses[1] = -misses[1]
    return max(misses)
