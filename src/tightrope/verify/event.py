"""The event of a certificate: its nodes and relations, read and compared by what they are.

Two nodes are the same if they say the same, whatever their ids; a composition is the multiset of
its runs, however they are bracketed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope.verify.numbers import exact
from tightrope.verify.outcome import Unreadable

UNSTATED = "unit"
DEEPEST = 60
"""Most levels of an event."""

Key = int
"""A number that stands for all nodes which say the same."""


@dataclass(frozen=True)
class Relation:
    """What may differ between neighbours: changes as (kind, unit), and what both agree on."""

    changes: tuple[tuple[str, str], ...]
    invariants: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of the only change, or ``joint``."""
        return self.changes[0][0] if len(self.changes) == 1 else "joint"

    def __str__(self) -> str:
        words = {"add_or_remove": "add or remove", "replace_one": "replace"}
        told = [f"{words[kind]} one {unit}" for kind, unit in self.changes]
        text = told[0] if len(told) == 1 else "at most " + " and at most ".join(told)
        if self.invariants:
            text += f", among data sets that agree on {', '.join(self.invariants)}"
        return text


@dataclass(frozen=True)
class Node:
    """One node: its kind, parameters, parts with counts, and the relation that it is about."""

    kind: str
    parameters: Mapping[str, Any]
    parts: tuple[tuple[Node, int], ...]
    relation: Relation
    key: Key
    level: int
    kinds: frozenset[str]

    def number(self, name: str) -> Fraction:
        """A parameter that must be a number."""
        if name not in self.parameters:
            raise Unreadable(f"a node of kind {self.kind} has no parameter {name!r}")
        return exact(self.parameters[name], f"{self.kind}: {name}")

    @property
    def is_loose(self) -> bool:
        """Whether it is runs about several units, of which only joint_units may say something."""
        if self.kind != "Composed" or self.relation.kind != "joint":
            return False
        return not all(agree(part.relation, self.relation) for part, _ in self.parts)

    @cached_property
    def fingerprint(self) -> str:
        """What tells this event from all others, whatever its parts are called."""
        told = {
            "kind": self.kind,
            "parameters": dict(self.parameters),
            "parts": [[part.fingerprint, count] for part, count in self.parts],
            "changes": [list(change) for change in self.relation.changes],
            "invariants": list(self.relation.invariants),
        }
        text = json.dumps(told, sort_keys=True, separators=(",", ":"))
        return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"

    @cached_property
    def counted(self) -> Counter[Key]:
        """The multiset of runs that this is, nested compositions taken apart, each of them once."""
        if self.kind != "Composed":
            return Counter([self.key])
        return _counted(self.parts)

    @property
    def inside(self) -> Node:
        """The only part."""
        if len(self.parts) != 1 or self.parts[0][1] != 1:
            raise Unreadable(f"a node of kind {self.kind} must have one part")
        return self.parts[0][0]


@dataclass
class Events:
    """All nodes by their ids, with the numbers that stand for what they say."""

    nodes: dict[str, Node] = field(default_factory=dict)
    _keys: dict[Any, Key] = field(default_factory=dict)
    _by_key: dict[Key, Node] = field(default_factory=dict)
    derived: dict[Any, Any] = field(default_factory=dict)
    """What was found out about nodes, by their keys, so that nothing is worked out twice."""

    work: int = 0
    """How much was found out."""

    def named(self, name: Any) -> Node:
        """The node with this id."""
        if not isinstance(name, str) or name not in self.nodes:
            raise Unreadable(f"there is no node {str(name)[:20]!r}")
        return self.nodes[name]

    def make(
        self,
        kind: str,
        parameters: Mapping[str, Any],
        parts: tuple[tuple[Node, int], ...],
        relation: Relation,
    ) -> Node:
        """The node that says this; the same object whenever it says the same."""
        if kind == "Composed":
            told: Any = frozenset(_counted(parts).items())
        else:
            told = tuple((part.key, count) for part, count in parts)
        identity = (kind, _frozen(parameters), told, relation)
        key = self._keys.setdefault(identity, len(self._keys))
        if key not in self._by_key:
            level = 1 + max((part.level for part, _ in parts), default=0)
            if level > DEEPEST:
                raise Unreadable(f"the event nests more than {DEEPEST} levels")
            kinds = frozenset((kind,)).union(*(part.kinds for part, _ in parts))
            self._by_key[key] = Node(kind, parameters, parts, relation, key, level, kinds)
        return self._by_key[key]

    def grouped(self, node: Node, size: int) -> Node:
        """The node for so many units that change at once; a group of groups is one group."""
        if node.kind == "Grouped":
            inside, whole = node.inside, size * int(node.number("size"))
        else:
            inside, whole = node, size
        return self.make("Grouped", {"size": str(whole)}, ((inside, 1),), node.relation)

    def runs(self, node: Node) -> Counter[Key]:
        """The multiset of runs that a composition is; a group of one is one of groups."""
        if node.kind == "Grouped" and node.inside.kind == "Composed":
            size = int(node.number("size"))
            runs = node.inside.counted.items()
            return _counted((self.grouped(self._by_key[key], size), n) for key, n in runs)
        return node.counted


def _counted(parts: Iterable[tuple[Node, int]]) -> Counter[Key]:
    """Parts that stand there several times are taken apart once, so that this stays quick."""
    distinct: dict[Key, tuple[Node, int]] = {}
    for part, count in parts:
        distinct[part.key] = (part, count + distinct.get(part.key, (part, 0))[1])
    total: Counter[Key] = Counter()
    for part, count in distinct.values():
        for key, runs in part.counted.items() if part.kind == "Composed" else ((part.key, 1),):
            total[key] += runs * count
    return total


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple(sorted((key, _frozen(item)) for key, item in value.items()))
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def agree(inner: Relation, outer: Relation) -> bool:
    """Whether both relations are about the same changes, of units that the outer one may name."""
    return len(inner.changes) == len(outer.changes) and all(
        kind == other and unit in (UNSTATED, named)
        for (kind, unit), (other, named) in zip(inner.changes, outer.changes, strict=True)
    )
