"""The nearest event that is affordable: the same one with more noise, or a smaller rate."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from tightrope._errors import TightropeError
from tightrope.events import Composed, Event, PostProcessed, Restated, Sampled, compose
from tightrope.ledger.amounts import Amounts, within
from tightrope.ledger.filter import Filter
from tightrope.mechanisms.additive import NormalNoise, ScaledNoise
from tightrope.notions import ApproxDP, Guarantee
from tightrope.plan import calibrate


def affordable(event: Event, guard: Filter, left: Amounts) -> Event | None:
    """The event with the least noise (or largest epsilon) that ``left`` covers; None if none does.

    All its mechanisms get the same factor on their noise, or on their epsilon.
    """
    if not any(left):
        return None
    target = guard.single(left)
    if isinstance(event, Guarantee) and isinstance(event, type(target)):
        return target
    if isinstance(target, ApproxDP):
        return None
    try:
        factor = calibrate(lambda k: weaker(event, k), target, bounds=(1.0, 1e12))
        found = weaker(event, factor)
        return found if within(guard.price(found), left) else None
    except (TightropeError, TypeError):
        return None


def weaker(event: Event, factor: float) -> Event:
    """The event with ``factor`` times the noise in each of its mechanisms.

    Raises:
        TypeError: a mechanism in it has no such parameter.
    """
    if isinstance(event, Composed):
        return compose(*(weaker(part, factor) ** count for part, count in event.counts.items()))
    if isinstance(event, Sampled | PostProcessed | Restated):
        return replace(event, event=weaker(event.event, factor))
    if isinstance(event, NormalNoise):
        scale = factor * float(event.variance) ** 0.5
        return type(event)(scale, event.sensitivity, neighbors=event.neighbors)
    if isinstance(event, ScaledNoise):
        return replace(event, noise_scale=factor * float(event.noise_scale))
    return _smaller(event, factor)


def _smaller(event: Any, factor: float) -> Event:
    """With its loss divided, which for guarantees are all parameters, for mechanisms epsilon."""
    if isinstance(event, Guarantee) and event.values:
        smaller = (float(value) / factor for value in event.values)
        return type(event)(*smaller, neighbors=event.neighbors)
    if "epsilon" not in {f.name for f in fields(event)}:
        raise TypeError(f"{event!r} has no epsilon")
    found: Event = replace(event, epsilon=float(event.epsilon) / factor)
    return found
