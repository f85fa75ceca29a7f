"""The writer of a book: whoever comes first writes for all who ask at that time.

A commit costs a flush of the disk. Threads of one process therefore put their asks on a list; the
one that gets the writer takes all that are on it through one transaction, and the others find
theirs answered. Nobody is answered before the commit.
"""

from __future__ import annotations

import os
import time
from itertools import count
from threading import Condition

from tightrope.ledger.asks import Ask, Sitting, needed
from tightrope.ledger.config import Config
from tightrope.ledger.errors import ConnectionLost, StoreUnavailable, TamperedBook
from tightrope.ledger.records import Entry
from tightrope.ledger.store.desk import Desk, PlainDesk
from tightrope.ledger.store.store import Store

MOST = 500
"""Most asks of one transaction."""

TRIES = 3
"""How often a transaction is tried at least: a key makes sure that nothing is written twice."""

PATIENCE = 5.0
"""Seconds for which a server that is gone is asked again."""

PAUSE = 0.02
"""Seconds between asking it."""

GATHER = 0.002
"""Seconds to wait for others to ask too, if the last time several did."""

INTERRUPTED = "interrupted before the commit was known to be done; ask again by the same key"


class Writer:
    """Writes to one book for all threads of this process."""

    def __init__(self, store: Store, name: str, config: Config):
        self.store = store
        self.name = name
        self.config = config
        self._waiting: list[Ask] = []
        self._several = False
        self._changed = Condition()
        self._writing = False

    def write(self, ask: Ask) -> Entry:
        """Write an entry, durably.

        Raises:
            TightropeError: it was not written, and why.
        """
        with self._changed:
            self._waiting.append(ask)
        while not ask.done:
            if self._leads(ask):
                self._write_waiting()
        return ask.outcome()

    def _leads(self, ask: Ask) -> bool:
        """Wait until the ask is answered, or nobody writes: then it is this thread's turn."""
        with self._changed:
            self._changed.wait_for(lambda: ask.done or not self._writing)
            if not ask.done:
                self._writing = True
            return not ask.done

    def _write_waiting(self) -> None:
        asks: list[Ask] = []
        try:
            self._persist(asks)
        except Exception as error:
            self._fail(asks, error)
        except BaseException:  # an interrupt: whether the commit was done is not known
            self._fail(asks, StoreUnavailable(INTERRUPTED))
            raise
        finally:
            self._publish(asks)

    def _fail(self, asks: list[Ask], error: Exception) -> None:
        self._take(asks)
        for ask in asks:
            ask.decided = error

    def _publish(self, asks: list[Ask]) -> None:
        """What was decided is an answer only now, after the commit."""
        with self._changed:
            for ask in asks:
                ask.done = True
            self._writing = False
            self._changed.notify_all()

    def _persist(self, asks: list[Ask]) -> None:
        """One transaction for all; again if the connection was lost, since it may be done."""
        until = time.monotonic() + PATIENCE
        for tried in count(1):
            try:
                self._once(asks)
                return
            except TamperedBook:
                raise
            except ConnectionLost:
                if tried >= TRIES and time.monotonic() > until:
                    raise
                time.sleep(PAUSE)
            except StoreUnavailable:
                if tried >= TRIES:
                    raise

    def _once(self, asks: list[Ask]) -> None:
        if self.store.queues_in_server:
            self._in_two_messages(asks)
        else:
            self._in_a_transaction(asks)

    def _in_a_transaction(self, asks: list[Ask]) -> None:
        """The list is taken once it is this process' turn: it has grown while others wrote."""
        with self.store.writing((self.name,)) as connection:
            self._take(asks)
            self._decide(PlainDesk(connection), asks).save()

    def _in_two_messages(self, asks: list[Ask]) -> None:
        """The first message waits for the turn, and has the list with it."""
        if self._several:
            time.sleep(GATHER)
        self._take(asks)
        with self.store.turn() as desk:
            sitting = self._decide(desk, asks)
            if not sitting.save():
                desk.leave()
            if sitting.repeated:
                desk.flush()

    def _decide(self, desk: Desk, asks: list[Ask]) -> Sitting:
        wanted = needed(self.config, asks)
        sitting = Sitting.open(desk, self.name, asks, wanted).promising(self.config)
        for ask in asks:
            sitting.take(ask)
        return sitting

    def _take(self, asks: list[Ask]) -> None:
        """Take the list of those who wait, once in a turn."""
        if asks:
            return
        with self._changed:
            asks.extend(self._waiting[:MOST])
            del self._waiting[:MOST]
        self._several = len(asks) > 1


_writers: dict[tuple[str, str, int], Writer] = {}


def writer(store: Store, name: str, config: Config) -> Writer:
    """The one writer of a book in this process."""
    key = (store.url.render_as_string(hide_password=False), name, os.getpid())
    known = _writers.setdefault(key, Writer(store, name, config))
    if known.config.text != config.text:  # a book that was made anew under its old name
        known = _writers[key] = Writer(store, name, config)
    return known
