"""A book: a budget, and everything that was spent from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tightrope._errors import InvalidArgument
from tightrope._notebook import Form, Shown
from tightrope.events import Event
from tightrope.ledger import chain, keys, pricing, sharing, texts
from tightrope.ledger.admission import Admission, admission
from tightrope.ledger.amounts import Amounts
from tightrope.ledger.asks import config_promised
from tightrope.ledger.contents import Contents
from tightrope.ledger.errors import KeyReused, UnknownBook
from tightrope.ledger.holding import Reservation
from tightrope.ledger.records import Anchor, Entry, Receipt, Verification
from tightrope.ledger.store import rows
from tightrope.ledger.store.store import Store
from tightrope.ledger.writer import Writer, writer
from tightrope.notions import Guarantee

if TYPE_CHECKING:
    from tightrope.ledger.statement import Statement


class Book(Shown, Contents):
    """A budget that cannot be overspent; made by ``Ledger.create`` and ``Ledger.open``.

    Everything that is charged is written down, durably, before the charge returns; so release
    after charging, never before. A book is a ``Purse``.
    """

    def __repr__(self) -> str:
        return f"Book({self.name!r}, budget={self.guarantee!r}, in {self._store!r})"

    @classmethod
    def find(cls, store: Store, name: str) -> Book:
        """The book of that name in the store."""
        with store.reading() as connection:
            row = rows.book_row(connection, name) if texts.storable(name) else None
            if row is None:
                names = ", ".join(rows.book_names(connection)) or "-"
                raise UnknownBook(f"the store has no book {name!r}; it has: {names}")
            promised = rows.first_body(connection, name)
        return cls(store, name, config_promised(name, row.config, promised))

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
        ask = pricing.ask(self, "charge", event, note, key, part, by or "")
        return self._receipt(self._writer().write(ask), repeated=ask.known)

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
            found = rows.bodies_by_key(connection, self.name, [keys.used(key)])
        self._store.flush()
        if not found:
            raise InvalidArgument(f"reservation: book {self.name!r} has no key {key!r}")
        entry = chain.entry(found[keys.used(key)])
        if entry.kind != "reserve":
            raise InvalidArgument(f"reservation: the key {key!r} names a {entry.kind}")
        return Reservation(self, entry)

    def open_reservations(self) -> tuple[Reservation, ...]:
        """Those that were neither committed nor released; they count as spent."""
        with self._store.reading() as connection:
            found = map(chain.entry, rows.open_reservations(connection, self.name))
            return tuple(Reservation(self, entry) for entry in found if entry.kind == "reserve")

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

    # --- whether it holds, and what it says ---

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
        """Take no more charges; a share gives back to its parent what is unspent.

        What is reserved and open stays spent: it can be committed, and no more be released. Shares
        that are open go on with what was set aside for them, and then give nothing back; see
        ``open_reservations`` and ``open_shares``.
        """
        return sharing.close(self, note)

    def export(self, path: Any, private_key: Any) -> Anchor:
        """Write all entries to a file, signed by an Ed25519 key (extra ``sign``)."""
        from tightrope.ledger.exchange import export

        return export(self, path, private_key)

    # --- how ---

    def _page(self, form: Form) -> str:
        scope = () if self.scope is None else (str(self.scope),)
        consumed = (repr(self.spent()),) if self.structure.public_sums else ()
        closed = ("closed",) if self.closed else ()
        about = f"for neighbours that {self.guarantee.neighbors}"
        return form.statement(repr(self), about, *scope, *consumed, *closed)

    def _require_open(self, entry: Entry) -> None:
        end = keys.ended(keys.own(entry.key))
        with self._store.reading() as connection:
            found = rows.bodies_by_key(connection, self.name, [end])
        if found:
            ended = chain.entry(found[end])
            raise KeyReused(
                f"reserve: the key {keys.own(entry.key)!r} stands for a reservation of book "
                f"{self.name!r} that has ended (entry {ended.seq}, {ended.kind}); what is drawn "
                "anew needs a key of its own"
            )

    def _writer(self) -> Writer:
        return writer(self._store, self.name, self._config)

    def _receipt(self, entry: Entry, *, repeated: bool = False) -> Receipt:
        return pricing.receipt(self._config, self.name, entry, repeated=repeated)
