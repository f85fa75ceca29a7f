"""What stands in a book: what was consumed, what is left, what is open, as the store has it now."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from tightrope._check import Real
from tightrope.ledger import balance, chain, pricing
from tightrope.ledger.config import Config
from tightrope.ledger.errors import readable
from tightrope.ledger.odometer import odometer
from tightrope.ledger.promise import Promise
from tightrope.ledger.records import Anchor, Entry, Odometer, Spending
from tightrope.ledger.state import State
from tightrope.ledger.store import rows
from tightrope.ledger.store.store import Store
from tightrope.notions import Guarantee


class Contents(Promise):
    """The part of a book that is read."""

    def __init__(self, store: Store, name: str, config: Config):
        super().__init__(name, config)
        self._store = store

    @property
    def closed(self) -> bool:
        """Whether the book takes no more charges."""
        with self._store.reading() as connection:
            row = rows.book_row(connection, self.name)
        return row is not None and row.closed

    def spent(self, *, part: str | None = None) -> Spending:
        """What was consumed so far: a sum of prices, which is no guarantee.

        In a book with parts, what the most heavily used persons have consumed; in a book of
        windows, what this window has.
        """
        self.structure.require_shown()
        return balance.consumed(self._state(), pricing.account(self._config, part))

    def remaining(self, *, part: str | None = None) -> Guarantee:
        """The largest guarantee that a next event may have, rounded down.

        In a book of windows it is one per window, as ``guarantee`` is, and composes with no
        guarantee that is for all times.
        """
        return balance.left(self._config, self.spent(part=part))

    def odometer(self, *, slack: Real | None = None) -> Odometer:
        """What was consumed, with a guarantee about the time until now where a theorem gives one.

        Args:
            slack: for a book with the advanced filter, the part of delta for the odometer.
        """
        spent = self.spent()  # before the entries: what is released meanwhile was not drawn
        with closing(self.entries()) as entries:
            return odometer(self._config, spent, slack, entries)

    def entries(self, start: int = 1) -> Generator[Entry, None, None]:
        """The entries from number ``start`` on, in order."""
        with (
            self._store.reading() as connection,
            closing(rows.stream(connection, self.name, start)) as lines,
        ):
            for _, _, _, body in lines:
                yield chain.entry(body)

    def head(self) -> Anchor:
        """The last entry's number and hash: kept elsewhere, it anchors everything up to it."""
        with self._store.reading() as connection:
            row = rows.existing_row(connection, self.name)
        self._store.flush()
        return Anchor(self.name, row.seq, row.head)

    def open_shares(self) -> tuple[str, ...]:
        """The names of shares that may still spend what was set aside for them."""
        with self._store.reading() as connection:
            return rows.open_shares(connection, self.name)

    def _state(self) -> State:
        with self._store.reading() as connection:
            row = rows.existing_row(connection, self.name)
            with readable(f"the sums of book {self.name!r}"):
                sums = rows.read_sums(connection, self.name, None)
        return State(self._config, row.seq, row.head, row.closed, sums)
