"""Points of curves with their proofs: epsilons, deltas, and the errors of tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tightrope._errors import NotReachable
from tightrope._wire import shown, shown_down
from tightrope.events import Event
from tightrope.notions import ApproxDP
from tightrope.plan import answers, to, tradeoff, why
from tightrope.plan.derivation import Step
from tightrope.plan.exact.answers import origin
from tightrope.plan.exact.tradeoff import curve_engine
from tightrope.plan.meaning import percent_at_most
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.candidates import tradeoff_candidates
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.reporting.library import Library
from tightrope.reporting.record import Number
from tightrope.theorems.structure import parallel_one_part

SAME = 1e-9
"""Relative gap within which a formula is what gives a trade-off point."""


def proved_delta(event: Event, epsilon: float) -> tuple[float, Step]:
    """The least delta at ``epsilon``, and the step that proves it."""
    try:
        found = to(event, ApproxDP, epsilon=epsilon)
    except NotReachable:
        return 1.0, Step("a probability is at most 1", None)
    return float(found.delta), first_step(found)


def first_step(guarantee: Any) -> Step:
    """The last step of the derivation of a guarantee."""
    step: Step = why(guarantee).steps[0]
    return step


def epsilon_number(event: Event, delta: Any, library: Library) -> Number | None:
    """The least epsilon at ``delta``, if there is one."""
    try:
        found = to(event, ApproxDP, delta=delta)
    except NotReachable:
        return None
    epsilon = float(found.epsilon)
    return Number(shown(epsilon), repr(epsilon), library.cite_last(first_step(found)))


def advantage_number(event: Event, library: Library) -> Number:
    """The largest advantage of an attacker, as a percentage."""
    value, step = proved_delta(event, 0.0)
    return Number(percent_at_most(value), repr(value), library.cite_last(step))


def power_numbers(event: Event, rates: Sequence[float], library: Library) -> Iterator[Number]:
    """The largest true positive rates at false positive rates, as percentages."""
    betas, powers = answers.errors(event, np.asarray(rates))
    for rate, beta, power in zip(rates, betas.tolist(), powers.tolist(), strict=True):
        source = library.cite_last(error_step(event, rate, beta))
        yield Number(percent_at_most(power), repr(power), source)


def error_numbers(event: Event, rates: Sequence[float], library: Library) -> Iterator[Number]:
    """The least type II errors at type I errors."""
    betas = answers.errors(event, np.asarray(rates))[0]
    for rate, beta in zip(rates, betas.tolist(), strict=True):
        source = library.cite_last(error_step(event, rate, beta))
        yield Number(shown_down(beta), repr(beta), source)


def error_step(event: Event, rate: float, beta: float) -> Step:
    """The step that proves the type II error ``beta`` at type I error ``rate``."""
    parts = fixed_parts(event)
    if parts:
        worst = min(parts, key=lambda part: float(tradeoff(part, rate)))
        step = error_step(worst, rate, beta)
        return Step(step.claim, parallel_one_part, ((1, step),), "this part is the worst")
    words = f"type II error of at least {shown_down(beta)} at type I error {rate:g}"
    proof = _proof_of_error(event, rate, beta)
    return Step(words, proof.theorem, proof.sources, proof.note) if proof else Step(words)


def _proof_of_error(event: Event, rate: float, beta: float) -> Step | None:
    """By the composed pairs where they are what is known best, else by the best formula."""
    profile = curve_engine(event)
    if profile is not None and profile.attained:
        return origin(event, profile, 0.0)(0)
    routes = tradeoff_candidates(portfolio_of(event))
    heights = [float(route.curve(np.asarray(rate))) for route in routes]
    best = max(heights, default=0.0)
    if profile is not None and best < beta * (1 - SAME):
        return origin(event, profile, 0.0)(0)
    return routes[heights.index(best)].origin(0) if routes else None
