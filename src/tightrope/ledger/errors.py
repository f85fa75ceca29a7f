"""What a ledger refuses, each as an error of its own; nothing is written when one is raised."""

from __future__ import annotations

from tightrope._errors import TightropeError


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


class NoRight(TightropeError, PermissionError):
    """The database's role may not do that."""


class TamperedExport(TightropeError, ValueError):
    """A file is not the book that was exported: its signature or its chain does not hold."""
