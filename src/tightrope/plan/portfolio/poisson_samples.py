"""Portfolios of Poisson samples: what sampling improves, and what it leaves as it is."""

from __future__ import annotations

from functools import partial

import numpy as np

from tightrope.events import Sampled
from tightrope.events.walk import leaves
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import PureDP
from tightrope.num.arrays import Floats
from tightrope.num.rounding import float_up, up
from tightrope.plan.derivation import PROFILE, after
from tightrope.plan.portfolio.candidates import profile_candidates
from tightrope.plan.portfolio.composition import add_curve
from tightrope.plan.portfolio.grouping import offer_from
from tightrope.plan.portfolio.leaves import with_straight_curves
from tightrope.plan.portfolio.portfolio import SCALARS, Candidate, Portfolio
from tightrope.plan.portfolio.tree import planned, portfolio_of
from tightrope.theorems.amplify import sample_profile
from tightrope.theorems.registry import named, theorems
from tightrope.theorems.sampled_curve import SampledCurve
from tightrope.theorems.subsampled_gaussian.curve import SampledGaussian

NOTHING_GAINED = (
    "the rate gains nothing here: a guarantee for replacing a unit, or a local report, does not "
    "say what is seen when the unit is not in the sample"
)


@planned.register
def _sampled(event: Sampled) -> Portfolio:
    child, rate = portfolio_of(event.event), float_up(event.rate)
    hidden = amplifies(event)
    failing = child.failure[0] > 0
    lessened = amplified_failure(child, rate) if hidden else None
    whole = Portfolio(1, child.failure if lessened is None else lessened)
    kept = SCALARS if lessened is None else (PureDP,)
    note = f"rate = {event.rate}" if hidden else NOTHING_GAINED
    for rule in theorems("sampling"):
        if rule.source in kept and rule.source in child.values:
            used = rate if hidden or rule.source is not PureDP else 1.0
            values = rule(*child.values[rule.source], used)
            offer_from(whole, rule, values, child, note)
    whole.close()
    if hidden and not failing:
        _amplify_profiles(whole, child, rate)
    _sampled_curve(whole, event, child)
    return whole


def amplifies(event: Sampled) -> bool:
    """Whether leaving the sample hides the unit.

    It does when the relation is about being there at all. Under replace-one, and for a local
    randomiser (whose missing report would be seen), only joint convexity is left.
    """
    local = any(isinstance(leaf, Mechanism) and leaf.local for leaf in leaves(event.event))
    return event.neighbors.kind == "add_or_remove" and not local


def amplified_failure(child: Portfolio, rate: float) -> Floats | None:
    """The failure of a sample, beside which pure DP alone is known; None if nothing lessens it."""
    if not child.failure[0] > 0 or child.numbers(PureDP) is None:
        return None
    return np.minimum(child.failure, up(child.failure * rate))


def _amplify_profiles(whole: Portfolio, child: Portfolio, rate: float) -> None:
    if rate == 0:
        return
    rule = named("sample_profile")
    for inner in profile_candidates(child):
        profile = partial(sample_profile, rate=rate, log_delta=inner.curve)
        whole.profiles.append(Candidate(profile, after(inner.origin, rule, PROFILE)))


def _sampled_curve(whole: Portfolio, event: Sampled, child: Portfolio) -> None:
    with_straight_curves(whole)
    if child.curve is not None and not child.straight:
        add_curve(whole, child.curve([1]))
    inside, rate = event.event, float_up(event.rate)
    if isinstance(inside, Gaussian) and amplifies(event):
        add_curve(whole, SampledGaussian(inside.strength()[1], rate))
    elif amplifies(event) and child.curve is not None and 0 < event.rate < 1:
        add_curve(whole, SampledCurve(child.curve([1]), rate))
