"""Which data sets count as neighbours: the relation that every guarantee is about.

A relation says what may change (add or remove one unit, or replace one), what the unit is (a
record, a person, a housing unit), and which published facts both data sets agree on. Relations
travel with guarantees; two different ones never mix silently.

Examples:
    >>> import tightrope as tr
    >>> print(tr.replace_one.of("person").keeping("state population totals"))
    replace one person, among data sets that agree on state population totals
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from tightrope._calls import Spoken
from tightrope._errors import InvalidArgument, NeighborsMismatch

T = TypeVar("T")

UNSTATED = "unit"
"""The unit's name when the caller has not said what it is; it agrees with any for all times."""

PER_WINDOW = " per window of "
"""What the name of a unit says if a guarantee is for one window of time only."""


PARTICIPLES = {"add_or_remove": "added or removed", "replace_one": "replaced"}
"""What happens to a unit, by the kind of the change."""


@dataclass(frozen=True, order=True)
class Change:
    """One admissible change: ``kind`` is ``add_or_remove`` or ``replace_one``."""

    kind: str
    unit: str = UNSTATED

    def __str__(self) -> str:
        return f"{self.kind.replace('_', ' ').removesuffix(' one')} one {self.unit}"

    def passively(self, verb: str) -> str:
        """The change as what happens to a unit.

        Examples:
            >>> Change("replace_one", "person").passively("was")
            'one person was replaced'
        """
        return f"one {self.unit} {verb} {PARTICIPLES[self.kind]}"

    def unit_agrees(self, other: Change) -> bool:
        """True if both have the same unit, or one of them leaves it unstated.

        A unit per window of time agrees with no unit that is for all times.
        """
        if (PER_WINDOW in self.unit) != (PER_WINDOW in other.unit):
            return False
        return UNSTATED in (self.unit, other.unit) or self.unit == other.unit

    def agrees(self, other: Change) -> bool:
        """True if both changes are of one kind, of units that agree."""
        return self.kind == other.kind and self.unit_agrees(other)


@dataclass(frozen=True)
class Neighbors(metaclass=Spoken):
    """A neighbour relation: at most one change of each kind listed, facts kept equal."""

    changes: tuple[Change, ...]
    invariants: tuple[str, ...] = ()

    def __repr__(self) -> str:
        named = [
            change.kind + (f".of({change.unit!r})" if change.unit != UNSTATED else "")
            for change in self.changes
        ]
        text = named[0] if len(named) == 1 else f"jointly_neighbors({', '.join(named)})"
        return text + (f".keeping({', '.join(map(repr, self.invariants))})" * bool(self.invariants))

    def __str__(self) -> str:
        text = " and at most ".join(str(change) for change in self.changes)
        if len(self.changes) > 1:
            text = f"at most {text}"
        if self.invariants:
            text += f", among data sets that agree on {', '.join(self.invariants)}"
        return text

    @property
    def kind(self) -> str:
        """``add_or_remove``, ``replace_one``, or ``joint`` for a relation of several changes."""
        return self.changes[0].kind if len(self.changes) == 1 else "joint"

    def of(self, unit: str) -> Neighbors:
        """The same relation with its privacy unit named, for example ``"person"``."""
        if not isinstance(unit, str) or not unit.strip():
            raise InvalidArgument(f"unit must be a name such as 'person'; you passed {unit!r}")
        if len(self.changes) > 1:
            raise InvalidArgument("name the units before joining relations, not after")
        return replace(self, changes=(replace(self.changes[0], unit=unit),))

    def keeping(self, *facts: str) -> Neighbors:
        """The same relation among data sets that agree on the given published facts."""
        if not all(isinstance(fact, str) and fact.strip() for fact in facts):
            raise InvalidArgument(f"keeping() takes sentences naming facts; you passed {facts!r}")
        return replace(self, invariants=tuple(dict.fromkeys((*self.invariants, *facts))))

    def merged(self, other: Neighbors) -> Neighbors:
        """The relation of a composition of two events, if both speak of the same one.

        Raises:
            NeighborsMismatch: the two relations differ; the message names the bridge.
        """
        merged = self.merged_or_none(other)
        if merged is None:
            raise NeighborsMismatch(_mismatch(self, other))
        return merged

    def merged_or_none(self, other: Neighbors) -> Neighbors | None:
        """As ``merged``, with None where the two relations differ."""
        if self == other:
            return self
        same = len(self.changes) == len(other.changes) and all(
            a.agrees(b) for a, b in zip(self.changes, other.changes, strict=True)
        )
        if not same:
            return None
        changes = tuple(
            b if a.unit == UNSTATED else a for a, b in zip(self.changes, other.changes, strict=True)
        )
        return Neighbors(changes, self.invariants).keeping(*other.invariants)

    def joined(self, other: Neighbors) -> Neighbors:
        """The relation in which one change of each of the two may happen at once."""
        both = Neighbors((*self.changes, *other.changes), self.invariants)
        return both.keeping(*other.invariants)


def require_neighbors(value: object, what: str) -> None:
    """Raise InvalidArgument unless ``value`` is a relation."""
    if not isinstance(value, Neighbors):
        raise InvalidArgument(
            f"{what} must be a relation such as tr.replace_one; you passed {value!r}"
        )


def by_kind(neighbors: object, what: str, *, added: T, replaced: T) -> T:
    """One of two values, by whether one unit is added or removed, or replaced.

    Raises:
        InvalidArgument: ``neighbors`` is no relation, or one of several changes.
    """
    values = {"add_or_remove": added, "replace_one": replaced}
    kind = getattr(neighbors, "kind", None)
    if kind not in values:
        raise InvalidArgument(
            f"{what} must be tr.add_or_remove or tr.replace_one; you passed {neighbors!r}"
        )
    return values[kind]


def _per_window(relation: Neighbors) -> bool:
    return any(PER_WINDOW in change.unit for change in relation.changes)


def _mismatch(a: Neighbors, b: Neighbors) -> str:
    if _per_window(a) != _per_window(b):
        return (
            f"one of these is a promise per window of time and the other one for all times, so "
            f"they do not compose: ({a}) and ({b})"
        )
    text = f"these speak of different neighbours: ({a}) and ({b})."
    if a.kind == b.kind:
        return f"{text} Use tr.jointly(a, b) if one unit of each may change at once."
    if {a.kind, b.kind} == {"add_or_remove", "replace_one"}:
        return (
            f"{text} Replacing is one removal and one addition, so an add-or-remove guarantee can "
            "be restated by a group of two: event.restated(tr.replace_one). There is no way back."
        )
    return text


add_or_remove = Neighbors((Change("add_or_remove"),))
"""Add or remove one unit: the default relation."""

replace_one = Neighbors((Change("replace_one"),))
"""Replace one unit by another."""


def jointly_neighbors(*relations: Neighbors) -> Neighbors:
    """The relation in which at most one change of each given relation happens at once."""
    if not relations:
        raise InvalidArgument("jointly_neighbors: at least one relation is needed; you passed none")
    joint = relations[0]
    for relation in relations[1:]:
        joint = joint.joined(relation)
    return joint
