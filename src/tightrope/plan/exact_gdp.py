"""The least mu of an event that the exact engine can prove, and its derivation."""

from __future__ import annotations

import math

from tightrope.events import Event
from tightrope.loss.mu.tight_mu import Bounds, gdp_interval
from tightrope.notions import GDP, ZCDP
from tightrope.plan.derivation import Step, claim
from tightrope.plan.exact_answers import engine, origin
from tightrope.plan.tree import portfolio_of
from tightrope.theorems.registry import named

REACHED = 1e-9
"""Relative distance from a floor within which no smaller mu is looked for."""


def tight_gdp(event: Event, floor: float) -> Bounds | None:
    """Bounds on the least mu of the pairs that dominate the event; None if they are not known.

    Args:
        event: what was run.
        floor: no smaller mu holds, as is known otherwise.
    """
    if "_tight_mu" not in event.__dict__:
        object.__setattr__(event, "_tight_mu", _bounds(event, floor))
    found: Bounds | None = event.__dict__["_tight_mu"]
    return found


def _bounds(event: Event, floor: float) -> Bounds | None:
    profile = engine(event)
    if profile is None:
        return None
    portfolio = portfolio_of(event)
    (known,) = portfolio.numbers(GDP) or (math.inf,)
    if known <= floor * (1 + REACHED):
        return Bounds(floor, known)
    rho, xi = portfolio.numbers(ZCDP) or (math.inf, 0.0)
    return gdp_interval(profile, rho, xi, floor if profile.attained else 0.0)


def gdp_step(event: Event, mu: float) -> Step:
    """The last step to a mu that the engine has proved."""
    profile = engine(event)
    assert profile is not None
    source = origin(event, profile, 0.0)(0)
    rule = named("tight_mu_of_composition")
    return Step(claim(GDP, (mu,)), rule, ((1, source),), "chords, a chain of exponents, the tail")
