"""Answers of the exact engine about tests: trade-off curves, and the intervals behind them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from tightrope.events import Event, Sampled
from tightrope.loss.curve.chords import TypeTwoBounds
from tightrope.loss.curve.tradeoff import tradeoff
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.notions import GDP
from tightrope.num.arrays import Floats
from tightrope.num.normal import cdf, quantile
from tightrope.num.rounding import EPS, float_up
from tightrope.plan.exact.answers import has_formula
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.portfolio.poisson_samples import amplifies
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.amplify import sample_profile, sample_tradeoff
from tightrope.theorems.into_profile import gaussian_profile
from tightrope.theorems.into_tradeoff import gaussian_tradeoff

SMALLEST = 5e-324
"""The least positive double: what rounds to 0 is below it."""

BLURRED = 1e-8
"""Width of an interval beyond which formulas may know better."""


MOST_REMEMBERED = 16
"""Questions about tests whose answers are kept."""

FEW = 4
"""Alphas that are asked one by one; the more are asked at once, the less work each is worth."""


def tested(profile: PairProfile, alpha: Floats) -> TypeTwoBounds:
    """Bounds on the least type II error at alphas of any shape; the same whenever asked again.

    Few alphas are asked one by one, so that each is told what it is told alone.
    """
    if 1 < alpha.size <= FEW:
        alone = [tested(profile, one) for one in alpha.reshape(-1, 1)]
        columns = (np.concatenate(ends) for ends in zip(*alone, strict=True))
        return TypeTwoBounds(*(end.reshape(alpha.shape) for end in columns))
    told, key = profile.told, (alpha.shape, alpha.tobytes())
    if key not in told:
        if len(told) >= MOST_REMEMBERED:
            told.clear()
        told[key] = _tested(profile, alpha)
    return told[key]


def _tested(profile: PairProfile, alpha: Floats) -> TypeTwoBounds:
    every = [tradeoff(one, alpha.ravel()) for one in (profile, *profile.rivals)]
    lower, upper, power = (np.array(ends) for ends in zip(*every, strict=True))
    best = (lower.max(axis=0), upper.max(axis=0), power.min(axis=0))
    return TypeTwoBounds(*(end.reshape(alpha.shape) for end in best))


def curve_engine(event: Event) -> PairProfile | None:
    """The exact profile, where no formula gives the trade-off curve of its pairs."""
    return None if has_formula(event) else exact_profile(event)


def closed_curve(event: Event) -> Callable[[Floats], Floats] | None:
    """The trade-off curve of Gaussians composed, or of a sample of them, by its formula."""
    profile = exact_profile(event)
    if profile is None or not profile.attained:
        return None
    if isinstance(event, Sampled) and event.rate > 0 and amplifies(event):
        inside = closed_curve(event.event)
        rate = float_up(event.rate)
        return inside and partial(sample_tradeoff, rate=rate, curve=inside)
    known = portfolio_of(event).numbers(GDP) if _gaussian(profile) else None
    return partial(gaussian_tradeoff, mu=known[0]) if known else None


def closed_power(event: Event, alpha: Floats) -> Floats:
    """The greatest power of a test of Gaussians composed, to a relative accuracy; else 1."""
    if isinstance(event, Sampled) or closed_curve(event) is None:
        return np.ones_like(alpha)
    (mu,) = portfolio_of(event).numbers(GDP) or (0.0,)
    start = np.asarray(quantile(alpha))
    inside = (alpha > 0) & (alpha < 1)
    with np.errstate(invalid="ignore", over="ignore"):
        end = start + mu
        error = 8 + 4 * (np.abs(end) + 1) * (np.abs(start) + mu)
        power = np.asarray(cdf(end)) * (1 + EPS * error) + SMALLEST
    return np.where(inside, np.minimum(power, 1.0), alpha)


def closed_profile(event: Event) -> Callable[[Floats], Floats] | None:
    """log delta at epsilon >= 0 of Gaussians composed, or of a sample of them, by its formula."""
    if closed_curve(event) is None:
        return None
    if isinstance(event, Sampled) and event.rate > 0 and amplifies(event):
        inside = closed_profile(event.event)
        return inside and partial(sample_profile, rate=float_up(event.rate), log_delta=inside)
    return partial(gaussian_profile, mu=(portfolio_of(event).numbers(GDP) or (0.0,))[0])


def _gaussian(profile: PairProfile) -> bool:
    """Whether nothing but Gaussian noise was composed."""
    losses = [loss for order, _ in profile.orders for loss in order.total.losses]
    return all(isinstance(loss, GaussianLoss) for loss in losses)
