"""A budget over time: what all releases so far add up to, beside the limit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope._calls import spoken
from tightrope._check import parameters
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.mechanisms import Released
from tightrope.notions import GDP, ZCDP, ApproxDP, BoundedRange, Guarantee, LogisticDP, PureDP
from tightrope.num.arrays import Flags, Floats
from tightrope.plots.canvas import opened
from tightrope.plots.lines import named_axes
from tightrope.plots.palette import faint, palette
from tightrope.plots.subjects import event_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BY_ONE_NUMBER = (PureDP, ApproxDP, ZCDP, GDP, BoundedRange, LogisticDP)


def spent_data(charges: Sequence[Event | Released], limit: Guarantee) -> Floats:
    """What the first releases together cost, for every number of them, in the limit's notion.

    Each number is that of the composition of all releases so far, which is less than what
    they cost one by one.
    """
    if not isinstance(limit, _BY_ONE_NUMBER) or (isinstance(limit, ZCDP) and limit.xi):
        names = ", ".join(notion.__name__ for notion in _BY_ONE_NUMBER)
        raise InvalidArgument(
            f"budget_over_time: limit must be a guarantee by one number, of {names}, and "
            f"a ZCDP without xi; you passed {limit!r}"
        )
    events = [event_of(charge, "budget_over_time: charges") for charge in _listed(charges)]
    totals = events[:1]
    for event in events[1:]:
        totals.append(totals[-1] + event)
    return np.array([_cost(total, limit) for total in totals])


@spoken
def budget_over_time(
    charges: Sequence[Event | Released],
    limit: Guarantee,
    *,
    times: Sequence[Any] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw what has been spent after every release, beside the limit.

    It shows releases that were fixed beforehand. What an analyst who adapts may still spend
    is for a filter to say, not for this picture.

    Args:
        charges: what was run or released, in order.
        limit: the budget, a guarantee by one number; an ApproxDP holds delta fixed.
        times: when, one for every charge: numbers or dates; by default 1, 2, 3, ...
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: charges are no events, the limit has another form, there is not one
            time for every charge, or matplotlib is not installed.
        NotReachable: the charges have no guarantee in the limit's notion, or none at its delta.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> releases = [tr.Gaussian(4), tr.Laplace(5), tr.Gaussian(4)]
        >>> axes = tr.plots.budget_over_time(releases, tr.GDP(0.5), axes=Figure().subplots())
        >>> axes.get_ylabel()
        'spent $\\\\mu$'
    """
    spent = spent_data(charges, limit)
    when = _times(times, len(spent))
    axes = opened(axes)
    colours = palette(axes)
    axes.step(when, spent, where="post", label="spent", color=colours[0])
    over = np.array([cost > limit.values[0] for cost in spent])
    _mark(axes, when, spent, ~over, color=colours[0], marker="o", label="within the limit")
    _mark(axes, when, spent, over, color=colours[3], marker="X", label="over the limit")
    symbol, value = _symbol(limit), float(limit.values[0])
    axes.axhline(value, color=faint(axes), linestyle="dashed", label=f"limit: {limit!r}")
    axes.set_ylim(0, 1.15 * max(value, float(np.max(spent[np.isfinite(spent)], initial=0))))
    named_axes(axes, "release" if times is None else "", f"spent {symbol}")
    tell_dates(axes, when)
    axes.legend(loc="best", fontsize="small")
    return axes


def _mark(axes: Axes, when: list[Any], spent: Floats, chosen: Flags, **style: Any) -> None:
    """Points alone, of which those that are not chosen are left out."""
    if chosen.any():
        axes.plot(list(compress(when, chosen)), spent[chosen], linestyle="none", **style)


def tell_dates(axes: Axes, when: list[Any]) -> None:
    """Dates without what all of them share, so that they do not run into one another."""
    if not isinstance(when[0], date):
        return
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(maxticks=7)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _listed(charges: Any) -> list[Any]:
    if isinstance(charges, Event | Released | str) or not isinstance(charges, Sequence):
        raise InvalidArgument(
            f"budget_over_time: charges must be a list of events; you passed {charges!r}"
        )
    if not charges:
        raise InvalidArgument("budget_over_time: charges must not be empty")
    return list(charges)


def _times(times: Sequence[Any] | None, count: int) -> list[Any]:
    if times is None:
        return list(range(1, count + 1))
    if len(times) != count:
        raise InvalidArgument(
            f"budget_over_time: times must be one for every charge; {len(times)} for {count}"
        )
    return list(times)


def _cost(total: Event, limit: Guarantee) -> float:
    if isinstance(limit, ApproxDP):
        return float(total.to(ApproxDP, delta=limit.delta).epsilon)
    guarantee = total.to(type(limit))
    if isinstance(guarantee, ZCDP):  # D <= xi + rho a <= (rho + xi) a, as orders are at least 1
        return float(guarantee.rho + guarantee.xi)
    return float(guarantee.values[0])


def _symbol(limit: Guarantee) -> str:
    return f"${parameters(limit)[0].latex}$"
