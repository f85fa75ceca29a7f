"""Points of curves, proved: a delta at an epsilon, a type II error at a type I error."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope.certifying.derivable import derivable
from tightrope.certifying.lattices import MOST_LATTICES
from tightrope.certifying.proof import Proof
from tightrope.certifying.subjects import NotCertified
from tightrope.certifying.wire import exact
from tightrope.events import (
    Event,
    Parallel,
    PostProcessed,
    Sampled,
    WithoutReplacement,
)
from tightrope.notions import ApproxDP, PureDP, TradeOff
from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import float_down, float_up, up
from tightrope.plan import answers, delta_interval, epsilon_interval
from tightrope.plan.derivation import Conclusion, Step
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.candidates import profile_candidates
from tightrope.plan.portfolio.portfolio import Candidate
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import named

NARROW = 1e-7
"""Relative width of an interval beyond which only its upper end is told."""

DUST = 1e-13
"""Next to the end of a profile a lower end of delta is no more than rounding."""

DIGITS = 60
"""Digits of the points between two theorems, of which nothing is told but that they fit."""

COARSEST = 1e-3
"""Distance from the corner of a profile within which grids of those lines may have meant it."""

ROUNDS = 9
POINTS = 9
"""Rounds, and points a round, in which the best line through a trade-off curve is looked for."""


def prove_epsilon(proof: Proof, event: Event, delta: float) -> tuple[str, float]:
    """The step that proves the least epsilon at ``delta``, and that epsilon."""
    parts = fixed_parts(event)
    if parts:
        found = [prove_epsilon(proof, part, delta) for part in parts]
        worst = max(epsilon for _, epsilon in found)
        return _worst(proof, event, [step for step, _ in found], (worst, delta)), worst
    if derivable(event):
        epsilon, route = answers.best_epsilon(event, delta)
    else:
        epsilon, route = answers.epsilon_by_theorems(event, delta)
    if route is None or not 0 < epsilon < math.inf:
        raise NotCertified(f"no epsilon above 0 is known at delta = {delta!r}")
    step = route.origin(0)
    ends = ("epsilon", epsilon_interval(event, delta)) if _by_engine(step) else None
    return _point(proof, event, step, (epsilon, delta), ends), epsilon


def prove_delta(proof: Proof, event: Event, epsilon: float) -> tuple[str, float]:
    """The step that proves the least delta at ``epsilon``, and that delta."""
    parts = fixed_parts(event)
    if parts:
        found = [prove_delta(proof, part, epsilon) for part in parts]
        worst = max(delta for _, delta in found)
        return _worst(proof, event, [step for step, _ in found], (epsilon, worst)), worst
    delta, route = _best_delta(event, epsilon)
    if route is None or delta >= 1:
        raise NotCertified(f"no delta is known at epsilon = {epsilon!r}")
    step = route.origin(0)
    ends = ("delta", delta_interval(event, epsilon)) if _by_engine(step) else None
    return _point(proof, event, step, (epsilon, delta), ends), delta


def _best_delta(event: Event, epsilon: float) -> tuple[float, Candidate | None]:
    """The least delta, and its route, by what can be derived again."""
    if derivable(event):
        return answers.best_delta(event, epsilon)
    routes = profile_candidates(portfolio_of(event))
    route = min(routes, key=lambda one: float(one.curve(epsilon)), default=None)
    return (1.0, None) if route is None else (up(math.exp(float(route.curve(epsilon))), 2), route)


def prove_power(proof: Proof, event: Event, rate: float) -> tuple[str, float]:
    """The step that proves the least type II error at a false positive rate, and that error.

    A trade-off curve is the envelope of the lines that (epsilon, delta)-DP draws, so one of
    them, at the best epsilon, says all that there is to say about one rate.
    """
    prove_delta(proof, event, 0.0)  # refused at once, where points of the profile are
    epsilon, reversed_line = _best_line(event, rate)
    source, delta = prove_delta(proof, event, epsilon)
    room = (1 - Fraction(delta)) - Fraction(rate) if reversed_line else 1 - Fraction(delta)
    with localcontext() as context:
        context.prec = DIGITS
        power = Decimal(epsilon).exp()
        error = _decimal(room) / power if reversed_line else _decimal(room) - _decimal(rate) * power
    beta = max(0.0, float_down(Fraction(error) * (1 - Fraction(1, 10**40))))
    rule = named("approx_tradeoff")
    values = {"alpha": exact(rate), "beta": exact(beta)}
    return proof.enter_named(event, rule, [(source, 1)], TradeOff, values), beta


def _best_line(event: Event, rate: float) -> tuple[float, bool]:
    """The epsilon of the line that is highest at a rate, and whether it is the mirrored one.

    If the curve is not steeper than -1 there, the mirrored lines are the higher ones.
    """
    plain = _highest(event, rate, mirrored=False)
    mirrored = not plain > 0
    best = _highest(event, rate, mirrored=True) if mirrored else plain
    numbers = portfolio_of(event).numbers(PureDP)
    if numbers is None or not abs(float(numbers[0]) - best) <= COARSEST:
        return best, mirrored
    corner = float(numbers[0])  # of the profile, which grids meet nearly only
    deltas = [_best_delta_of_parts(event, epsilon) for epsilon in (best, corner)]
    heights = _heights(np.array([best, corner]), np.array(deltas), rate, mirrored=mirrored)
    return (corner if heights[1] > heights[0] else best), mirrored


def _heights(
    epsilons: FloatArray, deltas: FloatArray, rate: float, *, mirrored: bool
) -> FloatArray:
    """Of the lines of (epsilon, delta)-DP at a rate."""
    rest = 1 - deltas
    return np.exp(-epsilons) * (rest - rate) if mirrored else rest - np.exp(epsilons) * rate


def _highest(event: Event, rate: float, *, mirrored: bool) -> float:
    """By ever finer grids, after the first on the route that was best there."""
    low, high = 0.0, max(1.0, -math.log(rate))
    route, best = None, 0.0
    for _ in range(ROUNDS):
        epsilons = np.linspace(low, high, POINTS)
        if route is None:
            deltas = np.asarray([_best_delta_of_parts(event, float(e)) for e in epsilons])
        else:
            deltas = np.exp(np.asarray(route.curve(epsilons), dtype=float))
        place = int(np.argmax(_heights(epsilons, deltas, rate, mirrored=mirrored)))
        best = float(epsilons[place])
        low, high = epsilons[max(place - 1, 0)], epsilons[min(place + 1, POINTS - 1)]
        if route is None:
            route = _best_delta(_worst_part(event, best), best)[1]
    return best


def _best_delta_of_parts(event: Event, epsilon: float) -> float:
    return max(_best_delta(part, epsilon)[0] for part in fixed_parts(event) or (event,))


def _worst_part(event: Event, epsilon: float) -> Event:
    return max(fixed_parts(event) or (event,), key=lambda part: _best_delta(part, epsilon)[0])


def _worst(proof: Proof, event: Event, steps: list[str], point: tuple[float, float]) -> str:
    inputs = [(step, 1) for step in steps]
    while isinstance(event, PostProcessed):
        event = event.event
    assert isinstance(event, Parallel)
    return proof.enter(event, named("parallel_one_part"), inputs, ApproxDP, point)


def _point(
    proof: Proof,
    event: Event,
    step: Step,
    point: tuple[Any, Any],
    interval: tuple[str, tuple[Any, Any]] | None = None,
) -> str:
    """The step that proves one point of a privacy profile."""
    rule = step.theorem
    if rule is None or (portfolio_of(event).failure[0] > 0 and not _by_engine(step)):
        raise NotCertified("a route beside failures is not certified yet")
    if _by_engine(step):
        told: dict[str, Any] = {"method": step.note}
        if interval is not None and _is_told(*interval[1]):
            name, (low, high) = interval
            told["interval"] = {name: [exact(float(low)), exact(float(high))]}
        return proof.enter(event, rule, (), ApproxDP, point, **told)
    if rule.kind == "mechanism":
        return proof.enter(event, rule, (), ApproxDP, point)
    if rule.name == "optimal_composition":
        return _of_responses(proof, event, step, point)
    if len(step.sources) != 1:
        raise NotCertified.by(rule)
    ((_, source),) = step.inputs
    if rule.kind == "conversion":
        return _from_numbers(proof, event, step, source, point)
    inside = getattr(event, "event", None)
    if not isinstance(inside, Event) or isinstance(source.claim, Conclusion):
        raise NotCertified.by(rule)
    if rule.name == "sample_profile" and isinstance(event, Sampled):
        point_inside: tuple[Any, Any] = _before_sampling(Fraction(float_up(event.rate)), point)
    elif rule.name == "fixed_size_sample" and isinstance(event, WithoutReplacement):
        rate = Fraction(float_up(Fraction(event.batch_size, event.population)))
        point_inside = _before_sampling(rate, point)
    elif rule.name in ("post_processing", "shuffled_reports"):
        point_inside = point
    else:
        raise NotCertified.by(rule)
    inner = _point(proof, inside, source, point_inside)
    return proof.enter(event, rule, [(inner, 1)], ApproxDP, point)


def _of_responses(proof: Proof, event: Event, step: Step, point: tuple[Any, Any]) -> str:
    """A point of the profile of so many randomised responses, of one or two epsilons."""
    assert step.theorem is not None
    if len({source.claim for _, source in step.inputs}) > MOST_LATTICES:
        raise NotCertified("pure DP of many different epsilons is not composed by the checker")
    inputs = proof.inputs(step, step.theorem, event)
    return proof.enter(event, step.theorem, inputs, ApproxDP, point)


def _from_numbers(
    proof: Proof, event: Event, step: Step, source: Step, point: tuple[Any, Any]
) -> str:
    """A point by a formula, from the parameters of another notion."""
    assert step.theorem is not None
    if not isinstance(source.claim, Conclusion) and source.theorem is not None:
        raise NotCertified.by(step.theorem)
    inputs = [(proof.prove(source, event), 1)]
    return proof.enter(event, step.theorem, inputs, ApproxDP, point)


def _is_told(low: float, high: float) -> bool:
    """Whether both ends of an interval are worth telling."""
    return high > DUST and low >= high * (1 - NARROW)


def _by_engine(step: Step) -> bool:
    return step.theorem is not None and step.theorem.name.startswith("exact_composition")


def _before_sampling(rate: Fraction, point: tuple[Any, Any]) -> tuple[Fraction, Fraction]:
    """The point that a sample carries to this one: (exp(e) - 1)/rate and delta/rate."""
    epsilon, delta = point
    with localcontext() as context:
        context.prec = DIGITS
        grown = (_decimal(epsilon).exp() - 1) / _decimal(rate)
        inner = Fraction((1 + grown).ln()) * (1 - Fraction(1, 10**30))
    return inner, Fraction(delta) / rate


def _decimal(value: Any) -> Decimal:
    exactly = Fraction(value)
    return Decimal(exactly.numerator) / Decimal(exactly.denominator)
