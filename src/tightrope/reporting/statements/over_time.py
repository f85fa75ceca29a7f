"""The picture of a budget over time, as data: steps, since nothing is spent between two charges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise

from tightrope.ledger.statement import Moment, Statement
from tightrope.reporting.dates import time_axis
from tightrope.reporting.record import Axis, Picture, Series, Table
from tightrope.reporting.statements.words import percent, second

MOST_POINTS = 400
"""Most steps of a curve."""

ROWS = 6
"""Rows of the table below the picture."""

LEAST = 2
"""Fewer charges than this make no curve."""


def picture(told: Statement) -> Picture | None:
    """The consumption over time beside the budget; None if there is too little to draw."""
    moments = thinned(told.moments)
    if len(told.spent_lines) < LEAST or not moments:
        return None
    start = moments[0].time
    x = time_axis("time (UTC)", start, moments[-1].time)
    consumed = [(m.time - start, m.consumed) for m in moments]
    per = "" if told.scope is None else f" per {told.scope.per}"
    series = [
        Series("consumed", tuple(_steps(consumed, x.high))),
        Series(f"the budget{per}", ((x.low, 100.0), (x.high, 100.0))),
    ]
    if any(moment.reserved for moment in moments):
        held = [(m.time - start, m.reserved) for m in moments]
        series.append(Series("reserved, not committed", tuple(_steps(held, x.high))))
    return Picture(
        key="consumption",
        title="Consumed over time",
        about=f"What was consumed of the budget{per}, in percent of {counted_by(told)}; "
        "reservations count. It is no guarantee; the budget is. Nothing can get above the line at "
        "100 %.",
        x=x,
        y=Axis("% of the budget", 0.0, 110.0),
        series=tuple(series),
        table=_table(told.moments),
    )


def counted_by(told: Statement) -> str:
    """What a share of the budget is a share of."""
    return told.counted[0] if len(told.counted) == 1 else "the sum that is nearest to its end"


def thinned(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """At most so many moments that a picture shows; the largest of each stretch, and the last."""
    stride = -(-len(moments) // MOST_POINTS)
    if stride <= 1:
        return tuple(moments)
    stretches = (moments[at : at + stride] for at in range(0, len(moments), stride))
    return (*(max(stretch, key=lambda m: m.consumed) for stretch in stretches), moments[-1])


def _steps(points: Sequence[tuple[float, float]], end: float) -> Iterator[tuple[float, float]]:
    for (x, y), (after, _) in pairwise([*points, (end, 0.0)]):
        yield x, 100 * y
        yield after, 100 * y


def _table(moments: Sequence[Moment]) -> Table:
    """The consumption at a few moments, the last among them."""
    last = len(moments) - 1
    chosen = sorted({round(row * last / (ROWS - 1)) for row in range(ROWS)})
    rows = tuple(
        (_second(moments[at].time), percent(moments[at].consumed), percent(moments[at].reserved))
        for at in chosen
    )
    return Table(("until (UTC)", "consumed", "reserved"), rows)


def _second(seconds: float) -> str:
    return second(datetime.fromtimestamp(seconds, UTC).isoformat())
