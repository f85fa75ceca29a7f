"""What is asked of a book, and what it answers: asks are planned before any lock is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope.ledger import chain
from tightrope.ledger.config import Config
from tightrope.ledger.errors import BookClosed, KeyReused, UnknownBook, readable
from tightrope.ledger.keys import CLOSING, own
from tightrope.ledger.records import Entry
from tightrope.ledger.state import Refused, State, accounts, apply
from tightrope.ledger.store.desk import Desk
from tightrope.ledger.store.rows import BookRow

IDENTITY = ("kind", "event", "amounts", "part", "asked")
"""What two asks of one key must agree on to be one ask that was repeated."""


@dataclass
class Ask:
    """One entry to be written: its key and its content, without place, time and hash."""

    key: str
    content: dict[str, Any]
    over: Callable[[State, dict[str, Any]], Exception] | None = None
    """Makes the error of an ask that the budget does not afford."""
    select: Callable[[State, dict[str, Any]], dict[str, Any]] | None = None
    """Completes the content by what the state says, once it is its turn."""
    decided: Entry | Exception | None = None
    """What the turn says; it counts once its transaction is committed."""
    done: bool = False
    """Whether it counts."""
    tried: bool = False
    """Whether it had a turn, of which the answer may be lost."""
    known: bool = False
    """Whether its entry was there before its first turn."""

    def outcome(self) -> Entry:
        """What was written.

        Raises:
            Exception: why nothing was.
        """
        if isinstance(self.decided, Entry):
            return self.decided
        assert self.decided is not None
        raise self.decided


@dataclass
class Sitting:
    """One book during one turn: its state, and the entries that are added to it."""

    desk: Desk
    name: str
    state: State
    known: dict[str, str] = field(default_factory=dict)
    before: dict[str, Any] = field(default_factory=dict)
    new: list[dict[str, Any]] = field(default_factory=list)
    repeated: bool = False
    """Whether an ask was answered by an entry that was there already."""

    @classmethod
    def open(
        cls, desk: Desk, name: str, asks: Sequence[Ask], accounts: Sequence[str] | None
    ) -> Sitting:
        """Read what the asks need, in one go whatever their number.

        Raises:
            UnknownBook: there is no such book.
            TamperedBook: what is kept of it cannot be read.
        """
        with readable(f"the sums of book {name!r}"):
            row, sums, known = desk.read(name, accounts, [ask.key for ask in asks])
        if row is None:
            raise UnknownBook(f"the store has no book {name!r}")
        state = State(config_of(name, row.config), row.seq, row.head, row.closed, sums)
        return cls(desk, name, state, known, dict(sums))

    def take(self, ask: Ask) -> None:
        """Answer one ask; what it changes is kept only if it is admissible."""
        first, ask.tried = not ask.tried, True
        if ask.key in self.known:
            ask.known = first
            ask.decided = self._again(ask)
            return
        if ask.select is not None:
            ask.content = ask.select(self.state, ask.content)
        trial = replace(self.state, sums=dict(self.state.sums))
        try:
            apply(trial, ask.content)
        except Refused as refusal:
            ask.decided = self._refused(ask, refusal)
            return
        self.state = trial
        self._append(ask)

    def _again(self, ask: Ask) -> Entry | Exception:
        content = chain.told(self.known[ask.key])
        if any(content.get(name) != ask.content.get(name) for name in IDENTITY):
            return KeyReused(
                f"the key {own(content['key'])!r} stands for another entry of book {self.name!r} "
                f"already: number {content['seq']}, {content['kind']} {content.get('event', '')}"
            )
        self.repeated = True
        return chain.entry(self.known[ask.key])

    def _refused(self, ask: Ask, refusal: Refused) -> Exception:
        if self.state.closed:
            return BookClosed(f"book {self.name!r} is closed; it takes no more charges")
        if refusal.over and ask.over is not None:
            return ask.over(self.state, ask.content)
        return InvalidArgument(f"book {self.name!r}: {refusal}")

    def _append(self, ask: Ask) -> None:
        state = self.state
        content = {
            **ask.content,
            "book": self.name,
            "by": ask.content.get("by") or self.desk.user,
            "key": ask.key,
            "previous": state.head,
            "seq": state.seq + 1,
            "time": datetime.now(UTC).isoformat(timespec="microseconds"),
        }
        body = chain.canonical(content)
        entry = chain.entry(body)
        state.seq, state.head = entry.seq, entry.hash
        self.known[ask.key] = body
        self.new.append({"seq": entry.seq, "key": ask.key, "hash": entry.hash, "body": body})
        ask.decided = entry

    def write(self, ask: Ask) -> Entry:
        """Answer and write one ask alone.

        Raises:
            Exception: why nothing was written.
        """
        self.take(ask)
        entry = ask.outcome()
        self.save()
        return entry

    def save(self) -> bool:
        """Write what was added; False if nothing was."""
        if not self.new:
            return False
        state = self.state
        closes = any(line["key"] == CLOSING for line in self.new)
        row = BookRow(self.name, "", state.seq, state.head, closes)
        changed = {at: now for at, now in state.sums.items() if self.before.get(at) != now}
        self.desk.write(row, self.new[0]["seq"] - 1, self.new, changed)
        return True


def needed(config: Config, asks: Sequence[Ask]) -> list[str] | None:
    """The accounts that asks need; None for all of the book's."""
    found: dict[str, None] = {}
    for ask in asks:
        some = accounts(config, ask.content)
        if some is None:
            return None
        found.update(dict.fromkeys(some))
    return list(found)


_configs: dict[str, Config] = {}


def config_of(name: str, text: str) -> Config:
    """The configuration of a book that a text describes, read once.

    Raises:
        TamperedBook: it describes none.
    """
    if text not in _configs:
        with readable(f"what book {name!r} promises"):
            _configs[text] = Config.read(text)
    return _configs[text]
