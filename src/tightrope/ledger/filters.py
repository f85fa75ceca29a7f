"""Filters: which sums a book keeps, what an event adds to them, and how far they may go.

All filters are alike: a few sums, each with a capacity that is fixed when the book is created. They
differ in what they count, and each is a theorem (``theorems.filters``) that holds for parameters
chosen adaptively. The composed curve of f-DP, or of a privacy loss distribution, is none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope._check import parameters
from tightrope._errors import InvalidArgument, NotReachable
from tightrope.events import Event
from tightrope.ledger.amounts import (
    Amounts,
    exact_down,
    exact_up,
    root_down,
    root_up,
)
from tightrope.ledger.filter import Filter
from tightrope.ledger.prices import CONCENTRATED, charged_pairs, normal_square
from tightrope.notions import GDP, RDP, ZCDP, ApproxDP, Guarantee, PureDP
from tightrope.notions.renyi_curve import Tabulated
from tightrope.num.rounding import float_down, float_up
from tightrope.plan import calibrate


class PureFilter(Filter):
    """The sum of epsilons."""

    name = "pure"
    rule = "pure_filter"
    counted = ("epsilon",)

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return _down(self.theorem(*self.budget.values))

    def planned(self, event: Event) -> Amounts:
        """See ``Filter.planned``."""
        return (exact_up(event.to(PureDP).epsilon),)

    def single(self, amounts: Amounts) -> PureDP:
        """See ``Filter.single``."""
        return PureDP(float_down(Fraction(amounts[0])), neighbors=self.budget.neighbors)

    @property
    def repeated(self) -> str:
        """See ``Filter.repeated``."""
        return _times_k(self.budget)

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        return f"epsilon = {_shown(amounts[0])}"


class ZCDPFilter(Filter):
    """The sums of rhos and of offsets xi."""

    name = "zcdp"
    rule = "zcdp_filter"
    gains_by_samples = False
    counted = ("rho", "xi")

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return _down(self.theorem(*self.budget.values))

    def planned(self, event: Event) -> Amounts:
        """See ``Filter.planned``: an offset for which there is no room is put under the slope."""
        known: Any = event.to(ZCDP)
        square = normal_square(event, CONCENTRATED)
        if square is not None and square / 2 <= Fraction(known.rho):
            return exact_up(square / 2), exact_up(0)
        rho, xi = Fraction(known.rho), Fraction(known.xi)
        if xi and not self.capacity()[1]:
            return exact_up(rho + xi), exact_up(0)
        return exact_up(rho), exact_up(xi)

    def single(self, amounts: Amounts) -> Guarantee:
        """See ``Filter.single``."""
        rho, xi = (float_down(Fraction(amount)) for amount in amounts)
        return ZCDP(rho, xi, neighbors=self.budget.neighbors)

    @property
    def repeated(self) -> str:
        """See ``Filter.repeated``."""
        return _times_k(self.budget)

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        offset = f", xi = {_shown(amounts[1])}" if amounts[1] else ""
        return f"rho = {_shown(amounts[0])}{offset}"


class GDPFilter(Filter):
    """The sum of squared mus."""

    name = "gdp"
    rule = "gdp_filter"
    gains_by_samples = False
    counted = ("squared mu",)

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return _down(self.theorem(*self.budget.values))

    def planned(self, event: Event) -> Amounts:
        """See ``Filter.planned``."""
        square = Fraction(event.to(GDP).mu) ** 2
        normal = normal_square(event)
        return (exact_up(square if normal is None else min(square, normal)),)

    def single(self, amounts: Amounts) -> GDP:
        """See ``Filter.single``."""
        return GDP(root_down(amounts[0]), neighbors=self.budget.neighbors)

    @property
    def repeated(self) -> str:
        """See ``Filter.repeated``."""
        return f"mu = {_shown(self.budget.values[0])} sqrt(k)"

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        return f"mu = {_shown(root_up(amounts[0]))}"


@dataclass(frozen=True)
class RDPFilter(Filter):
    """The sums of divergences, one at each order of the budget; every one must stay inside."""

    name = "rdp"
    rule = "rdp_filter"

    def __post_init__(self) -> None:
        if not isinstance(getattr(self.budget, "curve", None), Tabulated):
            raise InvalidArgument(
                "create: a budget in Renyi DP needs its orders, fixed in advance: "
                f"tr.RDP(orders, epsilons); you passed {self.budget!r}"
            )

    @property
    def orders(self) -> tuple[float, ...]:
        """The grid of orders."""
        return tuple(self._table.orders)

    @property
    def _table(self) -> Tabulated:
        table: Tabulated = self.budget.curve  # type: ignore[attr-defined]
        return table

    @property
    def counted(self) -> tuple[str, ...]:
        """See ``Filter.counted``."""
        return tuple(f"divergence at order {order:g}" for order in self.orders)

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return _down(self.theorem(self._table.values))

    def planned(self, event: Event) -> Amounts:
        """See ``Filter.planned``."""
        values = event.to(RDP)(self.orders).tolist()
        unknown = [o for o, v in zip(self.orders, values, strict=True) if v == float("inf")]
        if unknown:
            raise NotReachable(
                f"nothing is known of the Renyi divergence of {event!r} at order {unknown[0]:g}, "
                "which the book counts",
                reasons=("the curve is known at other orders only",),
                reachable=(),
            )
        return tuple(map(exact_up, values))

    def single(self, amounts: Amounts) -> RDP:
        """See ``Filter.single``."""
        values = [float_down(Fraction(amount)) for amount in amounts]
        return RDP(self.orders, values, neighbors=self.budget.neighbors)

    @property
    def repeated(self) -> str:
        """See ``Filter.repeated``."""
        return "k times the divergence at every order"

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        told = [f"{o:g}: {_shown(a)}" for o, a in zip(self.orders, amounts, strict=True)]
        return f"divergence by order {{{', '.join(told)}}}"


class ApproxByZCDP(ZCDPFilter):
    """(epsilon, delta) guarded by the zCDP that implies it: the largest rho that does."""

    @cached_property
    def rho(self) -> float:
        """The largest rho that implies the budget."""
        return float(calibrate(lambda r: ZCDP(r, neighbors=self.budget.neighbors), self.budget))

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return _down(self.theorem(self.rho, 0))


@dataclass(frozen=True)
class AdvancedFilter(Filter):
    """(epsilon, delta) guarded by the sums of squared epsilons and of deltas."""

    slack: Any = None

    name = "advanced"
    rule = "advanced_filter"
    counted = ("squared epsilon", "delta")

    def capacity(self) -> Amounts:
        """See ``Filter.capacity``."""
        return _down(self.theorem(*self.budget.values, self.slack))

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

    @property
    def repeated(self) -> str:
        """See ``Filter.repeated``."""
        return _times_k(self.budget)

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        squares, deltas = map(_shown, amounts)
        return f"squared epsilons {squares}, deltas {deltas}"


def _down(values: Sequence[Fraction]) -> Amounts:
    return tuple(map(exact_down, values))


def _times_k(budget: Guarantee) -> str:
    """k times every parameter, by basic composition."""
    named = zip(parameters(type(budget)), budget.values, strict=True)
    return ", ".join(f"{p.name} = {_shown(value)} k" for p, value in named if value)


def _shown(amount: Any) -> str:
    from tightrope import _wire

    return _wire.shown(float_up(Fraction(amount)))
