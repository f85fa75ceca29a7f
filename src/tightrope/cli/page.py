"""An account as a page for a terminal: plain words first, then tables, then why numbers differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from tightrope.cli.output import heading
from tightrope.cli.pieces import bullet, table
from tightrope.cli.problems import in_options
from tightrope.spec.compare import shown
from tightrope.spec.outline import distinct

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tightrope.spec.account import Account, Row
    from tightrope.spec.compare import Compared


def page(account: Account) -> Iterator[RenderableType]:
    """The page, piece by piece."""
    yield Text(account.title, style="bold")
    for paragraph in filter(None, (account.about, account.summary)):
        yield Text(paragraph)
    yield from _ran(account)
    yield from _neighbors(account)
    yield from _guarantees(account)
    yield from _meaning(account)
    if account.compared:
        yield from _comparison(account)


def _ran(account: Account) -> Iterator[RenderableType]:
    yield heading("What was run")
    for line in account.ran:
        label = f"{line.label}: " if line.label else ""
        yield Padding(Text(f"{label}{line.what}"), (0, 0, 0, 2 * line.depth))


def _neighbors(account: Account) -> Iterator[RenderableType]:
    yield heading("Who is protected")
    yield Text(
        f"Two data sets are neighbours if one turns into the other when {account.neighbors}."
    )
    if account.invariants:
        yield Text("They agree on what was published exactly, which is not protected:")
        for fact in account.invariants:
            yield bullet(fact)


def _guarantees(account: Account) -> Iterator[RenderableType]:
    yield heading("What is guaranteed")
    reached = [row for row in account.rows if any(not answer.reasons for answer in row.answers)]
    if reached:
        numbers = table("", *(column.title for column in account.columns))
        for row in reached:
            numbers.add_row(row.query.title, *(answer.shown for answer in row.answers))
        for row in () if account.compared else account.estimates:
            title = Text(f"ESTIMATE, no guarantee: continuous noise, {row.query.title}", "italic")
            numbers.add_row(title, *(answer.shown for answer in row.answers))
        yield numbers
        yield Text(
            "Each row holds on its own, in its own notion; smaller is more private. Each number is "
            "proved, and rounded to the safe side."
        )
    for row in account.rows:
        yield from _unreachable(row, account)
    for note in account.notes:
        yield bullet(f"{in_options(note)}.")


def _unreachable(row: Row, account: Account) -> Iterator[RenderableType]:
    without = [
        column.title
        for column, answer in zip(account.columns, row.answers, strict=True)
        if answer.reasons
    ]
    if not without:
        return
    reasons = dict.fromkeys(reason for answer in row.answers for reason in answer.reasons)
    where = "" if len(without) == len(account.columns) else f" for {', '.join(without)}"
    yield bullet(f"{row.query.title} has no finite answer{where}: {'; '.join(reasons)}.")


def _meaning(account: Account) -> Iterator[RenderableType]:
    yield heading("What that means")
    for column in account.columns:
        label = f"{column.title}: " if len(account.columns) > 1 else ""
        yield bullet(f"{label}{' '.join(column.meaning)}")


# --- beside what was reported ---------------------------------------------------------------


def _comparison(account: Account) -> Iterator[RenderableType]:
    yield heading("Beside what was reported (ε)")
    compared = account.compared
    titles = {column.label: column.title for column in account.columns}
    heads = (titles.get(row.published.part, row.published.part) for row in compared)
    numbers = table("", *distinct(heads))
    for title, cells in _lines(compared):
        if any(cells):
            numbers.add_row(title, *(cell or "" for cell in cells))
    estimates = [_epsilon(row.estimate) for row in compared]
    if any(estimates):
        numbers.add_section()
        numbers.add_row(Text("ESTIMATE, no guarantee: as continuous noise", "italic"), *estimates)
    yield numbers
    yield from _sources(compared)
    if account.remarks:
        yield heading("Why they differ")
        yield from (bullet(sentence) for sentence in account.remarks)


def _lines(compared: Sequence[Compared]) -> Iterator[tuple[str, list[str]]]:
    yield "reported", [row.published.epsilon_written for row in compared]
    yield "  at δ =", [row.published.delta_written for row in compared]
    yield "the same method, recomputed", [_epsilon(row.reproduced) for row in compared]
    formal = [f"{row.formal_delta:g}" if _is_formal(row) else "" for row in compared]
    yield "  which holds only at δ =", formal
    yield "concentrated DP, ρ added first", [_epsilon(row.composed) for row in compared]
    yield "best proved here", [_epsilon(row.proved) for row in compared]


def _is_formal(row: Compared) -> bool:
    return not math.isclose(row.formal_delta, float(row.published.delta))


def _epsilon(value: float | None) -> str:
    return "" if value is None else shown(value)


def _sources(compared: Sequence[Compared]) -> Iterator[RenderableType]:
    sources = dict.fromkeys(row.published.source for row in compared if row.published.source)
    if sources:
        yield Text(f"Reported by: {'; '.join(sources)}.", style="dim")
    for row in compared:
        if row.published.note:
            yield Text(f"{row.published.epsilon_written}: {row.published.note}.", style="dim")
