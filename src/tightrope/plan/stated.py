"""What was run, apart from what was only stated.

A guarantee stands for anything that satisfies it, also for what leaks nothing. So a number that it
does not imply need not be false of what was run; a mechanism's own leak makes a number false.
"""

from __future__ import annotations

from dataclasses import replace

from tightrope.events import Composed, Event, Joint, Parallel, Sampled, compose
from tightrope.events.walk import nodes
from tightrope.notions import Guarantee


def has_stated(event: Event) -> bool:
    """Whether of some part only a guarantee is known."""
    return any(isinstance(node, Guarantee) for node in nodes(event))


def without_stated(event: Event) -> Event | None:
    """The mechanisms of an event, which leak at most what the event does; None if none are known.

    Examples:
        >>> import tightrope as tr
        >>> without_stated(tr.Laplace(noise_scale=1) ** 3 + tr.ZCDP(0.1))
        Laplace(noise_scale=1) ** 3
        >>> without_stated(tr.ZCDP(0.1) ** 2) is None
        True
    """
    if not has_stated(event):
        return event
    if isinstance(event, Composed):
        kept = ((without_stated(part), count) for part, count in event.counts.items())
        runs = [_times(part, count) for part, count in kept if part is not None]
        return compose(*runs) if runs else None
    if isinstance(event, Parallel | Joint):
        parts = tuple(filter(None, map(without_stated, event.parts)))
        return replace(event, parts=parts) if parts else None
    if isinstance(event, Sampled):
        inside = without_stated(event.event)
        return None if inside is None else replace(event, event=inside)
    return None


def _times(part: Event, count: int) -> Event:
    return part if count == 1 else Composed((part,), count)
