"""The parts of a divided book, each for itself: what was consumed in it, and what remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.ledger import balance
from tightrope.ledger.partition import PART, Partition
from tightrope.ledger.state import State
from tightrope.ledger.statement import PartSpending

if TYPE_CHECKING:
    from tightrope.ledger.book import Book


def parts(book: Book) -> tuple[PartSpending, ...]:
    """Every declared part of a book, read at one time; none if it is not divided."""
    return parts_of(book._state()) if isinstance(book.structure, Partition) else ()


def parts_of(state: State) -> tuple[PartSpending, ...]:
    """The same from the sums of a book."""
    structure = state.config.structure
    declared = structure.parts if isinstance(structure, Partition) else ()
    return tuple(_part(state, part) for part in declared)


def _part(state: State, part: str) -> PartSpending:
    spending = balance.consumed(state, f"{PART}{part}")
    return PartSpending(part, spending, balance.left(state.config, spending))
