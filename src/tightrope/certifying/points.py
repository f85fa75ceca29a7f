"""Points of privacy profiles, proved: the least epsilon at a delta, the least delta at an epsilon.

The best route may rest on what no checker derives again. Then the best of the others is taken.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from tightrope.certifying.derivable import derivable
from tightrope.certifying.profiles import by_engine, prove_point
from tightrope.certifying.proof import Proof
from tightrope.certifying.subjects import NotCertified
from tightrope.events import Event, Parallel, PostProcessed
from tightrope.loss.pair_profile import PairProfile
from tightrope.notions import ApproxDP
from tightrope.num.rounding import EPS, up
from tightrope.num.solve import solve_up
from tightrope.plan import answers, delta_interval, epsilon_interval
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.candidates import profile_candidates
from tightrope.plan.portfolio.portfolio import Candidate
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import named

LARGEST = 1e300
"""An epsilon beyond this one is as good as none."""

SOMEWHERE = (1.0, 1e-9)
"""A point at which a route is tried."""


def prove_epsilon(proof: Proof, event: Event, delta: float) -> tuple[str, float]:
    """The step that proves the least epsilon at ``delta``, and that epsilon."""
    parts = fixed_parts(event)
    if parts:
        found = [prove_epsilon(proof, part, delta) for part in parts]
        worst = max(epsilon for _, epsilon in found)
        return _worst(proof, event, [step for step, _ in found], (worst, delta)), worst
    epsilon, route = _best_epsilon(event, delta)
    epsilon = max(epsilon, _epsilon_beside_failures(event, delta))
    if not 0 < epsilon < math.inf:
        raise NotCertified(f"no finite epsilon above 0 is known at delta = {delta!r}")
    step = route.origin(0)
    ends = ("epsilon", epsilon_interval(event, delta)) if by_engine(step) else None
    return prove_point(proof, event, step, (epsilon, delta), ends), epsilon


def prove_delta(proof: Proof, event: Event, epsilon: float) -> tuple[str, float]:
    """The step that proves the least delta at ``epsilon``, and that delta."""
    parts = fixed_parts(event)
    if parts:
        found = [prove_delta(proof, part, epsilon) for part in parts]
        worst = max(delta for _, delta in found)
        return _worst(proof, event, [step for step, _ in found], (epsilon, worst)), worst
    delta, route = best_delta(event, epsilon)
    delta = max(delta, _delta_beside_failures(event, epsilon))
    if delta >= 1:
        raise NotCertified(f"no delta is known at epsilon = {epsilon!r}")
    step = route.origin(0)
    ends = ("delta", delta_interval(event, epsilon)) if by_engine(step) else None
    return prove_point(proof, event, step, (epsilon, delta), ends), delta


def _worst(proof: Proof, event: Event, steps: list[str], point: tuple[float, float]) -> str:
    inputs = [(step, 1) for step in steps]
    while isinstance(event, PostProcessed):
        event = event.event
    assert isinstance(event, Parallel)
    return proof.enter(event, named("parallel_one_part"), inputs, ApproxDP, point)


# --- events that may fail outright: their points are those of their pairs ------------------------


def _pairs_that_may_fail(event: Event) -> PairProfile | None:
    return exact_profile(event) if portfolio_of(event).failure[0] > 0 else None


def _epsilon_beside_failures(event: Event, delta: float) -> float:
    pairs = _pairs_that_may_fail(event)
    if pairs is None or not delta:
        return 0.0
    return pairs.epsilon(math.log(delta) * (1 + EPS))[1]


def _delta_beside_failures(event: Event, epsilon: float) -> float:
    pairs = _pairs_that_may_fail(event)
    if pairs is None:
        return 0.0
    return min(1.0, up(math.exp(float(pairs.log_delta(np.array([epsilon])).upper[0])), 2))


# --- the best of the routes that can be written down -------------------------------------------


def best_delta(event: Event, epsilon: float) -> tuple[float, Candidate]:
    """The least delta, and its route, by what can be derived again."""
    if derivable(event):
        delta, best = answers.best_delta(event, epsilon)
        if best is not None and _refusal(event, best) is None:
            return delta, best
    route = min(_routes(event), key=lambda one: float(one.curve(abs(epsilon))))
    return min(1.0, up(math.exp(float(route.curve(epsilon))), 2)), route


def _best_epsilon(event: Event, delta: float) -> tuple[float, Candidate]:
    """The least epsilon, and its route, by what can be derived again."""
    best = answers.best_epsilon if derivable(event) else answers.epsilon_by_theorems
    epsilon, route = best(event, delta)
    if route is not None and _refusal(event, route) is None:
        return epsilon, route
    target = math.log(delta) - EPS * (1 + abs(math.log(delta)))
    found = [(_least_epsilon(route, target), route) for route in _routes(event)]
    return min(found, key=lambda answer: answer[0])


def _least_epsilon(route: Candidate, target: float) -> float:
    """Where a profile has come down to a log delta."""
    if route.solve is not None:
        return float(route.solve(target))

    def excess(e: float) -> float:
        return max(float(route.curve(e)), -1e308) - target

    top = 1.0
    while excess(top) > 0:
        top *= 4
        if top > LARGEST:
            return math.inf
    return float(solve_up(excess, 0.0, top, increasing=False)) if excess(0.0) > 0 else 0.0


def _routes(event: Event) -> list[Candidate]:
    """The routes by theorems of which every step can be written down."""
    written, refusals = _tried(event)
    if not written:
        raise NotCertified(refusals[0] if refusals else "nothing is known about its profile")
    return written


@lru_cache(maxsize=32)
def _tried(event: Event) -> tuple[list[Candidate], list[str]]:
    """Those routes, and why the others are not written down, the most promising one first."""
    routes = sorted(
        profile_candidates(portfolio_of(event)), key=lambda one: float(one.curve(SOMEWHERE[0]))
    )
    refusals = [_refusal(event, route) for route in routes]
    written = [route for route, why in zip(routes, refusals, strict=True) if why is None]
    return written, [why for why in refusals if why is not None]


def _refusal(event: Event, route: Candidate) -> str | None:
    """Why the steps of a route cannot be written down; None if they can."""
    try:
        prove_point(Proof(), event, route.origin(0), SOMEWHERE)
    except NotCertified as error:
        return str(error)
    return None
