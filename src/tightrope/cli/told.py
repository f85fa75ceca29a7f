"""An event in plain words: what it means, its numbers in every notion, and its trade-off curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tightrope.cli.output import heading
from tightrope.cli.subject import DELTA

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tightrope.events import Event
    from tightrope.spec.query import Answer, Query

POINTS = 65
FURTHER = ("tpr 0.001",)
"""Questions beside those that an account asks."""


@dataclass(frozen=True)
class Told:
    """What is told of an event before its derivations."""

    meaning: tuple[str, ...]
    numbers: tuple[tuple[Query, Answer], ...]
    curve: tuple[tuple[float, float], ...]


def told_of(event: Event) -> Told:
    """The meaning, the numbers and the trade-off curve of an event."""
    import numpy as np

    from tightrope import plan
    from tightrope.spec.query import answer, read_query
    from tightrope.spec.reader import REPORT

    questions = [read_query(text, {}) for text in (*REPORT, *FURTHER)]
    rates = np.linspace(0.0, 1.0, POINTS)
    errors = np.asarray(plan.tradeoff(event, rates))
    return Told(
        meaning=tuple(plan.meaning(event).splitlines()),
        numbers=tuple((query, answer(event, query)) for query in questions),
        curve=tuple(zip(rates.tolist(), errors.tolist(), strict=True)),
    )


def page(told: Told) -> Iterator[RenderableType]:
    """The pieces of a page for a terminal."""
    from rich.text import Text

    from tightrope.cli.pieces import bullet, table
    from tightrope.cli.plot import plot, shows_only_ascii
    from tightrope.reporting.record import Axis

    yield from map(bullet, told.meaning)
    yield heading(f"Its numbers (epsilon at delta = {DELTA})")
    rows = table("", "proved")
    for query, answer in told.numbers:
        rows.add_row(query.title, answer.shown if not answer.reasons else "-")
    yield rows
    yield heading("Its trade-off curve: no attacker gets below it")
    axes = Axis("type I error", 0.0, 1.0), Axis("type II error", 0.0, 1.0)
    yield from map(Text, plot(*axes, {"A": told.curve}, plain=shows_only_ascii()))
    yield heading("Where they come from")


def record(told: Told) -> dict[str, object]:
    """The same as plain data, for JSON."""
    numbers = [
        {"question": query.text, "title": query.title, "values": answer.values}
        | {"shown": answer.shown, "reasons": answer.reasons}
        for query, answer in told.numbers
    ]
    return {"meaning": told.meaning, "numbers": numbers}
