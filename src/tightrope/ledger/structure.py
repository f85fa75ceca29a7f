"""Structure of the data: which persons an event touches, and so which sums it adds to.

Without a structure every event touches all persons, and prices add up. That is also what holds for
vertical institutions, which have different columns of the same persons. A structure says more:
disjoint parts, windows of time, single units.

A structure posts a price to accounts, and tells the demand: the sums that must stay inside of the
budget. ``WHOLE`` is the account of what touches everybody. Disjoint parts are in ``partition``.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from tightrope._errors import InvalidArgument
from tightrope.ledger.amounts import ZERO, Amounts, total
from tightrope.ledger.scope import Scope
from tightrope.neighbors import Neighbors

WHOLE = ""

WINDOW = "window:"
"""How the account of a window begins."""

UNITS_OF_TIME = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
"""How many seconds each has."""

UNIT = "unit:"
"""How the account of a unit begins."""

Sums = MutableMapping[str, Amounts]
"""The sums of the accounts that were read; an account that is absent is empty."""


@dataclass(frozen=True)
class Structure:
    """No structure: every event is about everybody, and one sum is kept."""

    kind: ClassVar[str] = "whole"
    public_sums: ClassVar[bool] = True
    """Whether what was consumed may be told: it does not depend on data."""

    def check(self, neighbors: Neighbors) -> None:
        """Raise InvalidArgument if the structure means nothing under the relation."""

    def reads(self, account: str, *, lowers: bool) -> tuple[str, ...] | None:
        """The accounts that a posting needs; None for all."""
        return (account,)

    def post(self, sums: Sums, account: str, amounts: Amounts) -> None:
        """Add to an account, or take from it if the amounts are negative."""
        sums[account] = total(sums[account], amounts) if account in sums else amounts

    def demand(self, sums: Sums, account: str, size: int) -> Amounts:
        """The sums that must stay within the capacity, after a posting to the account."""
        return sums.get(account, (ZERO,) * size)

    def consumed(self, sums: Sums, account: str, size: int) -> Amounts:
        """The sums that count for those whom the account is about."""
        return self.demand(sums, account, size)

    def moves(self, neighbors: Neighbors) -> bool:
        """Whether a unit may leave one part and enter another."""
        return False

    def require_shown(self) -> None:
        """Raise InvalidArgument if a balance would tell who took part in what."""

    def account(self, part: str | None, time: float) -> str:
        """The account of an event about a part, now; part None is everybody."""
        if part is not None:
            raise InvalidArgument(
                f"charge: the book has no parts, so part= must be absent; you passed {part!r}"
            )
        return WHOLE

    def about(self, account: str) -> str:
        """Whom an account is about, for people; empty if everybody, or if it is not told."""
        return ""

    def scope(self, repeated: str) -> Scope | None:
        """What a budget holds for, if not for everything; ``repeated`` is what k of it come to."""
        return None

    def described(self) -> dict[str, Any]:
        """What is written into the first entry."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class Windows(Structure):
    """A budget for every window of time, full again when the next one begins.

    What that is: a guarantee for what one window releases. Somebody whose data are used in k
    windows is protected by the composition of k budgets, which grows without end; unless each
    window reads data of its own, and the unit is a person's data of one window.

    Args:
        seconds: the length of a window; windows are counted from 1970-01-01T00:00:00 UTC.
    """

    seconds: int

    kind: ClassVar[str] = "windows"

    def __post_init__(self) -> None:
        whole = isinstance(self.seconds, int) and not isinstance(self.seconds, bool)
        if not whole or self.seconds < 1:
            raise InvalidArgument(
                f"Windows: seconds must be a whole number of at least 1; you passed "
                f"{self.seconds!r}"
            )

    def scope(self, repeated: str) -> Scope:
        """See ``Structure.scope``."""
        return Scope(f"window of {_duration(self.seconds)}", f"k windows up to {repeated}")

    def account(self, part: str | None, time: float) -> str:
        """See ``Structure.account``."""
        super().account(part, time)
        return f"{WINDOW}{int(time // self.seconds)}"

    def begins(self, account: str) -> int:
        """When the window of an account begins, in seconds since 1970."""
        return int(account.removeprefix(WINDOW)) * self.seconds

    def about(self, account: str) -> str:
        """See ``Structure.about``."""
        if account == WHOLE:
            return ""
        begins = datetime.fromtimestamp(self.begins(account), UTC)
        return f"window from {begins.isoformat(timespec='seconds')}"

    def described(self) -> dict[str, Any]:
        """See ``Structure.described``."""
        return {"kind": self.kind, "seconds": self.seconds}


@dataclass(frozen=True)
class Units(Structure):
    """A budget for every unit of a stream: an event costs those units that take part in it.

    A unit whose budget does not suffice is left out of the event, so it must contribute nothing to
    it. Who was left out, and what anybody has left, depends on data: it is told to the mechanism
    only, unless ``public`` declares that who takes part in what is a public fact.
    """

    public: bool = False

    kind: ClassVar[str] = "units"
    public_sums: ClassVar[bool] = False

    def check(self, neighbors: Neighbors) -> None:
        """See ``Structure.check``."""
        if neighbors.kind != "add_or_remove":
            raise InvalidArgument(
                "Units: a unit that is left out contributes nothing, which is a statement about "
                f"adding or removing it; the book speaks of neighbours that {neighbors}"
            )

    def require_shown(self) -> None:
        """See ``Structure.require_shown``."""
        if not self.public:
            raise InvalidArgument(
                "the balances of single units depend on their data and are not shown; only a book "
                "of Units(public=True), in which participation is a public fact, shows them"
            )

    def account(self, part: str | None, time: float) -> str:
        """See ``Structure.account``: there is no event about everybody."""
        if part is None:
            raise InvalidArgument(
                "charge: this book keeps a budget for each unit; use book.admit(event, units)"
            )
        return f"{UNIT}{part}"

    def about(self, account: str) -> str:
        """See ``Structure.about``."""
        return account.removeprefix(UNIT) if self.public else ""

    def described(self) -> dict[str, Any]:
        """See ``Structure.described``."""
        return {"kind": self.kind, "public": self.public}


def _duration(seconds: int) -> str:
    """In the largest unit of which it is a whole number."""
    length, name = next((n, name) for n, name in UNITS_OF_TIME if seconds % n == 0)
    count = seconds // length
    return f"{count:,} {name}{'' if count == 1 else 's'}"
