"""Which other book would count an event that this one cannot count, or only at a high price."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tightrope._errors import NotReachable
from tightrope.events import Composed, Event, Sampled
from tightrope.ledger.prices import charged_pairs
from tightrope.notions import RDP, ApproxDP

RENYI = "a budget in Renyi DP, tr.RDP(orders, epsilons)"
ADVANCED = 'a budget in tr.ApproxDP with filter="advanced"'
SMALL = 1e-9
"""A delta at which an event is asked for an epsilon, to see whether it has one."""


def elsewhere(event: Event, filter: str) -> str:
    """The books with other filters that would count the event, as a sentence; empty if none."""
    ways = tuple(way for name, way in _ways(event) if name != filter)
    return f". What counts it is {', or '.join(ways)}" if ways else ""


def sampling(event: Event) -> str:
    """Which book knows what a sample gains, if the event has one; for filters that do not."""
    return f". Samples gain nothing here; what counts them at less is {RENYI}" * _samples(event)


def _ways(event: Event) -> Iterator[tuple[str, str]]:
    if _known(lambda: event.to(RDP)):
        yield "rdp", RENYI
    if _known(lambda: charged_pairs(event)):
        yield "advanced", ADVANCED
    elif _known(lambda: event.to(ApproxDP, delta=SMALL)):
        yield "advanced", f"{ADVANCED}, charged with event.to(tr.ApproxDP, delta=...)"


def _known(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except NotReachable:
        return False
    return True


def _samples(event: Any) -> bool:
    if isinstance(event, Composed):
        return any(map(_samples, event.counts))
    inside = getattr(event, "event", None)
    return isinstance(event, Sampled) or (inside is not None and _samples(inside))
