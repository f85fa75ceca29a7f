"""Desks: how one turn of a writer reads what it needs, and writes what it decided.

Through SQLAlchemy a turn is six statements, each with its answer. On PostgreSQL every answer is a
round trip during which all others wait; there the turn is two messages: one that takes the lock and
reads, one that writes and ends it.
"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from sqlalchemy import Connection

from tightrope.ledger.amounts import Amounts
from tightrope.ledger.errors import StoreUnavailable
from tightrope.ledger.store import rows
from tightrope.ledger.store.rows import BookRow, packed, unpacked
from tightrope.ledger.store.turns import lock_number

Found = tuple[BookRow | None, dict[str, Amounts], dict[str, str]]
"""A book's row, the sums of accounts, and the bodies of entries by key."""

Lines = Sequence[Mapping[str, Any]]
"""New entries: seq, key, hash and body."""


class Desk(Protocol):
    """What a turn needs."""

    user: str
    """Who writes."""

    def read(self, name: str, accounts: Sequence[str] | None, keys: Sequence[str]) -> Found:
        """What is known of a book; accounts None for all."""

    def write(self, row: BookRow, before: int, lines: Lines, sums: Mapping[str, Amounts]) -> None:
        """Append entries, move the head from ``before``, and write the sums that changed."""


class PlainDesk:
    """A desk in a transaction that the caller has opened and will commit."""

    def __init__(self, connection: Connection):
        self._connection = connection
        self.user = _user(connection)

    def read(self, name: str, accounts: Sequence[str] | None, keys: Sequence[str]) -> Found:
        """See ``Desk.read``."""
        row = rows.book_row(self._connection, name)
        sums = rows.read_sums(self._connection, name, accounts)
        return row, sums, rows.bodies_by_key(self._connection, name, keys)

    def write(self, row: BookRow, before: int, lines: Lines, sums: Mapping[str, Amounts]) -> None:
        """See ``Desk.write``."""
        rows.append(self._connection, row.name, lines)
        if not rows.save(self._connection, row, before):
            raise StoreUnavailable(f"book {row.name!r} was written to by a program out of turn")
        rows.save_sums(self._connection, row.name, sums)


LOCK = "SELECT pg_advisory_xact_lock(%s)"
ROW = "SELECT name, config, seq, head, closed FROM tightrope_books WHERE name = %s"
SUMS = """
SELECT account, amounts FROM tightrope_sums
WHERE book = %(book)s AND (%(all)s OR account = ANY(%(accounts)s))
"""
KEYS = "SELECT key, body FROM tightrope_entries WHERE book = %s AND key = ANY(%s)"
APPEND = """
INSERT INTO tightrope_entries (book, seq, key, hash, body)
SELECT %(book)s, * FROM unnest(%(seqs)s::bigint[], %(keys)s::text[], %(hashes)s::text[],
                               %(bodies)s::text[])
"""
COLUMNS = {"seqs": "seq", "keys": "key", "hashes": "hash", "bodies": "body"}
"""The parameters of ``APPEND``, by what a new entry calls them."""

HEAD = "UPDATE tightrope_books SET seq = %s, head = %s WHERE name = %s AND seq = %s"
SAVE = """
INSERT INTO tightrope_sums (book, account, amounts)
SELECT %(book)s, * FROM unnest(%(accounts)s::text[], %(amounts)s::text[])
ON CONFLICT (book, account) DO UPDATE SET amounts = excluded.amounts
"""
FLUSH = "SELECT pg_logical_emit_message(true, 'tightrope', '')"


class PipelinedDesk:
    """A desk on psycopg's pipeline: it takes the turn with reading, and ends it with writing.

    The lock is held until the entries are committed, but not until they are on the disk: another
    writer may go on, and all wait for the disk together, by the commit of an empty message that
    comes behind. Nobody is answered before that. What builds on an entry is behind it in the log,
    so that a crash keeps a beginning of the chain.
    """

    def __init__(self, driver: Any):
        self._driver = driver
        self.user = str(driver.info.user)

    def read(self, name: str, accounts: Sequence[str] | None, keys: Sequence[str]) -> Found:
        """See ``Desk.read``."""
        some = {"book": name, "all": accounts is None, "accounts": list(accounts or ())}
        run = self._driver.execute
        with self._sent_together():
            run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
            run("SET LOCAL synchronous_commit TO off")
            run(LOCK, (lock_number(name),))
            row, sums = run(ROW, (name,)), run(SUMS, some)
            known = run(KEYS, (name, list(keys)))
        found = row.fetchone()
        return (
            None if found is None else BookRow(*found),
            {account: unpacked(text) for account, text in sums.fetchall()},
            dict(known.fetchall()),
        )

    def write(self, row: BookRow, before: int, lines: Lines, sums: Mapping[str, Amounts]) -> None:
        """See ``Desk.write``. A number that is taken makes the first statement fail, and all."""
        run = self._driver.execute
        new = {what: [line[at] for line in lines] for what, at in COLUMNS.items()}
        amounts = list(map(packed, sums.values()))
        with self._sent_together():
            run(APPEND, {"book": row.name, **new})
            run(HEAD, (row.seq, row.head, row.name, before))
            run(SAVE, {"book": row.name, "accounts": list(sums), "amounts": amounts})
            run("COMMIT")
            run(FLUSH)

    def leave(self) -> None:
        """End the turn without writing."""
        self._driver.execute("ROLLBACK")

    def flush(self) -> None:
        """Wait until everything that was read is on the disk: its writer may be waiting still."""
        self._driver.execute(FLUSH)

    @contextmanager
    def _sent_together(self) -> Iterator[None]:
        """psycopg's pipeline; the first error counts, and nobody logs those that follow from it."""
        first: Exception | None = None
        try:
            with self._driver.pipeline():
                try:
                    yield
                except driver_errors() as error:
                    first = error
        except driver_errors() as error:
            raise first or error from None
        if first is not None:
            raise first


@contextmanager
def pipelined(connection: Connection) -> Iterator[PipelinedDesk]:
    """A desk on a connection in autocommit, which is thrown away if anything fails."""
    desk = PipelinedDesk(connection.connection.driver_connection)
    try:
        yield desk
    except BaseException:
        connection.invalidate()
        raise


def driver_errors() -> tuple[type[Exception], ...]:
    """What psycopg raises, if it was ever used."""
    driver = sys.modules.get("psycopg")
    failed: type[Exception] | None = getattr(driver, "Error", None)
    return () if failed is None else (failed,)


LOST = ("08", "57P")
"""How PostgreSQL's codes for broken connections and for a server that stops begin."""


def lost(error: Any) -> bool:
    """Whether an error means that the server, or the way to it, is gone for the moment."""
    driver: Any = sys.modules.get("psycopg")
    if driver is None or not isinstance(error, driver.OperationalError):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(LOST)


def _user(connection: Connection) -> str:
    """The database's role where there are roles, else the user of the operating system."""
    if connection.dialect.name == "postgresql":
        return str(connection.connection.driver_connection.info.user)  # type: ignore[union-attr]
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name for the user's number
        return ""
