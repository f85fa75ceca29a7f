"""Events as plain data: a flat table of nodes, each with its parameters exactly as they were given.

A table has no depth, so that a reader needs no recursion, and says every part once. Numbers are
texts that denote one rational number exactly: whole numbers, decimals, fractions such as
``542/339``, and hexadecimal floats where a double has no short decimal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import singledispatchmethod
from typing import Any

from tightrope.events import (
    Composed,
    Event,
    FixedSize,
    Grouped,
    Joint,
    Parallel,
    PostProcessed,
    Repeated,
    Restated,
    Sampled,
    Shuffled,
    TruncatedSample,
)
from tightrope.neighbors import Neighbors

Node = dict[str, Any]
"""A node or a relation as plain data."""


@dataclass(frozen=True)
class Together:
    """Runs of several events under one relation, where no event stands for them."""

    runs: tuple[tuple[Event, int], ...]
    neighbors: Neighbors


Subject = Event | Together
"""What a step is about."""


def exact(value: Any) -> Any:
    """A parameter as plain data: numbers as texts that denote them exactly."""
    if isinstance(value, bool | str):
        return value
    if isinstance(value, list | tuple):
        return [exact(item) for item in value]
    if isinstance(value, float):
        number = float(value)
        short = repr(number)
        return short if Fraction(short) == Fraction(number) else number.hex()
    return str(value)


@dataclass
class Table:
    """The nodes and the relations of a certificate, each of them once."""

    nodes: list[Node] = field(default_factory=list)
    relations: list[Node] = field(default_factory=list)
    _known: dict[Subject, str] = field(default_factory=dict)
    _ids: dict[str, str] = field(default_factory=dict)
    _prints: dict[str, str] = field(default_factory=dict)

    def add(self, subject: Subject) -> str:
        """The id of what a step is about, entered with all that is inside."""
        if subject not in self._known:
            node = self._node(subject) | {"neighbors": self.relation(subject.neighbors)}
            self._known[subject] = self._entered(node, self.nodes, "n")
        return self._known[subject]

    def relation(self, neighbors: Neighbors) -> str:
        """The id of a relation of neighbours."""
        changes = [{"kind": c.kind, "unit": c.unit} for c in neighbors.changes]
        told = {"changes": changes, "invariants": list(neighbors.invariants)}
        return self._entered(told, self.relations, "r")

    def fingerprint(self, name: str) -> str:
        """What tells the event of a node from all others, whatever its parts are called."""
        if name not in self._prints:
            node = self.nodes[int(name[1:])]
            relation = self.relations[int(node["neighbors"][1:])]
            told = {
                "kind": node["kind"],
                "parameters": node.get("parameters", {}),
                "parts": [[self.fingerprint(part), n] for part, n in node.get("parts", [])],
                "changes": [[c["kind"], c["unit"]] for c in relation["changes"]],
                "invariants": relation["invariants"],
            }
            text = json.dumps(told, sort_keys=True, separators=(",", ":"))
            code = hashlib.sha256(text.encode("ascii")).hexdigest()
            self._prints[name] = f"sha256:{code}"
        return self._prints[name]

    def _entered(self, record: Node, table: list[Node], letter: str) -> str:
        key = letter + json.dumps(record, sort_keys=True)
        if key not in self._ids:
            self._ids[key] = f"{letter}{len(table)}"
            table.append({"id": self._ids[key]} | record)
        return self._ids[key]

    @singledispatchmethod
    def _node(self, event: Any) -> Node:
        """A leaf: its class, and its parameters as they were given."""
        return {"kind": type(event).__name__, "parameters": dict(_parameters(event))}

    @_node.register
    def _composed(self, event: Composed) -> Node:
        return self._runs(event.counts.items())

    @_node.register
    def _together(self, event: Together) -> Node:
        return self._runs(event.runs)

    def _runs(self, runs: Iterable[tuple[Event, int]]) -> Node:
        return {"kind": "Composed", "parts": [[self.add(part), n] for part, n in runs]}

    @_node.register(Parallel)
    @_node.register(Joint)
    def _parts(self, event: Any) -> Node:
        told: Node = {
            "kind": type(event).__name__,
            "parts": [[self.add(p), 1] for p in event.parts],
        }
        if isinstance(event, Parallel):
            told["parameters"] = {"fixed_parts": event.fixed_parts}
        return told

    @_node.register(Sampled)
    @_node.register(Grouped)
    @_node.register(PostProcessed)
    @_node.register(Restated)
    @_node.register(Shuffled)
    @_node.register(TruncatedSample)
    @_node.register(FixedSize)
    def _around(self, event: Any) -> Node:
        named = {f.name: exact(getattr(event, f.name)) for f in fields(event) if f.name in _AROUND}
        parts = [[self.add(event.event), 1]]
        return {"kind": type(event).__name__, "parts": parts, "parameters": named}

    @_node.register
    def _repeated(self, event: Repeated) -> Node:
        law: Any = event.times
        named = {f.name: exact(getattr(law, f.name)) for f in fields(law)}
        told = {"law": type(law).__name__} | named
        return {"kind": "Repeated", "parts": [[self.add(event.event), 1]], "parameters": told}


_AROUND = ("rate", "size", "label", "reports", "max_batch", "population", "batch_size")
"""Parameters of nodes around one event."""


def _parameters(event: Any) -> Iterator[tuple[str, Any]]:
    """The parameters of a leaf; of noise that is given by its scale, the scale."""
    plain = {f.name: getattr(event, f.name) for f in fields(event) if f.name != "neighbors"}
    if plain.get("noise_scale") is not None:
        plain.pop("variance", None)
    for name, value in plain.items():
        if value is not None:
            yield name, exact(value) if _is_plain(value) else repr(event)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return isinstance(value, bool | str | int | float | Fraction)
