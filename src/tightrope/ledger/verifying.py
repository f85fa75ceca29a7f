"""Checking a book: its chain, its sums, its shares, the store's own order, and the anchor."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tightrope.ledger import chain, keys
from tightrope.ledger.amounts import Amounts, difference
from tightrope.ledger.asks import config_of
from tightrope.ledger.chain import canonical
from tightrope.ledger.errors import UNREADABLE
from tightrope.ledger.records import Anchor, Verification
from tightrope.ledger.replay import Broken, Replay
from tightrope.ledger.state import State
from tightrope.ledger.store import rows
from tightrope.ledger.store.store import Store
from tightrope.ledger.texts import storable

UNANCHORED = (
    "that the last entries were cut off, or that the whole store was put back to an earlier copy",
    "that somebody who can write to the store made every entry anew, with new hashes",
)
"""What a chain cannot show by itself."""

TRIGGERS = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'tightrope_%'"


def verify(store: Store, name: str, anchors: Sequence[Anchor]) -> Verification:
    """See ``Book.verify``."""
    replay = Replay(name, anchors)
    problem = ""
    with store.reading() as connection:
        try:
            _check(connection, replay)
        except Broken as broken:
            problem = str(broken)
        except UNREADABLE as error:
            problem = f"what stands beside the entries cannot be read: {type(error).__name__}"
        except DBAPIError as error:
            if connection.dialect.name != "sqlite":
                raise
            problem = f"the file is damaged: {error.orig}"
    store.flush()
    return Verification(
        book=name,
        entries=replay.seq,
        head=Anchor(name, replay.seq, replay.head) if replay.seq else None,
        ok=not problem,
        problem=problem,
        anchored=replay.anchored,
        cannot_exclude=() if problem else cannot_exclude(replay),
    )


def cannot_exclude(replay: Replay) -> tuple[str, ...]:
    """The attacks that this check would not have seen."""
    if not replay.anchors:
        return UNANCHORED
    last, later = replay.latest, replay.seq - replay.latest
    if not later:
        return (f"that entries after number {last}, the latest anchor's, were cut off",)
    return (
        f"that the {later} entries after number {last}, the latest anchor's, were made anew, or "
        "that others after them were cut off",
    )


def _check(connection: Connection, replay: Replay) -> None:
    if not storable(replay.name):
        raise Broken("no book has such a name")
    _check_file(connection)
    for row in rows.stream(connection, replay.name):
        replay.take(*row)
    _check_anchors(replay)
    if replay.state is None:
        raise Broken("the book has no entries")
    _check_row(connection, replay.name, replay.state)
    _check_shares(connection, replay)
    _check_parent(connection, replay.name, replay.state)


def _check_anchors(replay: Replay) -> None:
    for anchor in replay.anchors:
        if anchor.book != replay.name:
            raise Broken(f"the anchor is one of book {anchor.book!r}")
    if replay.latest > replay.seq:
        raise Broken(
            f"the anchor is entry {replay.latest}, and the book ends at entry {replay.seq}: "
            "entries were cut off, or an earlier copy was put back"
        )
    if replay.anchors and not replay.anchored:
        raise Broken("the anchor is no entry of this book")


def _check_file(connection: Connection) -> None:
    """What SQLite itself knows of its file, and that the triggers are there."""
    if connection.dialect.name != "sqlite":
        return
    found = connection.execute(text("PRAGMA integrity_check(1)")).scalar()
    if found != "ok":
        raise Broken(f"the file is damaged: {found}")
    if connection.execute(text(TRIGGERS)).scalar() != 2:
        raise Broken("the triggers that keep entries from being changed are gone")


def _check_row(connection: Connection, name: str, state: State) -> None:
    row = rows.book_row(connection, name)
    if row is None:
        raise Broken("the book's row is gone")
    if (row.seq, row.head, row.closed) != (state.seq, state.head, state.closed):
        raise Broken(f"the book's row says that it ends at entry {row.seq}; it does not")
    if row.config != canonical(state.config.described()):
        raise Broken("the book's row promises something else than the first entry")
    kept = rows.read_sums(connection, name, None)
    if kept != state.sums:
        wrong = sorted(set(kept.items()) ^ set(state.sums.items()))[0][0]
        raise Broken(f"the sums of the account {wrong!r} are not what the entries add up to")


def _check_shares(connection: Connection, replay: Replay) -> None:
    for child, amounts in replay.shares.items():
        row = rows.book_row(connection, child)
        if row is None:
            raise Broken(f"its share {child!r} is missing")
        state = _sums_only(connection, row)
        config = state.config
        if config.parent != replay.name or config.capacity != amounts:
            raise Broken(f"its share {child!r} is not the book that was set aside for")
        left = difference(amounts, state.demand())
        if replay.returns.get(child, left) != left:
            raise Broken(f"its share {child!r} gave back something else than it had left")
        if child in replay.returns and not row.closed:
            raise Broken(f"its share {child!r} gave back, and is open")


def _sums_only(connection: Connection, row: rows.BookRow) -> State:
    sums = rows.read_sums(connection, row.name, None)
    return State(config_of(row.name, row.config), row.seq, row.head, row.closed, sums)


def _check_parent(connection: Connection, name: str, state: State) -> None:
    parent = state.config.parent
    if parent is None:
        return
    key = keys.shared(name)
    found = rows.bodies_by_key(connection, parent, [key])
    amounts: Amounts | None = chain.entry(found[key]).amounts if found else None
    if amounts != state.config.capacity:
        raise Broken(f"its parent {parent!r} has set nothing of the kind aside for it")
