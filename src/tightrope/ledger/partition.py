"""Disjoint parts of the data, and what an event on one of them costs under each relation.

A charge keeps the two greatest sums of parts up to date, so that it costs the same for any number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._errors import InvalidArgument
from tightrope.ledger import texts
from tightrope.ledger.amounts import ZERO, Amounts, greatest, total
from tightrope.ledger.structure import WHOLE, Structure, Sums
from tightrope.neighbors import Neighbors

MOST = "most"
"""The account that holds the two greatest sums of the parts."""

UNNAMED = "part"
"""The column that divides the data, where nobody said what it is called."""

PART = "part:"
"""How the account of a part begins."""


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
        names = all(isinstance(part, str) and part.strip() for part in (self.by, *parts))
        if not names or len(set(parts)) != len(parts) or len(parts) < 2:
            raise InvalidArgument(
                f"Partition: by must be a name, and parts at least two different ones; you passed "
                f"{self.by!r} and {parts!r}"
            )

    @property
    def divided(self) -> str:
        """By what, for people; empty if the column has no name of its own."""
        return "" if self.by == UNNAMED else f" by {self.by}"

    def check(self, neighbors: Neighbors) -> None:
        """See ``Structure.check``."""
        if neighbors.kind == "joint":
            raise InvalidArgument("Partition: parts are for one kind of unit; the relation has two")
        for name in (self.by, *self.parts):
            texts.name(name, "Partition: by, and the name of a part,")

    def moves(self, neighbors: Neighbors) -> bool:
        """See ``Structure.moves``."""
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

    def consumed(self, sums: Sums, account: str, size: int) -> Amounts:
        """See ``Structure.consumed``: of a part what everybody has consumed, and what it has."""
        if account == WHOLE:
            return self.demand(sums, account, size)
        none = (ZERO,) * size
        return total(sums.get(WHOLE, none), sums.get(account, none)[:size])

    def account(self, part: str | None, time: float) -> str:
        """See ``Structure.account``."""
        if part is None:
            return WHOLE
        if part not in self.parts:
            raise InvalidArgument(
                f"charge: part must be one of the {len(self.parts)} declared parts{self.divided}, "
                f"such as {self.parts[0]!r}; you passed {part!r}"
            )
        return f"{PART}{part}"

    def about(self, account: str) -> str:
        """See ``Structure.about``."""
        return account.removeprefix(PART)

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
