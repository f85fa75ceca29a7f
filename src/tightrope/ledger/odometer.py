"""The odometer: what was consumed, and what can be promised of it while it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Protocol

from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope._parse import parse
from tightrope.ledger.config import Config
from tightrope.ledger.prices import charged_pairs
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


class Told(Protocol):
    """An entry, as far as an odometer reads it."""

    @property
    def kind(self) -> str:
        """Charge, reserve, release and so on."""

    @property
    def event(self) -> str:
        """What was run, as text."""


def odometer(
    config: Config, spending: Spending, slack: Real | None, entries: Iterable[Told]
) -> Odometer:
    """See ``Book.odometer``; the entries are read only where the sums do not say enough."""
    if type(config.structure) is not Structure:
        scope = "" if config.scope is None else f", {config.scope}"
        return Odometer(spending, None, f"{STRUCTURED}{scope}")
    if config.filter == "advanced":
        return _advanced(config, spending, slack, entries)
    if slack is not None:
        raise InvalidArgument("odometer: slack belongs to books with the advanced filter")
    if config.filter == "pure":
        return _pure(config, spending)
    return Odometer(spending, None, NO_THEOREM)


def _pure(config: Config, spending: Spending) -> Odometer:
    rule = named("pure_odometer")
    sum_up = float_up(rule(Fraction(spending.amounts[0])))
    return Odometer(spending, PureDP(sum_up, neighbors=config.neighbors), rule.citation)


def _advanced(
    config: Config, spending: Spending, slack: Real | None, entries: Iterable[Told]
) -> Odometer:
    """The less of two odometers: both hold at all times but with the probability delta.

    The scale of the mixture is the book's capacity, fixed at the beginning; delta is the slack and
    the sum of deltas.
    """
    domain = Domain("a probability strictly between 0 and 1", lambda x: 0 < x < 1)
    part = config.slack if slack is None else validated(slack, domain, "odometer: slack")
    rule = named("mixture_odometer")
    squares, deltas = spending.amounts
    epsilon: Any = rule(float_up(Fraction(squares)), part, float_up(Fraction(config.capacity[0])))
    delta = float_up(Fraction(deltas) + Fraction(part or 0))
    basic = _sum_of_epsilons(entries)
    if basic is not None and basic < epsilon:
        epsilon, rule = float_up(basic), named("pure_odometer")
    return Odometer(spending, ApproxDP(epsilon, delta, neighbors=config.neighbors), rule.citation)


COUNTS = {"charge": 1, "reserve": 1, "release": -1}
"""How often an entry's event counts."""


def _sum_of_epsilons(entries: Iterable[Told]) -> Fraction | None:
    """The sum of all epsilons that were charged; None if there are shares, which have their own."""
    counts: Counter[str] = Counter()
    for entry in entries:
        if entry.kind in ("share", "return"):
            return None
        counts[entry.event] += COUNTS.get(entry.kind, 0)
    pairs = ((text, pair) for text in counts if counts[text] for pair in charged_pairs(parse(text)))
    return sum((counts[t] * n * Fraction(epsilon) for t, (epsilon, _, n) in pairs), Fraction(0))
