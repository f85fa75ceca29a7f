"""A store: transactions that read, and transactions that write when it is their turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NoReturn

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tightrope.ledger.errors import ConnectionLost, NoRight, StoreUnavailable
from tightrope.ledger.store.address import address, public
from tightrope.ledger.store.desk import FLUSH, PipelinedDesk, driver_errors, lost, pipelined
from tightrope.ledger.store.engine import dispose, engine
from tightrope.ledger.store.forks import GATE
from tightrope.ledger.store.migrate import is_current, migrate
from tightrope.ledger.store.turns import file_turn, server_turn

FLUSH_UNLESS_COPY = f"SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE ({FLUSH})::text END"
"""A standby server shows only what its primary has on the disk, and writes nothing itself."""

NO_BOOK = ("",)
"""Whose turn it is when the store itself is changed, which no book may be called."""

DENIED = "42501"
"""PostgreSQL's code for a missing right."""


class Store:
    """An SQLite file or a PostgreSQL database that holds a ledger."""

    def __init__(self, where: Any):
        self.url = address(where)
        self.prepare()

    def __repr__(self) -> str:
        return repr(public(self.url))

    def prepare(self) -> None:
        """Create or migrate the tables, if that is needed.

        Raises:
            StoreTooNew: a newer program has migrated the store.
        """
        with self.reading() as connection:
            if is_current(connection):
                return
        with self.writing(NO_BOOK) as connection:
            if not is_current(connection):
                migrate(connection)

    def dispose(self) -> None:
        """Close the connections that nobody uses."""
        with self._visit():
            dispose(self.url)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the store, and changes nothing."""
        with self._told(), self._visit(), engine(self.url).connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self, names: Sequence[str]) -> Iterator[Connection]:
        """A transaction that nobody else who writes to these books runs beside."""
        with self._told(), self._visit(), file_turn(self.url), engine(self.url).connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                server_turn(connection, names)
                yield connection

    @property
    def queues_in_server(self) -> bool:
        """Whether a turn is waited for in the database, with the first message of the turn."""
        return self.url.get_backend_name() == "postgresql"

    @contextmanager
    def turn(self) -> Iterator[PipelinedDesk]:
        """A turn at one book of PostgreSQL, in two messages."""
        with self._told(), engine(self.url).connect() as plain:
            connection = plain.execution_options(isolation_level="AUTOCOMMIT")
            with pipelined(connection) as desk:
                yield desk

    def flush(self) -> None:
        """Wait until everything that can be read is on the disk; in SQLite that is always so."""
        if self.queues_in_server:
            with self._told(), engine(self.url).connect() as connection, connection.begin():
                connection.execute(text(FLUSH_UNLESS_COPY))

    def _visit(self) -> AbstractContextManager[None]:
        """No fork meanwhile, if the store is a file; a server knows its clients apart."""
        return nullcontext() if self.queues_in_server else GATE.visit(str(self.url.database))

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (StoreUnavailable, NoRight):
            raise
        except OSError as error:
            raise StoreUnavailable(f"the store {self!r} cannot be used: {error.strerror}") from None
        except UnicodeDecodeError:  # SQLite quotes a damaged table in its complaint
            raise StoreUnavailable(
                f"the store {self!r} cannot be used: it is damaged, texts in it are no UTF-8"
            ) from None
        except Exception as error:
            if not isinstance(error, (SQLAlchemyError, *driver_errors())):
                raise
            self._refuse(error)

    def _refuse(self, error: Exception) -> NoReturn:
        """The error in words that hold no parameters of statements and no password."""
        cause: Any = error.orig if isinstance(error, DBAPIError) else error
        if getattr(cause, "sqlstate", None) == DENIED:
            raise NoRight(
                f"the store {self!r} does not let this role do that: {_line(cause)}"
            ) from None
        reason = self._clean(_line(cause))
        kind = ConnectionLost if lost(cause) else StoreUnavailable
        raise kind(f"the store {self!r} cannot be used: {reason}") from None

    def _clean(self, text: str) -> str:
        secret = self.url.password
        return text.replace(str(secret), "***") if secret else text


def _line(error: Any) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
