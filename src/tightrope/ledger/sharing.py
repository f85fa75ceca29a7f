"""Nested budgets: a share is set aside from its parent, and gives back what it did not spend.

Every charge of a share counts in the parent too, at its own price: the parent's sums hold the
share's whole budget first, and once it is closed what was spent of it. So on every path the
parent's charges and those of its shares stay within one capacity, which is all that a filter asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope.ledger import creating, keys, texts
from tightrope.ledger.amounts import Amounts, difference, written
from tightrope.ledger.asks import Ask, Sitting
from tightrope.ledger.config import Config
from tightrope.ledger.exceeded import BudgetExceeded
from tightrope.ledger.records import Receipt
from tightrope.ledger.state import State
from tightrope.ledger.store.desk import PlainDesk
from tightrope.ledger.structure import WHOLE, Structure
from tightrope.notions import Guarantee

if TYPE_CHECKING:
    from tightrope.ledger.book import Book


def share(parent: Book, name: str, budget: Guarantee, note: str) -> Book:
    """See ``Book.share``."""
    config = _config(parent, budget)
    told = {
        "kind": "share",
        "amounts": list(map(written, config.capacity)),
        "account": WHOLE,
        "child": creating.checked_name(name),
        "note": texts.note(note, "share: note"),
    }

    def over(state: State, content: dict[str, Any]) -> Exception:
        left = difference(parent._config.capacity, state.demand())
        return BudgetExceeded(
            parent.name, config.budget, parent._config.guard, config.capacity, left
        )

    ask = Ask(keys.shared(name), told, over)
    with parent._store.writing((parent.name, name)) as connection:
        creating.require_free(connection, name)
        sitting = Sitting.open(PlainDesk(connection), parent.name, [ask], None)
        sitting.promising(parent._config).write(ask)
        creating.add(connection, name, config, note)
    return creating.made(parent._store, name, config)


def _config(parent: Book, budget: Guarantee) -> Config:
    mine = parent._config
    if type(mine.structure) is not Structure or mine.plan is not None:
        raise InvalidArgument("share: a book with a structure or a plan has no shares")
    if type(budget) is not type(mine.budget):
        raise InvalidArgument(
            f"share: the share's budget must be in the notion of the book, "
            f"{type(mine.budget).__name__}; you passed {budget!r}"
        )
    relation = mine.neighbors if mine.neighbors.kind == budget.neighbors.kind else None
    guard = creating.guarded(budget, relation or mine.neighbors, mine.chosen, None)
    if guard.counted != mine.counted:
        raise InvalidArgument("share: the share must be counted at the orders of the book")
    return Config.new(guard, Structure(), parent=parent.name)


def close(book: Book, note: str) -> Receipt:
    """See ``Book.close``."""
    parent = book.parent
    names = (book.name,) if parent is None else (book.name, parent)
    told = {"kind": "close", "amounts": [], "note": texts.note(note, "close: note")}
    ask = Ask(keys.CLOSING, told)
    with book._store.writing(names) as connection:
        sitting = Sitting.open(PlainDesk(connection), book.name, [ask], None)
        sitting.promising(book._config)
        left = difference(book._config.capacity, sitting.state.demand())
        fresh = not sitting.state.closed
        entry = sitting.write(ask)
        if parent is not None and fresh:
            _give_back(connection, parent, book.name, left)
    return book._receipt(entry, repeated=ask.known)


def _give_back(connection: Any, parent: str, child: str, left: Amounts) -> None:
    """Unless the parent is closed, when nobody could spend it."""
    told = {
        "kind": "return",
        "amounts": list(map(written, left)),
        "account": WHOLE,
        "child": child,
        "note": "",
    }
    ask = Ask(keys.returned(child), told)
    sitting = Sitting.open(PlainDesk(connection), parent, [ask], None)
    if not sitting.state.closed:
        sitting.write(ask)
