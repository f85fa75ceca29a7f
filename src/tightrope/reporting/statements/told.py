"""What a statement says to people: from the record of a book to sections of plain blocks."""

from __future__ import annotations

from collections.abc import Iterator

from tightrope import plan
from tightrope.ledger.statement import Statement
from tightrope.notions import Guarantee
from tightrope.reporting.record import Picture
from tightrope.reporting.statements.blocks import (
    Block,
    Bullets,
    Code,
    Facts,
    Paper,
    Paragraph,
    Section,
)
from tightrope.reporting.statements.nist import fields
from tightrope.reporting.statements.over_time import counted_by, picture
from tightrope.reporting.statements.released import open_ones, parts, released
from tightrope.reporting.statements.words import (
    ANCHORED,
    CONSUMPTION,
    HIDDEN,
    NOT_PROMISED,
    ORPHANS,
    STATED,
    about_part,
    about_scope,
    about_structure,
    dated,
    percent,
    plainly,
    promised,
    rounded_down,
)

HEADLINE_NOTE = "The whole of it: .write('statement.html'), or .tex, .json, .txt."
"""What a notebook says below the plain words."""


def title(told: Statement) -> str:
    """The title of the page."""
    return f"Statement of the book {told.book}"


def headline(told: Statement) -> str:
    """How much of the budget is consumed, in one sentence."""
    state = "The book is closed. " if told.closed else ""
    budget = plainly(told.guaranteed)
    if told.spending is None or told.remaining is None:
        return f"{state}The budget is {budget} for every {_unit(told)}."
    if told.scope is not None:
        budget = f"{budget} per {told.scope.per}"
    return (
        f"{state}Of the budget {budget}, {told.spending.words} is consumed{_share(told)}; "
        f"{rounded_down(told.remaining)} remains."
    )


def _unit(told: Statement) -> str:
    """Whom the book protects; it says what the budget holds for."""
    return told.guaranteed.neighbors.changes[0].unit


def _share(told: Statement) -> str:
    """How much that is of what the filter counts; a window's end is nobody's entry."""
    if told.structure.kind == "windows":
        return " in this one"
    return f" ({percent(told.moments[-1].consumed)} of {counted_by(told)})"


def sentences(told: Statement) -> tuple[str, ...]:
    """What the budget means to whoever is protected."""
    return (
        f"for neighbours that {told.guaranteed.neighbors}",
        *_means(told),
    )


def _means(told: Statement) -> tuple[str, ...]:
    """The budget in plain words; what it holds for comes first."""
    return (*about_scope(told.scope), *plan.meaning(told.guaranteed).splitlines())


def sections(told: Statement) -> tuple[Section, ...]:
    """The whole statement."""
    made = (
        Section("meaning", "In plain words", tuple(_meaning(told))),
        Section("budget", "The budget", tuple(_budget(told))),
        Section("time", "The budget over time", tuple(_over_time(told))),
        Section("released", "What was released", tuple(released(told))),
        Section("open", "Open reservations", tuple(open_ones(told))),
        Section("parts", "Parts", tuple(parts(told))),
        Section("promised-not", "What is not promised", (Bullets(NOT_PROMISED),)),
        Section("stated", "What a claim should state", tuple(_stated(told))),
        Section("theorem", "Why the budget holds", tuple(_theorem(told))),
        Section("anchor", "How to check this", tuple(_anchor(told))),
    )
    return tuple(section for section in made if section.blocks)


def _meaning(told: Statement) -> Iterator[Block]:
    yield Paragraph(headline(told))
    if told.parts:
        yield Bullets(tuple(f"Part {about_part(part)}." for part in told.parts))
    yield Bullets(_means(told), stressed=True)
    yield Paragraph(
        f"That is what the budget promises to every {_unit(told)}, whatever was chosen in the "
        "light of earlier results; two data sets are neighbours if one turns into the other when "
        f"you {told.guaranteed.neighbors}."
    )


def _budget(told: Statement) -> Iterator[Block]:
    yield Facts("The budget, and what became of it", tuple(_balance(told)))
    yield Paragraph(CONSUMPTION if told.spending is not None else HIDDEN, soft=True)
    yield from map(Paragraph, about_structure(told.structure, told.budget.neighbors))
    if told.closed and told.open_shares:
        yield Paragraph(ORPHANS)
    if told.plan is not None:
        yield Paragraph(
            f"All {len(told.plan)} events were declared before the first release, so the "
            "conversion of all of them together is a guarantee as well."
        )


def _balance(told: Statement) -> Iterator[tuple[str, str]]:
    yield "guaranteed, at any time", promised(told.guaranteed, told.scope)
    yield "for neighbours", str(told.guaranteed.neighbors)
    if told.spending is not None:
        yield "consumed", told.spending.words
        if any(told.spending.reserved):
            yield "of it reserved", _share_words(told)
        yield "remaining for a next event", _left(told.remaining)
    if told.odometer is not None:
        known = told.odometer.guarantee
        yield "guaranteed until now", plainly(known) if known else f"the budget{_per(told)}"
    yield "counted", ", ".join(told.counted) if len(told.counted) < 4 else _many(told.counted)
    yield "created", dated(told.created)
    if told.parent is not None:
        yield "a share of", told.parent
    if told.open_shares:
        yield "shares that are open", ", ".join(told.open_shares)
    yield "state", "closed" if told.closed else "open"


def _per(told: Statement) -> str:
    return "" if told.scope is None else f", {told.scope}"


def _left(remaining: Guarantee | None) -> str:
    return "" if remaining is None else rounded_down(remaining)


def _many(counted: tuple[str, ...]) -> str:
    return f"{counted[0]}, ..., {counted[-1]} ({len(counted)} sums)"


def _share_words(told: Statement) -> str:
    return f"{percent(told.moments[-1].reserved)} of {counted_by(told)}"


def _over_time(told: Statement) -> Iterator[Picture]:
    drawn = picture(told)
    if drawn is not None:
        yield drawn


# --- what holds of it -------------------------------------------------------------------------


def _stated(told: Statement) -> Iterator[Block]:
    known = fields(told)
    yield Paragraph(STATED, soft=True)
    yield Facts(str(known["guideline"]), tuple(_fields(known)))


def _fields(known: dict[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in known.items():
        if name != "guideline":
            words = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield name.replace("_", " "), words or "none"


def _theorem(told: Statement) -> Iterator[Block]:
    rule = told.theorem
    yield Paragraph(
        f"The filter of this book ({told.filter}) is a theorem for parameters that are chosen "
        f"adaptively: {rule.statement}."
    )
    yield Paragraph(rule.citation)
    yield Paper(str(rule.reference), rule.reference.link)
    if told.odometer is not None:
        yield Paragraph(f"Of the time until now: {told.odometer.why}.", soft=True)


def _anchor(told: Statement) -> Iterator[Block]:
    yield Paragraph(ANCHORED)
    yield Code(str(told.head))
    yield Paragraph(f"Read on {dated(told.read)}, after {len(told.lines)} entries.", soft=True)
