"""Answers of the exact engine: upper ends that are reported, and the intervals behind them."""

from __future__ import annotations

import math

import numpy as np

from tightrope.events import Composed, Event, Sampled, spelled
from tightrope.events.leaf import Leaf
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions.curves import CurveGuarantee
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS
from tightrope.plan.derivation import Origin, Step
from tightrope.plan.exact.leaves import dominating
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.remembered import remembered
from tightrope.theorems.registry import named


@remembered
def engine(event: Event) -> PairProfile | None:
    """The exact profile, where it says more than a formula does.

    A single release, and Gaussians composed, have closed forms that are as sharp and quicker.
    """
    if _single(event):
        return None
    profile = exact_profile(event)
    if profile is None or all(_closed(order.total.losses) for order, _ in profile.orders):
        return None
    return profile


def _single(event: Event) -> bool:
    """One release with a closed form, perhaps beside others that leak nothing."""
    if isinstance(event, Sampled):
        return _single(event.event) and not _directed(event.event)
    if not isinstance(event, Composed):
        return has_formula(event)
    parts = [(part, count) for part, count in event.counts.items() if not _nothing(part)]
    return len(parts) == 1 and parts[0][1] == 1 and _single(parts[0][0])


def has_formula(event: Event) -> bool:
    """Whether the event is one release whose curves the theorems give as sharply as its pair."""
    if isinstance(event, CurveGuarantee) and event.event is not None:
        return _single(event.event)
    if isinstance(event, Mechanism) and not event.has_exact_profile:
        return event.alternatives() is None
    return isinstance(event, Leaf)


def _directed(event: Event) -> bool:
    """Whether the two orders of its pair differ, and so those of a sample of it."""
    pair = dominating(event)
    return pair is not None and len(pair.orders) > 1


def _nothing(event: Event) -> bool:
    if not isinstance(event, Leaf):
        return False
    pair = dominating(event)
    return pair is not None and not any(total.losses for total in pair.orders)


def _closed(losses: tuple[object, ...]) -> bool:
    return all(isinstance(loss, GaussianLoss) for loss in losses)


def log_delta_upper(profile: PairProfile, epsilon: Floats) -> Floats:
    """Upper bounds on log delta at every real epsilon, of any shape."""
    if not epsilon.size:
        return np.zeros(epsilon.shape)
    return profile.log_delta(epsilon.ravel()).upper.reshape(epsilon.shape)


def epsilon_ends(profile: PairProfile, delta: float) -> tuple[float, float]:
    """Bounds on the least epsilon >= 0 at a delta in [0, 1), the lower one also just above."""
    if delta == 0:
        return _largest_loss(profile)
    log = math.log(delta)
    return profile.epsilon(log - 2 * EPS * (1 + abs(log)))


def _largest_loss(profile: PairProfile) -> tuple[float, float]:
    """At delta = 0: the largest loss of all, infinite if one can be."""
    totals = [order.total for order, _ in profile.orders]
    if any(total.escape for total in totals):
        return math.inf, math.inf
    highest = max(total.highest for total in totals)
    return highest * (1 - 1e-12), highest


def origin(event: Event, profile: PairProfile, epsilon: float) -> Origin:
    """The derivation step of a number that the engine gives near ``epsilon``."""
    parts = event.counts.items() if isinstance(event, Composed) else [(event, 1)]
    sources = tuple((count, Step(spelled(part))) for part, count in parts)
    kind = "ranges" if profile.rivals else "attained" if profile.attained else "cover"
    theorem = named(f"exact_composition_{kind}")
    name = "the privacy profile of the composed pairs"
    return lambda _: Step(name, theorem, sources, profile.method(epsilon))
