"""The parts of an event whose accounting is attained: what can be proved of them is the truth.

A part that is only bounded (an exponential mechanism, a guarantee) stands for the worst member of
its class.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope.events import Composed, Event, Joint, Sampled
from tightrope.mechanisms.exponential import Exponential
from tightrope.mechanisms.gaussian import Gaussian
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.mechanisms.randomized_response import RandomizedResponse
from tightrope.notions import GDP, ZCDP, ApproxDP, BoundedRange, LogisticDP, PureDP
from tightrope.num.rounding import float_down
from tightrope.plan.exact.leaves import dominating
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import Grade


def split(event: Event) -> tuple[Event | None, Event]:
    """The parts whose very pairs are known, which compose exactly, and the others.

    Of the others, those that have a worst case whose pair is known stand among the first by it.
    """
    if not isinstance(event, Composed):
        return None, event
    known: list[Event] = []
    rest: list[Event] = []
    for part, count in event.counts.items():
        pair = dominating(part)
        if pair is not None and pair.attained:
            known.append(Composed((part,), count))
            continue
        rest.append(Composed((part,), count))
        if (case := bad_case(part)) is not None:
            known.append(Composed((case,), count))
    if not known or not rest:
        return None, event
    return Composed(tuple(known)), Composed(tuple(rest))


def bad_case(part: Event) -> Event | None:
    """One mechanism that the part may be, of which the very pair is known; not always the worst.

    An exponential mechanism between two candidates of equal public scores, which one unit moves
    apart by the sensitivity each, one up and one down: log-odds of -epsilon/2 and epsilon/2.
    """
    if isinstance(part, Exponential | BoundedRange) and part.epsilon > 0:
        half = float_down(part.epsilon) / 2
        return RandomizedResponse(half, neighbors=part.neighbors)
    return None


def exact_leaves(event: Event) -> Iterator[tuple[Event, int]]:
    """Leaves whose accounting is attained, with their counts; others give no floor."""
    if isinstance(event, Composed):
        for part, count in event.counts.items():
            for leaf, inner in exact_leaves(part):
                yield leaf, count * inner
    elif isinstance(event, Joint):
        for part in event.parts:
            yield from exact_leaves(part)
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


def gaussians(event: Event, *, sampled: bool = True) -> Iterator[tuple[float, int]]:
    """The mu of every Gaussian inside with its count, those under Poisson samples if asked."""
    if isinstance(event, Composed):
        for part, count in event.counts.items():
            for mu, inner in gaussians(part, sampled=sampled):
                yield mu, count * inner
    elif isinstance(event, Joint):
        for part in event.parts:
            yield from gaussians(part, sampled=sampled)
    elif isinstance(event, Sampled):
        if sampled and event.rate > 0:
            yield from gaussians(event.event)
    elif isinstance(event, GDP | Gaussian):
        numbers = portfolio_of(event).numbers(GDP)
        if numbers:
            yield numbers[0], 1
