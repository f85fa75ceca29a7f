"""The dominating pairs of compositions, groups and restated events, node by node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from tightrope.events import (
    Composed,
    Event,
    Grouped,
    Joint,
    OneUnit,
    PostProcessed,
    Restated,
    Sampled,
)
from tightrope.loss.dominating import Dominating, compose
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.neighbors import Neighbors
from tightrope.notions import GDP
from tightrope.plan.exact.covers import covered
from tightrope.plan.exact.leaves import dominating
from tightrope.plan.exact.poisson import sampled_and_replaced, sampled_group

MOST_COVERED = 16
"""Distinct parts up to which those that are known by their curves alone are covered."""


@dominating.register
def _composed(event: Composed) -> Dominating | None:
    return _together([(part, count) for part, count in event.counts.items()])


@dominating.register
def _joint(event: Joint) -> Dominating | None:
    return _units(event.parts)


def _units(parts: Sequence[Event]) -> Dominating | None:
    """A common direction is no part of the relation, so only pairs that have none compose."""
    directed = (pair for part in parts if (pair := dominating(part)) and len(pair.orders) > 1)
    return None if any(directed) else _together([(part, 1) for part in parts])


def _together(runs: list[tuple[Event, int]]) -> Dominating | None:
    """Where only some pairs are known, the others are covered by their profiles."""
    found = [(part, dominating(part), count) for part, count in runs]
    if len(runs) > MOST_COVERED and any(pair is None for _, pair, _ in found):
        return None
    known = [(pair or covered(part), count) for part, pair, count in found]
    pairs = [(pair, count) for pair, count in known if pair is not None]
    return compose(pairs) if len(pairs) == len(known) else None


@dominating.register
def _post_processed(event: PostProcessed) -> Dominating | None:
    return dominating(event.event)


@dominating.register
def _for_one_unit(event: OneUnit) -> Dominating | None:
    """The pair of the event inside, which covers what was run."""
    pair = dominating(event.event)
    return replace(pair, attained=False) if pair is not None else None


# --- groups ---------------------------------------------------------------------------------


@dominating.register
def _grouped(event: Grouped) -> Dominating | None:
    return _group(event.event, event.size)


@singledispatch
def _group(inside: Any, size: int) -> Dominating | None:
    """The pair of an event for so many units that change at once."""
    return None


@_group.register
def _group_of_published(inside: PostProcessed, size: int) -> Dominating | None:
    return dominating(inside.event.group(size))


@_group.register
def _group_of_runs(inside: Composed, size: int) -> Dominating | None:
    return _together([(part.group(size), count) for part, count in inside.counts.items()])


@_group.register
def _group_of_units(inside: Joint, size: int) -> Dominating | None:
    return _units([part.group(size) for part in inside.parts])


@_group.register
def _group_of_mechanism(inside: Mechanism, size: int) -> Dominating | None:
    """The mechanism for a larger change."""
    wider = inside.grouped(size)
    return dominating(wider) if wider is not None else None


@_group.register
def _group_of_gaussian(inside: GDP, size: int) -> Dominating | None:
    return dominating(GDP(inside.mu * size, neighbors=inside.neighbors))


@_group.register
def _group_of_sample(inside: Sampled, size: int) -> Dominating | None:
    return sampled_group(inside, size)


# --- one unit replaced ----------------------------------------------------------------------


@dominating.register
def _restated(event: Restated) -> Dominating | None:
    return _replaced(event.event, event.neighbors)


@singledispatch
def _replaced(inside: Any, neighbors: Neighbors) -> Dominating | None:
    """Replacing a unit is a removal and an addition, known where a group of two is symmetric."""
    pair = dominating(inside.group(2))
    return pair if pair is not None and len(pair.orders) == 1 else None


@_replaced.register
def _replaced_published(inside: PostProcessed, neighbors: Neighbors) -> Dominating | None:
    return dominating(inside.event.restated(neighbors))


@_replaced.register
def _replaced_runs(inside: Composed, neighbors: Neighbors) -> Dominating | None:
    runs = inside.counts.items()
    return _together([(part.restated(neighbors), count) for part, count in runs])


@_replaced.register
def _replaced_sample(inside: Sampled, neighbors: Neighbors) -> Dominating | None:
    return sampled_and_replaced(inside)
