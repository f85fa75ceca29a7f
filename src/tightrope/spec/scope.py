"""What a node of a specification is, and what it takes over from the tables around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from tightrope._check import Real
from tightrope.events import Event
from tightrope.neighbors import Neighbors, add_or_remove, replace_one
from tightrope.spec.document import Place

RELATIONS: Mapping[str, Neighbors] = MappingProxyType(
    {"add_or_remove": add_or_remove, "replace_one": replace_one}
)
PARTS = ("compose", "parallel", "jointly")
KINDS = ("mechanism", "guarantee", "notion", *PARTS)
SCOPE = ("unit", "neighbors", "invariants")
MODIFIERS = ("rate", "times", "group", "restated", "then")
COMMON = ("label", *MODIFIERS, *SCOPE)


@dataclass(frozen=True)
class Scope:
    """What a node takes over from the tables around it."""

    relation: Neighbors = add_or_remove
    constants: Mapping[str, Fraction] = field(default_factory=dict)
    depth: int = 0

    def inside(self, place: Place) -> Scope:
        """The scope of a table that may say more about its neighbours."""
        relation = self.relation
        if kind := place.get("neighbors"):
            relation = replace(
                relation_of(kind).of(relation.changes[0].unit), invariants=relation.invariants
            )
        if unit := place.get("unit"):
            relation = relation.of(unit.text("the name of the privacy unit"))
        if facts := place.get("invariants"):
            told = [fact.text("a published fact") for fact in facts.items("published facts")]
            relation = relation.keeping(*told)
        return replace(self, relation=relation, depth=self.depth + 1)


@dataclass(frozen=True)
class Told:
    """A parameter or a modifier as it was given: as written, and its number if it is one."""

    key: str
    written: str
    value: Real | None = None


@dataclass(frozen=True)
class Node:
    """One table of the analysis, read.

    Attributes:
        label: its name for people; may be empty.
        kind: the word for what was run, such as ``discrete Gaussian mechanism``.
        told: parameters and modifiers, as given.
        parts: the nodes that it is put together from.
        event: what it amounts to.
    """

    label: str
    kind: str
    told: tuple[Told, ...]
    parts: tuple[Node, ...]
    event: Event


def relation_of(place: Place) -> Neighbors:
    """The neighbour relation that a key names."""
    return RELATIONS[place.choice("relation", RELATIONS)]
