"""From an event to what is written down: everything that is planned before a lock is taken."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Any

from tightrope._errors import NeighborsMismatch
from tightrope.events import Event, require_event, spelled
from tightrope.ledger import keys, texts
from tightrope.ledger.amounts import Amounts, difference, read, written
from tightrope.ledger.asks import Ask
from tightrope.ledger.config import Config
from tightrope.ledger.exceeded import BudgetExceeded
from tightrope.ledger.records import Anchor, Entry, Receipt
from tightrope.ledger.state import Refused, State, apply

if TYPE_CHECKING:
    from tightrope.ledger.book import Book


def ask(  # noqa: PLR0913  (an entry is all of these)
    book: Book,
    kind: str,
    event: Event,
    note: str,
    key: str | None,
    part: str | None,
    by: str,
) -> Ask:
    """The ask for a charge or a reservation, priced."""
    config: Config = book._config
    told = content(config, kind, event, note, part, by)
    name = uuid.uuid4().hex if key is None else texts.name(key, "charge: key")

    def over(state: State, content: dict[str, Any]) -> Exception:
        spent = state.demand(content["account"])
        left = difference(config.capacity, spent)
        cost = tuple(map(read, content["amounts"][: len(left)]))
        asked = counted(config, event, part)
        return BudgetExceeded(book.name, asked, config.guard, cost, left, config.scope)

    return Ask(keys.used(name), told, over)


def content(  # noqa: PLR0913
    config: Config, kind: str, event: Event, note: str, part: str | None, by: str
) -> dict[str, Any]:
    """What an entry says of an event.

    Raises:
        NeighborsMismatch, NotReachable, InvalidArgument: it cannot be counted in this book.
    """
    amounts = price(config, event, part)
    return {
        "kind": kind,
        "event": spelled(event),
        "amounts": list(map(written, amounts)),
        "account": account(config, part),
        "part": part,
        "note": texts.note(note, "charge: note"),
        "by": texts.note(by, "charge: by"),
    }


def account(config: Config, part: str | None) -> str:
    """The account of an event about a part, now."""
    return config.structure.account(part, time.time())


def price(config: Config, event: Event, part: str | None) -> Amounts:
    """What an event adds to the sums of an account.

    For a part that units may leave, both its price for a replaced unit and that for an added or
    removed one.
    """
    require_event(event, "charge: event")
    if moves(config, part):
        return _moving(config, event)
    _agree(config, event)
    return config.guard.price(event)


def counted(config: Config, event: Event, part: str | None) -> Event:
    """The event as the book's relation sees it."""
    return event.restated(config.neighbors) if moves(config, part) else event


def moves(config: Config, part: str | None) -> bool:
    """Whether a unit may leave or enter the part."""
    return part is not None and config.structure.moves(config.neighbors)


def _moving(config: Config, event: Event) -> Amounts:
    if event.neighbors.kind != "add_or_remove":
        raise NeighborsMismatch(
            f"charge: units may move between the parts, so an event on one part must be stated for "
            f"adding or removing a unit of it; {event!r} is about neighbours that "
            f"{event.neighbors}. Declare fixed_parts=True if a replacement never changes the part"
        )
    replaced = event.restated(config.neighbors)
    _agree(config, replaced)
    return (*config.guard.price(replaced), *config.guard.price(event))


def _agree(config: Config, event: Event) -> None:
    merged = config.neighbors.merged(event.neighbors)
    if merged.invariants != config.neighbors.invariants:
        raise NeighborsMismatch(
            f"charge: the event is about neighbours that {event.neighbors}; the book promises "
            f"protection to all that {config.neighbors}"
        )


def would_fit(state: State, told: dict[str, Any]) -> bool:
    """Whether an entry would be admissible."""
    try:
        apply(state, told)
    except Refused:
        return False
    return True


def receipt(config: Config, name: str, entry: Entry, *, repeated: bool = False) -> Receipt:
    """The receipt of an entry."""
    size = len(config.capacity)
    words = config.guard.consumption(entry.amounts[:size]) if entry.amounts else "nothing"
    return Receipt(entry, Anchor(name, entry.seq, entry.hash), words, repeated)
