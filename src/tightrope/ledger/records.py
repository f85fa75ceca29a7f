"""What a ledger hands out: frozen records, plain enough to be written down anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from tightrope._calls import Spoken
from tightrope._errors import InvalidArgument
from tightrope._notebook import Form, Shown
from tightrope.ledger.amounts import Amounts

if TYPE_CHECKING:
    from tightrope.notions import Guarantee

_ANCHOR = re.compile(r"(?P<book>.+):(?P<seq>[0-9]{1,18}):(?P<hash>[0-9a-f]{64})", re.DOTALL)


@dataclass(frozen=True)
class Anchor:
    """The head of a book at some time: keep it outside of the store to detect tampering.

    Examples:
        >>> anchor = Anchor("census", 2, "ab" * 32)
        >>> Anchor.read(str(anchor)) == anchor
        True
    """

    book: str
    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.book}:{self.seq}:{self.hash}"

    @classmethod
    def read(cls, kept: Any) -> Self:
        """An anchor from what was kept: an anchor, a receipt, or the text of an anchor.

        Raises:
            InvalidArgument: it is none of these.
        """
        kept = getattr(kept, "head", kept)
        found = _ANCHOR.fullmatch(str(kept))
        if found is None:
            raise InvalidArgument(
                "verify: an anchor is a receipt, or its head as text, book:number:hash; you passed "
                f"{kept!r}"
            )
        return cls(found["book"], int(found["seq"]), found["hash"])


@dataclass(frozen=True)
class Entry:
    """One line of a book, as it is stored.

    ``kind`` is create, charge, reserve, commit, release, share, return or close; ``amounts`` is the
    price in what the book's filter counts; ``account`` the part, window or child that it is about;
    ``body`` the bytes that are hashed, as text.
    """

    seq: int
    kind: str
    key: str
    time: str
    by: str
    note: str
    event: str
    amounts: Amounts
    account: str
    hash: str
    previous: str
    body: str


@dataclass(frozen=True)
class Receipt(Shown, metaclass=Spoken):
    """That something was written, and where; ``head`` anchors everything up to it."""

    entry: Entry
    head: Anchor
    price: str
    """What it cost, in the words of the book's notion."""
    repeated: bool = field(default=False, compare=False)
    """Whether it stood there already, so that nothing was paid or given back now."""

    @property
    def book(self) -> str:
        """The name of the book."""
        return self.head.book

    def __getattr__(self, name: str) -> Any:
        """The fields of the entry: seq, kind, key, time, by, note, event, amounts."""
        if name in ("seq", "kind", "key", "time", "by", "note", "event", "amounts", "account"):
            return getattr(self.entry, name)
        raise AttributeError(f"'Receipt' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"Receipt({self.kind} {self.seq} of {self.book!r}: {self.price})"

    def _page(self, form: Form) -> str:
        return form.statement(repr(self), self.event, self.note, f"anchor {self.head}")


@dataclass(frozen=True)
class Spending(Shown):
    """What was consumed: a sum of adaptively chosen prices, which is no guarantee.

    Attributes:
        amounts: the sums that the book's filter keeps, reservations and shares included.
        reserved: the part of them that is reserved and not yet committed.
        counted: what the sums are sums of.
        words: the same in the words of the notion, rounded up.
    """

    amounts: Amounts
    reserved: Amounts
    counted: tuple[str, ...]
    words: str

    def __repr__(self) -> str:
        return f"Spending({self.words}; consumption, no guarantee)"

    def _page(self, form: Form) -> str:
        held = "reservations are among it" if any(self.reserved) else ""
        return form.statement(f"{self.words} consumed", "This is no guarantee.", held)


@dataclass(frozen=True)
class Odometer(Shown):
    """What was consumed so far, and what can be guaranteed of it at this time, if anything.

    Attributes:
        spending: the consumption.
        guarantee: holds at all times at once, whatever was chosen adaptively; None where no theorem
            gives one.
        why: the theorem, or why there is none.
    """

    spending: Spending
    guarantee: Guarantee | None
    why: str

    def _page(self, form: Form) -> str:
        known = "No running guarantee" if self.guarantee is None else str(self.guarantee)
        return form.statement(known, self.why, repr(self.spending))


@dataclass(frozen=True)
class Verification(Shown):
    """What a check of a book's chain found.

    Attributes:
        book, entries, head: what was read.
        ok: no contradiction was found.
        problem: the first one, in words; empty if there is none.
        anchored: an anchor from outside of the store was met.
        cannot_exclude: the attacks that this check cannot see, in words.
    """

    book: str
    entries: int
    head: Anchor | None
    ok: bool
    problem: str
    anchored: bool
    cannot_exclude: tuple[str, ...]

    def __str__(self) -> str:
        if not self.ok:
            return f"book {self.book!r}: {self.problem}"
        words = f"book {self.book!r}: {self.entries} entries, unbroken and within the budget"
        if not self.cannot_exclude:
            return words
        return f"{words}. This cannot exclude {'; nor '.join(self.cannot_exclude)}"

    def _page(self, form: Form) -> str:
        return form.statement("It holds" if self.ok else "A contradiction", str(self))
