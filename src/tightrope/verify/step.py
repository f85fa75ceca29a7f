"""Steps: what each says, about which node, by which theorem, from which earlier steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from tightrope.verify.event import Events, Node
from tightrope.verify.outcome import Refuted

NOTIONS: dict[str, tuple[str, ...]] = {
    "PureDP": ("epsilon",),
    "BoundedRange": ("epsilon",),
    "LogisticDP": ("epsilon",),
    "GDP": ("mu",),
    "ZCDP": ("rho", "xi"),
    "TCDP": ("rho", "omega"),
    "ApproxDP": ("epsilon", "delta"),
    "TradeOff": ("alpha", "beta"),
    "RDP": ("order", "epsilon"),
}
"""Notions with the names of their numbers; the last three are points of curves."""

PROTECTIVE = frozenset(("omega", "beta", "alpha", "order"))
"""Numbers of which more is a stronger claim."""

PROBABILITIES = frozenset(("delta", "alpha", "beta"))


@dataclass(frozen=True)
class Judgement:
    """A statement: a node satisfies a notion with these numbers."""

    about: Node
    notion: str
    values: Mapping[str, Fraction]

    @property
    def number(self) -> Fraction:
        """The only number of a notion that has one."""
        (value,) = self.values.values()
        return value


@dataclass(frozen=True)
class Step:
    """A statement with the theorem that is said to give it."""

    theorem: str
    says: Judgement
    inputs: tuple[tuple[Judgement, int], ...]
    events: Events
    interval: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)

    @property
    def about(self) -> Node:
        """The node that the step speaks of."""
        return self.says.about

    def value(self, name: str) -> Fraction:
        """One of the numbers that the step gives."""
        return self.says.values[name]

    def only(self, *notions: str) -> Judgement:
        """The only input, used once, in one of these notions."""
        if len(self.inputs) != 1 or self.inputs[0][1] != 1:
            raise Refuted(f"{self.theorem} takes one input, once")
        found = self.inputs[0][0]
        if found.notion not in notions:
            raise Refuted(f"{self.theorem} does not start from {found.notion}")
        return found

    def same(self, *notions: str) -> Judgement:
        """The only input, about the node of the step itself."""
        found = self.only(*notions)
        if found.about.key != self.about.key:
            raise Refuted("the step is about another event than its input")
        return found

    def inside(self, kind: str, *notions: str) -> Judgement:
        """The only input, about the event inside the node, which is of this kind."""
        found = self.only(*notions)
        if self.about.kind != kind or found.about.key != self.about.inside.key:
            raise Refuted(f"the step is not about a {kind} of what its input is about")
        return found

    def gives(self, notion: str) -> None:
        """The step ends in this notion."""
        if self.says.notion != notion:
            raise Refuted(f"{self.theorem} does not lead to {self.says.notion}")


Rule = Callable[[Step], None]
"""Checks a step: returns if it follows, raises Refuted or NotChecked if not."""

RULES: dict[str, Rule] = {}
"""The checker of every theorem that is checked, by its id."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Enter a checker under the ids of its theorems; a decorator."""

    def enter(check: Rule) -> Rule:
        for name in names:
            RULES[name] = check
        return check

    return enter
