"""Databases of stores, opened past the ledger: by an administrator, or by somebody who looks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL, Connection, create_engine, make_url


def address(where: str) -> URL:
    """The URL of a file or of a database, with the driver that is installed."""
    if "://" not in where:
        return make_url(f"sqlite:///{where}")
    return make_url(where).set(drivername="postgresql+psycopg")


@contextmanager
def connected(where: str) -> Iterator[Connection]:
    """A connection on which every statement is a transaction of its own; nothing of it stays."""
    engine = create_engine(address(where), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()
