"""Prices that need no rounding, or that the planner alone does not give."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tightrope._errors import NotReachable
from tightrope.events import Composed, Event, PostProcessed
from tightrope.mechanisms import DiscreteGaussian, Gaussian
from tightrope.mechanisms.additive import NormalNoise
from tightrope.notions import ApproxDP, PureDP

Pair = tuple[Any, Any, int]
"""(epsilon, delta) of one release, and how often it is made."""

CONCENTRATED = (Gaussian, DiscreteGaussian)
"""Noise whose rho is sensitivity^2/(2 variance)."""


def normal_square(
    event: Event, kinds: tuple[type[NormalNoise], ...] = (Gaussian,)
) -> Fraction | None:
    """sensitivity^2/variance exactly, if the event is noise of these kinds only; else None.

    The planner's numbers are rounded up to a double; with these a budget that is worth a thousand
    releases affords a thousand, not one less.
    """
    if isinstance(event, kinds):
        return event.ratio
    if isinstance(event, PostProcessed):
        return normal_square(event.event, kinds)
    return None


def charged_pairs(event: Event) -> list[Pair]:
    """The (epsilon, delta) guarantees of which an event consists.

    Raises:
        NotReachable: a part has no epsilon of its own, and at which delta is not said.
    """
    parts = event.counts.items() if isinstance(event, Composed) else ((event, 1),)
    return [(*_pair(part), count) for part, count in parts]


def _pair(event: Event) -> tuple[Any, Any]:
    if isinstance(event, ApproxDP):
        return event.values[0], event.values[1]
    try:
        return event.to(PureDP).epsilon, 0
    except NotReachable as error:
        raise NotReachable(
            f"{event!r} has no epsilon of its own: say at which delta it is counted, by "
            "charging event.to(tr.ApproxDP, delta=...)",
            reasons=error.reasons,
            reachable=error.reachable,
        ) from None
