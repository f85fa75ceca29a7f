"""A book: a budget, and everything that was spent from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.ledger import chain, pricing, sharing, texts
from tightrope.ledger.admission import Admission, admission
from tightrope.ledger.amounts import Amounts, difference, nothing
from tightrope.ledger.asks import config_of, own
from tightrope.ledger.config import Config
from tightrope.ledger.errors import KeyReused, UnknownBook
from tightrope.ledger.holding import Reservation
from tightrope.ledger.odometer import odometer
from tightrope.ledger.promise import Promise
from tightrope.ledger.records import Anchor, Entry, Odometer, Receipt, Spending, Verification
from tightrope.ledger.state import RESERVED, State
from tightrope.ledger.store import rows
from tightrope.ledger.store.store import Store
from tightrope.ledger.writer import Writer, writer
from tightrope.notions import Guarantee

if TYPE_CHECKING:
    from tightrope.ledger.statement import Statement


class Book(Promise):
    """A budget that cannot be overspent; made by ``Ledger.create`` and ``Ledger.open``.

    Everything that is charged is written down, durably, before the charge returns; so release
    after charging, never before. A book is a ``Purse``.
    """

    def __init__(self, store: Store, name: str, config: Config):
        super().__init__(name, config)
        self._store = store

    def __repr__(self) -> str:
        return f"Book({self.name!r}, budget={self.guarantee!r}, in {self._store!r})"

    @classmethod
    def find(cls, store: Store, name: str) -> Book:
        """The book of that name in the store."""
        with store.reading() as connection:
            row = rows.book_row(connection, name) if texts.storable(name) else None
            names = () if row else rows.book_names(connection)
        if row is None:
            raise UnknownBook(f"the store has no book {name!r}; it has: {', '.join(names) or '-'}")
        return cls(store, name, config_of(name, row.config))

    # --- spending ---

    def charge(
        self,
        event: Event,
        *,
        note: str = "",
        key: str | None = None,
        part: str | None = None,
        by: str | None = None,
    ) -> Receipt:
        """Spend what the event costs; release it afterwards.

        Args:
            event: what is about to be released; its parameters are fixed now.
            note: what it is, for people.
            key: names this charge: asked again by the same key, the same receipt is given.
            part: the declared part of the data that the event is about.
            by: who asks, if not the user of the operating system.

        Raises:
            BudgetExceeded: the budget does not afford it.
            BookClosed, KeyReused: see there.
            NeighborsMismatch, NotReachable: the event cannot be counted in this book.
            StoreUnavailable: the store cannot be used. Nothing was written, in any of these cases.
        """
        return self._receipt(self._spend("charge", event, note, key, part, by))

    def reserve(
        self,
        event: Event,
        *,
        note: str = "",
        key: str | None = None,
        part: str | None = None,
        by: str | None = None,
    ) -> Reservation:
        """Set aside what the event costs, before it is drawn; arguments and errors as ``charge``.

        A reservation counts as spent until it is released, which is allowed only if nothing was
        drawn. A program that dies in between has spent it. The same key gives the same reservation
        while it is open, so that a lost answer can be asked for again; what is drawn anew needs a
        key of its own.

        Raises:
            KeyReused: the key stands for something else, or for a reservation that has ended.
        """
        ask = pricing.ask(self, "reserve", event, note, key, part, by or "")
        entry = self._writer().write(ask)
        if ask.known:
            self._require_open(entry)
        return Reservation(self, entry, again=ask.known)

    def reservation(self, key: str) -> Reservation:
        """The reservation that was made by a key, for instance by a program that died."""
        texts.name(key, "reservation: key")
        with self._store.reading() as connection:
            found = rows.bodies_by_key(connection, self.name, [pricing.used(key)])
        self._store.flush()
        if not found:
            raise InvalidArgument(f"reservation: book {self.name!r} has no key {key!r}")
        entry = chain.entry(found[pricing.used(key)])
        if entry.kind != "reserve":
            raise InvalidArgument(f"reservation: the key {key!r} names a {entry.kind}")
        return Reservation(self, entry)

    def admit(
        self, event: Event, units: Iterable[str], *, note: str = "", key: str | None = None
    ) -> Admission:
        """Charge those of the units that can still afford the event, in a book of ``Units``.

        The event must leave out everybody who was not admitted. Who was admitted is told for that
        purpose only: it depends on data, and must not be published.
        """
        return admission(self, event, units, note, key)

    def price(self, event: Event, *, part: str | None = None) -> Amounts:
        """What an event would add to the sums of the book's filter, rounded up."""
        return pricing.price(self._config, event, part)

    def affords(self, event: Event, *, part: str | None = None) -> bool:
        """Whether a charge would be accepted now; another charge may come first."""
        content = pricing.content(self._config, "charge", event, "", part, "")
        return not self.closed and pricing.would_fit(self._state(), content)

    # --- what was spent ---

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
        pricing.may_show(self._config, part)
        state = self._state()
        account = pricing.account(self._config, part)
        amounts = pricing.consumed(state, account)
        reserved = state.sums.get(RESERVED, nothing(amounts))
        words = self._config.guard.consumption(amounts)
        return Spending(amounts, reserved, self._config.counted, words)

    def remaining(self, *, part: str | None = None) -> Guarantee:
        """The largest guarantee that a next event may have, rounded down."""
        spent = self.spent(part=part)
        return self._config.guard.single(difference(self._config.capacity, spent.amounts))

    def odometer(self, *, slack: Real | None = None) -> Odometer:
        """What was consumed, with a guarantee about the time until now where a theorem gives one.

        Args:
            slack: for a book with the advanced filter, the part of delta for the odometer.
        """
        return odometer(self._config, self.spent(), slack)

    def entries(self, start: int = 1) -> Iterator[Entry]:
        """The entries from number ``start`` on, in order."""
        with self._store.reading() as connection:
            for _, _, _, body in rows.stream(connection, self.name, start):
                yield chain.entry(body)

    def head(self) -> Anchor:
        """The last entry's number and hash: kept elsewhere, it anchors everything up to it."""
        with self._store.reading() as connection:
            row = rows.book_row(connection, self.name)
        if row is None:
            raise UnknownBook(f"the store has no book {self.name!r} any more")
        self._store.flush()
        return Anchor(self.name, row.seq, row.head)

    def verify(self, anchor: Any = None) -> Verification:
        """Check all entries: hashes, order, prices within the budget, sums, and the anchor.

        Args:
            anchor: the latest receipt, or the text of its head, kept outside of the store. Without
                one the result says which attacks cannot be excluded.
        """
        from tightrope.ledger.verifying import verify

        return verify(self._store, self.name, () if anchor is None else (Anchor.read(anchor),))

    def statement(self) -> Statement:
        """All that was spent, for people and programs: see ``tightrope.ledger.Statement``.

        It is read in one transaction, so its entries, sums and head belong together.
        """
        from tightrope.ledger.statement import statement

        return statement(self)

    # --- its life ---

    def share(self, name: str, budget: Guarantee, *, note: str = "") -> Book:
        """A book of its own for a part of this budget, set aside now.

        What it has not spent when it is closed comes back. It has the notion, the filter and the
        relation of this book.

        Raises:
            BudgetExceeded: so much is not left.
        """
        return sharing.share(self, name, budget, note)

    def close(self, *, note: str = "") -> Receipt:
        """Take no more charges; a share gives back to its parent what is unspent."""
        return sharing.close(self, note)

    def export(self, path: Any, private_key: Any) -> Anchor:
        """Write all entries to a file, signed by an Ed25519 key (extra ``sign``)."""
        from tightrope.ledger.exchange import export

        return export(self, path, private_key)

    # --- how ---

    def _spend(  # noqa: PLR0913  (a charge is all of these)
        self,
        kind: str,
        event: Event,
        note: str,
        key: str | None,
        part: str | None,
        by: str | None,
    ) -> Entry:
        ask = pricing.ask(self, kind, event, note, key, part, by or "")
        return self._writer().write(ask)

    def _require_open(self, entry: Entry) -> None:
        end = f"end:{own(entry.key)}"
        with self._store.reading() as connection:
            found = rows.bodies_by_key(connection, self.name, [end])
        if found:
            ended = chain.entry(found[end])
            raise KeyReused(
                f"reserve: the key {own(entry.key)!r} stands for a reservation of book "
                f"{self.name!r} that has ended (entry {ended.seq}, {ended.kind}); what is drawn "
                "anew needs a key of its own"
            )

    def _writer(self) -> Writer:
        return writer(self._store, self.name, self._config)

    def _receipt(self, entry: Entry) -> Receipt:
        return pricing.receipt(self._config, self.name, entry)

    def _state(self) -> State:
        with self._store.reading() as connection:
            row = rows.book_row(connection, self.name)
            if row is None:
                raise UnknownBook(f"the store has no book {self.name!r} any more")
            sums = rows.read_sums(connection, self.name, None)
        return State(self._config, row.seq, row.head, row.closed, sums)
