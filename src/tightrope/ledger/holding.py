"""Reservations: an amount that is set aside for one release."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tightrope._calls import Spoken
from tightrope._notebook import Form, Shown
from tightrope.ledger import keys, texts
from tightrope.ledger.amounts import written
from tightrope.ledger.asks import Ask
from tightrope.ledger.errors import KeyReused
from tightrope.ledger.records import Entry, Receipt

if TYPE_CHECKING:
    from tightrope.ledger.book import Book


class Reservation(Shown, metaclass=Spoken):
    """What ``Book.reserve`` sets aside; it counts as spent until it is released.

    As a context manager it commits at the end; if the block fails, whether something was drawn is
    not known, so the amount stays spent. One reservation is for one block: a program that died and
    is run again by the same key must not draw a second time for what it paid once.
    """

    def __init__(self, book: Book, entry: Entry, *, again: bool = True):
        self._book = book
        self._entry = entry
        self._again = self._repeated = again

    def __repr__(self) -> str:
        return f"Reservation({self.key!r} of {self._book.name!r}: {self.receipt.price})"

    def _page(self, form: Form) -> str:
        entry = self._entry
        spent = "It counts as spent until it is released."
        return form.statement(repr(self), entry.event, entry.note, spent)

    @property
    def key(self) -> str:
        """Finds the reservation again: ``book.reservation(key)``."""
        return keys.own(self._entry.key)

    @property
    def receipt(self) -> Receipt:
        """That it was made."""
        return self._book._receipt(self._entry, repeated=self._repeated)

    def commit(self, *, note: str = "") -> Receipt:
        """The release was made: the amount is spent for good. Twice is once.

        Raises:
            KeyReused: it was released.
        """
        return self._end("commit", note)

    def release(self, *, note: str = "") -> Receipt:
        """Give the amount back: allowed only if nothing was drawn. Twice is once.

        Raises:
            KeyReused: it was committed.
            BookClosed: the book is closed, and what it reserved is spent.
        """
        return self._end("release", note)

    def _end(self, kind: str, note: str) -> Receipt:
        entry = self._entry
        told: dict[str, Any] = {
            "kind": kind,
            "event": entry.event,
            "amounts": list(map(written, entry.amounts)),
            "account": entry.account,
            "of": entry.seq,
            "note": texts.note(note, f"{kind}: note"),
            "by": entry.by,
        }
        ask = Ask(keys.ended(self.key), told)
        done = self._book._writer().write(ask)
        return self._book._receipt(done, repeated=ask.known)

    def __enter__(self) -> Self:
        if self._again:
            raise KeyReused(
                f"the key {self.key!r} reserved before, and what was drawn then is not known: "
                "commit that reservation, and reserve anew by another key"
            )
        self._again = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.commit()
