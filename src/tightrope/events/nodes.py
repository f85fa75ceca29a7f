"""The ways in which events are put together, as frozen nodes of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tightrope._check import COUNT, Real, validated
from tightrope.events.depth import nested
from tightrope.events.event import Event

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
        self.neighbors = common_neighbors(parts)
        self._level = nested(parts) - 1

    def __reduce__(self) -> Any:
        """What is pickled: the runs side by side, since the tree may be too deep."""
        runs = list(self.counts.items())
        if len(runs) == 1:
            ((part, count),) = runs
            return Composed, ((part,), count)
        return Composed, (tuple(Composed((part,), count) for part, count in runs),)

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

    def group(self, size: int) -> Event:
        """A group of groups is one larger group."""
        count = int(validated(size, COUNT, "group: size"))
        return self.event.group(self.size * count)

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.group({self.size})"


@dataclass(frozen=True, repr=False)
class PostProcessed(Node):
    """The event inside, followed by a computation that does not touch the data."""

    label: str

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.then({self.label!r})"


@dataclass(frozen=True, repr=False)
class OneUnit(Node):
    """A release of which the event inside says no more than what one unit can change.

    What was run is not that composition: a threshold that hides what one unit adds may show what
    two add. So the event inside answers for one unit, and for groups only what follows from that.
    """

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.for_one_unit()"


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
        return f"parallel({', '.join(map(spelled, self.parts))}{declared})"


@dataclass(frozen=True, repr=False)
class Joint(Event):
    """Events about different units, when one unit of each may change at once."""

    parts: tuple[Event, ...]
    neighbors: Neighbors

    def __repr__(self) -> str:
        return f"jointly({', '.join(map(spelled, self.parts))})"


def spelled(event: Event) -> str:
    """The event's text, which reads back; without the numbers that a curve prints beside it."""
    return event._text()


def wrapped(event: Event) -> str:
    """The event's text, in parentheses where an operator would otherwise bind wrongly."""
    return f"({event!r})" if isinstance(event, Composed) else spelled(event)


def common_neighbors(parts: Sequence[Event]) -> Neighbors:
    """The one relation that all parts speak of."""
    relation = parts[0].neighbors
    for part in parts[1:]:
        relation = relation.merged(part.neighbors)
    return relation
