"""Answers: the best provable number for a question about an event.

Every candidate route is valid, so the best of them is the answer; which one that is depends on
the question (at small delta a zCDP total usually comes first through its own profile, at a
trade-off curve through GDP), and is never assumed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope._check import (
    CLOSED_PROBABILITY,
    PROBABILITY,
    validated,
)
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.notions import PureDP
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS, float_down, up
from tightrope.num.solve import solve_up
from tightrope.plan.candidates import profile_candidates, tradeoff_candidates
from tightrope.plan.portfolio import Candidate, Portfolio, route
from tightrope.plan.tree import portfolio_of
from tightrope.theorems.outward import beta_below, log_above
from tightrope.theorems.registry import named

Floats = NDArray[np.float64]

LARGEST = 1e300
"""An epsilon beyond this one is as good as none."""

# --- delta ----------------------------------------------------------------------------------


def log_delta(event: Event, epsilon: ArrayLike) -> Any:
    """Log of the smallest provable delta at every epsilon (any real number)."""
    asked = _finite("log_delta: epsilon", epsilon)
    portfolio = portfolio_of(event)
    value = _log_delta(portfolio, np.abs(asked))
    negative = asked < 0
    if negative.any():
        value = np.where(negative, _reflected(value, -np.abs(asked)), value)
    return float(value) if value.ndim == 0 else value


def _log_delta(portfolio: Portfolio, epsilon: Floats) -> Floats:
    """At epsilon >= 0: failures, and the best route on the rest."""
    routes = profile_candidates(portfolio)
    best = np.zeros(epsilon.shape)
    for curve, _, _ in routes:
        best = np.minimum(best, np.asarray(curve(epsilon), dtype=float))
    failure = float(portfolio.failure[0])
    if failure == 0:
        return best
    with np.errstate(divide="ignore"):
        total = np.logaddexp(math.log(failure), np.log1p(-failure) + best)
    return np.asarray(log_above(total, 4))


def _reflected(log_delta_at_size: Floats, epsilon: Floats) -> Floats:
    """delta(-e) = (1 - exp(-e)) + exp(-e) delta(e) for symmetric neighbours, rounded up."""
    gap = np.asarray(log1mexp(-epsilon))
    return np.asarray(log_above(np.logaddexp(gap, epsilon + log_delta_at_size), 8))


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


def checked_delta(value: Any) -> float:
    """A delta in [0, 1) as the largest double that it is not below."""
    return float_down(validated(value, PROBABILITY, "epsilon: delta"))


def best_epsilon(event: Event, delta: float) -> tuple[float, Candidate | None]:
    """The smallest epsilon at ``delta`` and the route that gives it; inf if there is none."""
    portfolio = portfolio_of(event)
    failure = float(portfolio.failure[0])
    if delta < failure:
        return math.inf, None
    target = _log_rest(delta, failure)
    pure = portfolio.numbers(PureDP)
    best, used = math.inf, None
    if pure is not None:
        best, used = pure[0], route(named("pure_profile"), pure, portfolio.origins[PureDP])
    if target == -math.inf:
        return best, used
    for candidate in profile_candidates(portfolio):
        value = _least_epsilon(candidate, target, best)
        if value < best:
            best, used = value, candidate
    return best, used


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

    if known == 0 or (math.isfinite(known) and excess(known) > 0):
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


# --- trade-off curves -----------------------------------------------------------------------


def tradeoff(event: Event, alpha: ArrayLike) -> Any:
    """The largest provable lower bound on the type II error at every alpha in [0, 1]."""
    asked = _in_unit("tradeoff: alpha", alpha)
    portfolio = portfolio_of(event)
    failure = float(portfolio.failure[0])
    inner = np.minimum(up(asked / (1 - failure), 2) if failure < 1 else 1.0, 1.0)
    inner = np.where(asked == 0, 0.0, inner) if failure else asked
    best = np.zeros(asked.shape)
    for curve, _, _ in tradeoff_candidates(portfolio):
        best = np.maximum(best, np.asarray(curve(inner), dtype=float))
    if failure:
        best = np.asarray(beta_below(best * (1 - failure), 2))
    return float(best) if best.ndim == 0 else best


def tpr(event: Event, fpr: ArrayLike) -> Any:
    """The largest true positive rate at every false positive rate: 1 - tradeoff, rounded up."""
    power = up(1 - np.asarray(tradeoff(event, _in_unit("tpr: fpr", fpr))), 1)
    power = np.minimum(power, 1.0)
    return float(power) if power.ndim == 0 else power


def advantage(event: Event) -> float:
    """The largest advantage of any attacker: the total variation, delta at epsilon 0."""
    return float(delta(event, 0.0))


def best_profile(event: Event, epsilon: float) -> Candidate | None:
    """The route that gives the smallest delta at ``epsilon``."""
    routes = profile_candidates(portfolio_of(event))
    return min(routes, key=lambda route: float(route.curve(abs(epsilon))), default=None)


# --- arguments ------------------------------------------------------------------------------


def _finite(what: str, values: ArrayLike) -> Floats:
    try:
        asked = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} must be finite numbers; you passed {values!r}") from None
    if not np.isfinite(asked).all() or np.asarray(values).dtype == bool:
        raise InvalidArgument(f"{what} must be a finite number; you passed {values!r}")
    return asked


def _in_unit(what: str, values: ArrayLike) -> Floats:
    asked = _finite(what, values)
    if ((asked < 0) | (asked > 1)).any():
        raise InvalidArgument(f"{what} must be {CLOSED_PROBABILITY.words}; you passed {values!r}")
    return asked
