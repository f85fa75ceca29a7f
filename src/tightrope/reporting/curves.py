"""The pictures of a report as data: delta against epsilon, trade-off curves, groups of units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from tightrope._check import Real
from tightrope.events import Event
from tightrope.plan import answers
from tightrope.plots.extent import RARE, reach, shared_grid
from tightrope.reporting.library import Library
from tightrope.reporting.points import epsilon_number, error_numbers
from tightrope.reporting.record import Axis, Number, Part, Picture, Piece, Series, Table

POINTS = 49
"""Points of a curve."""

FAINTEST = 1e-12
"""The delta at which the picture of a profile ends, if what is asked is not fainter yet."""

RATES = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5)
"""Type I errors that the table of a trade-off curve lists."""

DELTAS = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
"""Deltas that the table of a profile lists."""

Events = Mapping[str, Event]
"""The parts of an analysis by their titles."""


def profile_picture(events: Events, delta: Real, library: Library) -> Picture | None:
    """Delta against epsilon, as far as it is above what is faint; None if it never changes."""
    faint = min(FAINTEST, float(delta))
    reaches = [reach(event, (faint, *RARE)) for event in events.values()]
    widest = max(reaches, default=0.0)
    if widest == 0:
        return None
    epsilons = shared_grid(reaches, POINTS)
    series = [
        Series(name, tuple(_above(epsilons, answers.delta(event, epsilons), faint)))
        for name, event in events.items()
    ]
    deltas = [y for one in series for _, y in one.points]
    low, high = 10.0 ** math.floor(math.log10(min(deltas, default=faint))), 1.0
    return Picture(
        key="profile",
        title="Delta against epsilon",
        about="For every epsilon, the smallest delta for which (epsilon, delta)-differential "
        f"privacy is proved, for epsilon from 0 to {widest:.3g}. Lower is more private.",
        x=Axis("ε", 0.0, widest),
        y=Axis("δ", min(low, 0.1), high, log=True),
        series=tuple(one for one in series if one.points),
        table=_table("δ", DELTAS, {name: _epsilons(e, library) for name, e in events.items()}),
    )


def _above(
    epsilons: Iterable[float], deltas: Iterable[float], faint: float
) -> Iterator[tuple[float, float]]:
    for x, y in zip(epsilons, deltas, strict=True):
        if y >= faint / 2:
            yield float(x), float(y)


def tradeoff_picture(events: Events, library: Library) -> Picture:
    """The least type II error at every type I error, with the line of blind guesses."""
    near = np.geomspace(1e-4, 0.5, POINTS // 2)
    rates = np.unique(np.concatenate([[0.0], near, 1 - near, [1.0]]))
    blind = Series("blind guessing", ((0.0, 1.0), (1.0, 0.0)))
    curves = [
        Series(
            name, tuple(zip(rates.tolist(), answers.tradeoff(event, rates).tolist(), strict=True))
        )
        for name, event in events.items()
    ]
    return Picture(
        key="tradeoff",
        title="The two errors of an attacker",
        about="For every rate of false alarms (type I error), the smallest rate of misses (type II "
        "error) that any attacker can have. Nobody can get below a curve; the closer it is to the "
        "line of blind guessing, the more private.",
        x=Axis("type I error: false alarms", 0.0, 1.0),
        y=Axis("type II error: misses", 0.0, 1.0),
        series=(*curves, blind),
        table=_table(
            "type I error",
            RATES,
            {name: tuple(error_numbers(e, RATES, library)) for name, e in events.items()},
        ),
    )


def _epsilons(event: Event, library: Library) -> tuple[Piece, ...]:
    return tuple(epsilon_number(event, delta, library) or "-" for delta in DELTAS)


def _table(head: str, points: Iterable[float], columns: Mapping[str, tuple[Piece, ...]]) -> Table:
    cells = zip(map(written, points), *columns.values(), strict=True)
    return Table((head, *columns), tuple(cells))


def written(value: Real) -> str:
    """A point as people write it: ``1e-6``, ``0.05``."""
    return f"{float(value):g}".replace("e-0", "e-")


def groups_picture(parts: Iterable[Part], delta: Real) -> Picture | None:
    """Epsilon by the number of units that change together, read off the tables of the parts."""
    known = [part for part in parts if part.groups is not None]
    series = [Series(part.title, tuple(_by_size(part)), marked=True) for part in known]
    points = [point for one in series for point in one.points]
    if not any(epsilon for _, epsilon in points):
        return None
    sizes = sorted({int(x) for x, _ in points})
    cells = [(str(size), *(_epsilon(part, size) for part in known)) for size in sizes]
    at = written(delta)
    return Picture(
        key="groups",
        title=f"Epsilon by the size of a group, at delta {at}",
        about="For groups of units that change together, the smallest epsilon that is proved at "
        f"delta {at}; most often it grows faster than the group.",
        x=Axis("units that change together", 0.0, sizes[-1] + 1.0),
        y=Axis("ε", 0.0, 1.05 * max(y for _, y in points)),
        series=tuple(one for one in series if one.points),
        table=Table(("units", *(part.title for part in known)), tuple(cells)),
    )


def _by_size(part: Part) -> Iterator[tuple[float, float]]:
    assert part.groups is not None
    for size, *_, epsilon in part.groups.rows:
        if isinstance(epsilon, Number):
            yield float(str(size)), float(epsilon.digits)


def _epsilon(part: Part, size: int) -> str | Number:
    assert part.groups is not None
    return next((row[-1] for row in part.groups.rows if row[0] == str(size)), "-")
