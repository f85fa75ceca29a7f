"""The exact engine's view of an event: the pairs that dominate it, where they are known.

One rule for every kind of node. ``None`` means that the pair is not known, or that composing its
alternatives release by release would have to be covered first; the portfolio answers then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from tightrope.events import (
    Composed,
    Event,
    Grouped,
    Joint,
    Parallel,
    PostProcessed,
    Restated,
    Sampled,
)
from tightrope.loss.dominating import Dominating, compose
from tightrope.loss.finite.cover import covering
from tightrope.loss.loss import Floats
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.total import Total
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP
from tightrope.notions.curves import CurveGuarantee
from tightrope.plan.candidates import direct_profiles
from tightrope.plan.exact_leaves import dominating
from tightrope.plan.exact_ranges import adaptively_composed
from tightrope.plan.exact_sampling import alone, sampled_and_replaced, sampled_group
from tightrope.plan.tree import portfolio_of
from tightrope.theorems.outward import reflected

MOST_TOGETHER = 64
"""Most ways in which units that change together are removed or added."""

MOST_COVERED = 16
"""Distinct parts up to which those that are known by their curves alone are covered."""

COVERED_DOWN_TO = -92.0
"""The log delta beyond whose epsilon losses count as infinite in a cover."""

LARGEST_COVERED = 200.0
COVER_POINTS = 512


def exact_profile(event: Event) -> PairProfile | None:
    """The profile of the pairs that dominate the event; computed once and kept with it."""
    if "_exact" not in event.__dict__:
        object.__setattr__(event, "_exact", _profile(event))
    found: PairProfile | None = event.__dict__["_exact"]
    return found


def _profile(event: Event) -> PairProfile | None:
    if isinstance(event, PostProcessed):
        return exact_profile(event.event)
    if isinstance(event, Parallel):
        return _of_parts(event)
    if isinstance(event, Joint):
        return _of_units(event)
    if isinstance(event, CurveGuarantee) and event.event is not None:
        return exact_profile(event.event)
    pairs = event.alternatives() if isinstance(event, Mechanism) else None
    if pairs is not None:
        return PairProfile(pairs)
    pair = alone(event) if isinstance(event, Sampled) else dominating(event)
    if pair is None:
        return None
    sharper = adaptively_composed(event) if isinstance(event, Composed) else None
    rivals = (PairProfile((sharper,)),) if sharper is not None else ()
    return PairProfile((pair,), rivals)


def _of_parts(event: Parallel) -> PairProfile | None:
    """One part, which the neighbours fix; a replaced unit may also touch two."""
    parts = list(dict.fromkeys(event.parts))
    pairs = [dominating(part) for part in parts]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs):
        return None
    return PairProfile(known) if _one_part(event) else None


def _of_units(event: Joint) -> PairProfile | None:
    """Units that change together: each may be removed or added, whatever the others are."""
    pairs = [dominating(part) or covered(part) for part in event.parts]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < len(pairs) or math.prod(len(pair.orders) for pair in known) > MOST_TOGETHER:
        return None
    every = product(*(pair.orders for pair in known))
    orders = (Total.of((loss, 1) for total in one for loss in total.losses) for one in every)
    return PairProfile([Dominating(tuple(orders), all(pair.attained for pair in known))])


def _one_part(event: Parallel) -> bool:
    """Whether a unit that changes touches one part only."""
    return event.fixed_parts or event.neighbors.kind == "add_or_remove"


# --- nodes ----------------------------------------------------------------------------------


@dominating.register
def _composed(event: Composed) -> Dominating | None:
    return _together([(part, count) for part, count in event.counts.items()])


@dominating.register
def _joint(event: Joint) -> Dominating | None:
    return _units(event.parts)


def _units(parts: Sequence[Event]) -> Dominating | None:
    """A common direction is no part of the relation, so only pairs that have none compose."""
    directed = (pair for part in parts if (pair := dominating(part)) and len(pair.orders) > 1)
    return None if any(directed) else _together([(part, 1) for part in parts])


def _together(runs: list[tuple[Event, int]]) -> Dominating | None:
    """Where only some pairs are known, the others are covered by their profiles."""
    found = [(part, dominating(part), count) for part, count in runs]
    if len(runs) > MOST_COVERED and any(pair is None for _, pair, _ in found):
        return None
    known = [(pair or covered(part), count) for part, pair, count in found]
    pairs = [(pair, count) for pair, count in known if pair is not None]
    return compose(pairs) if len(pairs) == len(known) else None


def covered(event: Event) -> Dominating | None:
    """A finite pair that covers what the theorems prove of the event, at every epsilon."""
    curve = _curve(event)
    if curve is None:
        return None

    def log_delta(epsilon: Floats) -> Floats:
        size, place = np.unique(np.abs(epsilon), return_inverse=True)
        best = np.asarray(curve(size))[place]
        return np.where(epsilon < 0, np.asarray(reflected(best, -np.abs(epsilon))), best)

    reach = 1.0
    while reach < LARGEST_COVERED and log_delta(np.array([reach]))[0] > COVERED_DOWN_TO:
        reach *= 1.5
    return Dominating.symmetric(covering(reach, COVER_POINTS, log_delta), attained=False)


def _curve(event: Event) -> Callable[[Floats], Floats] | None:
    """log delta at epsilon >= 0 by formulas; of disjoint parts, the largest."""
    if isinstance(event, Parallel) and _one_part(event):
        parts = [_curve(part) for part in dict.fromkeys(event.parts)]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        return lambda size: np.asarray(np.max([part(size) for part in known], axis=0))
    portfolio = portfolio_of(event)
    routes = direct_profiles(portfolio)
    if portfolio.failure[0] or not routes:
        return None
    return lambda size: np.asarray(np.min([route.curve(size) for route in routes], axis=0))


@dominating.register
def _post_processed(event: PostProcessed) -> Dominating | None:
    return dominating(event.event)


@dominating.register
def _grouped(event: Grouped) -> Dominating | None:
    """The mechanism for a larger change; a sampled Gaussian in every split of the group."""
    inside, size = event.event, event.size
    if isinstance(inside, Grouped):
        return dominating(inside.event.group(inside.size * size))
    if isinstance(inside, PostProcessed):
        return dominating(inside.event.group(size))
    if isinstance(inside, Composed):
        return _together([(part.group(size), count) for part, count in inside.counts.items()])
    if isinstance(inside, Joint):
        return _units([part.group(size) for part in inside.parts])
    if isinstance(inside, Mechanism):
        wider = inside.grouped(size)
        return dominating(wider) if wider is not None else None
    if isinstance(inside, GDP):
        return dominating(GDP(inside.mu * size, neighbors=inside.neighbors))
    return sampled_group(inside, size) if isinstance(inside, Sampled) else None


@dominating.register
def _restated(event: Restated) -> Dominating | None:
    """Replacing a unit is a removal and an addition, known where a group of two is symmetric."""
    inside = event.event
    if isinstance(inside, PostProcessed):
        return dominating(inside.event.restated(event.neighbors))
    if isinstance(inside, Composed):
        runs = inside.counts.items()
        return _together([(part.restated(event.neighbors), count) for part, count in runs])
    if isinstance(inside, Sampled):
        return sampled_and_replaced(inside)
    pair = dominating(inside.group(2))
    return pair if pair is not None and len(pair.orders) == 1 else None
