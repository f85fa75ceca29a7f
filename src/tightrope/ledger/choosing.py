"""Which filter guards a budget, and why some budgets cannot be guarded as they stand."""

from __future__ import annotations

from fractions import Fraction

from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.ledger.approximate import AdvancedFilter, ApproxByZCDP
from tightrope.ledger.filter import Filter
from tightrope.ledger.filters import GDPFilter, PureFilter, RDPFilter, ZCDPFilter
from tightrope.notions import GDP, RDP, ZCDP, ApproxDP, Guarantee, Profile, PureDP, TradeOff

PLAIN: dict[type[Guarantee], type[Filter]] = {
    PureDP: PureFilter,
    ZCDP: ZCDPFilter,
    GDP: GDPFilter,
    RDP: RDPFilter,
}
"""Notions that have one filter."""

NATURAL = (
    "the natural filter, which stops when the composed curve reaches the budget, is not valid "
    "if parameters are chosen adaptively (Tran et al., 2026, arXiv 2602.06756): somebody who "
    "chooses the next release by the results so far can end below every curve that was "
    "allowed. Create the book with a budget in GDP, zCDP, Renyi DP, pure DP or (epsilon, "
    "delta); book.to(tr.TradeOff) then converts the budget"
)

SLACK = "a probability above 0 and at most the budget's delta"


def choose(budget: Guarantee, kind: str | None, slack: Real | None) -> Filter:
    """The filter of a new book.

    Raises:
        InvalidArgument: no filter is valid for the budget, or the choice does not fit it.
    """
    require_guarded(budget)
    notion = type(budget)
    if notion is ApproxDP:
        return _approximate(budget, kind or "zcdp", slack)
    chosen = PLAIN[notion](budget)
    if kind not in (None, chosen.name) or slack is not None:
        raise InvalidArgument(
            f"create: {notion.__name__} has one filter, {chosen.name!r}, without slack; you "
            f"passed filter={kind!r}, slack={slack!r}"
        )
    return _not_empty(chosen)


def require_guarded(budget: Guarantee) -> None:
    """Raise InvalidArgument if no filter is valid for budgets of this kind."""
    notion = type(budget)
    if isinstance(budget, TradeOff | Profile):
        raise InvalidArgument(f"create: {notion.__name__} cannot be a budget: {NATURAL}")
    if notion not in PLAIN and notion is not ApproxDP:
        raise InvalidArgument(
            f"create: a budget must be PureDP, ZCDP, GDP, RDP or ApproxDP; you passed {budget!r}. "
            "Convert it first, by .to(tr.GDP) for example"
        )


def _approximate(budget: Guarantee, kind: str, slack: Real | None) -> Filter:
    delta = budget.values[1]
    if not delta:
        raise InvalidArgument(
            f"create: with delta = 0 the budget is pure: tr.PureDP({budget.values[0]!r})"
        )
    if kind == "zcdp" and slack is None:
        return _not_empty(ApproxByZCDP(budget))
    if kind != "advanced":
        raise InvalidArgument(
            "create: filter must be 'zcdp' (without slack) or 'advanced' for a budget in "
            f"ApproxDP; you passed filter={kind!r}, slack={slack!r}"
        )
    domain = Domain(SLACK, lambda x: 0 < x <= delta)
    half = Fraction(delta) / 2 if slack is None else validated(slack, domain, "create: slack")
    return _not_empty(AdvancedFilter(budget, half))


def _not_empty(chosen: Filter) -> Filter:
    if not any(chosen.capacity()):
        raise InvalidArgument(
            f"create: the budget must be above 0; you passed {chosen.budget!r}, which affords "
            "nothing"
        )
    return chosen
