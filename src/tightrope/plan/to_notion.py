"""From an event to the best guarantee in one notion, or to the reasons why there is none."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from tightrope._check import NONNEGATIVE, PROBABILITY, Real, validated
from tightrope._errors import InvalidArgument, NotReachable
from tightrope._wire import clipped
from tightrope.events import Event, spelled
from tightrope.notions import (
    GDP,
    RDP,
    TCDP,
    ApproxDP,
    Guarantee,
    Profile,
    PureDP,
    TradeOff,
)
from tightrope.notions.curves import CurveGuarantee
from tightrope.notions.renyi_curve import Most
from tightrope.num.rounding import float_down
from tightrope.plan import answers
from tightrope.plan.derivation import Derivation, Step, claim
from tightrope.plan.exact.answers import engine, origin
from tightrope.plan.exact.gdp import gdp_step, tight_gdp, unproved
from tightrope.plan.exact.tradeoff import closed_curve, curve_engine
from tightrope.plan.hindrances import hindrances
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.candidates import profile_candidates, tradeoff_candidates
from tightrope.plan.portfolio.portfolio import SCALARS, Candidate
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.plan.remarks import remarks
from tightrope.theorems.registry import named
from tightrope.theorems.structure import parallel_one_part

LARGEST_ORDER = math.nextafter(math.inf, 0)


def to(event: Event, notion: Any, *, delta: Real | None = None, epsilon: Real | None = None) -> Any:
    """See ``Event.to``."""
    if not (isinstance(notion, type) and issubclass(notion, Guarantee)):
        raise InvalidArgument(
            f"to: notion must be a notion such as tr.GDP or tr.ApproxDP; you passed {notion!r}"
        )
    if notion is ApproxDP:
        return _approximate(event, delta, epsilon)
    if delta is not None or epsilon is not None:
        raise InvalidArgument(f"to({notion.__name__}): delta and epsilon belong to tr.ApproxDP")
    if notion in (TradeOff, Profile):
        return notion.of(event)
    if isinstance(event, notion) and not isinstance(event, CurveGuarantee):
        return event
    if notion is RDP:
        return _renyi(event)
    return _scalar(event, notion)


def _scalar(event: Event, notion: type[Guarantee]) -> Guarantee:
    known = _scalar_of_whole(event, notion)
    rows = [to(part, notion).values for part in fixed_parts(event)]
    if not rows:
        return known
    values = notion.greatest([tuple(np.array([float(v)]) for v in row) for row in rows])
    if not notion.improves(values, tuple(np.array([float(v)]) for v in known.values))[0]:
        return known
    numbers = tuple(float(value[0]) for value in values)
    found: Guarantee = notion(*numbers, neighbors=event.neighbors)
    return found.derived(partial(_greatest_of_parts, event, notion, numbers))


def _greatest_of_parts(event: Event, notion: type[Guarantee], numbers: tuple[float, ...]) -> Step:
    sources = tuple((1, partial(_last_step_of, part, notion)) for part in fixed_parts(event))
    return Step(claim(notion, numbers), parallel_one_part, sources)


def _last_step_of(part: Event, notion: type[Guarantee]) -> Step:
    return _last_step(to(part, notion))


def _scalar_of_whole(event: Event, notion: type[Guarantee]) -> Guarantee:
    portfolio = portfolio_of(event)
    numbers = portfolio.numbers(notion)
    if numbers is None or portfolio.failure[0] > 0:
        raise _unreachable(event, notion)
    if notion is GDP and (tight := _tight_gdp(event, numbers[0])) is not None:
        return tight
    if notion is TCDP:
        numbers = (numbers[0], min(numbers[1], LARGEST_ORDER))
    found: Guarantee = notion(*numbers, neighbors=event.neighbors)
    if notion is GDP:
        return found.derived(lambda: portfolio.step(notion).noted(unproved(event, numbers[0])))
    return found.derived(partial(portfolio.step, notion))


def _tight_gdp(event: Event, known: float) -> GDP | None:
    """What the composed pairs say, if it is less."""
    found = tight_gdp(event)
    if found is None or found.upper >= known:
        return None
    return GDP(found.upper, neighbors=event.neighbors).derived(
        partial(gdp_step, event, found.upper)
    )


def _renyi(event: Event) -> RDP:
    portfolio = portfolio_of(event)
    if portfolio.curve is None or portfolio.failure[0] > 0:
        raise _unreachable(event, RDP)
    parts = tuple(to(part, RDP).curve for part in fixed_parts(event))
    curve = Most(parts) if parts else portfolio.curve([1])
    found = RDP(curve, neighbors=event.neighbors)
    return found.derived(
        lambda: Step("a Renyi curve", named("compose_rdp"), ((1, Step(spelled(event))),))
    )


def _approximate(event: Event, delta: Real | None, epsilon: Real | None) -> ApproxDP:
    if (delta is None) == (epsilon is None):
        raise InvalidArgument(
            "to(ApproxDP): give delta=... to get the smallest epsilon, or epsilon=... to get the "
            f"smallest delta; you passed delta={delta!r}, epsilon={epsilon!r}"
        )
    if delta is not None:
        return _smallest_epsilon(event, validated(delta, PROBABILITY, "to(ApproxDP): delta"))
    asked = validated(epsilon, NONNEGATIVE, "to(ApproxDP): epsilon")
    smallest, route = answers.best_delta(event, float(asked))
    if smallest >= 1:
        raise _unreachable(event, ApproxDP)
    found = ApproxDP(asked, smallest, neighbors=event.neighbors)
    return found.derived(partial(_point, route, (float(asked), smallest)))


def _smallest_epsilon(event: Event, delta: Real) -> ApproxDP:
    smallest, route = answers.best_epsilon(event, float_down(delta))
    if not math.isfinite(smallest):
        raise _unreachable(event, PureDP if delta == 0 else ApproxDP, f"delta = {delta!r}")
    found = ApproxDP(smallest, delta, neighbors=event.neighbors)
    return found.derived(partial(_point, route, (smallest, float(delta))))


def _point(route: Candidate | None, point: tuple[float, float]) -> Step:
    text = claim(ApproxDP, point)
    if route is None:
        return Step(text, None, (), "total variation is below delta already")
    step = route.origin(0)
    return Step(text, step.theorem, step.sources, step.note)


ASK_APPROX = (
    "(epsilon, delta)-DP needs one of the two: ask why(tr.ApproxDP, delta=1e-6), or epsilon=..."
)
"""What a derivation in every notion leaves out."""

# --- derivations ----------------------------------------------------------------------------


def why(
    event: Event,
    notion: type | None = None,
    *,
    delta: Real | None = None,
    epsilon: Real | None = None,
) -> Derivation:
    """See ``Event.why``."""
    if notion is not None:
        target = to(event, notion, delta=delta, epsilon=epsilon)
        steps: tuple[Step, ...] = (_last_step(target),)
    else:
        known = event.derivation_step() if isinstance(event, Guarantee) else None
        steps = (known,) if isinstance(known, Step) else tuple(_all_steps(event))
    hint = ASK_APPROX if notion is None else ""
    return Derivation(steps, str(event.neighbors), remarks(event, notion), hint)


def _last_step(target: Any) -> Step:
    if isinstance(target, CurveGuarantee) and target.event is not None:
        routes = tradeoff_candidates(portfolio_of(target.event))
        steps = tuple((1, route.origin(0)) for route in routes)
        profile = engine(target.event)
        if profile is None and isinstance(target, TradeOff) and closed_curve(target.event) is None:
            profile = curve_engine(target.event)
        if profile is not None:
            steps = ((1, origin(target.event, profile, 0.0)(0)), *steps)
        return Step(f"{type(target).__name__}: the best of these at every point", None, steps)
    step = target.derivation_step()
    return step if isinstance(step, Step) else Step(repr(target))


def _all_steps(event: Event) -> Iterator[Step]:
    portfolio = portfolio_of(event)
    for notion in SCALARS:
        if portfolio.numbers(notion) is not None and not portfolio.failure[0]:
            tight = (notion is GDP and not isinstance(event, GDP)) or bool(fixed_parts(event))
            yield _last_step(to(event, notion)) if tight else portfolio.step(notion)
    if portfolio.failure[0]:
        epsilon, route = answers.best_epsilon(event, math.sqrt(float(portfolio.failure[0])))
        if math.isfinite(epsilon):
            yield _point(route, (epsilon, math.sqrt(float(portfolio.failure[0]))))


# --- what cannot be reached -----------------------------------------------------------------


def reachable(event: Event) -> tuple[str, ...]:
    """Names of the notions in which something can be proved about ``event``."""
    portfolio = portfolio_of(event)
    names = [n.__name__ for n in SCALARS if portfolio.numbers(n) and not portfolio.failure[0]]
    if portfolio.curve is not None and not portfolio.failure[0]:
        names.append("RDP")
    if profile_candidates(portfolio):
        names += ["ApproxDP", "TradeOff", "Profile"]
    return tuple(names)


def _unreachable(event: Event, notion: type, point: str = "") -> NotReachable:
    reasons = tuple(dict.fromkeys(hindrances(event, notion)))
    names = reachable(event)
    told = "; ".join(reasons) or "no theorem leads there from what is known"
    instead = ", ".join(names) if names else "nothing"
    wanted = f"ApproxDP at {point}" if point else notion.__name__
    return NotReachable(
        f"{wanted} cannot be reached from {clipped(spelled(event))}: {told}. Reachable: {instead}",
        reasons=reasons,
        reachable=names,
    )
