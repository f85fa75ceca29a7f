"""Which compositions a checker computes again, so that a claim may rest on the event alone."""

from __future__ import annotations

from tightrope.events import Composed, Event, Grouped, Joint, Parallel, PostProcessed, Restated

RANGED = frozenset(("BoundedRange", "Exponential", "ReportNoisyMax"))
ADDITIVE = frozenset(
    ("DiscreteGaussian", "DiscreteLaplace", "GDP", "Gaussian", "Laplace", "Logistic")
)
DERIVABLE = RANGED | frozenset(
    (
        "ApproxDP",
        "DiscreteGaussian",
        "DiscreteLaplace",
        "GDP",
        "Gaussian",
        "Laplace",
        "Logistic",
        "LogisticDP",
        "PermuteAndFlip",
        "PureDP",
        "RandomizedResponse",
        "SparseVector",
        "ZCDP",
    )
)
"""Leaves whose losses a checker composes again."""


def derivable(event: Event) -> bool:
    """Whether a checker composes the losses of all parts again, so that no theorem is needed."""
    if isinstance(event, Parallel | Joint):
        return all(map(_composes, event.parts))
    if isinstance(event, PostProcessed):
        return derivable(event.event)
    return _composes(event)


def _composes(event: Event, *, several: bool = False) -> bool:
    """Whether the losses of an event are composed again; for several units of additive noise."""
    if isinstance(event, Composed):
        inside = (_composes(part, several=several) for part in event.counts)
        return _one_range(event) and all(inside)
    if isinstance(event, Grouped | Restated):
        return _composes(event.event, several=True)
    if isinstance(event, PostProcessed):
        return _composes(event.event, several=several)
    return type(event).__name__ in (ADDITIVE if several else DERIVABLE)


def _one_range(event: Composed) -> bool:
    """Whether no bounded range is run twice: for that there is a sharper rule, not checked yet."""
    ranged = [n for part, n in event.counts.items() if type(part).__name__ in RANGED]
    return sum(ranged) <= 1
