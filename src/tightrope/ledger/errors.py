"""What a ledger refuses, each as an error of its own; nothing is written when one is raised."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tightrope._errors import TightropeError

UNREADABLE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
    TightropeError,
)
"""What reading a text that nobody wrote may raise; one that is nested too deeply among it."""


class BookClosed(TightropeError):
    """The book is closed: it takes no more charges."""


class UnknownBook(TightropeError, LookupError):
    """The store has no book of that name."""


class KeyReused(TightropeError, ValueError):
    """An idempotency key names another charge already."""


class StoreTooNew(TightropeError):
    """The store was written by a newer version of the program."""


class StoreUnavailable(TightropeError, OSError):
    """The database cannot be reached, is full, or refuses; the message holds no password."""


class TamperedBook(StoreUnavailable):
    """What the store holds of a book contradicts itself, or cannot be read: somebody changed it."""


class ConnectionLost(StoreUnavailable):
    """The database went away in the middle, or is not there for the moment: asking again helps."""


class NoRight(TightropeError, PermissionError):
    """The database's role may not do that."""


class TamperedExport(TightropeError, ValueError):
    """A file is not the book that was exported: its signature or its chain does not hold."""


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Read what the program itself once wrote.

    Raises:
        TamperedBook: it is something else by now.
    """
    try:
        yield
    except StoreUnavailable:
        raise
    except UNREADABLE as error:
        raise TamperedBook(
            f"{what} cannot be read from the store, which something else than tightrope has "
            f"changed ({type(error).__name__}): put back a copy of the store, or receive the "
            "book's last export in a new one. Nothing was written"
        ) from None
