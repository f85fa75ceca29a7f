"""What every filter is: a few sums, each with a capacity that is fixed when the book is created."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tightrope import _wire
from tightrope._check import parameters
from tightrope._errors import NotReachable
from tightrope.events import Composed, Event
from tightrope.ledger.amounts import Amounts, exact_down, nothing, times, total, within
from tightrope.ledger.elsewhere import elsewhere
from tightrope.notions import Guarantee
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import Theorem, named

MOST_PARTS = 32
"""Most distinct parts of an event that are also priced one by one."""


@dataclass(frozen=True)
class Filter(ABC):
    """A budget, the sums that guard it, and the price of an event in these sums."""

    budget: Guarantee

    name: ClassVar[str]
    rule: ClassVar[str]
    """The name of its theorem."""
    gains_by_samples: ClassVar[bool] = True
    """Whether a sampled event costs less than the same on all data."""

    @property
    def theorem(self) -> Theorem:
        """Why it is valid for adaptively chosen parameters."""
        return named(self.rule)

    @property
    @abstractmethod
    def counted(self) -> tuple[str, ...]:
        """What each sum is a sum of."""

    def capacity(self) -> Amounts:
        """How far each sum may go, rounded down."""
        return down(self.theorem(*self.budget.values))

    @abstractmethod
    def planned(self, event: Event) -> Amounts:
        """What the planner's best guarantee for the event adds to each sum, rounded up."""

    def price(self, event: Event) -> Amounts:
        """What an event adds to each sum, rounded up.

        Raises:
            NotReachable: nothing of this kind is known of the event; the message says what is.
        """
        whole = self._whole(event)
        several = isinstance(event, Composed) and len(event.counts) <= MOST_PARTS
        apart = self._apart(event) if several else None
        return apart if apart is not None and within(apart, whole) else whole

    def _whole(self, event: Event) -> Amounts:
        try:
            return self.planned(event)
        except NotReachable as error:
            ways = elsewhere(event, self.name)
            raise NotReachable(
                f"{error}{ways}", reasons=error.reasons, reachable=error.reachable
            ) from None

    def _apart(self, event: Any) -> Amounts | None:
        """The parts one by one: their sum is exact, where the planner's is rounded up."""
        spent = nothing(self.counted)
        try:
            for part, count in event.counts.items():
                spent = total(spent, times(count, self.planned(part)))
        except NotReachable:
            return None
        return spent

    @abstractmethod
    def single(self, amounts: Amounts) -> Guarantee:
        """The largest guarantee whose price these amounts cover, rounded down."""

    @property
    def repeated(self) -> str:
        """What k such budgets come to together, in words, rounded up.

        By basic composition that is k times every parameter.
        """
        named = zip(parameters(type(self.budget)), self.budget.values, strict=True)
        return ", ".join(f"{p.name} = {shown(value)} k" for p, value in named if value)

    @abstractmethod
    def consumption(self, amounts: Amounts) -> str:
        """The amounts in the words of the notion, rounded up."""


def down(values: Sequence[Fraction]) -> Amounts:
    """Capacities, rounded down."""
    return tuple(map(exact_down, values))


def shown(amount: Any) -> str:
    """An amount with few digits, rounded up."""
    return _wire.shown(float_up(Fraction(amount)))
