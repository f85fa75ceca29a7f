"""Structure of the data: which persons an event touches, and so which sums it adds to.

Without a structure every event touches all persons, and prices add up. That is also what holds for
vertical institutions, which have different columns of the same persons. A structure says more:
disjoint parts, windows of time, single units.

A structure posts a price to accounts, and tells the demand: the sums that must stay inside of the
budget. ``WHOLE`` is the account of what touches everybody.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._errors import InvalidArgument
from tightrope.ledger.amounts import ZERO, Amounts, greatest, total
from tightrope.neighbors import Neighbors

WHOLE = ""
MOST = "most"
"""The account that holds the greatest sums of the parts, so that nobody adds them up again."""

PART = "part:"
"""How the account of a part begins."""

Sums = MutableMapping[str, Amounts]
"""The sums of the accounts that were read; an account that is absent is empty."""


@dataclass(frozen=True)
class Structure:
    """No structure: every event is about everybody, and one sum is kept."""

    kind: ClassVar[str] = "whole"

    def check(self, neighbors: Neighbors) -> None:
        """Raise InvalidArgument if the structure means nothing under the relation."""

    def reads(self, account: str, *, lowers: bool) -> tuple[str, ...] | None:
        """The accounts that a posting needs; None for all."""
        return (WHOLE,)

    def post(self, sums: Sums, account: str, amounts: Amounts) -> None:
        """Add to an account, or take from it if the amounts are negative."""
        sums[account] = total(sums[account], amounts) if account in sums else amounts

    def demand(self, sums: Sums, account: str, size: int) -> Amounts:
        """The sums that must stay within the capacity, after a posting to the account."""
        return sums.get(account, (ZERO,) * size)

    def account(self, part: str | None, time: float) -> str:
        """The account of an event about a part, now; part None is everybody."""
        if part is not None:
            raise InvalidArgument(
                f"charge: the book has no parts, so part= must be absent; you passed {part!r}"
            )
        return WHOLE

    def described(self) -> dict[str, Any]:
        """What is written into the first entry."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class Partition(Structure):
    """Disjoint parts, by a column of the data or by institution: each unit lies in one part.

    Under add-or-remove a unit touches one part, so the greatest sum of a part counts. Under
    replace-one a unit may leave one part and enter another; then also the two greatest
    add-or-remove sums together count, unless ``fixed_parts`` declares that a replacement never
    changes the part.

    Args:
        by: what divides the data: a column, or "institution".
        parts: the names of the parts, at least two.
        fixed_parts: declared that replacing a unit never changes its part.
    """

    by: str
    parts: tuple[str, ...]
    fixed_parts: bool = False

    kind: ClassVar[str] = "partition"

    def __post_init__(self) -> None:
        given: Any = self.parts
        parts = (given,) if isinstance(given, str) else tuple(given)
        object.__setattr__(self, "parts", parts)
        names = all(isinstance(part, str) and part.strip() for part in parts)
        if not names or len(set(parts)) != len(parts) or len(parts) < 2:
            raise InvalidArgument(
                f"Partition: parts must be at least two different names; you passed {parts!r}"
            )
        if not isinstance(self.by, str) or not self.by.strip():
            raise InvalidArgument(f"Partition: by must be a name; you passed {self.by!r}")

    def check(self, neighbors: Neighbors) -> None:
        """See ``Structure.check``."""
        if neighbors.kind == "joint":
            raise InvalidArgument("Partition: parts are for one kind of unit; the relation has two")

    def moves(self, neighbors: Neighbors) -> bool:
        """Whether a unit may leave one part and enter another."""
        return neighbors.kind == "replace_one" and not self.fixed_parts

    def reads(self, account: str, *, lowers: bool) -> tuple[str, ...] | None:
        """See ``Structure.reads``: only what lowers a part's sum needs all of them."""
        return None if lowers and account != WHOLE else (WHOLE, MOST, account)

    def post(self, sums: Sums, account: str, amounts: Amounts) -> None:
        """See ``Structure.post``."""
        old = sums.get(account)
        super().post(sums, account, amounts)
        if account == WHOLE:
            return
        if any(amount < 0 for amount in amounts):
            sums[MOST] = self._most_of_all(sums)
        else:
            sums[MOST] = _raised(sums.get(MOST), old, sums[account])

    def _most_of_all(self, sums: Sums) -> Amounts:
        most: Amounts | None = None
        for account, amounts in sums.items():
            if account.startswith(PART):
                most = _raised(most, None, amounts)
        assert most is not None
        return most

    def demand(self, sums: Sums, account: str, size: int) -> Amounts:
        """See ``Structure.demand``: everybody's, and the most that one unit's parts add."""
        whole = sums.get(WHOLE, (ZERO,) * size)[:size]
        if MOST not in sums:
            return whole
        first, second = _halves(sums[MOST])
        if len(first) == size:
            return total(whole, first)
        across = total(first[size:], second[size:])
        return total(whole, greatest((first[:size], across)))

    def account(self, part: str | None, time: float) -> str:
        """See ``Structure.account``."""
        if part is None:
            return WHOLE
        if part not in self.parts:
            raise InvalidArgument(
                f"charge: part must be one of the {len(self.parts)} declared parts by {self.by}, "
                f"such as {self.parts[0]!r}; you passed {part!r}"
            )
        return f"{PART}{part}"

    def described(self) -> dict[str, Any]:
        """See ``Structure.described``."""
        told = {"by": self.by, "parts": list(self.parts), "fixed_parts": self.fixed_parts}
        return {"kind": self.kind, **told}


def _halves(most: Amounts) -> tuple[Amounts, Amounts]:
    """The greatest and the second greatest sums of parts, of which MOST consists."""
    middle = len(most) // 2
    return most[:middle], most[middle:]


def _raised(most: Amounts | None, old: Amounts | None, new: Amounts) -> Amounts:
    """The two greatest sums of parts, after one part's sums rose from ``old`` to ``new``."""
    if most is None:
        return (*new, *(ZERO,) * len(new))
    before = old if old is not None else (ZERO,) * len(new)
    pairs = list(map(_two_greatest, *_halves(most), before, new))
    return (*(first for first, _ in pairs), *(second for _, second in pairs))


def _two_greatest(first: Any, second: Any, old: Any, new: Any) -> tuple[Any, Any]:
    if old == first:
        return max(new, second), min(new, second)
    if old == second:
        return max(first, new), min(first, new)
    ordered = sorted((first, second, new))
    return ordered[2], ordered[1]


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

    def reads(self, account: str, *, lowers: bool) -> tuple[str, ...] | None:
        """See ``Structure.reads``."""
        return (account,)

    def account(self, part: str | None, time: float) -> str:
        """See ``Structure.account``."""
        super().account(part, time)
        return f"window:{int(time // self.seconds)}"

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

    def check(self, neighbors: Neighbors) -> None:
        """See ``Structure.check``."""
        if neighbors.kind != "add_or_remove":
            raise InvalidArgument(
                "Units: a unit that is left out contributes nothing, which is a statement about "
                f"adding or removing it; the book speaks of neighbours that {neighbors}"
            )

    def reads(self, account: str, *, lowers: bool) -> tuple[str, ...] | None:
        """See ``Structure.reads``."""
        return (account,)

    def account(self, part: str | None, time: float) -> str:
        """See ``Structure.account``: there is no event about everybody."""
        if part is None:
            raise InvalidArgument(
                "charge: this book keeps a budget for each unit; use book.admit(event, units)"
            )
        return f"unit:{part}"

    def described(self) -> dict[str, Any]:
        """See ``Structure.described``."""
        return {"kind": self.kind, "public": self.public}


def structure_of(described: dict[str, Any]) -> Structure:
    """The structure that the first entry of a book describes."""
    kinds: dict[str, type[Structure]] = {
        cls.kind: cls for cls in (Structure, Partition, Windows, Units)
    }
    told = {name: value for name, value in described.items() if name != "kind"}
    return kinds[described["kind"]](**told)
