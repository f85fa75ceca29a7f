"""Reading a statement from the store: every entry is checked while it is read."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from sys import intern
from typing import TYPE_CHECKING, Any

from tightrope.ledger import balance
from tightrope.ledger.amounts import Amounts, read
from tightrope.ledger.config import Config
from tightrope.ledger.divided import parts_of
from tightrope.ledger.errors import TamperedBook, readable
from tightrope.ledger.keys import own
from tightrope.ledger.odometer import odometer
from tightrope.ledger.records import Anchor, Odometer, Spending
from tightrope.ledger.replay import Broken, Replay
from tightrope.ledger.state import State
from tightrope.ledger.statement import Line, Moment, Statement
from tightrope.ledger.store import rows
from tightrope.ledger.structure import WHOLE, WINDOW, Windows
from tightrope.num.rounding import float_up

if TYPE_CHECKING:
    from tightrope.ledger.book import Book

ENDS = {"commit": "committed", "release": "released"}
"""What becomes of a reservation."""


def told(book: Book) -> Statement:
    """All that was spent, read in one transaction.

    Raises:
        UnknownBook: the book is gone.
        StoreUnavailable: the store cannot be read.
        TamperedBook: what it holds contradicts itself.
    """
    now = datetime.now(UTC)
    reader = _Reader(Replay(book.name), book._config)
    with book._store.reading() as connection:
        row = rows.existing_row(connection, book.name)
        try:
            for line in rows.stream(connection, book.name):
                with readable("an entry"):
                    reader.take(*line)
            reader.require_end(row)
            if row.config != reader.state.config.text:
                raise Broken("its row promises something else than its first entry")
            if rows.read_sums(connection, book.name, None) != reader.state.sums:
                raise Broken("its sums are not what the entries add up to")
        except Broken as broken:
            raise TamperedBook(
                f"book {book.name!r} contradicts itself, so nothing is stated of it: {broken}"
            ) from None
        shares = rows.open_shares(connection, book.name)
    return reader.statement(now, shares)


@dataclass
class _Reader:
    """What the entries told so far."""

    replay: Replay
    config: Config
    lines: list[Line] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    """Where the open reservations stand in the lines."""
    words: dict[Amounts, str] = field(default_factory=dict)
    window: str = ""

    @property
    def state(self) -> State:
        """The sums so far."""
        assert self.replay.state is not None
        return self.replay.state

    def take(self, seq: int, key: str, told: str, body: str) -> None:
        self.replay.take(seq, key, told, body)
        content = json.loads(body)
        self._end(content)
        self.lines.append(self._line(content, told))
        if content["kind"] == "reserve":
            self.places[seq] = len(self.lines) - 1
        self._moment(content)

    def require_end(self, row: rows.BookRow) -> None:
        """The chain ends where the store says that it does."""
        if (row.seq, row.head) != (self.replay.seq, self.replay.head):
            raise Broken(f"it should end at entry {row.seq}, and ends at {self.replay.seq}")

    def _end(self, content: dict[str, Any]) -> None:
        """A reservation that ends here is open no more."""
        if content["kind"] in ENDS:
            place = self.places.pop(content["of"])
            ended = ENDS[content["kind"]]
            self.lines[place] = replace(self.lines[place], status=ended, key="")

    def _line(self, content: dict[str, Any], told: str) -> Line:
        size = len(self.config.capacity)
        amounts = tuple(map(read, content["amounts"]))[:size]
        held = content["kind"] == "reserve"
        return Line(
            seq=content["seq"],
            kind=intern(content["kind"]),
            time=content["time"],
            by=intern(content["by"]),
            note=content["note"],
            event=intern(content.get("event", "")),
            amounts=amounts,
            hash=told,
            price=self._price(amounts),
            about=self._about(content),
            status="open" if held else "",
            key=own(content["key"]) if held else "",
        )

    def _price(self, amounts: Amounts) -> str:
        if not amounts:
            return ""
        if amounts not in self.words:
            self.words[amounts] = self.config.guard.consumption(amounts)
        return self.words[amounts]

    def _about(self, content: dict[str, Any]) -> str:
        if "child" in content:
            return f"share {content['child']}"
        return self.config.structure.about(content.get("account", WHOLE))

    # --- over time ---

    def _moment(self, content: dict[str, Any]) -> None:
        if not self.config.structure.public_sums:
            return
        time = datetime.fromisoformat(content["time"]).timestamp()
        account: str = content.get("account", WHOLE)
        if account.startswith(WINDOW) and account != self.window:
            self.window = account
            self.moments.append(Moment(self._renewed(account), 0.0, 0.0))
        at = account if account.startswith(WINDOW) else self.window
        consumed = self._share(self.state.demand(at))
        reserved = self._share(balance.reserved(self.state))
        self.moments.append(Moment(time, consumed, reserved))

    def _renewed(self, account: str) -> float:
        """When a window began, or when the book did, if that was later."""
        assert isinstance(self.config.structure, Windows)
        return max(float(self.config.structure.begins(account)), self.moments[-1].time)

    def _share(self, amounts: Amounts) -> float:
        pairs = zip(amounts, self.config.capacity, strict=True)
        return max(float_up(Fraction(a) / Fraction(c)) for a, c in pairs if c)

    # --- in the end ---

    def statement(self, now: datetime, shares: tuple[str, ...]) -> Statement:
        config = self.config
        spending = self._spending(now) if config.structure.public_sums else None
        return Statement(
            book=self.replay.name,
            about=self.lines[0].note,
            created=self.lines[0].time,
            read=now.isoformat(timespec="seconds"),
            budget=config.budget,
            guaranteed=config.guaranteed,
            scope=config.scope,
            filter=config.filter,
            theorem=config.guard.theorem,
            counted=config.counted,
            capacity=config.capacity,
            structure=config.structure,
            plan=config.plan,
            parent=config.parent,
            closed=self.state.closed,
            open_shares=shares,
            lines=tuple(self.lines),
            spending=spending,
            remaining=None if spending is None else balance.left(config, spending),
            parts=parts_of(self.state),
            odometer=None if spending is None else self._odometer(spending),
            moments=tuple(self.moments),
            head=Anchor(self.replay.name, self.replay.seq, self.replay.head),
        )

    def _odometer(self, spending: Spending) -> Odometer:
        return odometer(self.config, spending, None, self.lines)

    def _spending(self, now: datetime) -> Spending:
        account = self.config.structure.account(None, now.timestamp())
        return balance.consumed(self.state, account)
