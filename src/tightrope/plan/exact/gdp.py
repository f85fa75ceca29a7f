"""The least mu of an event that the exact engine can prove, and its derivation."""

from __future__ import annotations

import math

from tightrope._wire import shown_down
from tightrope.events import Event
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.mu.tight_mu import MuInterval, gdp_interval
from tightrope.loss.pair_profile import PairProfile
from tightrope.notions import GDP, ZCDP
from tightrope.plan.derivation import Step, claim
from tightrope.plan.exact.answers import engine, origin
from tightrope.plan.gaussian_floor import gaussian_floor
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.plan.remembered import remembered
from tightrope.theorems.registry import named

FLAT = 12.0
"""Beyond this mu delta is 1 at small epsilons, up to rounding, and its tests cannot be told."""

MOST_COST = 50.0
"""Exponentials a node of one kind of loss beyond which nothing is tried that is flat."""

REACHED = 1e-9
"""Relative distance from a floor within which no smaller mu is looked for."""


@remembered
def tight_gdp(event: Event) -> MuInterval | None:
    """Bounds on the least mu of the pairs that dominate the event; None if they are not known.

    Of disjoint parts each has its own.
    """
    profile = engine(event)
    if profile is None or fixed_parts(event):
        return None
    floor, portfolio = gaussian_floor(event), portfolio_of(event)
    (known,) = portfolio.numbers(GDP) or (math.inf,)
    if known <= floor * (1 + REACHED) or (floor > FLAT and _costly(profile)):
        return MuInterval(floor, known)
    rho, xi = portfolio.numbers(ZCDP) or (math.inf, 0.0)
    start = floor if profile.attained else 0.0
    every = [gdp_interval(one, rho, xi, start) for one in (profile, *profile.rivals)]
    return MuInterval(min(found.lower for found in every), min(found.upper for found in every))


def _costly(profile: PairProfile) -> bool:
    """Whether a node takes so long that a try without hope is not worth it."""
    losses = (loss for order, _ in profile.orders for loss in order.total.losses)
    return any(loss.cost > MOST_COST for loss in losses if not isinstance(loss, FiniteLoss))


def gdp_step(event: Event, mu: float) -> Step:
    """The last step to a mu that the engine has proved."""
    profile = engine(event)
    assert profile is not None
    source = origin(event, profile, 0.0)(0)
    rule = named("tight_mu_of_composition")
    return Step(claim(GDP, (mu,)), rule, ((1, source),), "chords, a chain of exponents, the tail")


def unproved(event: Event, mu: float) -> str:
    """Why the composed pairs did not lead to less, in words; nothing if less cannot hold."""
    found = tight_gdp(event)
    if found is None or not found.lower * (1 + 2 * REACHED) < mu <= found.upper:
        return ""
    flat = ", as delta is 1 but for rounding at small epsilons" if found.lower > FLAT else ""
    needed = shown_down(found.lower, 6)
    return f"of the composed pairs no less than that was proved{flat}; {needed} is needed"
