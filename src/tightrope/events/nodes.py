"""The ways in which events are put together, as frozen nodes of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tightrope import _wire
from tightrope._check import Real
from tightrope._errors import InvalidArgument, NeighborsMismatch
from tightrope.events.event import Event
from tightrope.neighbors import UNSTATED, jointly_neighbors

if TYPE_CHECKING:
    from tightrope.neighbors import Neighbors


class Composed(Event):
    """``times`` runs of all ``parts``, each with fresh noise.

    A node only points at its parts, so that adding in a loop costs linear time; the multiset of
    leaves, by which two compositions are equal, is counted when it is first asked for.
    """

    def __init__(self, parts: tuple[Event, ...], times: int = 1):
        self.parts = parts
        self.times = times
        self.neighbors = _common_neighbors(parts)

    @cached_property
    def counts(self) -> dict[Event, int]:
        """Every distinct leaf with the number of its runs, in order of first appearance."""
        compositions, runs = self._walked()
        times = {id(self): 1}
        for node in compositions:
            here = times[id(node)] * node.times
            for part in node.parts:
                if isinstance(part, Composed):
                    times[id(part)] = times.get(id(part), 0) + here
                else:
                    runs[part] += here
        return runs

    def _walked(self) -> tuple[list[Composed], dict[Event, int]]:
        """Every composition inside, before those that it consists of; and every leaf, at 0.

        A composition that stands in many places is walked once, so doubling costs nothing.
        """
        done: list[Composed] = []
        leaves: dict[Event, int] = {}
        seen: set[int] = set()
        stack: list[tuple[Event, bool]] = [(self, False)]
        while stack:
            node, entered = stack.pop()
            if not isinstance(node, Composed):
                leaves[node] = 0
            elif entered:
                done.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((part, False) for part in reversed(node.parts))
        return done[::-1], leaves

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Composed) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(frozenset(self.counts.items()))

    def __repr__(self) -> str:
        return " + ".join(
            wrapped(leaf) + (f" ** {count}" if count > 1 else "")
            for leaf, count in self.counts.items()
        )


@dataclass(frozen=True, repr=False)
class Node(Event):
    """A node with one event inside, under the same relation."""

    event: Event

    @property
    def neighbors(self) -> Neighbors:  # type: ignore[override]
        """The relation of the event inside."""
        return self.event.neighbors


@dataclass(frozen=True, repr=False)
class Sampled(Node):
    """The event inside on one Poisson sample of the units, drawn once for all of it."""

    rate: Real

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.sampled(rate={self.rate!r})"


@dataclass(frozen=True, repr=False)
class Grouped(Node):
    """The event inside, for ``size`` units that change at once."""

    size: int

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.group({self.size})"


@dataclass(frozen=True, repr=False)
class PostProcessed(Node):
    """The event inside, followed by a computation that does not touch the data."""

    label: str

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.then({self.label!r})"


@dataclass(frozen=True, repr=False)
class Restated(Event):
    """The event inside, under replace-one instead of add-or-remove."""

    event: Event
    neighbors: Neighbors

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.restated({self.neighbors!r})"


@dataclass(frozen=True, repr=False)
class Parallel(Event):
    """Events on disjoint parts of the data, one unit lying in one part.

    The statement of each part is about neighbours of the *whole* data set: under replace-one it
    covers a unit that is replaced in the part, leaves it, or enters it.

    Attributes:
        parts: the events, one a part.
        fixed_parts: declared that replacing a unit never changes the part that it is in.
    """

    parts: tuple[Event, ...]
    fixed_parts: bool
    neighbors: Neighbors

    def __repr__(self) -> str:
        declared = ", fixed_parts=True" if self.fixed_parts else ""
        return f"parallel({', '.join(map(repr, self.parts))}{declared})"


@dataclass(frozen=True, repr=False)
class Joint(Event):
    """Events about different units, when one unit of each may change at once."""

    parts: tuple[Event, ...]
    neighbors: Neighbors

    def __repr__(self) -> str:
        return f"jointly({', '.join(map(repr, self.parts))})"


def wrapped(event: Event) -> str:
    """The event's text, in parentheses where an operator would otherwise bind wrongly."""
    return f"({event!r})" if isinstance(event, Composed) else repr(event)


@_wire.register
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
    relation = _common_neighbors(parts)
    if relation.kind == "joint":
        raise NeighborsMismatch("parallel: state each part for one kind of unit, then join them")
    return Parallel(parts, bool(fixed_parts), relation)


@_wire.register
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


def _common_neighbors(parts: Sequence[Event]) -> Neighbors:
    """The one relation that all parts speak of."""
    relation = parts[0].neighbors
    for part in parts[1:]:
        relation = relation.merged(part.neighbors)
    return relation


def _require_events(name: str, events: Sequence[Event]) -> None:
    if not events:
        raise InvalidArgument(f"{name}: at least one event is needed; you passed none")
    for position, event in enumerate(events):
        if not isinstance(event, Event):
            raise InvalidArgument(
                f"{name}: argument {position + 1} must be an event or a guarantee; "
                f"you passed {event!r}"
            )
