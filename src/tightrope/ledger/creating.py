"""Creating a book: what must hold of it, and its first entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from tightrope._check import Real
from tightrope._errors import InvalidArgument, NeighborsMismatch
from tightrope.events import Event, compose, require_event
from tightrope.ledger import texts
from tightrope.ledger.amounts import within
from tightrope.ledger.asks import Ask, Sitting
from tightrope.ledger.chain import GENESIS, canonical
from tightrope.ledger.choosing import choose, require_guarded
from tightrope.ledger.config import Config
from tightrope.ledger.filter import Filter
from tightrope.ledger.keys import CREATING
from tightrope.ledger.scope import about
from tightrope.ledger.state import State
from tightrope.ledger.store import rows
from tightrope.ledger.store.desk import PlainDesk
from tightrope.ledger.structure import Structure
from tightrope.neighbors import Neighbors, add_or_remove, require_neighbors
from tightrope.notions import Guarantee

if TYPE_CHECKING:
    from tightrope.ledger.book import Book
    from tightrope.ledger.store.store import Store


def checked_name(name: Any) -> str:
    """The name of a book; raise InvalidArgument if it is none."""
    text = texts.name(name, "create: name")
    if not text.isprintable() or text != text.strip():
        raise InvalidArgument(
            f"create: name must be printable, without blanks at its ends; you passed {name!r}"
        )
    return text


def relation(budget: Guarantee, unit: str, neighbors: Neighbors | None) -> Neighbors:
    """The relation of a book: that of the budget if no other is given, with the unit named."""
    if not isinstance(budget, Guarantee):
        raise InvalidArgument(
            f"create: budget must be a guarantee such as tr.GDP(1.0); you passed {budget!r}"
        )
    given = budget.neighbors if neighbors is None else neighbors
    require_neighbors(given, "create: neighbors")
    for named in (unit, *(change.unit for change in given.changes)):
        texts.name(named, "create: unit")
    for fact in given.invariants:
        texts.note(fact, "create: an invariant of neighbors")
    if budget.neighbors not in (add_or_remove, given):
        raise NeighborsMismatch(
            f"create: the budget is about neighbours that {budget.neighbors}, and "
            f"neighbors= about those that {given}"
        )
    return given if unit == "unit" or len(given.changes) > 1 else given.merged(given.of(unit))


def guarded(
    budget: Guarantee, neighbors: Neighbors, kind: str | None, slack: Real | None
) -> Filter:
    """The filter of a budget that speaks of these neighbours."""
    require_guarded(budget)
    return choose(about(budget, neighbors), kind, slack)


def declared(guard: Filter, plan: Any) -> tuple[Event, ...] | None:
    """The events of a plan, which must fit into the budget together."""
    if plan is None:
        return None
    events = (plan,) if isinstance(plan, Event) else tuple(plan)
    for event in events:
        require_event(event, "create: plan")
    if not events:
        raise InvalidArgument("create: a plan needs at least one event")
    together = compose(*events)
    guard.budget.neighbors.merged(together.neighbors)
    price = guard.price(together)
    if not within(price, guard.capacity()):
        raise InvalidArgument(
            f"create: the declared events cost {guard.consumption(price)} together, more than "
            f"{guard.budget!r}"
        )
    return events


def require_free(connection: Connection, name: str) -> None:
    """Raise InvalidArgument if the store has a book of that name."""
    if rows.book_row(connection, name) is not None:
        raise InvalidArgument(f"create: the store has a book {name!r} already; open it instead")


def add(connection: Connection, name: str, config: Config, note: str) -> None:
    """Write the row and the first entry of a book."""
    promised = config.described()
    content = {
        "kind": "create",
        "config": promised,
        "amounts": [],
        "note": texts.note(note, "create: note"),
    }
    text = canonical(promised)
    rows.add_book(connection, rows.BookRow(name, text, 0, GENESIS, False))
    Sitting(PlainDesk(connection), name, State(config)).write(Ask(CREATING, content))


def create(store: Store, name: str, config: Config, note: str) -> Book:
    """Create a book, in a transaction of its own."""
    with store.writing((name,)) as connection:
        require_free(connection, name)
        add(connection, name, config, note)
    return made(store, name, config)


def made(store: Store, name: str, config: Config) -> Book:
    """The book that was written."""
    from tightrope.ledger.book import Book

    return Book(store, name, config)


def structured(structure: Structure | None, neighbors: Neighbors) -> Structure:
    """The structure of a book; raise InvalidArgument if it means nothing for the relation."""
    if structure is None:
        return Structure()
    if not isinstance(structure, Structure):
        raise InvalidArgument(
            "create: structure must be Partition, Windows or Units of tightrope.ledger; you passed "
            f"{structure!r}"
        )
    structure.check(neighbors)
    return structure
