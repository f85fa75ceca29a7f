"""Reading and writing the rows of books, in whatever transaction the caller has opened."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite

from tightrope.ledger.amounts import Amounts, read, written
from tightrope.ledger.errors import UnknownBook
from tightrope.ledger.keys import END, SHARE, USE
from tightrope.ledger.store.schema import books, entries, sums

_NAMES = select(books.c.name).order_by(books.c.name)
_ROW = select(books).where(books.c.name == bindparam("book"))
_SUMS = select(sums.c.account, sums.c.amounts).where(sums.c.book == bindparam("book"))
_SOME = _SUMS.where(sums.c.account.in_(bindparam("accounts", expanding=True)))
_KEYS = select(entries.c.key, entries.c.body).where(
    entries.c.book == bindparam("book"), entries.c.key.in_(bindparam("keys", expanding=True))
)
_ended = entries.alias("ended")
_OPEN = (
    select(entries.c.body)
    .where(
        entries.c.book == bindparam("book"),
        entries.c.key.startswith(USE),
        entries.c.body.contains('"kind":"reserve"'),
        ~exists().where(
            _ended.c.book == entries.c.book,
            _ended.c.key == literal(END) + func.substr(entries.c.key, len(USE) + 1),
        ),
    )
    .order_by(entries.c.seq)
)
_SHARES = (
    select(books.c.name)
    .join(entries, entries.c.key == literal(SHARE) + books.c.name)
    .where(entries.c.book == bindparam("book"), ~books.c.closed)
    .order_by(books.c.name)
)
_MOVE = update(books).where(books.c.name == bindparam("at"), books.c.seq == bindparam("before"))
_HEAD = _MOVE.values(seq=bindparam("new_seq"), head=bindparam("new_head"))
_CLOSE = _HEAD.values(closed=True)
_APPEND = insert(entries)


def _upsert(dialect: Any) -> Any:
    new = dialect.insert(sums)
    return new.on_conflict_do_update(
        index_elements=["book", "account"], set_={"amounts": new.excluded.amounts}
    )


_UPSERT = {"sqlite": _upsert(sqlite), "postgresql": _upsert(postgresql)}


@dataclass(frozen=True)
class BookRow:
    """The row of a book: what it promises, and where its chain ends."""

    name: str
    config: str
    seq: int
    head: str
    closed: bool


def book_names(connection: Connection) -> tuple[str, ...]:
    """All books of the store."""
    return tuple(connection.execute(_NAMES).scalars())


def book_row(connection: Connection, name: str) -> BookRow | None:
    """The row of a book; None if there is none."""
    row = connection.execute(_ROW, {"book": name}).one_or_none()
    return None if row is None else BookRow(*row)


def existing_row(connection: Connection, name: str) -> BookRow:
    """The row of a book that was there.

    Raises:
        UnknownBook: it is there no more.
    """
    row = book_row(connection, name)
    if row is None:
        raise UnknownBook(f"the store has no book {name!r} any more")
    return row


def read_sums(
    connection: Connection, name: str, accounts: Sequence[str] | None
) -> dict[str, Amounts]:
    """The sums of some accounts of a book, or of all."""
    query, which = (_SUMS, {}) if accounts is None else (_SOME, {"accounts": accounts})
    found = connection.execute(query, {"book": name, **which})
    return {account: unpacked(text) for account, text in found}


def bodies_by_key(connection: Connection, name: str, keys: Sequence[str]) -> dict[str, str]:
    """The bodies of the entries that have these keys, by key."""
    found = connection.execute(_KEYS, {"book": name, "keys": keys})
    return {row[0]: row[1] for row in found}


def open_reservations(connection: Connection, name: str) -> tuple[str, ...]:
    """The bodies of a book's reservations that have no end yet, in order."""
    return tuple(connection.execute(_OPEN, {"book": name}).scalars())


def open_shares(connection: Connection, name: str) -> tuple[str, ...]:
    """The names of books that are shares of a book and not closed."""
    return tuple(connection.execute(_SHARES, {"book": name}).scalars())


def stream(
    connection: Connection, name: str, start: int = 1, page: int = 5000
) -> Generator[tuple[int, str, str, str], None, None]:
    """(seq, key, hash, body) of the entries from ``start`` on, in order, a page at a time.

    To be closed before its connection is.
    """
    query = (
        select(entries.c.seq, entries.c.key, entries.c.hash, entries.c.body)
        .where(entries.c.book == name, entries.c.seq >= start)
        .order_by(entries.c.seq)
        .execution_options(yield_per=page)
    )
    with connection.execute(query) as found:  # closed also if nobody reads it to its end
        for row in found:
            yield row[0], row[1], row[2], row[3]


def add_book(connection: Connection, row: BookRow) -> None:
    """Insert the row of a new book."""
    connection.execute(insert(books).values(**vars(row)))


def append(connection: Connection, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert entries, given as seq, key, hash and body."""
    connection.execute(_APPEND, [{"book": name, **row} for row in rows])


def save(connection: Connection, row: BookRow, before: int) -> bool:
    """Move the head of a book; False if it was not where it was thought to be.

    The column ``closed`` is written by a close only: an analyst's role may not touch it.
    """
    values = {"at": row.name, "before": before, "new_seq": row.seq, "new_head": row.head}
    return connection.execute(_CLOSE if row.closed else _HEAD, values).rowcount == 1


def save_sums(connection: Connection, name: str, changed: Mapping[str, Amounts]) -> None:
    """Write the sums of accounts, new ones among them."""
    if not changed:
        return
    lines = [{"book": name, "account": at, "amounts": packed(now)} for at, now in changed.items()]
    connection.execute(_UPSERT[connection.dialect.name], lines)


def packed(amounts: Amounts) -> str:
    """Amounts as the store writes them."""
    return json.dumps(list(map(written, amounts)), separators=(",", ":"))


def unpacked(text: str) -> Amounts:
    """Amounts as the store wrote them."""
    return tuple(map(read, json.loads(text)))
