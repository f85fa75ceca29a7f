"""What a book promises: all that was fixed when it was created, and follows from that alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from tightrope._calls import Spoken
from tightrope._check import Real
from tightrope.ledger import declared
from tightrope.ledger.config import Config
from tightrope.neighbors import Neighbors
from tightrope.notions import Guarantee

if TYPE_CHECKING:
    from tightrope.ledger.scope import Scope
    from tightrope.ledger.structure import Structure


class Promise(metaclass=Spoken):
    """The part of a book that never changes."""

    def __init__(self, name: str, config: Config):
        self._config = config
        self.name = name

    @property
    def budget(self) -> Guarantee:
        """What may be spent."""
        return self._config.budget

    @property
    def guarantee(self) -> Guarantee:
        """What the book guarantees at any time, whatever was chosen adaptively: its budget.

        If every window of time has a budget, the unit of its neighbours says so, and the guarantee
        does not compose with one that is for all times; see ``scope``.
        """
        return self._config.guaranteed

    @property
    def scope(self) -> Scope | None:
        """What the budget holds for, such as one window of time; None if for all times."""
        return self._config.scope

    @property
    def neighbors(self) -> Neighbors:
        """The relation that the budget speaks of, its unit named."""
        return self._config.neighbors

    @property
    def unit(self) -> str:
        """Whom the budget protects."""
        return self.neighbors.changes[0].unit

    @property
    def filter(self) -> str:
        """The filter that guards the budget."""
        return self._config.filter

    @property
    def structure(self) -> Structure:
        """What is known of which persons an event touches."""
        return self._config.structure

    @property
    def plan(self) -> tuple[str, ...] | None:
        """The events that were declared before the first release, if all were."""
        return self._config.plan

    @property
    def parent(self) -> str | None:
        """The book of which this is a share."""
        return self._config.parent

    def to(
        self, notion: type, *, delta: Real | None = None, epsilon: Real | None = None
    ) -> Guarantee:
        """The budget in another notion: this is what the book guarantees.

        A conversion of what was spent so far would be no guarantee, since its prices may have been
        chosen by the results. If all events were declared before the first release, the conversion
        of all of them together is one, and the better of the two is given.
        """
        of_budget: Any = self.guarantee.to(notion, delta=delta, epsilon=epsilon)
        if self.plan is None:
            return cast("Guarantee", of_budget)
        return declared.better(self._config, of_budget, notion, delta, epsilon)
