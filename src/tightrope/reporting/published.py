"""Numbers that others have reported, beside what is proved here."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.reporting.library import Library
from tightrope.reporting.points import epsilon_number
from tightrope.reporting.record import Piece, Table
from tightrope.spec.reader import WHOLE, Published, Spec


def reported(spec: Spec, library: Library) -> Table | None:
    """The reported epsilons with ours at the same delta; None if nothing was reported."""
    if not spec.published:
        return None
    rows = tuple(tuple(_row(spec, entry, library)) for entry in spec.published)
    return Table(("about", "δ", "reported ε", "ε proved here", "reported by"), rows)


def _row(spec: Spec, entry: Published, library: Library) -> Iterator[Piece]:
    parts = {part.label: part.event for part in spec.root.parts}
    event = spec.event if entry.part == WHOLE else parts[entry.part]
    yield entry.part
    yield entry.delta_written
    yield entry.epsilon_written
    yield epsilon_number(event, entry.delta, library) or "none"
    yield "; ".join(filter(None, (entry.source, entry.note))) or "-"
