"""Where a store is: an SQLite file, or a URL of PostgreSQL, whose password nobody gets to see."""

from __future__ import annotations

import os
import re
from typing import Any

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from tightrope._errors import InvalidArgument

MISTYPED = re.compile(r"postgres\w*(\+\w+)?:|(?!\w:\\|\.?/(?!/))[^@]*:.*@", re.DOTALL)
"""What would show a password if it were taken for a path."""

KEYWORDS = re.compile(
    r"(^|\s)(host|hostaddr|port|dbname|user|password|passfile|service|sslmode)\s*=", re.IGNORECASE
)
"""The other way in which PostgreSQL's own tools name a database, with a password in it."""

HINT = "a path such as 'budget.db', or a URL such as 'postgresql://host/database'"


def address(where: Any) -> URL:
    """The address as a URL, with the driver that is used.

    Raises:
        InvalidArgument: it is neither a path nor a URL of PostgreSQL; no part of it is repeated.
    """
    if isinstance(where, URL):
        return _postgresql(where)
    if not isinstance(where, str | os.PathLike):
        raise InvalidArgument(f"Ledger: where must be {HINT}; you passed {type(where).__name__}")
    text = os.fspath(where)
    if isinstance(text, str) and "://" in text:
        try:
            return _postgresql(make_url(text))
        except (ArgumentError, ValueError):
            raise InvalidArgument(f"Ledger: this URL cannot be read; give {HINT}") from None
    if not isinstance(text, str) or not text or text == ":memory:" or "\0" in text:
        raise InvalidArgument(f"Ledger: where must be {HINT}; a ledger outlives the program")
    if KEYWORDS.search(text):
        raise InvalidArgument(
            f"Ledger: this is a text of keywords such as libpq takes; write it as {HINT}"
        )
    if MISTYPED.match(text):
        raise InvalidArgument(
            f"Ledger: this looks like a URL that was mistyped; give {HINT} (or write a path that "
            "holds ':' and '@' from './' on)"
        )
    return URL.create("sqlite+pysqlite", database=os.path.abspath(text))  # noqa: PTH100


def _postgresql(url: URL) -> URL:
    if url.get_backend_name() != "postgresql":
        raise InvalidArgument(
            f"Ledger: stores are SQLite or PostgreSQL, {HINT}; you passed a URL of "
            f"{url.get_backend_name()!r}"
        )
    return url.set(drivername="postgresql+psycopg")


def public(url: URL) -> str:
    """The address for people: without password, user or options."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{url.host or ''}{port}/{url.database or ''}"
