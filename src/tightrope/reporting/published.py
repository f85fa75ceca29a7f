"""Numbers that others have reported, beside what is proved here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tightrope.reporting.library import Library
from tightrope.reporting.points import epsilon_number
from tightrope.reporting.record import Number, Piece, Sentence, Table
from tightrope.spec.account import Account
from tightrope.spec.compare import remarks, shown
from tightrope.spec.reader import WHOLE, Published, Spec

PROVED = 3
"""The column of the numbers that are proved here."""


def reported(spec: Spec, library: Library) -> Table | None:
    """The reported epsilons with ours at the same delta; None if nothing was reported."""
    if not spec.published:
        return None
    rows = tuple(tuple(_row(spec, entry, library)) for entry in spec.published)
    return Table(("about", "δ", "reported ε", "ε proved here", "reported by"), rows)


def remarked(told: Account, table: Table | None) -> Iterator[Sentence]:
    """What is true of the reports, with our numbers as such, and why they differ.

    A report leaves estimates out.
    """
    numbers = [row[PROVED] for row in table.rows] if table else []
    known = {
        f"epsilon = {shown(row.proved)}": number
        for row, number in zip(told.compared, numbers, strict=True)
        if row.proved is not None and isinstance(number, Number)
    }
    for text in (told.summary, *remarks([replace(row, estimate=None) for row in told.compared])):
        if text:
            yield tuple(_linked(text, known))


def _linked(text: str, known: Mapping[str, Number]) -> Iterator[Piece]:
    """The text, in which the known numbers are numbers."""
    for words, number in known.items():
        before, found, after = text.partition(words)
        if found:
            head, value = words.rsplit(" ", 1)
            yield f"{before}{head} "
            yield replace(number, shown=value)
            text = after
    yield text


def _row(spec: Spec, entry: Published, library: Library) -> Iterator[Piece]:
    parts = {part.label: part.event for part in spec.root.parts}
    event = spec.event if entry.part == WHOLE else parts[entry.part]
    yield entry.part
    yield entry.delta_written
    yield entry.epsilon_written
    yield epsilon_number(event, entry.delta, library) or "none"
    yield "; ".join(filter(None, (entry.source, entry.note))) or "-"
