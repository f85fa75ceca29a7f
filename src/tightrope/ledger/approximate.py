"""The two filters of (epsilon, delta): by the zCDP that implies it, and by squared epsilons."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.events import Event
from tightrope.ledger.amounts import Amounts, exact_up, root_down
from tightrope.ledger.filter import Filter, down, shown
from tightrope.ledger.filters import ZCDPFilter
from tightrope.ledger.prices import charged_pairs
from tightrope.notions import ZCDP, ApproxDP
from tightrope.num.rounding import float_down
from tightrope.plan import calibrate


class ApproxByZCDP(ZCDPFilter):
    """(epsilon, delta) guarded by the zCDP that implies it: the largest rho that does."""

    @cached_property
    def rho(self) -> float:
        """The largest rho that implies the budget."""
        return float(calibrate(lambda r: ZCDP(r, neighbors=self.budget.neighbors), self.budget))

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return down(self.theorem(self.rho, 0))


@dataclass(frozen=True)
class AdvancedFilter(Filter):
    """(epsilon, delta) guarded by the sums of squared epsilons and of deltas."""

    slack: Any = None

    name = "advanced"
    rule = "advanced_filter"
    counted = ("squared epsilon", "delta")

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return down(self.theorem(*self.budget.values, self.slack))

    def planned(self, event: Event) -> Amounts:
        """See ``Filter.planned``."""
        pairs = charged_pairs(event)
        squares = sum((n * Fraction(epsilon) ** 2 for epsilon, _, n in pairs), Fraction(0))
        deltas = sum((n * Fraction(delta) for _, delta, n in pairs), Fraction(0))
        return exact_up(squares), exact_up(deltas)

    def single(self, amounts: Amounts) -> ApproxDP:
        """See ``Filter.single``."""
        delta = float_down(Fraction(amounts[1]))
        return ApproxDP(root_down(amounts[0]), delta, neighbors=self.budget.neighbors)

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        squares, deltas = map(shown, amounts)
        return f"squared epsilons {squares}, deltas {deltas}"
