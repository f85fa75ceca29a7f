"""The events that a plot is about, each with its label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.mechanisms import Released

Events = Event | Released | Sequence[Event | Released] | Mapping[str, Event | Released]
"""One event, several, or several by label; a guarantee is an event, and a release has one."""


def labelled(events: Any, what: str) -> dict[str, Event]:
    """Every event by its label, which is what one types to get it unless another is given."""
    if isinstance(events, Event | Released):
        events = [events]
    if isinstance(events, Mapping):
        found = {str(label): event_of(event, what) for label, event in events.items()}
    elif isinstance(events, Sequence) and not isinstance(events, str):
        told = [event_of(event, what) for event in events]
        found = {repr(event): event for event in told}
    else:
        raise _no_event(events, what)
    if not found:
        raise InvalidArgument(f"{what} must be at least one event; none was given")
    return found


def event_of(subject: Any, what: str) -> Event:
    """The event itself, or that of what was released."""
    if isinstance(subject, Released):
        return subject.event
    if isinstance(subject, Event):
        return subject
    raise _no_event(subject, what)


def _no_event(subject: Any, what: str) -> InvalidArgument:
    return InvalidArgument(
        f"{what} must be events or guarantees, like tr.GDP(1) or tr.Gaussian(2) ** 10, alone, in a "
        f"list, or in a dictionary by label; you passed {subject!r}"
    )
