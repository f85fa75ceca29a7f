"""For how long a budget holds: for all that is ever released, or for one window of time only."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tightrope.neighbors import Neighbors
from tightrope.notions import RDP, Guarantee


@dataclass(frozen=True)
class Scope:
    """What a budget holds for, if it begins anew again and again.

    Attributes:
        per: what it is for, such as ``"window of 1 hour"``.
        over: what several of these together come to, such as ``"k windows up to rho = 0.5 k"``.

    Examples:
        >>> print(Scope("window of 1 second", "k windows up to rho = 0.5 k"))
        per window of 1 second; over k windows up to rho = 0.5 k
    """

    per: str
    over: str

    def __str__(self) -> str:
        return f"per {self.per}; over {self.over}"

    def narrowed(self, neighbors: Neighbors) -> Neighbors:
        """The relation with units that say so, and agree with no unit that is for all times."""
        changes = (
            replace(change, unit=f"{change.unit} per {self.per}") for change in neighbors.changes
        )
        return replace(neighbors, changes=tuple(changes))


def scoped(guarantee: Guarantee, scope: Scope | None) -> Guarantee:
    """The same parameters, for units that say what the guarantee holds for."""
    return guarantee if scope is None else about(guarantee, scope.narrowed(guarantee.neighbors))


def about(budget: Guarantee, neighbors: Neighbors) -> Guarantee:
    """The same parameters, all their digits, for these neighbours."""
    if isinstance(budget, RDP):
        return RDP(budget.curve, neighbors=neighbors)
    return type(budget)(*budget.values, neighbors=neighbors)
