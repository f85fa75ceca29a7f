"""Answers: the best provable number for a question about an event.

Every candidate route is valid, so the best of them is the answer; which one that is depends on
the question (at small delta a zCDP total usually comes first through its own profile, at a
trade-off curve through GDP), and is never assumed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope._wire import shown
from tightrope.events import Event
from tightrope.loss.pair_profile import PairProfile
from tightrope.notions import PureDP
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS, up
from tightrope.num.solve import solve_up
from tightrope.plan.arguments import checked_delta, finite, in_unit
from tightrope.plan.derivation import Step
from tightrope.plan.exact.answers import engine, epsilon_ends, log_delta_upper, origin
from tightrope.plan.exact.tradeoff import BLURRED, closed_curve, closed_power, curve_engine, tested
from tightrope.plan.parts import by_parts, largest
from tightrope.plan.portfolio.candidates import profile_candidates
from tightrope.plan.portfolio.portfolio import Candidate, route
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.plan.routes import beside_engine, by_theorems, least_errors, lowered, raised
from tightrope.theorems.outward import beta_below
from tightrope.theorems.registry import named
from tightrope.theorems.structure import parallel_one_part

ROUGHLY, SHARE = 0.1, 0.03
"""How far above a log delta a first look has to be for a second one to be in vain: so much, and
this share of it. (In 300 random compositions a first look was off by 0.1, or by 2.3 %.)
"""

LARGEST = 1e300
"""An epsilon beyond this one is as good as none."""

# --- delta ----------------------------------------------------------------------------------


@by_parts(largest)
def log_delta(event: Event, epsilon: ArrayLike) -> Any:
    """Log of the smallest provable delta at every epsilon (any real number)."""
    asked = finite("delta: epsilon", epsilon)
    profile = engine(event)
    if profile is None:
        value = by_theorems(event, asked)
    else:
        value = log_delta_upper(profile, asked)
        if not profile.attained:
            value = lowered(event, asked.ravel(), value.ravel()).reshape(asked.shape)
    return float(value) if value.ndim == 0 else value


def delta(event: Event, epsilon: ArrayLike) -> Any:
    """The smallest provable delta at every epsilon; positive ones never come back as 0."""
    logs = np.asarray(log_delta(event, epsilon))
    value = np.where(np.isneginf(logs), 0.0, np.minimum(up(np.exp(logs), 2), 1.0))
    return float(value) if value.ndim == 0 else value


# --- epsilon --------------------------------------------------------------------------------


def epsilon(event: Event, delta: ArrayLike) -> Any:
    """The smallest provable epsilon at every delta."""
    asked = np.asarray(delta, dtype=object)
    found = [best_epsilon(event, checked_delta(value))[0] for value in asked.ravel()]
    return found[0] if asked.ndim == 0 else np.array(found).reshape(asked.shape)


def _largest_route(found: list[tuple[float, Candidate | None]]) -> tuple[float, Candidate | None]:
    """The answer of the worst part, with its route."""
    value, used = max(found, key=lambda answer: answer[0])
    if used is None:
        return value, None
    origin = used.origin
    return value, used._replace(origin=lambda i: _of_worst_part(origin(i)))


def _of_worst_part(step: Step) -> Step:
    return Step(step.claim, parallel_one_part, ((1, step),), "this part is the worst")


@by_parts(_largest_route)
def best_epsilon(
    event: Event, delta: float, ends: tuple[float, float] | None = None
) -> tuple[float, Candidate | None]:
    """The smallest epsilon at ``delta`` and the route that gives it; inf if there is none.

    ``ends`` are those of the exact engine, if they are known already.
    """
    profile = engine(event)
    if profile is None:
        return epsilon_by_theorems(event, delta)
    value = (ends or epsilon_ends(profile, delta))[1]
    found = _by_engine(event, profile, value)
    if profile.attained and value < math.inf:
        return value, found
    # theorems may know a delta of failures exactly that the engine knows up to rounding
    return epsilon_by_theorems(event, delta, value, found)


def epsilon_by_theorems(
    event: Event, delta: float, best: float = math.inf, used: Candidate | None = None
) -> tuple[float, Candidate | None]:
    """The portfolio's smallest epsilon and its route, if they are better than those given."""
    portfolio = beside_engine(event)
    failure = float(portfolio.failure[0])
    if delta < failure:
        return best, used
    target = _log_rest(delta, failure)
    pure = portfolio.numbers(PureDP)
    if pure is not None and pure[0] < best:
        best, used = pure[0], route(named("pure_profile"), pure, portfolio.origins[PureDP])
    if target == -math.inf:
        return best, used
    for candidate in profile_candidates(portfolio):
        value = _least_epsilon(candidate, target, best)
        if value < best:
            best, used = value, _beside(candidate, failure)
    return best, used


def _beside(route: Candidate, failure: float) -> Candidate:
    """The route, with a word on the failures that its curve leaves out."""
    if not failure:
        return route
    note = f"beside failures of total probability {float(shown(failure)):g}"
    return route._replace(origin=lambda i: route.origin(i).noted(note))


def _log_rest(delta: float, failure: float) -> float:
    """log of (delta - failure)/(1 - failure), rounded down."""
    if failure == 0:
        return math.log(delta) - EPS * (1 + abs(math.log(delta))) if delta > 0 else -math.inf
    rest = (delta - failure) / (1 - failure) * (1 - 4 * EPS) - EPS * failure
    return math.log(rest) if rest > 0 else -math.inf


def _least_epsilon(candidate: Candidate, target: float, known: float) -> float:
    """Smallest epsilon in [0, known] with log delta <= target; ``known`` if none is less."""

    def excess(e: float) -> float:
        return max(float(candidate.curve(e)), -1e308) - target

    if known == 0 or _hopeless(candidate, target, known):
        return known
    if math.isfinite(known) and excess(known) > 0:
        return known
    if candidate.solve is not None:
        return min(known, float(candidate.solve(target)))
    if excess(0.0) <= 0:
        return 0.0
    top = min(1.0, known)
    while excess(top) > 0:
        top = min(4 * top, known)
        if top > LARGEST:
            return math.inf
    return float(solve_up(excess, 0.0, top, increasing=False))


def _hopeless(candidate: Candidate, target: float, known: float) -> bool:
    """Whether a first look shows that the route has nothing to add there."""
    if candidate.rough is None or known == math.inf:
        return False
    return candidate.rough(known) > target + max(ROUGHLY, -SHARE * target)


# --- trade-off curves -----------------------------------------------------------------------


def _worst_errors(found: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    betas, powers = zip(*found, strict=True)
    return np.asarray(np.min(betas, axis=0)), np.asarray(np.max(powers, axis=0))


def tradeoff(event: Event, alpha: ArrayLike) -> Any:
    """The largest provable lower bound on the type II error at every alpha in [0, 1]."""
    value = errors(event, in_unit("tradeoff: alpha", alpha))[0]
    return float(value) if value.ndim == 0 else value


def tpr(event: Event, fpr: ArrayLike) -> Any:
    """The largest true positive rate at every false positive rate: 1 - tradeoff, rounded up."""
    power = errors(event, in_unit("tpr: fpr", fpr))[1]
    return float(power) if power.ndim == 0 else power


@by_parts(_worst_errors)
def errors(event: Event, alpha: Floats) -> tuple[Floats, Floats]:
    """The least type II error, rounded down, and the greatest power, rounded up."""
    closed, profile = closed_curve(event), curve_engine(event)
    if closed is not None or profile is None:
        beta = np.asarray(closed(alpha)) if closed is not None else least_errors(event, alpha)
        return beta, np.minimum(up(1 - beta, 1), closed_power(event, alpha))
    found = tested(profile, alpha)
    blurred = (found.upper - found.lower > BLURRED) | (not profile.attained)
    beta, power = np.array(found.lower), np.array(found.power)
    if blurred.any():
        beta[blurred] = raised(event, alpha[blurred], beta[blurred])
        power[blurred] = np.minimum(power[blurred], up(1 - beta[blurred], 1))
    return beta, power


def bayes_risk(event: Event, prior: ArrayLike) -> Any:
    """See ``Event.bayes_risk``."""
    first = in_unit("bayes_risk: prior", prior)
    less = np.minimum(first, 1 - first)
    with np.errstate(divide="ignore"):
        odds = np.log1p(-less) - np.log(less)
    sure = less == 0
    epsilon = np.where(sure, 0.0, odds) * (1 - 4 * EPS) - 4 * EPS
    share = 1 - np.asarray(delta(event, np.maximum(epsilon, 0.0)))
    risk = np.where(sure, 0.0, beta_below(less * share, 4))
    return float(risk) if risk.ndim == 0 else risk


def advantage(event: Event) -> float:
    """The largest advantage of any attacker: the total variation, delta at epsilon 0."""
    return float(delta(event, 0.0))


@by_parts(_largest_route)
def best_delta(event: Event, epsilon: float) -> tuple[float, Candidate | None]:
    """The smallest delta at ``epsilon`` and the route that gives it; None if nothing is known."""
    value, profile = float(delta(event, epsilon)), engine(event)
    if profile is not None:
        theirs = 0.0 if profile.attained else float(by_theorems(event, np.array([epsilon]))[0])
        if profile.attained or float(log_delta_upper(profile, np.array([epsilon]))[0]) <= theirs:
            return value, _by_engine(event, profile, epsilon)
    portfolio = portfolio_of(event)
    routes = profile_candidates(portfolio)
    route = min(routes, key=lambda route: float(route.curve(abs(epsilon))), default=None)
    return value, route and _beside(route, float(portfolio.failure[0]))


def _by_engine(event: Event, profile: PairProfile, epsilon: float) -> Candidate:
    """The route by the exact engine, near ``epsilon``."""
    return Candidate(lambda e: log_delta_upper(profile, e), origin(event, profile, epsilon))
