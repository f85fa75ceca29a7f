"""Calibration: the parameter that just meets a target, on the safe side.

The caller gives a function from the parameter to an event. Whether more of the parameter means
more or less leakage is found by trying, a function that is seen to do both is refused, and the
returned number is one at which the target was verified to hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument, NotReachable
from tightrope.events import Event
from tightrope.notions import Guarantee
from tightrope.plan.calibration.edge import Axis, Search
from tightrope.plan.calibration.family import Family

Bounds = tuple[float, float] | None

LOWEST, HIGHEST = 1e-12, 1e12
"""Bounds without others: noise, rates and norms in any usual unit lie between them."""

MOST_WHOLE = 2.0**40
"""The same for whole numbers, which must be exact as doubles when halved and doubled."""

BEGIN, BEGIN_WHOLE = 1.0, 1024.0
"""Where a search without bounds begins."""


@spoken
def calibrate(
    f: Callable[[Any], Event],
    target: Guarantee,
    *,
    bounds: Bounds = None,
    integer: bool = False,
) -> float | int:
    """The least private parameter x at which ``f(x)`` still meets ``target``.

    That is the smallest noise, or the largest rate, clipping norm, group or number of steps: the
    direction is found by trying. The target is verified to hold at the result, which is within a
    relative 1e-10 of the edge of what can be proved, or next to it for whole numbers.

    Args:
        f: from a number (or a whole number) to an event.
        target: any guarantee with plain parameters, such as ``tr.ApproxDP(1.0, 1e-6)``, of which
            ``tr.ApproxDP(0, a)`` is an advantage of at most a; orders with bounds, as in
            ``tr.RDP([8], [0.5])``; a ``tr.Profile`` of points, all of which are to hold; or a
            ``tr.TradeOff`` of points: at each alpha the type II error is to be at least beta
            (between them nothing is asked).
        bounds: where to look, ascending; by default 1e-12 to 1e12 (1 to 2^40 for integers).
        integer: whether the parameter is a whole number.

    Raises:
        InvalidArgument: the loss is not monotone in the parameter, or the bounds are no bounds.
        NotReachable: no parameter within the bounds meets the target; the message says what is
            reached at best.

    Examples:
        >>> import tightrope as tr
        >>> scale = tr.calibrate(lambda s: tr.Gaussian(s) ** 12, tr.ApproxDP(1.0, 1e-6))
        >>> round(scale, 4)
        14.6347
        >>> tr.calibrate(lambda n: tr.Gaussian(10) ** n, tr.GDP(1.0), integer=True)
        100
        >>> one_in_ten_at_one_percent = tr.TradeOff([0, 0.01, 1], [1, 0.9, 0])
        >>> round(tr.calibrate(tr.Gaussian, one_in_ten_at_one_percent), 4)
        0.9571
    """
    if not callable(f):
        raise InvalidArgument(f"calibrate: f must be a function to an event; you passed {f!r}")
    axis = _axis(bounds, integer)
    family = Family(f, target, axis)
    search = family.search(_start(bounds, axis))
    ends = () if bounds is None else (axis.low, axis.high)
    if family.turns(search, ends):
        raise _turning(family)
    if not integer and any("whole number" in refusal for refusal in family.refusals):
        raise InvalidArgument(
            "calibrate: the parameter is a whole number; pass integer=True for a whole number"
            f"{_example(family)}"
        )
    if search.good is None:
        raise _unreachable(family, search)
    if search.bad is None and search.slope is None and axis.low < axis.high:
        raise InvalidArgument("calibrate: what is measured does not depend on the parameter")
    return int(search.good.x) if integer else search.good.x


def _axis(bounds: Bounds, integer: bool) -> Axis:
    if bounds is None:
        return Axis(1.0, MOST_WHOLE, True) if integer else Axis(LOWEST, HIGHEST, False)
    try:
        low, high = (float(end) for end in bounds)
    except (TypeError, ValueError):
        low, high = math.nan, math.nan
    if not 0 <= low <= high < math.inf:
        raise InvalidArgument(
            f"calibrate: bounds must be two ascending numbers of at least 0; you passed {bounds!r}"
        )
    if not integer:
        return Axis(low, high, False)
    if math.ceil(low) > math.floor(high):
        raise InvalidArgument(f"calibrate: no whole number lies within bounds={bounds!r}")
    return Axis(float(math.ceil(low)), float(math.floor(high)), True)


def _start(bounds: Bounds, axis: Axis) -> float:
    if bounds is None:
        return BEGIN_WHOLE if axis.whole else BEGIN
    return axis.nearest(math.sqrt(axis.low) * math.sqrt(axis.high) if axis.low else axis.high / 8)


def _turning(family: Family) -> InvalidArgument:
    low, high, whole = family.axis
    otherwise = "" if whole else ", or integer=True for a whole number"
    return InvalidArgument(
        "calibrate: the loss must grow or fall with the parameter throughout; it does both "
        f"between {low:g} and {high:g}. Give bounds= within which it does one{otherwise}"
        f"{_example(family)}"
    )


def _unreachable(family: Family, search: Search) -> NotReachable:
    low, high, _ = family.axis
    return NotReachable(
        f"calibrate: no parameter in [{low:g}, {high:g}] meets {family.target!r}"
        f"{family.best(search)}{_example(family)}",
        reasons=tuple(family.refusals) or ("every event that was tried leaks more",),
        reachable=(),
    )


def _example(family: Family) -> str:
    return f". For example, {family.refusals[-1]}" if family.refusals else ""
