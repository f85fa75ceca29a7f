"""Which compositions a checker computes again, so that a claim may rest on the event alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tightrope.certifying.lattices import composes_lattices
from tightrope.events import (
    Composed,
    Event,
    Grouped,
    Joint,
    Parallel,
    PostProcessed,
    Restated,
    Sampled,
)
from tightrope.notions import GDP
from tightrope.plan.portfolio.poisson_samples import amplifies
from tightrope.plan.portfolio.tree import portfolio_of

RANGED = frozenset(("BoundedRange", "Exponential", "ReportNoisyMax"))
ADDITIVE = frozenset(
    ("DiscreteGaussian", "DiscreteLaplace", "GDP", "Gaussian", "Laplace", "Logistic")
)
NORMAL = frozenset(("GDP", "Gaussian", "ZCDP"))
RESPONSES = frozenset(("PermuteAndFlip", "PureDP", "RandomizedResponse", "SparseVector"))
DERIVABLE = RANGED | ADDITIVE | RESPONSES | {"ApproxDP", "LogisticDP", "ZCDP"}
"""Leaves whose losses a checker composes again."""

MANY = ((1.25, 200), (2.0, 500))
"""Up to which mu how many samples are so many that their sum is soon worked out."""

LEAST_SPREAD = 0.0009
"""The least sum of the squares of their rates."""


def derivable(event: Event) -> bool:
    """Whether a checker composes the losses of all parts again, so that no theorem is needed."""
    if isinstance(event, Parallel | Joint):
        whole = (event,) if isinstance(event, Joint) else event.parts
        parts = all(_composes(part) and _enough(part) for part in event.parts)
        return parts and all(map(composes_lattices, whole))
    if isinstance(event, PostProcessed):
        return derivable(event.event)
    return _composes(event) and _enough(event) and composes_lattices(event)


def _enough(event: Event) -> bool:
    """Whether there are no samples, or many, of noise that is not too small."""
    samples = list(_samples(event, 1))
    if not samples:
        return True
    largest = max(_mu(sample.event) for sample, _ in samples)
    count = sum(n for _, n in samples)
    spread = sum(float(sample.rate) ** 2 * n for sample, n in samples)
    many = any(largest <= mu and count >= least for mu, least in MANY)
    return many and spread >= LEAST_SPREAD


def _samples(event: Event, times: int) -> Iterator[tuple[Sampled, int]]:
    """The samples that hide a unit, with the number of their runs."""
    if isinstance(event, Composed):
        for part, count in event.counts.items():
            yield from _samples(part, times * count)
    elif isinstance(event, PostProcessed):
        yield from _samples(event.event, times)
    elif isinstance(event, Sampled) and amplifies(event) and 0 < event.rate < 1:
        yield event, times


def _mu(event: Event) -> float:
    numbers = portfolio_of(event).numbers(GDP)
    return math.inf if numbers is None else float(numbers[0])


def _composes(event: Event, *, several: bool = False) -> bool:
    """Whether the losses of an event are composed again; for several units of additive noise."""
    if isinstance(event, Composed):
        inside = (_composes(part, several=several) for part in event.counts)
        return _one_range(event) and all(inside)
    if isinstance(event, Sampled):
        return not several and _normal(event.event)
    if isinstance(event, Grouped | Restated):
        return _composes(event.event, several=True)
    if isinstance(event, PostProcessed):
        return _composes(event.event, several=several)
    return type(event).__name__ in (ADDITIVE if several else DERIVABLE)


def _normal(event: Event) -> bool:
    """Whether all noise inside of a sample is normal."""
    if isinstance(event, Composed):
        return all(map(_normal, event.counts))
    if isinstance(event, PostProcessed):
        return _normal(event.event)
    return type(event).__name__ in NORMAL


def _one_range(event: Composed) -> bool:
    """Whether no bounded range is run twice: for that there is a sharper rule, not checked yet."""
    ranged = [n for part, n in event.counts.items() if type(part).__name__ in RANGED]
    return sum(ranged) <= 1
