"""The parts of a divided book, each for itself: what was consumed in it, and what remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.ledger import pricing
from tightrope.ledger.amounts import nothing
from tightrope.ledger.partition import PART, Partition
from tightrope.ledger.records import Spending
from tightrope.ledger.state import RESERVED, State
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


def spending(state: State, account: str) -> Spending:
    """What those whom an account is about have consumed."""
    config = state.config
    amounts = pricing.consumed(state, account)
    reserved = state.sums.get(RESERVED, nothing(config.capacity))
    return Spending(amounts, reserved, config.counted, config.guard.consumption(amounts))


def _part(state: State, part: str) -> PartSpending:
    consumed = spending(state, f"{PART}{part}")
    return PartSpending(part, consumed, state.config.left(consumed.amounts))
