"""Points of privacy profiles as steps, each by the theorem that gives the profile."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from tightrope.certifying.derivable import derivable
from tightrope.certifying.lattices import MOST_LATTICES
from tightrope.certifying.proof import Proof
from tightrope.certifying.subjects import NotCertified
from tightrope.certifying.wire import exact
from tightrope.events import Event, Sampled, WithoutReplacement
from tightrope.notions import ApproxDP
from tightrope.num.rounding import float_up
from tightrope.plan.derivation import Conclusion, Step
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import Theorem, named

DIGITS = 60
"""Digits of the points between two theorems, of which nothing is told but that they fit."""

NARROW = 1e-7
"""Relative width of an interval beyond which only its upper end is told."""

DUST = 1e-13
"""Next to the end of a profile a lower end of delta is no more than rounding."""

Point = tuple[Any, Any]
"""An epsilon and its delta."""

Ends = tuple[str, tuple[Any, Any]]
"""The name of one of them, and the interval in which it lies."""

Writer = Callable[[Proof, Event, Step, Theorem, Point], str]
"""Writes down the step that proves a point, and those that it rests on."""


def prove_point(
    proof: Proof, event: Event, step: Step, point: Point, ends: Ends | None = None
) -> str:
    """The step that proves one point of a privacy profile."""
    theorem = step.theorem
    if theorem is not None and by_engine(step):
        told: dict[str, Any] = {"method": step.note}
        if ends is not None and _is_told(*ends[1]):
            name, (low, high) = ends
            told["interval"] = {name: [exact(float(low)), exact(float(high))]}
        return proof.enter(event, theorem, (), ApproxDP, point, **told)
    if theorem is None or portfolio_of(event).failure[0] > 0:
        return _beside_failures(proof, event, point)
    writer = WRITERS.get(theorem.name) or BY_KIND.get(theorem.kind)
    if writer is None:
        raise NotCertified.by(theorem)
    return writer(proof, event, step, theorem, point)


def _beside_failures(proof: Proof, event: Event, point: Point) -> str:
    """A point of an event that may fail outright, by the pair of what was run, failures and all."""
    profile = exact_profile(event)
    if profile is None or profile.rivals or not derivable(event):
        raise NotCertified("a route beside failures is not certified yet")
    kind = "attained" if profile.attained else "cover"
    return proof.enter(event, named(f"exact_composition_{kind}"), (), ApproxDP, point)


def by_engine(step: Step) -> bool:
    """Whether a step composes losses."""
    return step.theorem is not None and step.theorem.name.startswith("exact_composition")


def _is_told(low: float, high: float) -> bool:
    """Whether both ends of an interval are worth telling."""
    return high > DUST and low >= high * (1 - NARROW)


def decimal(value: Any) -> Decimal:
    """A number to as many digits as the context has."""
    exactly = Fraction(value)
    return Decimal(exactly.numerator) / Decimal(exactly.denominator)


# --- by the kind of the theorem ----------------------------------------------------------------


def _of_mechanism(proof: Proof, event: Event, _: Step, theorem: Theorem, point: Point) -> str:
    """A point of what a mechanism says of itself."""
    return proof.enter(event, theorem, (), ApproxDP, point)


def _from_numbers(proof: Proof, event: Event, step: Step, theorem: Theorem, point: Point) -> str:
    """A point by a formula, from the parameters of another notion."""
    if len(step.sources) != 1:
        raise NotCertified.by(theorem)
    ((_, source),) = step.inputs
    if not isinstance(source.claim, Conclusion) and source.theorem is not None:
        raise NotCertified.by(theorem)
    return proof.enter(event, theorem, [(proof.prove(source, event), 1)], ApproxDP, point)


def _of_zcdp(proof: Proof, event: Event, step: Step, theorem: Theorem, point: Point) -> str:
    """The same, except where only the orders of both directions together tell as much."""
    ((_, source),) = step.inputs
    if isinstance(source.claim, Conclusion):
        rho, xi = source.claim.values
        if xi > 0 and point[0] < rho + xi:
            raise NotCertified("near epsilon = 0 zCDP with an offset is not derived again yet")
    return _from_numbers(proof, event, step, theorem, point)


BY_KIND: dict[str, Writer] = {"mechanism": _of_mechanism, "conversion": _from_numbers}


# --- by the name of the theorem ----------------------------------------------------------------


def _of_responses(proof: Proof, event: Event, step: Step, theorem: Theorem, point: Point) -> str:
    """A point of the profile of so many randomised responses, of one or two epsilons."""
    if len({source.claim for _, source in step.inputs}) > MOST_LATTICES:
        raise NotCertified("pure DP of many different epsilons is not composed by the checker")
    return proof.enter(event, theorem, proof.inputs(step, theorem, event), ApproxDP, point)


def _of_sample(proof: Proof, event: Event, step: Step, theorem: Theorem, point: Point) -> str:
    """A point of the profile of a Poisson sample."""
    if not isinstance(event, Sampled):
        raise NotCertified.by(theorem)
    inner = _before_sampling(Fraction(float_up(event.rate)), point)
    return _around(proof, event, step, theorem, (inner, point))


def _of_batch(proof: Proof, event: Event, step: Step, theorem: Theorem, point: Point) -> str:
    """A point of the profile of a batch of fixed size."""
    if not isinstance(event, WithoutReplacement):
        raise NotCertified.by(theorem)
    rate = Fraction(float_up(Fraction(event.batch_size, event.population)))
    return _around(proof, event, step, theorem, (_before_sampling(rate, point), point))


def _as_inside(proof: Proof, event: Event, step: Step, theorem: Theorem, point: Point) -> str:
    """The very point of what is inside."""
    return _around(proof, event, step, theorem, (point, point))


def _around(
    proof: Proof, event: Event, step: Step, theorem: Theorem, points: tuple[Point, Point]
) -> str:
    """A point of the profile of what is inside, and the one that follows from it."""
    inside = getattr(event, "event", None)
    if len(step.sources) != 1 or not isinstance(inside, Event):
        raise NotCertified.by(theorem)
    ((_, source),) = step.inputs
    if isinstance(source.claim, Conclusion):
        raise NotCertified.by(theorem)
    inner = prove_point(proof, inside, source, points[0])
    return proof.enter(event, theorem, [(inner, 1)], ApproxDP, points[1])


WRITERS: dict[str, Writer] = {
    "zcdp_profile": _of_zcdp,
    "optimal_composition": _of_responses,
    "sample_profile": _of_sample,
    "fixed_size_sample": _of_batch,
    "post_processing": _as_inside,
    "shuffled_reports": _as_inside,
}


def _before_sampling(rate: Fraction, point: Point) -> Point:
    """The point that a sample carries to this one: (exp(e) - 1)/rate and delta/rate."""
    epsilon, delta = point
    with localcontext() as context:
        context.prec = DIGITS
        grown = (decimal(epsilon).exp() - 1) / decimal(rate)
        inner = Fraction((1 + grown).ln()) * (1 - Fraction(1, 10**30))
    return inner, Fraction(delta) / rate
