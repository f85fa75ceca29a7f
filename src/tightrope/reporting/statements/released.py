"""What a statement says of what was released: charges, open reservations, and parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tightrope.ledger.statement import Line, Statement
from tightrope.reporting.statements.blocks import Block, Grid, Paragraph
from tightrope.reporting.statements.words import (
    MOST_LINES,
    RESERVED,
    SHOWN_LINES,
    rounded_down,
    second,
    short,
)

KINDS = {"charge": "charge", "reserve": "reservation", "share": "share"}


def released(told: Statement) -> Iterator[Block]:
    """What was charged, reserved and set aside."""
    lines = told.spent_lines
    if not lines:
        yield Paragraph("Nothing was released from this book yet.")
        return
    last = lines[-MOST_LINES:]
    if len(lines) > MOST_LINES:
        yield Paragraph(SHOWN_LINES.format(shown=len(last), all=len(lines)), soft=True)
    divided = told.structure.kind in ("partition", "windows")
    heads = ("no.", "when (UTC)", "what", *(["about"] if divided else []), "by", "cost")
    rows = tuple(tuple(_row(told, line, divided)) for line in last)
    yield Grid("Charges, reservations and shares, the oldest first", heads, rows)


def _row(told: Statement, line: Line, divided: bool) -> Iterator[str]:
    yield str(line.seq)
    yield second(line.time)
    yield _what(told, line)
    if divided:
        yield line.about or "everybody"
    yield line.by or "-"
    yield line.price if line.status != "released" else f"{line.price}, given back"


def _what(told: Statement, line: Line) -> str:
    """The note if there is one, and what was run."""
    kind = f"{KINDS[line.kind]}, {line.status}: " if line.status else ""
    run = _run(told, line) or f"set aside for the {line.about}"
    return f"{kind}{line.note}: {run}" if line.note else f"{kind}{run}"


def _run(told: Statement, line: Line) -> str:
    """The event without the neighbours of the book, which the page names once."""
    relation = told.budget.neighbors
    for named in (repr(relation), relation.kind):
        line = replace(line, event=line.event.replace(f", neighbors={named})", ")"))
    return short(line.event)


def open_ones(told: Statement) -> Iterator[Block]:
    """Reservations that have no end yet."""
    held = told.open_reservations
    if not held:
        return
    yield Paragraph(RESERVED, soft=True)
    rows = ((str(e.seq), e.key, second(e.time), _what(told, e), e.price) for e in held[:MOST_LINES])
    heads = ("no.", "key", "when (UTC)", "what", "cost")
    yield Grid("Reservations that are open", heads, tuple(rows))


def parts(told: Statement) -> Iterator[Block]:
    """What the persons of each part have consumed."""
    if not told.parts:
        return
    rows = tuple((p.part, p.spending.words, rounded_down(p.remaining)) for p in told.parts)
    yield Grid("Each part for itself", ("part", "consumed", "remaining in it"), rows)
