"""The statement of a book: all that was spent, as a plain record from which pages are printed."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar

from tightrope._calls import Spoken
from tightrope._check import Real
from tightrope._notebook import Form, Shown
from tightrope._upward import statements
from tightrope.ledger.amounts import Amounts
from tightrope.ledger.records import Anchor, Odometer, Spending
from tightrope.ledger.scope import Scope
from tightrope.ledger.structure import Structure
from tightrope.notions import Guarantee
from tightrope.theorems.registry import Theorem

if TYPE_CHECKING:
    from tightrope.ledger.book import Book


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a book, for people.

    Attributes:
        seq, kind, time, by, note, event, amounts, hash: those of the entry.
        price: the amounts in the words of the book's notion, rounded up.
        about: the part, the window or the share that it is about; empty if it is about everybody.
        status: of a reservation ``open``, ``committed`` or ``released``; else empty.
        key: of an open reservation the key by which it is found again; else empty.
    """

    seq: int
    kind: str
    time: str
    by: str
    note: str
    event: str
    amounts: Amounts
    hash: str
    price: str
    about: str = ""
    status: str = ""
    key: str = ""


@dataclass(frozen=True)
class PartSpending:
    """What the persons of one part have consumed, and what remains for them."""

    part: str
    spending: Spending
    remaining: Guarantee


@dataclass(frozen=True, slots=True)
class Moment:
    """What was consumed after an entry, as a share of the budget between 0 and 1, rounded up.

    Attributes:
        time: in seconds since 1970.
        consumed: of what the filter counts, that which is nearest to its end.
        reserved: the part of it that was reserved and not yet committed.
    """

    time: float
    consumed: float
    reserved: float


@dataclass(frozen=True, eq=False, repr=False)
class Statement(Shown, metaclass=Spoken):
    """All that was spent of a book; made by ``Book.statement``.

    What the book guarantees is its budget. What was consumed is told beside it, and is no
    guarantee where parameters may have been chosen by results.

    Attributes:
        book: its name.
        about: what the book is about, in the words of whoever created it.
        created: when.
        read: when this was read from the store.
        budget: what may be spent.
        guaranteed: what the book guarantees: the budget, for units that say what it holds for.
        scope: what that is, such as one window of time; None if it holds for all times.
        filter: the name of the filter that guards it.
        theorem: why the filter is valid, with its citation.
        counted, capacity: what is summed up, and how far each sum may go.
        structure: what is known of which persons an event touches.
        plan: the events that were declared before the first release, if all were.
        parent: the book of which this is a share, if it is one.
        closed: whether it takes no more charges.
        open_shares: the shares that may still spend what was set aside for them.
        lines: the entries, oldest first.
        spending, remaining: what was consumed, and the largest guarantee that a next event may
            have; None in a book of units, where both would tell of single units.
        parts: the same for each part, in a book with parts.
        odometer: what can be guaranteed of the time until now, if anything.
        moments: the consumption over time; empty in a book of units.
        head: the end of the chain: kept outside of the store, it anchors all of this.
    """

    _instead: ClassVar[dict[str, str]] = dict.fromkeys(
        ("to_html", "to_latex", "to_json", "to_text"), "; a file is written by .write(path)"
    )

    book: str
    about: str
    created: str
    read: str
    budget: Guarantee
    guaranteed: Guarantee
    scope: Scope | None
    filter: str
    theorem: Theorem
    counted: tuple[str, ...]
    capacity: Amounts
    structure: Structure
    plan: tuple[str, ...] | None
    parent: str | None
    closed: bool
    open_shares: tuple[str, ...]
    lines: tuple[Line, ...]
    spending: Spending | None
    remaining: Guarantee | None
    parts: tuple[PartSpending, ...]
    odometer: Odometer | None
    moments: tuple[Moment, ...]
    head: Anchor

    @property
    def spent_lines(self) -> tuple[Line, ...]:
        """The entries that cost something: charges, reservations and shares."""
        return tuple(line for line in self.lines if line.kind in ("charge", "reserve", "share"))

    @property
    def open_reservations(self) -> tuple[Line, ...]:
        """Reservations that were neither committed nor released; they count as spent."""
        return tuple(line for line in self.lines if line.status == "open")

    def to_json(self) -> str:
        """The document that ``docs/statement.schema.json`` describes."""
        text: str = statements().as_json(self)
        return text

    def to_html(self) -> str:
        """One HTML page that needs no network and no scripts."""
        text: str = statements().as_html(self)
        return text

    def to_latex(self) -> str:
        """A LaTeX document."""
        text: str = statements().as_latex(self)
        return text

    def to_text(self) -> str:
        """Plain lines, for a terminal or a mail."""
        text: str = statements().as_text(self)
        return text

    def write(self, path: str | PathLike[str]) -> None:
        """Write a file: .json, .html or .htm, .tex or .txt, as its name says.

        Raises:
            InvalidArgument: its name ends otherwise, or its folder is not there.
            OSError: the file cannot be written.
        """
        statements().write(self, path)

    def certificate(self, *, delta: Real = 1e-6) -> Any:
        """A certificate of what the book guarantees, which ``tightrope verify`` checks.

        If all events were declared beforehand, it proves what they guarantee together. Otherwise
        it takes the budget as given, names the filter's theorem and the head of the chain, and
        proves what the budget means in other notions.

        Args:
            delta: where epsilon is claimed, strictly between 0 and 1.

        Raises:
            InvalidArgument: no such delta, or nothing can be certified of such a budget.
        """
        return statements().certified(self, delta)

    def _page(self, form: Form) -> str:
        text: str = statements().notebook(self, form)
        return text

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        told = "" if self.spending is None else f", {self.spending.words} consumed"
        lines = len(self.spent_lines)
        number = f"{lines} charge{'' if lines == 1 else 's'}"
        return f"Statement({self.book!r}: {self.guaranteed!r}{told} by {number})"


def statement(book: Book) -> Statement:
    """See ``Book.statement``."""
    from tightrope.ledger.telling import told

    return told(book)
