"""Engines: one for each address and process, set up so that a commit is on the disk."""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from functools import cache
from importlib.util import find_spec
from typing import Any
from weakref import WeakSet

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from tightrope._errors import InvalidArgument
from tightrope.ledger.store.forks import GATE

POOL = 64
"""Most connections that one process keeps to a store."""

WAIT = 30
"""Seconds that SQLite waits for a lock of a program that takes no turns."""


@cache
def _engine(url: URL, process: int, file: tuple[int, int] | None) -> Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    if find_spec("psycopg") is None:
        raise InvalidArgument(
            'Ledger: PostgreSQL needs the package psycopg: pip install "tightrope[postgres]"'
        )
    made = create_engine(
        url,
        hide_parameters=True,
        pool_size=2,
        pool_pre_ping=True,  # a server that was started again has closed what the pool keeps
        max_overflow=POOL,
        isolation_level="READ COMMITTED",
        connect_args={"client_encoding": "utf8"},  # whatever the database was made with
    )
    event.listen(made, "connect", _wait_for_the_disk)
    return made


def engine(url: URL) -> Engine:
    """The engine of this process, and of the file that is there now.

    A fork must not use its parent's connections, nor a new file those to a file that was deleted.
    """
    return _engine(url, os.getpid(), _file(url))


def dispose(url: URL) -> None:
    """Close the connections that nobody uses, also those from before there was a file."""
    for file in {None, _file(url)}:
        _engine(url, os.getpid(), file).dispose()


def _leave_files() -> None:
    """Before a fork: SQLite in the child would believe in locks that only the parent has."""
    GATE.close()
    for made in _files:
        made.dispose()


_files: WeakSet[Engine] = WeakSet()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_leave_files, after_in_parent=GATE.open, after_in_child=GATE.renew)


def _file(url: URL) -> tuple[int, int] | None:
    if url.get_backend_name() != "sqlite":
        return None
    try:
        found = os.stat(str(url.database))  # noqa: PTH116
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _sqlite(url: URL) -> Engine:
    made = create_engine(
        url,
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=2,
        max_overflow=POOL,
        connect_args={"check_same_thread": False, "timeout": WAIT, "isolation_level": None},
    )
    event.listen(made, "connect", _prepare)
    event.listen(made, "begin", _begin)
    _files.add(made)
    return made


WAIT_FOR_THE_DISK = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'
"""


def _wait_for_the_disk(connection: Any, _: Any) -> None:
    """Whatever the administrator's default for other programs is."""
    connection.execute(WAIT_FOR_THE_DISK)
    connection.commit()


def _prepare(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    _turn_to_wal(cursor)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _turn_to_wal(cursor: Any) -> None:
    """SQLite does not wait here: who reads a new file and would write to it gives up at once.

    Otherwise two of these would wait for each other. So each tries again after a while of its own.
    """
    until = time.monotonic() + WAIT
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep((1 + secrets.randbelow(20)) / 1000)  # so that rivals come apart


def _begin(connection: Any) -> None:
    """A writer takes the write lock at once: a reader that turns writer may find it gone."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
