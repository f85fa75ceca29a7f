"""Samples of a fixed or bounded size, and shuffled reports, as nodes of the event tree.

On a batch of a fixed size no unit is added or removed: one takes the place of another. So what is
inside must be stated for replacing a unit, whatever the relation of the whole is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tightrope import _wire
from tightrope._check import COUNT, Real, validated
from tightrope._errors import InvalidArgument, NeighborsMismatch
from tightrope.events.event import Event
from tightrope.events.nodes import Node, wrapped
from tightrope.events.walk import leaves
from tightrope.neighbors import UNSTATED

if TYPE_CHECKING:
    from tightrope.neighbors import Neighbors


@dataclass(frozen=True, repr=False)
class FixedSize(Event):
    """The event inside on a batch of a fixed size; the base of both ways to draw one.

    Attributes:
        event: what is run on the batch, stated for replacing a unit of it.
        batch_size: how many units are in a batch, counted as often as they are drawn.
        population: how many units the data has.
        neighbors: the relation of the whole.
    """

    event: Event
    batch_size: int
    population: int
    neighbors: Neighbors

    verb: ClassVar[str] = ""

    @classmethod
    def check(cls, size: int, units: int, outer: Neighbors) -> None:
        """Raise InvalidArgument if no such batch can be drawn, even without one of the units."""
        raise NotImplementedError

    @classmethod
    def is_all(cls, size: int, units: int) -> bool:
        """Whether every batch is the whole data."""
        return False

    def __repr__(self) -> str:
        told = [f"batch_size={self.batch_size}", f"population={self.population}"]
        if self.neighbors != self.event.neighbors:
            told.append(f"neighbors={self.neighbors!r}")
        return f"{wrapped(self.event)}.{self.verb}({', '.join(told)})"


@dataclass(frozen=True, repr=False)
class WithoutReplacement(FixedSize):
    """A batch of exactly so many different units, uniformly."""

    verb = "without_replacement"

    @classmethod
    def check(cls, size: int, units: int, outer: Neighbors) -> None:
        """No unit is drawn twice."""
        if size > units:
            raise InvalidArgument(
                f"{cls.verb}: batch_size must be at most population; you passed {size} of "
                f"{units}; are the two swapped?"
            )
        if size == units and outer.kind == "add_or_remove":
            raise InvalidArgument(
                f"{cls.verb}: batch_size must be below population where a unit may be removed; "
                f"of {units - 1} units no batch of {size} can be drawn"
            )

    @classmethod
    def is_all(cls, size: int, units: int) -> bool:
        """Whether every unit is drawn."""
        return size == units


@dataclass(frozen=True, repr=False)
class WithReplacement(FixedSize):
    """So many independent uniform draws: a unit may be in the batch several times."""

    verb = "with_replacement"

    @classmethod
    def check(cls, size: int, units: int, outer: Neighbors) -> None:
        """Something is left to draw."""
        if units == 1 and outer.kind == "add_or_remove":
            raise InvalidArgument(
                f"{cls.verb}: population must be at least 2 where a unit may be removed; without "
                "its only unit the data has nothing to draw"
            )


@dataclass(frozen=True, repr=False)
class TruncatedSample(Node):
    """The event inside on a Poisson sample, which is cut down uniformly where it is too large.

    Attributes:
        rate: the probability that one unit is sampled.
        max_batch: the most units that are kept.
        population: how many units the data has.
    """

    rate: Real
    max_batch: int
    population: int

    def __repr__(self) -> str:
        limits = f"max_batch={self.max_batch}, population={self.population}"
        return f"{wrapped(self.event)}.sampled(rate={_wire.typed(self.rate)}, {limits})"


@dataclass(frozen=True, repr=False)
class Shuffled(Node):
    """Reports of many users, each made by the local randomiser inside, in a random order."""

    reports: int

    def __repr__(self) -> str:
        return f"{wrapped(self.event)}.shuffled(reports={self.reports})"


def fixed_size(
    kind: type[FixedSize],
    event: Event,
    batch_size: int,
    population: int,
    neighbors: Neighbors | None,
) -> Event:
    """A sample of a fixed size; the plain event where the whole data is the batch."""
    size = int(validated(batch_size, COUNT, f"{kind.verb}: batch_size"))
    units = int(validated(population, COUNT, f"{kind.verb}: population"))
    outer = _outer(kind.verb, event, neighbors)
    kind.check(size, units, outer)
    return event if kind.is_all(size, units) else kind(event, size, units, outer)


def truncated(event: Event, rate: Real, max_batch: int, population: int) -> Event:
    """A Poisson sample of at most ``max_batch`` units; of a data set that is as small, any."""
    most = int(validated(max_batch, COUNT, "sampled: max_batch"))
    units = int(validated(population, COUNT, "sampled: population"))
    if rate == 0 or most > units:  # even of one more unit, no sample is too large
        return event.sampled(rate)
    return TruncatedSample(event, rate, most, units)


def shuffled(event: Event, reports: int) -> Event:
    """See ``Event.shuffled``."""
    count = int(validated(reports, COUNT, "shuffled: reports"))
    local = all(getattr(leaf, "local", False) for leaf in leaves(event))
    if event.neighbors.kind != "replace_one" and not local:
        raise NeighborsMismatch(
            "shuffled: every user sends one report, and what changes is the user's value; state "
            f"the randomiser with neighbors=tr.replace_one. This one speaks of: {event.neighbors}"
        )
    return event if count == 1 else Shuffled(event, count)


def _outer(verb: str, event: Event, neighbors: Neighbors | None) -> Neighbors:
    """The relation of the whole, with the unit and the facts of the inner one."""
    inner = event.neighbors
    if inner.kind != "replace_one":
        raise NeighborsMismatch(
            f"{verb}: on a batch of a fixed size one unit takes the place of another, so state the "
            f"sensitivity for that, with neighbors=tr.replace_one (for a sum of clipped rows it is "
            f"twice that of adding one), or use event.restated(tr.replace_one). This event speaks "
            f"of: {inner}"
        )
    if neighbors is None:
        return inner
    merged = inner.merged_or_none(neighbors)
    if merged is not None:
        return merged
    change = neighbors.changes[0]
    if neighbors.kind != "add_or_remove" or not inner.changes[0].unit_agrees(change):
        raise NeighborsMismatch(
            f"{verb}: neighbors must be tr.replace_one or tr.add_or_remove of the unit of the "
            f"event inside ({inner}); you passed ({neighbors})"
        )
    unit = inner.changes[0].unit
    named = neighbors if unit == UNSTATED else neighbors.of(unit)
    return named.keeping(*inner.invariants)
