"""Finite pairs that cover what the theorems prove of an event whose very pair is not known."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tightrope.events import Event, Parallel
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.cover import LAST_LOG_DELTA, covering, symmetric
from tightrope.num.arrays import Floats
from tightrope.plan.portfolio.candidates import direct_profiles
from tightrope.plan.portfolio.tree import portfolio_of

LARGEST_COVERED = 200.0
"""The largest finite loss of a cover: exp of its negative is below any delta that is told."""

MOST_LOG_LOST = math.log(0.5)
"""log delta at the largest loss of a cover that is worth composing."""

COVER_POINTS = 512
"""Points of a cover on each side of epsilon = 0, which composes quickly and costs few digits."""


def covered(event: Event) -> Dominating | None:
    """A finite pair that covers what the theorems prove of the event, at every epsilon."""
    curve = _curve(event)
    if curve is None:
        return None

    reach = 1.0
    while reach < LARGEST_COVERED and curve(np.array([reach]))[0] > LAST_LOG_DELTA:
        reach *= 1.5
    if curve(np.array([reach]))[0] > MOST_LOG_LOST:
        return None
    pair = covering(reach, COVER_POINTS, symmetric(curve))
    return Dominating.symmetric(pair, attained=False)


def _curve(event: Event) -> Callable[[Floats], Floats] | None:
    """log delta at epsilon >= 0 by formulas; of disjoint parts, the largest."""
    if isinstance(event, Parallel) and touches_one_part(event):
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


def touches_one_part(event: Parallel) -> bool:
    """Whether a unit that changes touches one part only."""
    return event.fixed_parts or event.neighbors.kind == "add_or_remove"
