"""Points of curves, proved: a delta at an epsilon, a type II error at a type I error."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from tightrope.certifying.proof import NotCertified, Proof
from tightrope.certifying.wire import exact
from tightrope.events import Event, Parallel, PostProcessed, Sampled
from tightrope.notions import ApproxDP, TradeOff
from tightrope.num.rounding import float_down, float_up
from tightrope.plan import answers, delta_interval, epsilon_interval
from tightrope.plan.derivation import Conclusion, Step
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import named

DIGITS = 60
"""Digits of the points between two theorems, of which nothing is told but that they fit."""

ROUNDS = 6
POINTS = 33
"""Rounds, and points a round, in which the best line through a trade-off curve is looked for."""


def prove_epsilon(proof: Proof, event: Event, delta: float) -> tuple[str, float]:
    """The step that proves the least epsilon at ``delta``, and that epsilon."""
    parts = fixed_parts(event)
    if parts:
        found = [prove_epsilon(proof, part, delta) for part in parts]
        worst = max(epsilon for _, epsilon in found)
        return _worst(proof, event, [step for step, _ in found], (worst, delta)), worst
    epsilon, route = answers.best_epsilon(event, delta)
    if route is None or not 0 < epsilon < math.inf:
        raise NotCertified(f"no epsilon above 0 is known at delta = {delta!r}")
    ends = epsilon_interval(event, delta)
    return _point(proof, event, route.origin(0), (epsilon, delta), ("epsilon", ends)), epsilon


def prove_delta(proof: Proof, event: Event, epsilon: float) -> tuple[str, float]:
    """The step that proves the least delta at ``epsilon``, and that delta."""
    parts = fixed_parts(event)
    if parts:
        found = [prove_delta(proof, part, epsilon) for part in parts]
        worst = max(delta for _, delta in found)
        return _worst(proof, event, [step for step, _ in found], (epsilon, worst)), worst
    delta, route = answers.best_delta(event, epsilon)
    if route is None or delta >= 1:
        raise NotCertified(f"no delta is known at epsilon = {epsilon!r}")
    ends = delta_interval(event, epsilon)
    return _point(proof, event, route.origin(0), (epsilon, delta), ("delta", ends)), delta


def prove_power(proof: Proof, event: Event, rate: float) -> tuple[str, float]:
    """The step that proves the least type II error at a false positive rate, and that error.

    A trade-off curve is the envelope of the lines that (epsilon, delta)-DP draws, so one of
    them, at the best epsilon, says all that there is to say about one rate.
    """
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
    """The epsilon of the line that is highest at a rate, and whether it is the mirrored one."""

    def height(epsilon: Any, mirrored: bool) -> Any:
        delta = np.asarray(answers.delta(event, epsilon))
        if mirrored:
            return np.exp(-epsilon) * (1 - delta - rate)
        return 1 - delta - np.exp(epsilon) * rate

    plain = _highest(partial(height, mirrored=False), rate)
    mirror = _highest(partial(height, mirrored=True), rate)
    return (plain[0], False) if plain[1] >= mirror[1] else (mirror[0], True)


def _highest(height: Callable[[Any], Any], rate: float) -> tuple[float, float]:
    low, high = 0.0, max(1.0, -math.log(rate))
    for _ in range(ROUNDS):
        epsilons = np.linspace(low, high, POINTS)
        heights = np.asarray(height(epsilons))
        best = int(np.argmax(heights))
        low, high = epsilons[max(best - 1, 0)], epsilons[min(best + 1, POINTS - 1)]
    return float(epsilons[best]), float(heights[best])


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
        if interval is not None:
            name, (low, high) = interval
            told["interval"] = {name: [exact(float(low)), exact(float(high))]}
        return proof.enter(event, rule, (), ApproxDP, point, **told)
    if rule.kind == "mechanism":
        return proof.enter(event, rule, (), ApproxDP, point)
    (_, source), *others = step.inputs
    if others:
        raise NotCertified(f"no certificate can be written yet of {rule.name}")
    if isinstance(source.claim, Conclusion):
        return proof.enter(event, rule, [(proof.prove(source, event), 1)], ApproxDP, point)
    if rule.name == "post_processing" and isinstance(event, PostProcessed):
        inner = _point(proof, event.event, source, point)
        return proof.enter(event, rule, [(inner, 1)], ApproxDP, point)
    if rule.name == "sample_profile" and isinstance(event, Sampled):
        inner = _point(proof, event.event, source, _before_sampling(event, point))
        return proof.enter(event, rule, [(inner, 1)], ApproxDP, point)
    raise NotCertified(f"no certificate can be written yet of {rule.name}")


def _by_engine(step: Step) -> bool:
    return step.theorem is not None and step.theorem.name.startswith("exact_composition")


def _before_sampling(event: Sampled, point: tuple[Any, Any]) -> tuple[Fraction, Fraction]:
    """The point that a sample carries to this one: (exp(e) - 1)/rate and delta/rate."""
    epsilon, delta = point
    rate = Fraction(float_up(event.rate))
    with localcontext() as context:
        context.prec = DIGITS
        grown = (_decimal(epsilon).exp() - 1) / _decimal(rate)
        inner = Fraction((1 + grown).ln()) * (1 - Fraction(1, 10**30))
    return inner, Fraction(delta) / rate


def _decimal(value: Any) -> Decimal:
    exactly = Fraction(value)
    return Decimal(exactly.numerator) / Decimal(exactly.denominator)
