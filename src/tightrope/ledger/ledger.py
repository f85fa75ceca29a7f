"""The ledger: a store of books."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from tightrope._calls import Spoken
from tightrope._check import Real
from tightrope._notebook import Form, Shown
from tightrope.events import Event
from tightrope.ledger import creating
from tightrope.ledger.book import Book
from tightrope.ledger.config import Config
from tightrope.ledger.records import Anchor, Verification
from tightrope.ledger.store import rows
from tightrope.ledger.store.store import Store
from tightrope.ledger.structure import Structure
from tightrope.neighbors import Neighbors
from tightrope.notions import Guarantee


class Ledger(Shown, metaclass=Spoken):
    """Budgets that cannot be overspent, by any number of analysts, through any crash.

    Args:
        where: the path of an SQLite file, made if there is none; or a URL of PostgreSQL, such as
            ``"postgresql://host/database"``, for many machines. A password in it is never shown.

    Raises:
        StoreTooNew: the store was written by a newer version of the program.
        StoreUnavailable: it cannot be reached.

    Examples:
        >>> import tempfile, tightrope as tr
        >>> store = tr.Ledger(tempfile.mkdtemp() + "/budget.db")
        >>> book = store.create("census-2030", budget=tr.GDP(1.0), unit="person")
        >>> book.charge(tr.Gaussian(noise_scale=2.0), note="table 3")
        Receipt(charge 2 of 'census-2030': mu = 0.5)
        >>> book.spent(), book.remaining()
        (Spending(mu = 0.5; consumption, no guarantee), GDP(mu=0.8660254037844386, ...
    """

    def __init__(self, where: Any):
        self._store = Store(where)

    def __repr__(self) -> str:
        return f"Ledger({self._store!r})"

    def _page(self, form: Form) -> str:
        return form.statement(repr(self), f"books: {', '.join(self.books()) or 'none yet'}")

    def create(  # noqa: PLR0913  (what a book promises is fixed when it is created)
        self,
        name: str,
        budget: Guarantee,
        *,
        unit: str = "unit",
        neighbors: Neighbors | None = None,
        filter: str | None = None,
        slack: Real | None = None,
        structure: Structure | None = None,
        plan: Iterable[Event] | None = None,
        note: str = "",
    ) -> Book:
        """Create a book.

        Args:
            name: its name in this store.
            budget: a guarantee in pure DP, zCDP, GDP, Renyi DP (with its orders) or ApproxDP.
            unit: whom it protects, such as ``"person"``.
            neighbors: the relation, by default the budget's own.
            filter: for ApproxDP ``"zcdp"`` (the default) or ``"advanced"``.
            slack: for the advanced filter the part of delta that pays for it, by default half.
            structure: ``Partition``, ``Windows`` or ``Units`` of ``tightrope.ledger``.
            plan: all events that will ever be charged, if they are known before the first release.
            note: what the book is about, for people.

        Raises:
            InvalidArgument: an argument is not admissible, or the name is taken.
            NeighborsMismatch: the budget, the relation and the plan do not fit.
        """
        checked = creating.checked_name(name)
        about = creating.relation(budget, unit, neighbors)
        guard = creating.guarded(budget, about, filter, slack)
        shape = creating.structured(structure, about)
        config = Config.new(guard, shape, creating.declared(guard, plan))
        return creating.create(self._store, checked, config, note)

    def open(self, name: str) -> Book:
        """The book of that name.

        Raises:
            UnknownBook: there is none; the message lists those that there are.
        """
        return Book.find(self._store, name)

    def books(self) -> tuple[str, ...]:
        """The names of all books."""
        with self._store.reading() as connection:
            return rows.book_names(connection)

    def verify(self, anchors: Iterable[Any] = ()) -> tuple[Verification, ...]:
        """Check every book; see ``Book.verify``.

        Args:
            anchors: receipts, or the texts of their heads, in any order and any number of a book:
                all of them have to be met. A book of an anchor that is gone is a finding.
        """
        from tightrope.ledger.verifying import verify

        kept: dict[str, list[Anchor]] = {name: [] for name in self.books()}
        for anchor in map(Anchor.read, anchors):
            kept.setdefault(anchor.book, []).append(anchor)
        return tuple(verify(self._store, name, several) for name, several in kept.items())

    def verify_book(self, name: str, anchors: Iterable[Any] = ()) -> Verification:
        """Check one book, of which all anchors have to be met.

        Raises:
            UnknownBook: there is none, and no anchor that says that there was one.
        """
        from tightrope.ledger.verifying import verify

        kept = tuple(map(Anchor.read, anchors))
        if not kept and name not in self.books():
            self.open(name)  # says which there are
        return verify(self._store, name, kept)

    def receive(self, path: Any, *, public_key: Any) -> Book:
        """Take over a book that was exported from another store, checking signature and chain."""
        from tightrope.ledger.exchange import receive

        return Book.find(self._store, receive(self._store, path, public_key))

    def grant(self, role: str, right: str) -> None:
        """Let a role of PostgreSQL own, spend or read: ``"owner"``, ``"analyst"``, ``"reader"``."""
        from tightrope.ledger.access import grant

        grant(self._store, role, right)

    def close(self) -> None:
        """Give back the connections that this process keeps."""
        self._store.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
