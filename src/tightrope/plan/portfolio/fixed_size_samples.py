"""Portfolios of samples of a fixed or bounded size, and of shuffled reports."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tightrope.events import (
    FixedSize,
    Sampled,
    Shuffled,
    TruncatedSample,
    WithoutReplacement,
    WithReplacement,
)
from tightrope.loss.sampling.schemes import copies, full_batch
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.notions import BoundedRange, PureDP
from tightrope.num.rounding import float_up, up
from tightrope.plan.derivation import PROFILE, Step, after, claim
from tightrope.plan.portfolio.candidates import LogDelta, least_profile, profile_candidates
from tightrope.plan.portfolio.composition import add_curve
from tightrope.plan.portfolio.leaves import with_straight_curves
from tightrope.plan.portfolio.poisson_samples import amplified_failure, amplifies
from tightrope.plan.portfolio.portfolio import SCALARS, Candidate, Portfolio
from tightrope.plan.portfolio.structure import relabelled
from tightrope.plan.portfolio.tree import planned, portfolio_of
from tightrope.theorems.amplify import sample_profile, sample_pure
from tightrope.theorems.outward import log_above, product_up
from tightrope.theorems.registry import Theorem, named
from tightrope.theorems.structure import (
    draws_with_replacement,
    fixed_size_sample,
    shuffled_reports,
    truncated_sample,
)
from tightrope.theorems.subsampled_gaussian.curve import SampledGaussian


@planned.register
def _without_replacement(event: WithoutReplacement) -> Portfolio:
    rate = float_up(Fraction(event.batch_size, event.population))
    whole = _on_batch(portfolio_of(event.event), rate, fixed_size_sample, _told(event))
    inside = event.event
    if isinstance(inside, Gaussian) and event.neighbors.kind == "add_or_remove":
        add_curve(whole, SampledGaussian(inside.strength()[1], rate))
    return whole


@planned.register
def _with_replacement(event: WithReplacement) -> Portfolio:
    child, rule = portfolio_of(event.event), draws_with_replacement
    whole = _draw_by_draw(event, child)
    if whole.failure[0] > 0:
        return with_straight_curves(whole)
    profile = _drawn_profile(event)
    if profile is not None:
        whole.profiles.append(Candidate(profile, _from_profile(child, rule, _told(event))))
    return with_straight_curves(whole)


def _draw_by_draw(event: WithReplacement, child: Portfolio) -> Portfolio:
    """A chain of one step a draw, in which the unit has weight 1/population."""
    pure, failure = child.numbers(PureDP), float(child.failure[0])
    if pure is None:
        return Portfolio(1, np.full(1, float(failure > 0)))
    one = float(sample_pure(np.array(pure), float_up(Fraction(1, event.population)))[0])
    lost = 0.0
    if failure:
        draw = up(failure / event.population)
        lost = float(np.ravel(named("group_approx")(one, draw, event.batch_size)[1])[0])
    whole = Portfolio(1, np.full(1, lost))
    value = product_up(float(event.batch_size), one)
    _offer(whole, PureDP, (value,), child, draws_with_replacement, _told(event))
    return whole.close()


@planned.register
def _truncated(event: TruncatedSample) -> Portfolio:
    poisson = Sampled(event.event, event.rate)
    if not amplifies(poisson):
        return portfolio_of(poisson)
    child, pair = portfolio_of(event.event), portfolio_of(event.event.group(2))
    rate = float_up(event.rate)
    note = f"rate = {event.rate}, at most {event.max_batch} of {event.population}"
    whole = _on_batch(pair, rate, truncated_sample, note)
    if not pair.failure[0] and 0 < rate < 1:
        cut = full_batch(rate, event.max_batch, event.population)
        inner = partial(_mean, weights=(1.0, cut), profiles=(_best(child), _best(pair)))
        profile = partial(sample_profile, rate=rate, log_delta=inner)
        whole.profiles.append(Candidate(profile, _from_profile(child, truncated_sample, note)))
    return whole


@planned.register
def _shuffled(event: Shuffled) -> Portfolio:
    note = f"{event.reports} reports"
    return relabelled(portfolio_of(event.event), shuffled_reports, note)


def _on_batch(child: Portfolio, rate: float, rule: Theorem, note: str) -> Portfolio:
    """What a batch hides: amplified pure DP and profiles, all else as it is.

    Mixing over batches mixes the intervals of bounded range, so that is lost.
    """
    failing, lessened = bool(child.failure[0] > 0), amplified_failure(child, rate)
    whole = Portfolio(1, child.failure if lessened is None else lessened)
    for notion in SCALARS if lessened is None else (PureDP,):
        if notion in child.values and notion is not BoundedRange:
            columns = child.values[notion]
            values = (sample_pure(columns[0], rate),) if notion is PureDP else columns
            _offer(whole, notion, values, child, rule, note)
    whole.close()
    if not failing:
        for inner in profile_candidates(child):
            profile = partial(sample_profile, rate=rate, log_delta=inner.curve)
            whole.profiles.append(Candidate(profile, after(inner.origin, rule, PROFILE, note)))
    with_straight_curves(whole)
    if child.curve is not None and not child.straight and not failing:
        add_curve(whole, child.curve([1]))
    return whole


def _offer(  # noqa: PLR0913
    whole: Portfolio, notion: type, values: Any, child: Portfolio, rule: Theorem, note: str
) -> None:
    numbers = tuple(float(np.ravel(value)[0]) for value in values)
    source = partial(child.step, notion)
    whole.offer(notion, tuple(values), after(source, rule, claim(notion, numbers), note))


def _told(event: FixedSize) -> str:
    return f"batch = {event.batch_size}, population = {event.population}"


# --- profiles that mix others -----------------------------------------------------------------


def _drawn_profile(event: WithReplacement) -> LogDelta | None:
    """The mean of the profiles of groups, by the number of copies of one unit."""
    law = copies(event.batch_size, event.population)
    if law is None:
        return None
    weights, rare = law
    some = up(float(weights[1:].sum()) + rare, 64)
    groups = [_best(portfolio_of(event.event.group(k))) for k in range(1, len(weights))]
    inner = partial(
        _mean,
        weights=(*(weights[1:] / some), rare / some),
        profiles=(*groups, lambda epsilon: np.zeros(np.shape(epsilon))),
    )
    return partial(sample_profile, rate=min(some, 1.0), log_delta=inner)


def _best(portfolio: Portfolio) -> LogDelta:
    """The least of all routes at every epsilon >= 0."""
    return least_profile(route.curve for route in profile_candidates(portfolio))


def _mean(epsilon: Any, weights: tuple[float, ...], profiles: tuple[LogDelta, ...]) -> Any:
    """log of a weighted sum of profiles, rounded up."""
    terms = [
        np.log(weight) + np.asarray(profile(epsilon))
        for weight, profile in zip(weights, profiles, strict=True)
        if weight > 0
    ]
    return log_above(np.logaddexp.reduce(terms, axis=0), 64)


def _from_profile(child: Portfolio, rule: Theorem, note: str) -> Callable[[int], Step]:
    """One more step after the first route of the child; groups have routes of their own."""
    routes = profile_candidates(child)
    return lambda i: Step(PROFILE, rule, tuple((1, r.origin(i)) for r in routes[:1]), note)
