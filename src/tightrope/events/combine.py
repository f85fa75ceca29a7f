"""Building larger events: one after the other, side by side, under another relation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope import _wire
from tightrope._calls import spoken
from tightrope._errors import InvalidArgument, NeighborsMismatch
from tightrope.events.event import Event, require_event
from tightrope.events.nodes import Composed, Joint, Parallel, Restated, common_neighbors
from tightrope.neighbors import UNSTATED, jointly_neighbors, require_neighbors

if TYPE_CHECKING:
    from tightrope.neighbors import Neighbors


@_wire.register
@spoken
def compose(*events: Event) -> Event:
    """All the given events, run on the same data with independent noise.

    Raises:
        InvalidArgument: nothing was given; a composition needs at least one event.

    Examples:
        >>> import tightrope as tr
        >>> tr.compose(tr.ZCDP(0.5), tr.ZCDP(0.25)).to(tr.ZCDP)
        ZCDP(rho=0.75)
    """
    _require_events("compose", events)
    return events[0] if len(events) == 1 else Composed(events)


@_wire.register
@spoken
def parallel(*parts: Event, fixed_parts: bool = False) -> Event:
    """Events on disjoint parts of the data: each unit lies in exactly one part.

    Under add-or-remove one unit touches one part only. Under replace-one a unit may leave one
    part and enter another, so two parts are touched, unless ``fixed_parts=True`` declares that
    a replacement never changes the part. What each part states must cover a unit that is
    replaced in it, leaves it or enters it.

    Examples:
        >>> import tightrope as tr
        >>> tr.parallel(tr.GDP(1), tr.GDP(0.5)).to(tr.GDP)
        GDP(mu=1.0)
    """
    _require_events("parallel", parts)
    relation = common_neighbors(parts)
    if relation.kind == "joint":
        raise NeighborsMismatch("parallel: state each part for one kind of unit, then join them")
    return Parallel(parts, bool(fixed_parts), relation)


@_wire.register
@spoken
def jointly(*parts: Event) -> Event:
    """Events about different units (persons and households): one of each may change at once.

    Each part must read only the units of its own relation. The composition of the parts then
    holds under the joint relation.

    Examples:
        >>> import tightrope as tr
        >>> persons = tr.ZCDP(0.5, neighbors=tr.replace_one.of("person"))
        >>> units = tr.ZCDP(0.1, neighbors=tr.replace_one.of("housing unit"))
        >>> print(tr.jointly(persons, units).neighbors)
        at most replace one person and at most replace one housing unit
    """
    _require_events("jointly", parts)
    relation = jointly_neighbors(*(part.neighbors for part in parts))
    units = [change.unit for change in relation.changes]
    if len(set(units)) < len(units):
        named = ", ".join(units)
        raise NeighborsMismatch(
            f"jointly: every part needs a unit of its own, named by "
            f"neighbors=tr.replace_one.of('person'); these are: {named}"
        )
    return parts[0] if len(parts) == 1 else Joint(parts, relation)


def restate(event: Event, neighbors: Neighbors) -> Event:
    """See ``Event.restated``."""
    require_neighbors(neighbors, "restated: neighbors")
    source, target = event.neighbors, neighbors
    if source.merged_or_none(target) is not None:
        return event
    if source.kind == "replace_one" and target.kind == "add_or_remove":
        raise NeighborsMismatch(
            "restated: a guarantee for replacing one unit says nothing about adding or removing "
            "one; state the sensitivity under add-or-remove instead"
        )
    bridged = source.kind == "add_or_remove" and target.kind == "replace_one"
    if not bridged or not source.changes[0].unit_agrees(target.changes[0]):
        raise NeighborsMismatch(f"restated: no theorem leads from ({source}) to ({target})")
    unit = source.changes[0].unit
    named = target if unit == UNSTATED else target.of(unit)
    return Restated(event, named.keeping(*source.invariants))


def _require_events(name: str, events: Sequence[Event]) -> None:
    if not events:
        raise InvalidArgument(f"{name}: at least one event is needed; you passed none")
    for position, event in enumerate(events):
        require_event(event, f"{name}: argument {position + 1}")
