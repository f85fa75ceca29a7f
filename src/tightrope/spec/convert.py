"""One conversion as a plain record: the answer, the theorem behind it, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tightrope import plan
from tightrope._check import parameters
from tightrope._errors import NotReachable
from tightrope.events import Event, spelled
from tightrope.notions import Guarantee
from tightrope.spec.query import Query, answer, asks_guarantee, guarantee


@dataclass(frozen=True)
class Converted:
    """An answered question about one event.

    Attributes:
        event: what was run, or what is known, as a text that reads back.
        shown: the answer for people, rounded to the safe side.
        values: its numbers, with all digits.
        reason: the last theorem of its derivation; empty where the best of several is taken.
        neighbors: the relation that it is about, in words.
        meaning: two plain sentences about the best attacker.
    """

    event: str
    shown: str
    values: Mapping[str, float]
    reason: str
    neighbors: str
    meaning: tuple[str, ...]


def structured(guarantee: Guarantee) -> dict[str, Any]:
    """A guarantee as plain data: its notion by its short name, and its numbers by name."""
    values = {p.name: getattr(guarantee, p.name) for p in parameters(guarantee)}
    return {"notion": guarantee.short, "values": values}


def converted(event: Event, query: Query, step: Callable[[str], None]) -> Converted:
    """The best provable answer about ``event``.

    Raises:
        NotReachable: there is none; the message says why, and what is reachable.
    """
    step(query.title)
    shown, reason = "", ""
    if asks_guarantee(query):
        found = guarantee(event, query)
        shown, reason = repr(found), _reason(found)
    told = answer(event, query)
    if told.reasons:
        raise NotReachable(
            f"{query.title}: {'; '.join(told.reasons)}", reasons=told.reasons, reachable=()
        )
    step("what it means")
    return Converted(
        event=spelled(event),
        shown=shown or f"{query.title}: {told.shown}",
        values=told.values,
        reason=reason,
        neighbors=str(event.neighbors),
        meaning=tuple(plan.meaning(event).splitlines()),
    )


def _reason(found: Event) -> str:
    steps = plan.why(found).steps
    return steps[0].reason if steps and steps[0].theorem else ""
