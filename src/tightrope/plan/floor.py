"""Floors: what an event is proved to leak at least, where its parts are known exactly.

A composition leaks at least what any of its parts leaks, and more where the exact values add:
log-ratios, Renyi divergences at one order, and the squares of Gaussian shifts. A part that is
only bounded (an exponential mechanism, a guarantee) counts with the worst member of its class,
so a floor says that no better number can be *proved* from what was stated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from tightrope._check import Real
from tightrope.events import Composed, Event, Joint, Sampled
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import GDP, ZCDP, ApproxDP, BoundedRange, LogisticDP, PureDP
from tightrope.num.solve import solve_down
from tightrope.plan import answers
from tightrope.plan.tree import portfolio_of
from tightrope.theorems.into_profile import gaussian_profile
from tightrope.theorems.registry import Grade

FORMULA_ERROR = 2e-12
"""What the sharp formulas may lie above the truth, relatively: their stated accuracy, doubled."""


def epsilon_interval(event: Event, delta: Real) -> tuple[float, float]:
    """See ``Event.epsilon_interval``."""
    upper = answers.best_epsilon(event, answers.checked_delta(delta))[0]
    return min(epsilon_floor(event, float(delta)), upper), upper


def epsilon_floor(event: Event, delta: float) -> float:
    """No epsilon below this one holds at ``delta``."""
    if delta == 0:
        return scalar_floor(event, PureDP) or 0.0
    floors = [_floor_of(profile, delta) for profile in _profiles(event)]
    return max(floors, default=0.0)


def scalar_floor(event: Event, notion: type) -> float | None:
    """No parameter below this one holds in ``notion`` (PureDP, ZCDP or GDP); None if unknown."""
    if notion is PureDP:
        return _pure_floor(event)
    if notion is ZCDP:
        return _slope_floor(event)
    if notion is GDP:
        return _gaussian_floor(event)
    return None


def _pure_floor(event: Event) -> float:
    """The largest log-ratios of independent parts are attained together, so they add."""
    total = 0.0
    for leaf, count in _exact_leaves(event):
        numbers = portfolio_of(leaf).numbers(PureDP)
        if numbers is not None:
            total += count * numbers[0]
        elif not portfolio_of(leaf).failure[0]:
            return math.inf
    return total * (1 - FORMULA_ERROR)


def _slope_floor(event: Event) -> float:
    """D(order)/order of the whole: at order 1, where most suprema sit, or of one kind of part.

    Towards infinite order only Gaussians count, and sampling does not change their slope.
    """
    at_one, largest = 0.0, 0.0
    for leaf, count in _exact_leaves(event):
        numbers = portfolio_of(leaf).numbers(ZCDP)
        if numbers is None or numbers[1] > 0:
            continue
        largest = max(largest, count * numbers[0])
        at_one += count * numbers[0] if _at_order_one(leaf) else 0.0
    squares = sum(count * mu * mu for mu, count in _gaussians(event))
    return max(at_one, largest, squares / 2) * (1 - FORMULA_ERROR)


def _at_order_one(leaf: Event) -> bool:
    return not isinstance(leaf, Mechanism) or leaf.slope_at_order_one


def _gaussian_floor(event: Event) -> float:
    known = [portfolio_of(leaf).numbers(GDP) for leaf, _ in _exact_leaves(event) if _tight_mu(leaf)]
    largest = max((numbers[0] for numbers in known if numbers), default=0.0)
    return max(largest * (1 - FORMULA_ERROR), math.sqrt(2 * _slope_floor(event)))


def _tight_mu(leaf: Event) -> bool:
    return not isinstance(leaf, Mechanism) or leaf.has_tight_mu


def _profiles(event: Event) -> Iterator[Callable[[float], float]]:
    """Functions of epsilon whose value no log delta can be below."""
    for leaf, _ in _exact_leaves(event):
        if isinstance(leaf, Mechanism) and not leaf.has_exact_profile:
            continue
        yield lambda e, part=leaf: float(answers.log_delta(part, e))  # type: ignore[misc]
    squares = sum(count * mu * mu for mu, count in _gaussians(event, sampled=False))
    if squares:
        mu = math.sqrt(squares) * (1 - FORMULA_ERROR)
        yield lambda e: float(gaussian_profile(e, mu))


def _floor_of(profile: Callable[[float], float], delta: float) -> float:
    target = math.log(delta)

    def excess(e: float) -> float:
        value = max(profile(e), -1e308)
        return value - FORMULA_ERROR * (1 + abs(value)) - target

    if excess(0.0) <= 0:
        return 0.0
    top = 1.0
    while excess(top) > 0 and top < 1e300:
        top *= 4
    return float(solve_down(excess, 0.0, top, increasing=False)) if top < 1e300 else 0.0


def _exact_leaves(event: Event) -> Iterator[tuple[Event, int]]:
    """Leaves whose accounting is attained, with their counts; others give no floor."""
    if isinstance(event, Composed):
        for part, count in event.counts.items():
            for leaf, inner in _exact_leaves(part):
                yield leaf, count * inner
    elif isinstance(event, Joint):
        for part in event.parts:
            yield from _exact_leaves(part)
    elif _attained(event):
        yield event, 1


def _attained(leaf: Event) -> bool:
    """Whether the class of the leaf has a member for every number that is proved of it.

    Curves that a caller states need not be those of any pair of laws.
    """
    if isinstance(leaf, Mechanism):
        return all(fact.grade is not Grade.LOOSE for fact in leaf.facts().values())
    if isinstance(leaf, ZCDP):
        return leaf.xi == 0
    return isinstance(leaf, GDP | PureDP | ApproxDP | BoundedRange | LogisticDP)


def _gaussians(event: Event, *, sampled: bool = True) -> Iterator[tuple[float, int]]:
    """The mu of every Gaussian inside with its count, those under Poisson samples if asked."""
    if isinstance(event, Composed):
        for part, count in event.counts.items():
            for mu, inner in _gaussians(part, sampled=sampled):
                yield mu, count * inner
    elif isinstance(event, Joint):
        for part in event.parts:
            yield from _gaussians(part, sampled=sampled)
    elif isinstance(event, Sampled):
        if sampled and event.rate > 0:
            yield from _gaussians(event.event)
    elif isinstance(event, GDP | Gaussian):
        numbers = portfolio_of(event).numbers(GDP)
        if numbers:
            yield numbers[0], 1
