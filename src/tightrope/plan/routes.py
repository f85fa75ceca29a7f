"""The portfolio's routes as curves of the whole event, failures included.

Each is valid by itself. Where the exact engine answers too, they are asked beside it, and the slow
ones only where they may say more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from tightrope.events import Event
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, ApproxDP, BoundedRange, LogisticDP, PureDP
from tightrope.num.arrays import Floats
from tightrope.num.rounding import up
from tightrope.plan.exact.answers import engine
from tightrope.plan.portfolio.candidates import (
    direct_profiles,
    direct_tradeoffs,
    least_profile,
    profile_candidates,
    tradeoff_candidates,
)
from tightrope.plan.portfolio.composition import beside_pairs
from tightrope.plan.portfolio.portfolio import Portfolio
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.plan.rivals import Curve, greater_error, lesser_log_delta
from tightrope.theorems.outward import beta_below, log_above, reflected


def by_theorems(event: Event, epsilon: Floats) -> Floats:
    """The best of the portfolio's routes, at any real epsilon."""
    return np.asarray(least_profile(_profiles(event))(epsilon))


def beside_engine(event: Event) -> Portfolio:
    """What the theorems prove that the exact engine might not."""
    return portfolio_of(event) if engine(event) is None else beside_pairs(event)


def lowered(event: Event, epsilon: Floats, value: Floats) -> Floats:
    """The value, or less where a route of the portfolio says so."""
    for curve in _profiles(event):
        value = lesser_log_delta(value, epsilon, curve)
    return value


def _profiles(event: Event) -> Iterator[Curve]:
    """log delta at any real epsilon by every route, failures included."""
    portfolio = beside_engine(event)
    failure = float(portfolio.failure[0])
    routes = direct_profiles if _told_by_formulas(event) else profile_candidates
    for candidate in routes(portfolio):
        yield partial(_at_any_sign, curve=candidate.curve, failure=failure)


def _told_by_formulas(event: Event) -> bool:
    """Whether the curves of one release follow exactly from its own facts, without any order."""
    if isinstance(event, Mechanism):
        return event.has_exact_profile
    return isinstance(event, PureDP | ApproxDP | LogisticDP | BoundedRange | GDP)


def _at_any_sign(epsilon: Floats, curve: Curve, failure: float) -> Floats:
    size = np.abs(epsilon)
    value = np.asarray(curve(size), dtype=float)
    if failure:
        with np.errstate(divide="ignore"):
            value = np.logaddexp(math.log(failure), np.log1p(-failure) + value)
        value = np.asarray(log_above(value, 4))
    return np.where(epsilon < 0, reflected(value, -size), value)


def least_errors(event: Event, alpha: Floats) -> Floats:
    """By the best of the portfolio's routes at every alpha."""
    values = [curve(alpha) for curve in _tradeoffs(event)]
    return np.asarray(np.max([*values, np.zeros(alpha.shape)], axis=0))


def raised(event: Event, alpha: Floats, beta: Floats) -> Floats:
    """The type II errors, or more where a route of the portfolio says so."""
    for curve in _tradeoffs(event):
        beta = greater_error(beta, alpha, curve)
    return beta


def _tradeoffs(event: Event) -> Iterator[Curve]:
    """The type II error at any alpha by every route, failures included."""
    portfolio = beside_engine(event)
    failure = float(portfolio.failure[0])
    routes = direct_tradeoffs if _told_by_formulas(event) else tradeoff_candidates
    for candidate in routes(portfolio):
        yield partial(_beside_failure, curve=candidate.curve, failure=failure)


def _beside_failure(alpha: Floats, curve: Curve, failure: float) -> Floats:
    if not failure:
        return np.asarray(curve(alpha), dtype=float)
    inner = np.minimum(up(alpha / (1 - failure), 2) if failure < 1 else 1.0, 1.0)
    best = np.asarray(curve(np.where(alpha == 0, 0.0, inner)), dtype=float)
    return np.asarray(beta_below(best * (1 - failure), 2))
