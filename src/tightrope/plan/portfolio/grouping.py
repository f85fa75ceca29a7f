"""Portfolios of groups: rules on what is known of the whole, or groups at every part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from tightrope.events import Composed, Grouped, Joint, PostProcessed, compose
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import PureDP
from tightrope.notions.renyi_curve import Least, OfGroup
from tightrope.plan.derivation import Step, after, claim
from tightrope.plan.portfolio.composition import counted
from tightrope.plan.portfolio.leaves import with_straight_curves
from tightrope.plan.portfolio.portfolio import SCALARS, Portfolio
from tightrope.plan.portfolio.structure import union
from tightrope.plan.portfolio.tree import planned, portfolio_of
from tightrope.theorems.registry import Theorem, named, theorems
from tightrope.theorems.structure import greatest_sensitivity


@planned.register
def _grouped(event: Grouped) -> Portfolio:
    inside = event.event
    if isinstance(inside, PostProcessed | Joint | Composed):
        return _pushed_down(event)
    by_rule = group_portfolio(portfolio_of(inside), event.size)
    wider = inside.grouped(event.size) if isinstance(inside, Mechanism) else None
    if wider is None:
        return by_rule
    return merged(by_rule, portfolio_of(wider), greatest_sensitivity)


def _pushed_down(event: Grouped) -> Portfolio:
    """A group that meets a composition meets every part of it."""
    inside, size = event.event, event.size
    if isinstance(inside, PostProcessed):
        return portfolio_of(inside.event.group(size))
    if isinstance(inside, Joint):
        return union([portfolio_of(part.group(size)) for part in inside.parts])
    assert isinstance(inside, Composed)
    parts = [part.group(size) ** count for part, count in inside.counts.items()]
    by_parts = portfolio_of(compose(*parts))
    if by_parts.failure[0] > 0:
        return by_parts
    return merged(group_portfolio(portfolio_of(inside), size), by_parts, None)


def group_portfolio(child: Portfolio, size: int) -> Portfolio:
    """The group rules of every notion, applied to one event's portfolio."""
    failure = child.failure
    notions: Sequence[type] = SCALARS
    if failure[0] > 0:
        known = child.numbers(PureDP)
        if known is None:
            return Portfolio(1, np.ones(1))
        epsilon, delta = known[0], float(failure[0])
        failure = np.atleast_1d(named("group_approx")(epsilon, delta, size)[1])
        notions = (PureDP,)
    whole = Portfolio(1, failure)
    for rule in theorems("group"):
        if rule.source in notions and rule.source in child.values:
            values = rule(*child.values[rule.source], size)
            offer_from(whole, rule, values, child, f"k = {size}")
    if child.curve is not None and not child.failure[0]:
        whole.curve = counted(OfGroup(child.curve([1]), size))
        whole.straight = child.straight
    whole.close()
    return whole if whole.curve else with_straight_curves(whole)


def offer_from(whole: Portfolio, rule: Theorem, values: Any, child: Portfolio, note: str) -> None:
    """Offer what a rule makes of the child's parameters in the rule's notion."""
    columns = values if isinstance(values, tuple) else (values,)
    numbers = tuple(float(np.ravel(column)[0]) for column in columns)
    source = partial(child.step, rule.source)
    whole.offer(rule.target, columns, after(source, rule, claim(rule.target, numbers), note))


def merged(one: Portfolio, other: Portfolio, rule: Theorem | None) -> Portfolio:
    """The better of two portfolios of the same event, notion by notion."""
    best = Portfolio(1, np.minimum(one.failure, other.failure))
    for notion in SCALARS:
        for portfolio in (one, other):
            if notion in portfolio.values:
                used = rule if portfolio is other else None
                best.offer(notion, portfolio.values[notion], _through(portfolio, notion, used))
    curves = tuple(p.curve([1]) for p in (one, other) if p.curve is not None)
    if curves:
        best.curve = counted(curves[0] if len(curves) == 1 else Least(curves))
        best.straight = one.straight and other.straight
    best.profiles = one.profiles + other.profiles
    best.tradeoffs = one.tradeoffs + other.tradeoffs
    best.piecewise = one.piecewise or other.piecewise
    return best.close()


def _through(portfolio: Portfolio, notion: type, rule: Theorem | None) -> Callable[[int], Step]:
    def origin(i: int) -> Step:
        step = portfolio.step(notion, i)
        return step if rule is None else Step(step.claim, rule, ((1, step),))

    return origin
