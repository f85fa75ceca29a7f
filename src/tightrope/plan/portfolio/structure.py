"""Portfolios of structure: post-processing, disjoint parts, joint units, other neighbours."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tightrope.events import Event, Joint, OneUnit, Parallel, PostProcessed, Restated
from tightrope.notions import Guarantee
from tightrope.notions.renyi_curve import Most
from tightrope.plan.derivation import Step, claim
from tightrope.plan.portfolio.candidates import profile_candidates, tradeoff_candidates
from tightrope.plan.portfolio.composition import compose_portfolios, counted
from tightrope.plan.portfolio.leaves import with_straight_curves
from tightrope.plan.portfolio.portfolio import SCALARS, Candidate, Portfolio
from tightrope.plan.portfolio.tree import planned, portfolio_of
from tightrope.theorems.registry import Theorem
from tightrope.theorems.structure import (
    joint_units,
    parallel_one_part,
    parallel_two_parts,
    post_processing,
    removal_and_addition,
)

MOST_CURVES = 8
"""Most distinct parts whose whole curves are compared, not only their parameters."""

MOST_PAIRS = 8
"""Most distinct parts whose pairs are all composed; beyond, the greatest part stands for both."""


@planned.register
def _post_processed(event: PostProcessed) -> Portfolio:
    return relabelled(portfolio_of(event.event), post_processing, f"published: {event.label}")


@planned.register
def _for_one_unit(event: OneUnit) -> Portfolio:
    return portfolio_of(event.event)


def relabelled(child: Portfolio, rule: Theorem, note: str) -> Portfolio:
    """The same knowledge, with one more step in every derivation."""

    def wrap(origin: Any) -> Any:
        def wrapped(i: int) -> Step:
            step = origin(i)
            return Step(step.claim, rule, ((1, step),), note)

        return wrapped

    twin = Portfolio(
        1, child.failure, dict(child.values), curve=child.curve, straight=child.straight
    )
    twin.origins = {notion: wrap(origin) for notion, origin in child.origins.items()}
    twin.profiles = [c._replace(origin=wrap(c.origin)) for c in child.profiles]
    twin.tradeoffs = [c._replace(origin=wrap(c.origin)) for c in child.tradeoffs]
    twin.piecewise = child.piecewise
    return twin


@planned.register
def _joint(event: Joint) -> Portfolio:
    return union([portfolio_of(part) for part in event.parts])


def union(parts: list[Portfolio]) -> Portfolio:
    """All the parts at once, each about a unit of its own."""
    return relabelled(compose_portfolios([(part, [1]) for part in parts]), joint_units, "")


@planned.register
def _restated(event: Restated) -> Portfolio:
    inside = event.event
    pair = portfolio_of(inside.group(2))
    if not isinstance(inside, Parallel):
        return relabelled(pair, removal_and_addition, "")
    within = [portfolio_of(part.group(2)) for part in inside.parts]
    across = _touching_two(_portfolios(inside.parts), within)
    return relabelled(across, removal_and_addition, "")


@planned.register
def _parallel(event: Parallel) -> Portfolio:
    parts = _portfolios(event.parts)
    if event.fixed_parts or event.neighbors.kind == "add_or_remove" or len(parts) == 1:
        return _greatest(parts, parallel_one_part)
    return _touching_two(parts, parts)


def _portfolios(parts: tuple[Event, ...]) -> list[Portfolio]:
    """One portfolio a part; equal parts share theirs."""
    first = {part: part for part in reversed(parts)}
    return [portfolio_of(first[part]) for part in parts]


def _touching_two(parts: list[Portfolio], within: list[Portfolio]) -> Portfolio:
    """A unit changes inside one part, or leaves one and enters another."""
    distinct = list({id(part): part for part in parts}.values())
    if len(distinct) > MOST_PAIRS:
        greatest = _greatest(distinct, parallel_one_part)
        distinct, parts = [greatest], [greatest, greatest]
    pairs = [
        compose_portfolios([(a, [1]), (b, [1])])
        for position, a in enumerate(distinct)
        for b in distinct[position:]
        if a is not b or sum(part is a for part in parts) > 1
    ]
    return _greatest([*pairs, *within], parallel_two_parts)


def _greatest(parts: list[Portfolio], rule: Theorem) -> Portfolio:
    """What holds whichever of the parts a unit touches."""
    whole = Portfolio(1, np.max([part.failure for part in parts], axis=0))
    for notion in SCALARS:
        if all(notion in part.values for part in parts):
            _offer_greatest(whole, notion, parts, rule)
    whole.close()
    distinct = list({id(part): part for part in parts}.values())
    if len(distinct) > MOST_CURVES:
        return with_straight_curves(whole)
    if all(part.curve is not None for part in distinct):
        curves = tuple(part.curve([1]) for part in distinct if part.curve)
        whole.curve = counted(curves[0] if len(curves) == 1 else Most(curves))
        whole.straight = all(part.straight for part in parts)
    if not whole.failure[0]:
        _offer_worst_curves(whole, distinct, rule)
    return whole


def _offer_worst_curves(whole: Portfolio, parts: list[Portfolio], rule: Theorem) -> None:
    """At every point the worst of the parts, each by its best route."""
    profiles = [profile_candidates(part) for part in parts]
    tradeoffs = [tradeoff_candidates(part) for part in parts]
    if not all(profiles):
        return
    sources = tuple((1, partial(routes[0].origin, 0)) for routes in profiles)

    def origin(_: int) -> Step:
        return Step("the worst of the parts at every point", rule, sources)

    whole.profiles.append(
        Candidate(
            lambda e: np.max([np.min([c.curve(e) for c in r], axis=0) for r in profiles], axis=0),
            origin,
        )
    )
    whole.tradeoffs.append(
        Candidate(
            lambda a: np.min([np.max([c.curve(a) for c in r], axis=0) for r in tradeoffs], axis=0),
            origin,
        )
    )


def _offer_greatest(
    whole: Portfolio, notion: type[Guarantee], parts: list[Portfolio], rule: Theorem
) -> None:
    values = notion.greatest([part.values[notion] for part in parts])

    def origin(i: int) -> Step:
        inputs = tuple((1, part.step(notion, i)) for part in parts)
        return Step(claim(notion, tuple(float(v[0]) for v in values)), rule, inputs)

    whole.offer(notion, values, origin)
