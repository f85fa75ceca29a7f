"""Candidates: every route from a portfolio to a privacy profile or a trade-off curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from tightrope.notions import GDP, ZCDP, LogisticDP, Profile, PureDP
from tightrope.plan.derivation import PROFILE, TRADEOFF, Step, after
from tightrope.plan.portfolio.portfolio import Candidate, Portfolio, route
from tightrope.theorems.into_profile_by_orders import curve_epsilon, zcdp_epsilon
from tightrope.theorems.registry import named
from tightrope.theorems.rough_profile import rough_log_delta

LogDelta = Callable[[Any], Any]
"""From epsilon to log delta."""

_PROFILES: dict[type, str] = {
    PureDP: "pure_profile",
    LogisticDP: "logistic_profile",
    GDP: "gaussian_profile",
    ZCDP: "zcdp_profile",
}
_TRADEOFFS: dict[type, str] = {
    PureDP: "pure_tradeoff",
    LogisticDP: "logistic_tradeoff",
    GDP: "gaussian_tradeoff",
    ZCDP: "zcdp_tradeoff",
}


def profile_candidates(portfolio: Portfolio) -> list[Candidate]:
    """Every route to log delta at epsilon >= 0, on what is left beside failures."""
    routes = list(portfolio.profiles) + _scalar_routes(portfolio, _PROFILES)
    return routes + _renyi_route(portfolio, "renyi_profile", PROFILE)


def direct_profiles(portfolio: Portfolio) -> list[Candidate]:
    """The routes by a formula, which take no search over orders."""
    formulas = {notion: name for notion, name in _PROFILES.items() if notion is not ZCDP}
    return list(portfolio.profiles) + _scalar_routes(portfolio, formulas)


def least_profile(curves: Iterable[LogDelta]) -> LogDelta:
    """The pointwise least of several profiles; 0, the log of 1, beside them."""
    known = tuple(curves)

    def least(epsilon: Any) -> Any:
        values = [np.asarray(curve(epsilon), dtype=float) for curve in known]
        return np.min([*values, np.zeros(np.shape(epsilon))], axis=0)

    return least


def tradeoff_candidates(portfolio: Portfolio) -> list[Candidate]:
    """Every route to the type II error at alpha, on what is left beside failures."""
    routes = list(portfolio.tradeoffs)
    routes += _scalar_routes(portfolio, _TRADEOFFS)
    return routes + _renyi_route(portfolio, "renyi_tradeoff", TRADEOFF)


def direct_tradeoffs(portfolio: Portfolio) -> list[Candidate]:
    """The routes by a formula, which take no search over orders."""
    formulas = {notion: name for notion, name in _TRADEOFFS.items() if notion is not ZCDP}
    return list(portfolio.tradeoffs) + _scalar_routes(portfolio, formulas)


def _scalar_routes(portfolio: Portfolio, names: dict[type, str]) -> list[Candidate]:
    routes = []
    for notion, name in names.items():
        numbers = portfolio.numbers(notion)
        if numbers is not None:
            routes.append(route(named(name), numbers, portfolio.origins[notion]))
            if name == "zcdp_profile":
                line = partial(zcdp_epsilon, rho=numbers[0], xi=numbers[1])
                routes[-1] = routes[-1]._replace(solve=line)
    return routes


def _renyi_route(portfolio: Portfolio, name: str, what: str) -> list[Candidate]:
    if portfolio.curve is None or (portfolio.straight and portfolio.numbers(ZCDP) is not None):
        return []
    curve = portfolio.curve([1])
    theorem = named(name)

    def sums(_: int) -> Step:
        known = tuple((1, step(0)) for notion, step in portfolio.origins.items() if notion is ZCDP)
        return Step("a Renyi curve, the sum of those of the parts", named("compose_rdp"), known)

    found = Candidate(lambda x: theorem(x, curve), after(sums, theorem, what))
    if theorem.target is not Profile:
        return [found]
    rough = partial(rough_log_delta, curve)
    return [found._replace(solve=partial(curve_epsilon, curve=curve), rough=rough)]
