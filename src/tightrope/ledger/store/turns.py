"""Turns: writers of a store go one after the other, and wait without asking again and again.

SQLite's own waiting sleeps and retries, by which some writers starve; PostgreSQL's row locks pass
every waiter through the row's history. So writers queue in the kernel on a lock file, or in the
server on an advisory lock, which both hand on to one waiter.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import URL, Connection, text

try:
    import fcntl
except ImportError:  # pragma: no cover  (Windows: SQLite's own waiting must do)
    fcntl = None  # type: ignore[assignment]


@contextmanager
def file_turn(url: URL) -> Iterator[None]:
    """The turn to write to an SQLite file; nothing for other stores, which have their own."""
    if url.get_backend_name() != "sqlite" or fcntl is None:
        yield
        return
    lock = os.open(f"{url.database}-turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)  # a child forked meanwhile holds the file open, too
        os.close(lock)


def server_turn(connection: Connection, names: Sequence[str]) -> None:
    """The turn to write to these books of PostgreSQL, until the transaction ends."""
    if connection.dialect.name != "postgresql":
        return
    for number in sorted(map(lock_number, names)):
        connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": number})


def lock_number(name: str) -> int:
    """The number of a book's advisory lock; books that share one merely wait for each other."""
    seed = hashlib.sha256(f"tightrope ledger {name}".encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(seed[:8], "big", signed=True)
