"""The odometer: what was consumed, and what can be promised of it while it runs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.ledger.config import Config
from tightrope.ledger.records import Odometer, Spending
from tightrope.ledger.structure import Structure
from tightrope.notions import ApproxDP, PureDP
from tightrope.num.rounding import float_up
from tightrope.theorems.registry import named

NO_THEOREM = (
    "no theorem makes a running sum of adaptively chosen prices a guarantee in this notion; the "
    "book guarantees its budget, at every time"
)

STRUCTURED = (
    "a book with a structure has no odometer: whom the sum is about depends on what was chosen; "
    "the book guarantees its budget"
)


def odometer(config: Config, spending: Spending, slack: Real | None) -> Odometer:
    """See ``Book.odometer``."""
    if type(config.structure) is not Structure:
        scope = "" if config.scope is None else f", {config.scope}"
        return Odometer(spending, None, f"{STRUCTURED}{scope}")
    if config.filter == "advanced":
        return _mixture(config, spending, slack)
    if slack is not None:
        raise InvalidArgument("odometer: slack belongs to books with the advanced filter")
    if config.filter == "pure":
        return _pure(config, spending)
    return Odometer(spending, None, NO_THEOREM)


def _pure(config: Config, spending: Spending) -> Odometer:
    rule = named("pure_odometer")
    sum_up = float_up(rule(Fraction(spending.amounts[0])))
    return Odometer(spending, PureDP(sum_up, neighbors=config.neighbors), rule.citation)


def _mixture(config: Config, spending: Spending, slack: Real | None) -> Odometer:
    """Its scale is the book's capacity, fixed at the beginning; delta is the slack and the sum."""
    domain = Domain("a probability strictly between 0 and 1", lambda x: 0 < x < 1)
    part = config.slack if slack is None else validated(slack, domain, "odometer: slack")
    rule = named("mixture_odometer")
    squares, deltas = spending.amounts
    epsilon: Any = rule(float_up(Fraction(squares)), part, float_up(Fraction(config.capacity[0])))
    delta = float_up(Fraction(deltas) + Fraction(part or 0))
    return Odometer(spending, ApproxDP(epsilon, delta, neighbors=config.neighbors), rule.citation)
