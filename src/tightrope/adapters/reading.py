"""How a tree of foreign events is read: under which relation, and whether inside of a sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.adapters.foreign import attribute, kind_of
from tightrope.events import Event
from tightrope.neighbors import Neighbors, add_or_remove

CALLER = "from_dp_accounting"

Part = Event | None
"""What was read; None where nothing was told about the data."""


@dataclass(frozen=True)
class Reading:
    """The relation of what is read, and that of the caller.

    They differ inside of a Poisson sample that is wanted under replace-one: what makes sampling
    help is that a unit may be absent, so what is inside is read under add-or-remove, and the
    sample as a whole is restated.
    """

    neighbors: Neighbors
    wanted: Neighbors

    @property
    def replaces(self) -> bool:
        """Whether one unit is replaced by another."""
        return self.neighbors.kind == "replace_one"

    @property
    def sensitivity(self) -> int:
        """How far one change moves a sum whose terms have norm at most 1."""
        return 2 if self.replaces else 1

    def within_sample(self) -> Reading:
        """The reading of what is run on a Poisson sample."""
        unit = self.neighbors.changes[0].unit
        return replace(self, neighbors=add_or_remove.of(unit).keeping(*self.neighbors.invariants))

    def stated(self, event: Any) -> Neighbors:
        """The relation of a guarantee that is stated as such, about the caller's relation."""
        if self.neighbors.kind != self.wanted.kind:
            raise InvalidArgument(
                f"{CALLER}: {named(kind_of(event))} under replace-one does not say what is seen "
                "when a unit is not in a Poisson sample; only additive noise can be read inside "
                "of one"
            )
        return self.neighbors


@dataclass(frozen=True)
class Node:
    """An event with others inside: these, and how the node is made of what they are read as."""

    inside: tuple[Any, ...]
    reading: Reading
    build: Callable[[list[Part]], Part]


def told(source: Any, name: str) -> Any:
    """An attribute of an event that is being read."""
    return attribute(CALLER, source, name)
