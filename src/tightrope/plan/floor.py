"""Floors: what an event is proved to leak at least, where its parts are known exactly.

A composition leaks at least what any of its parts leaks, and more where the exact values add:
log-ratios, Renyi divergences at one order, and the squares of Gaussian shifts. A part that is
only bounded (an exponential mechanism, a guarantee) counts with the worst member of its class,
so a floor says that no better number can be *proved* from what was stated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tightrope.events import Event
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, ZCDP, PureDP
from tightrope.num.arrays import Floats
from tightrope.num.solve import solve_down
from tightrope.plan import answers
from tightrope.plan.attained import exact_leaves, gaussians, split
from tightrope.plan.exact.answers import engine, epsilon_ends
from tightrope.plan.exact.gdp import tight_gdp
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.exact.tradeoff import closed_profile
from tightrope.plan.gaussian_floor import FORMULA_ERROR, gaussian_floor, slope_floor
from tightrope.plan.parts import by_parts
from tightrope.plan.portfolio.candidates import direct_profiles
from tightrope.plan.portfolio.portfolio import Candidate
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.into_profile import gaussian_profile
from tightrope.theorems.outward import reflected

PARAMETER_ERROR = 1e-13
"""What log delta of a pair may gain, relative to 1 + |log delta|, by parameters rounded up.

They are by 2 or 3 units of 2e-16, of which log delta of normal noise gains about twice as much.
"""


def epsilon_floor(event: Event, delta: float) -> float:
    """No epsilon below this one holds at ``delta``."""
    profile = exact_profile(event)
    if profile is not None and profile.attained:
        return composed_epsilon(event, delta) or 0.0
    if delta == 0:
        return scalar_floor(event, PureDP) or 0.0
    known, rest = split(event)
    least = (composed_epsilon(known, delta) or 0.0) if known is not None else 0.0
    return _highest_floor(list(_profiles(rest)), delta, least)


def composed_epsilon(event: Event, delta: float, found: float = math.nan) -> float | None:
    """The lower end for the pairs that dominate the event; None if they are not known.

    Args:
        event: what was run.
        delta: rounded up.
        found: the engine's own lower end, if it was asked at the double below delta.
    """
    profile = exact_profile(event)
    if profile is None:
        return None
    formula = closed_profile(event)
    if delta and formula is not None:
        return _floor_of(lambda e: float(formula(np.array(e))), delta)
    if delta >= 1:
        return 0.0
    own = found if math.isfinite(found) else epsilon_ends(profile, delta)[0]
    return own * (1 - FORMULA_ERROR)


def composed_log_delta(event: Event, epsilon: Floats) -> Floats | None:
    """The lower ends for the pairs that dominate the event; None if they are not known."""
    profile = exact_profile(event)
    if profile is None or not len(epsilon):
        return None
    formula = closed_profile(event)
    if formula is None:
        return _lowered(profile.log_delta(epsilon).lower, PARAMETER_ERROR)
    size = np.abs(epsilon)
    value = np.asarray(formula(size))
    return _lowered(np.where(epsilon < 0, reflected(value, -size), value))


def log_delta_floor(event: Event, epsilon: Floats) -> Floats:
    """No log delta below these holds, as the parts show."""
    known, rest = split(event)
    whole = composed_log_delta(known, epsilon) if known is not None else None
    floors = [_lowered(np.array([curve(float(e)) for e in epsilon])) for curve in _profiles(rest)]
    start = np.full(len(epsilon), -np.inf) if whole is None else whole
    return np.asarray(np.max([start, *floors], axis=0))


def _lowered(log_delta: Floats, error: float = FORMULA_ERROR) -> Floats:
    finite = np.maximum(log_delta, -1e308)
    return np.asarray(finite - error * (1 + np.abs(finite)))


def _highest(floors: list[float | None]) -> float | None:
    known = [floor for floor in floors if floor is not None]
    return max(known, default=None)


@by_parts(_highest)
def scalar_floor(event: Event, notion: type) -> float | None:
    """No parameter below this one holds in ``notion`` (PureDP, ZCDP or GDP); None if unknown."""
    if notion is PureDP:
        return _pure_floor(event)
    if notion is ZCDP:
        return slope_floor(event)
    if notion is GDP:
        return _tight_floor(event)
    return None


def _tight_floor(event: Event) -> float:
    known, profile = gaussian_floor(event), engine(event)
    if profile is None or not profile.attained:
        return known
    found = tight_gdp(event)
    return known if found is None else max(known, found.lower * (1 - FORMULA_ERROR))


def _pure_floor(event: Event) -> float:
    """The largest log-ratios of independent parts are attained together, so they add."""
    total = 0.0
    for leaf, count in exact_leaves(event):
        numbers = portfolio_of(leaf).numbers(PureDP)
        if numbers is not None:
            total += count * numbers[0]
        elif not portfolio_of(leaf).failure[0]:
            return math.inf
    return total * (1 - FORMULA_ERROR)


def _profiles(event: Event) -> Iterator[Callable[[float], float]]:
    """Functions of epsilon whose value no log delta can be below."""
    for leaf, _ in exact_leaves(event):
        if not isinstance(leaf, Mechanism):
            yield lambda e, part=leaf: float(answers.log_delta(part, e))  # type: ignore[misc]
        elif leaf.has_exact_profile:
            yield partial(_by_formula, direct_profiles(portfolio_of(leaf)))
    squares = sum(count * mu * mu for mu, count in gaussians(event, sampled=False))
    if squares:
        mu = math.sqrt(squares) * (1 - FORMULA_ERROR)
        yield lambda e: float(gaussian_profile(e, mu))


def _by_formula(routes: list[Candidate], epsilon: float) -> float:
    """log delta of a mechanism whose very profile is one of these curves."""
    value = min(float(route.curve(np.array(abs(epsilon)))) for route in routes)
    return value if epsilon >= 0 else float(reflected(np.array(value), np.array(epsilon)))


def _highest_floor(curves: list[Callable[[float], float]], delta: float, least: float) -> float:
    """The floor by the profile that is highest first, then by those that are above it there."""
    while curves:
        values = np.array([curve(least) for curve in curves])
        above = np.flatnonzero(values > math.log(delta))
        if not len(above):
            break
        highest = int(np.argmax(values))
        least = _floor_of(curves[highest], delta, least)
        curves = [curves[i] for i in above if i != highest]
    return least


def _floor_of(profile: Callable[[float], float], delta: float, known: float = 0.0) -> float:
    """The floor by one profile, if it is above the known one."""
    target = math.log(delta)

    def excess(e: float) -> float:
        value = max(profile(e), -1e308)
        return value - FORMULA_ERROR * (1 + abs(value)) - target

    if excess(known) <= 0:
        return known
    top = max(1.0, 4 * known)
    while excess(top) > 0 and top < 1e300:
        top *= 4
    return float(solve_down(excess, known, top, increasing=False)) if top < 1e300 else known
