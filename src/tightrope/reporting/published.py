"""Numbers that others have reported, beside what is proved here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tightrope.reporting.library import Library
from tightrope.reporting.points import epsilon_number
from tightrope.reporting.record import Number, Piece, Sentence, Table
from tightrope.spec.account import Account
from tightrope.spec.compare import Compared, remarks, shown, truths
from tightrope.spec.reader import WHOLE, Published, Spec

Proved = Mapping[Published, Number | None]
"""Of what was reported, the epsilon that is proved at the same delta."""


def proved(spec: Spec, library: Library) -> Proved:
    """The epsilons that are proved where others were reported."""
    parts = {part.label: part.event for part in spec.root.parts} | {WHOLE: spec.event}
    return {
        entry: epsilon_number(parts[entry.part], entry.delta, library) for entry in spec.published
    }


def reported(known: Proved) -> Table | None:
    """The reported epsilons with ours at the same delta; None if nothing was reported."""
    if not known:
        return None
    rows = tuple(tuple(_row(entry, number)) for entry, number in known.items())
    return Table(("about", "δ", "reported ε", "ε proved here", "reported by"), rows)


def remarked(told: Account, known: Proved) -> Iterator[Sentence]:
    """What is true of the reports, with our numbers as such, and why they differ.

    A report leaves estimates out.
    """
    for truth in truths(told.compared):
        yield tuple(piece for part in truth for piece in _pieces(part, known))
    for text in remarks([replace(row, estimate=None) for row in told.compared]):
        yield (text,)


def _pieces(part: str | Compared, known: Proved) -> Iterator[Piece]:
    """Words as they are; of a report the number that is proved, with as many digits as it."""
    if isinstance(part, str):
        yield part
        return
    number = known[part.published]
    if number is None or part.proved is None:
        yield "no epsilon"
        return
    yield "epsilon = "
    yield replace(number, shown=shown(part.proved))


def _row(entry: Published, number: Number | None) -> Iterator[Piece]:
    yield entry.part
    yield entry.delta_written
    yield entry.epsilon_written
    yield number or "none"
    yield "; ".join(filter(None, (entry.source, entry.note))) or "-"
