"""Forks: a process does not fork while another of its threads is in an SQLite file.

SQLite remembers in memory which locks it holds. A child inherits that memory, but not the locks: it
would write as if it had them, or wait for a thread that it has not. So a fork waits until the other
threads are out of their files, and they wait until it is over.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tightrope.ledger.errors import StoreUnavailable

PATIENCE = 10.0
"""Seconds that a fork waits for threads, of which one may be in the middle of a loop over entries.

After that it goes on, and the child refuses the files that they were in.
"""


class Gate:
    """Lets threads into files, and forks past when none is in one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside: dict[object, tuple[int, str]] = {}
        self._forks = 0
        self._torn: set[str] = set()

    @contextmanager
    def visit(self, file: str) -> Iterator[None]:
        """Be in a file. A thread that is in one already is let in even if a fork waits for it.

        Raises:
            StoreUnavailable: this process was forked when its parent was in the file.
        """
        visit, me = object(), threading.get_ident()
        with self._changed:
            self._changed.wait_for(lambda: not self._forks or self._has(me))
            if file in self._torn:
                raise StoreUnavailable(
                    f"the file {file!r} was being read or written when this process was forked, "
                    "and SQLite cannot be used across that: fork outside of loops over entries, "
                    "or start processes by spawn"
                )
            self._inside[visit] = me, file
        try:
            yield
        finally:
            with self._changed:
                self._inside.pop(visit, None)
                self._changed.notify_all()

    def close(self) -> None:
        """Before a fork: wait for the other threads, and keep them out."""
        me = threading.get_ident()
        self._changed.acquire()
        self._forks += 1
        self._changed.wait_for(lambda: all(who == me for who, _ in self._inside.values()), PATIENCE)

    def open(self) -> None:
        """After it, in the parent."""
        self._forks -= 1
        self._changed.notify_all()
        self._changed.release()

    def renew(self) -> None:
        """After it, in the child, which has one thread and none of the parent's visits."""
        self._changed = threading.Condition()
        self._torn |= {file for _, file in self._inside.values()}
        self._inside.clear()
        self._forks = 0

    def _has(self, thread: int) -> bool:
        return any(who == thread for who, _ in self._inside.values())


GATE = Gate()
"""The one of this process."""
