"""What all mechanisms share: parameters, and facts about what they guarantee.

A mechanism is an event that one can run. Its facts are theorems of their own: functions from its
*strength* (numbers that grow with what it leaks) to its parameter in one notion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from tightrope import _wire
from tightrope.events.leaf import Leaf
from tightrope.theorems.registry import Grade, Theorem, named, theorem


class Fact:
    """A theorem about one mechanism, entered into the registry under the class that holds it."""

    def __init__(  # noqa: PLR0913
        self,
        notion: type,
        grade: Grade,
        cite: str,
        item: str,
        statement: str,
        function: Callable[..., Any],
    ):
        self.entry = (notion, grade, cite, item, statement)
        self.function = function
        self.theorem: Theorem

    def __set_name__(self, owner: type, name: str) -> None:
        notion, grade, cite, item, statement = self.entry

        def applied(*arguments: Any) -> Any:
            return self.function(*arguments)

        applied.__name__ = f"{owner.__name__}.{name}"
        applied.__doc__ = self.function.__doc__
        theorem("mechanism", owner, notion, grade, cite, item, statement)(applied)
        self.theorem = named(applied.__name__)


def fact(
    notion: type, grade: Grade, cite: str, item: str, statement: str
) -> Callable[[Callable[..., Any]], Fact]:
    """Declare a guarantee of the mechanism in whose class body this stands.

    The function takes the columns of ``strength`` (arrays) and gives the notion's parameters;
    for a curve notion it takes the point of the curve first.
    """
    return lambda function: Fact(notion, grade, cite, item, statement, function)


@dataclass(frozen=True, repr=False)
class Mechanism(Leaf):
    """Base of all mechanisms."""

    title: ClassVar[str]

    @classmethod
    def facts(cls) -> dict[type, Theorem]:
        """What the mechanism guarantees, by notion."""
        found: dict[type, Theorem] = {}
        for owner in reversed(cls.__mro__):
            for value in vars(owner).values():
                if isinstance(value, Fact):
                    found[value.theorem.target] = value.theorem
        return found

    def strength(self) -> tuple[float, ...]:
        """The numbers that the facts are functions of, rounded to the side of more leakage."""
        raise NotImplementedError  # pragma: no cover

    def grouped(self, size: int) -> Self | None:
        """The same mechanism as seen by ``size`` units, if it is one; else None."""
        return None

    def __repr__(self) -> str:
        told = [
            f"{f.name}={_wire.typed(getattr(self, f.name))}"
            for f in fields(self)
            if f.name != "neighbors" and getattr(self, f.name) != f.default
        ]
        return f"{type(self).__name__}({', '.join(told + _wire.told_neighbors(self))})"
