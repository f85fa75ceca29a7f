"""One question about an event, answered for a report: the number, its interval, and its proof."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tightrope._wire import clipped, shown, shown_down
from tightrope.events import Event
from tightrope.events.walk import leaves
from tightrope.notions import RDP
from tightrope.num.rounding import down, up
from tightrope.plan import (
    delta_interval,
    epsilon_interval,
    gdp_interval,
    to,
    tradeoff,
    tradeoff_interval,
)
from tightrope.plan.derivation import Step
from tightrope.reporting.library import Library
from tightrope.reporting.points import error_step, first_step, proved_delta
from tightrope.reporting.record import Number, Row
from tightrope.spec.query import Answer, Query, answer, guarantee

LONGEST = 200
"""Most characters of a claim in a derivation; the event is told in full beside it."""

MOST_DIGITS = 10
"""Digits of an interval's ends, at most; two more than tell the ends apart."""

Ends = tuple[float, float]


def answered(event: Event, query: Query, library: Library, known: Answer | None = None) -> Row:
    """The row of a table that answers a question, which may have been answered already."""
    found = known or answer(event, query)
    if found.reasons:
        return Row(query.title, None, found.reasons)
    step = _step(event, query)
    number = Number(
        shown=found.shown,
        digits=_digits(query, found),
        source=library.cite_last(step),
        interval=_interval(event, query),
    )
    return Row(query.title, number, (), library.tree(step).spoken(_words(event)))


def _words(event: Event) -> Callable[[str], str]:
    """How a claim is told: without neighbours, and no longer than a line or two.

    Those head the table, if all parts have the same; else each part names its own unit.
    """
    relations = {leaf.neighbors for leaf in leaves(event)}
    one = len(relations) == 1
    said = {f", neighbors={r!r}": "" if one else f", unit={r.changes[0].unit}" for r in relations}

    def told(claim: str) -> str:
        for words, instead in said.items():
            claim = claim.replace(words, instead)
        return clipped(claim, LONGEST)

    return told


def _digits(query: Query, found: Answer) -> str:
    if query.name == "approx":
        return repr(found.values["epsilon" if query.key == "delta" else "delta"])
    values = list(found.values.values())
    return ", ".join(map(repr, values if "=" in found.shown else values[:1]))


def _step(event: Event, query: Query) -> Step:
    if query.name == "advantage":
        return proved_delta(event, 0.0)[1]
    if query.name in ("tpr", "tradeoff"):
        rate = float(query.value)
        return error_step(event, rate, float(tradeoff(event, rate)))
    if query.name == "rdp":
        return first_step(to(event, RDP))
    return first_step(guarantee(event, query))


# --- intervals ------------------------------------------------------------------------------


def _interval(event: Event, query: Query) -> str:
    """Both proved ends as a text; empty if the lower one is not known."""
    ends = _ENDS.get(query.name)
    return "" if ends is None else between(*ends(event, query), share=query.name in _SHARES)


def between(low: float, high: float, *, share: bool = False) -> str:
    """``4.151816727 to 4.151816728``: the lower end rounded down, the upper one up.

    Examples:
        >>> between(4.151816727759498, 4.151816727764916)
        '4.151816727 to 4.151816728'
        >>> between(0.5, 2 / 3, share=True)
        '50.0 to 66.7 %'
        >>> between(0.0, 2.0)
        ''
    """
    if not 0 < low <= high < math.inf:
        return ""
    gap = (high - low) / high
    digits = MOST_DIGITS if gap == 0 else min(MOST_DIGITS, max(3, 2 - math.floor(math.log10(gap))))
    factor, unit = (100, " %") if share else (1, "")
    ends = (shown_down(factor * low, digits), shown(factor * high, digits))
    return f"{' to '.join(dict.fromkeys(ends))}{unit}"


def _approx_ends(event: Event, query: Query) -> Ends:
    if query.key == "delta":
        return epsilon_interval(event, query.value)
    return _floats(delta_interval(event, float(query.value)))


def _error_ends(event: Event, query: Query) -> Ends:
    low, high = _floats(tradeoff_interval(event, float(query.value)))
    blind = high >= 1 - float(query.value)  # no attacker is known who beats a blind guess
    return (0.0, 1.0) if blind else (low, high)


def _power_ends(event: Event, query: Query) -> Ends:
    low, high = _error_ends(event, query)
    return float(down(1 - high, 1)), float(up(1 - low, 1))


def _floats(ends: tuple[Any, Any]) -> Ends:
    return float(ends[0]), float(ends[1])


_ENDS: dict[str, Callable[[Event, Query], Ends]] = {
    "approx": _approx_ends,
    "advantage": lambda event, _: _floats(delta_interval(event, 0.0)),
    "tradeoff": _error_ends,
    "tpr": _power_ends,
    "gdp": lambda event, _: gdp_interval(event),
}
_SHARES = ("advantage", "tpr")
