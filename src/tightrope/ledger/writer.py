"""The writer of a book: whoever comes first writes for all who ask at that time.

A commit costs a flush of the disk. Threads of one process therefore put their asks on a list; the
one that gets the writer takes all that are on it through one transaction, and the others find
theirs answered. Nobody is answered before the commit.
"""

from __future__ import annotations

import os
from threading import Lock

from tightrope.ledger.asks import Ask, Sitting
from tightrope.ledger.errors import StoreUnavailable
from tightrope.ledger.records import Entry
from tightrope.ledger.store.store import Store

MOST = 500
"""Most asks of one transaction."""

TRIES = 3
"""How often a transaction is tried: a key makes sure that nothing is written twice."""

INTERRUPTED = "interrupted before the commit was known to be done; ask again by the same key"


class Writer:
    """Writes to one book for all threads of this process."""

    def __init__(self, store: Store, name: str):
        self.store = store
        self.name = name
        self._waiting: list[Ask] = []
        self._list = Lock()
        self._turn = Lock()

    def write(self, ask: Ask) -> Entry:
        """Write an entry, durably.

        Raises:
            TightropeError: it was not written, and why.
        """
        with self._list:
            self._waiting.append(ask)
        with self._turn:
            while ask.answer is None:
                self._write_waiting()
        return ask.outcome()

    def _write_waiting(self) -> None:
        with self._list:
            asks, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        try:
            self._persist(asks)
        except Exception as error:
            self._fail(asks, error)
        except BaseException:  # an interrupt: whether the commit was done is not known
            self._fail(asks, StoreUnavailable(INTERRUPTED))
            raise

    def _fail(self, asks: list[Ask], error: Exception) -> None:
        for ask in asks:
            ask.answer = error

    def _persist(self, asks: list[Ask]) -> None:
        """One transaction for all; again if the connection was lost, since it may be done."""
        for tried in range(1, TRIES + 1):
            try:
                self._once(asks)
                return
            except StoreUnavailable:
                if tried == TRIES:
                    raise

    def _once(self, asks: list[Ask]) -> None:
        with self.store.writing((self.name,)) as connection:
            sitting = Sitting.open(connection, self.name, asks)
            for ask in asks:
                sitting.take(ask)
            sitting.save()


_writers: dict[tuple[str, str, int], Writer] = {}


def writer(store: Store, name: str) -> Writer:
    """The one writer of a book in this process."""
    key = (store.url.render_as_string(hide_password=False), name, os.getpid())
    return _writers.setdefault(key, Writer(store, name))
