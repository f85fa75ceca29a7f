"""Filters: which sums a book keeps, what an event adds to them, and how far they may go.

All filters are alike: a few sums, each with a capacity that is fixed when the book is created. They
differ in what they count, and each is a theorem (``theorems.filters``) that holds for parameters
chosen adaptively. The composed curve of f-DP, or of a privacy loss distribution, is none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope._errors import InvalidArgument, NotReachable
from tightrope.events import Event
from tightrope.ledger.amounts import Amounts, exact_up, root_down, root_up
from tightrope.ledger.filter import Filter, down, shown
from tightrope.ledger.prices import CONCENTRATED, normal_square
from tightrope.notions import GDP, RDP, ZCDP, Guarantee, PureDP
from tightrope.notions.renyi_curve import Tabulated
from tightrope.num.rounding import float_down


class PureFilter(Filter):
    """The sum of epsilons."""

    name = "pure"
    rule = "pure_filter"
    counted = ("epsilon",)

    def planned(self, event: Event) -> Amounts:
        """See ``Filter.planned``."""
        return (exact_up(event.to(PureDP).epsilon),)

    def single(self, amounts: Amounts) -> PureDP:
        """See ``Filter.single``."""
        return PureDP(float_down(Fraction(amounts[0])), neighbors=self.budget.neighbors)

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        return f"epsilon = {shown(amounts[0])}"


class ZCDPFilter(Filter):
    """The sums of rhos and of offsets xi."""

    name = "zcdp"
    rule = "zcdp_filter"
    gains_by_samples = False
    counted = ("rho", "xi")

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

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        offset = f", xi = {shown(amounts[1])}" if amounts[1] else ""
        return f"rho = {shown(amounts[0])}{offset}"


class GDPFilter(Filter):
    """The sum of squared mus."""

    name = "gdp"
    rule = "gdp_filter"
    gains_by_samples = False
    counted = ("squared mu",)

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
        return f"mu = {shown(self.budget.values[0])} sqrt(k)"

    def consumption(self, amounts: Amounts) -> str:
        """See ``Filter.consumption``."""
        return f"mu = {shown(root_up(amounts[0]))}"


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
        return down(self.theorem(self._table.values))

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
        told = [f"{o:g}: {shown(a)}" for o, a in zip(self.orders, amounts, strict=True)]
        return f"divergence by order {{{', '.join(told)}}}"
