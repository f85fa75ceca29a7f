"""What was found out about an event is kept with it: events never change, so it stays true."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from tightrope.events import Event

AnyEvent = TypeVar("AnyEvent", bound=Event)
Found = TypeVar("Found")


def remembered(find: Callable[[AnyEvent], Found]) -> Callable[[AnyEvent], Found]:
    """A function of an event that looks only once."""

    @wraps(find)
    def answer(event: AnyEvent) -> Found:
        kept = _kept(event)
        if find not in kept:
            kept[find] = find(event)
        found: Found = kept[find]
        return found

    return answer


def is_remembered(answer: Callable[..., Any], event: Event) -> bool:
    """Whether a remembered function was asked about the event before."""
    return answer.__wrapped__ in _kept(event)  # type: ignore[attr-defined]


def _kept(event: Event) -> dict[Any, Any]:
    if "_planned" not in event.__dict__:
        object.__setattr__(event, "_planned", {})
    kept: dict[Any, Any] = event.__dict__["_planned"]
    return kept
