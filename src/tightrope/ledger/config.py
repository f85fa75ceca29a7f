"""What a book promises, as it stands in its first entry: everything that must not change."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tightrope._parse import parse
from tightrope.events import Event, spelled
from tightrope.ledger.amounts import Amounts, read, written
from tightrope.ledger.chain import canonical
from tightrope.ledger.choosing import choose
from tightrope.ledger.filter import Filter
from tightrope.ledger.partition import Partition
from tightrope.ledger.scope import Scope, scoped
from tightrope.ledger.structure import Structure, Units, Windows
from tightrope.neighbors import Neighbors
from tightrope.notions import ApproxDP, Guarantee

FORMAT = 1
"""The version of what entries mean."""


@dataclass(frozen=True)
class Config:
    """A budget, whom it protects, the filter that guards it, and what was declared beforehand.

    Attributes:
        capacity: how far the filter's sums may go, as it was when the book was created.
        counted: what they are sums of.
        plan: the texts of the declared events, if all were declared before the first release.
        parent: the book of which this is a share.
    """

    budget: Guarantee
    filter: str
    slack: Fraction | None
    structure: Structure
    capacity: Amounts
    counted: tuple[str, ...]
    plan: tuple[str, ...] | None = None
    parent: str | None = None

    @property
    def neighbors(self) -> Neighbors:
        """The relation that the budget speaks of."""
        return self.budget.neighbors

    @cached_property
    def text(self) -> str:
        """What the store keeps of it."""
        return canonical(self.described())

    @cached_property
    def guard(self) -> Filter:
        """The filter."""
        return choose(self.budget, self.chosen, self.slack)

    @property
    def chosen(self) -> str | None:
        """The filter as whoever creates a book chooses it; None where there is no choice."""
        return self.filter if isinstance(self.budget, ApproxDP) else None

    @property
    def scope(self) -> Scope | None:
        """What the budget holds for; None if that is everything, as all declared events fit."""
        return None if self.plan is not None else self.structure.scope(self.guard.repeated)

    @property
    def guaranteed(self) -> Guarantee:
        """What the book guarantees: the budget, for units that say what it holds for."""
        return scoped(self.budget, self.scope)

    @cached_property
    def planned(self) -> dict[str, int]:
        """Every declared event with the number of times that it may be charged."""
        texts = self.plan or ()
        return {text: texts.count(text) for text in texts}

    @classmethod
    def new(
        cls,
        guard: Filter,
        structure: Structure,
        plan: tuple[Event, ...] | None = None,
        parent: str | None = None,
    ) -> Config:
        """The configuration of a new book."""
        slack = getattr(guard, "slack", None)
        return cls(
            budget=guard.budget,
            filter=guard.name,
            slack=None if slack is None else Fraction(slack),
            structure=structure,
            capacity=guard.capacity(),
            counted=guard.counted,
            plan=None if plan is None else tuple(map(spelled, plan)),
            parent=parent,
        )

    def described(self) -> dict[str, Any]:
        """As plain values, for the first entry."""
        return {
            "format": FORMAT,
            "budget": spelled(self.budget),
            "filter": self.filter,
            "slack": None if self.slack is None else str(self.slack),
            "structure": self.structure.described(),
            "capacity": list(map(written, self.capacity)),
            "counted": list(self.counted),
            "plan": None if self.plan is None else list(self.plan),
            "parent": self.parent,
        }

    @classmethod
    def of(cls, told: dict[str, Any]) -> Config:
        """The configuration that a first entry describes."""
        return cls(
            budget=parse(told["budget"]),
            filter=told["filter"],
            slack=None if told["slack"] is None else Fraction(told["slack"]),
            structure=structure_of(told["structure"]),
            capacity=tuple(map(read, told["capacity"])),
            counted=tuple(told["counted"]),
            plan=None if told["plan"] is None else tuple(told["plan"]),
            parent=told["parent"],
        )

    @classmethod
    def read(cls, text: str) -> Config:
        """The configuration from the store's text."""
        return cls.of(json.loads(text))


def structure_of(described: dict[str, Any]) -> Structure:
    """The structure that the first entry of a book describes."""
    kinds: dict[str, type[Structure]] = {
        shape.kind: shape for shape in (Structure, Partition, Windows, Units)
    }
    told = {name: value for name, value in described.items() if name != "kind"}
    return kinds[described["kind"]](**told)
