"""Why no theorem leads from an event to a notion, part by part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tightrope.events import Event
from tightrope.events.walk import leaves
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.notions import ApproxDP, BoundedRange, LogisticDP, PureDP
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import impossibilities

__all__ = ["hindrances"]

LOG_RATIOS = (PureDP, BoundedRange, LogisticDP)
"""Notions that bound the log-ratio."""


def hindrances(event: Event, notion: type) -> Iterator[str]:
    """A reason for every part that has one."""
    for leaf in leaves(event):
        portfolio = portfolio_of(leaf)
        if notion in portfolio.values and not portfolio.failure[0]:
            continue
        if notion in LOG_RATIOS and isinstance(leaf, Mechanism) and leaf.unbounded:
            yield leaf.unbounded
            continue
        known = {ApproxDP} if portfolio.failure[0] else _stated(leaf)
        reasons = (f.reason for f in impossibilities() if f.target is notion and f.source in known)
        yield from islice(reasons, 1)


def _stated(leaf: Event) -> set[type]:
    if isinstance(leaf, Mechanism):
        return set(leaf.facts())
    return {type(leaf)}
