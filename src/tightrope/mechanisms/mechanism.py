"""What all mechanisms share: parameters, and facts about what they guarantee.

A mechanism is an event that one can run. Its facts are theorems of their own: functions from its
*strength* (numbers that grow with what it leaks) to its parameter in one notion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tightrope import _wire
from tightrope._check import Real
from tightrope.events.leaf import Leaf
from tightrope.loss.dominating import Dominating
from tightrope.notions import GDP, BoundedRange, LogisticDP, Profile
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

    local: ClassVar[bool] = False
    """Whether each unit runs it on its own value, so that what changes is that value."""

    unbounded: ClassVar[str] = ""
    """Why no notion of log-ratios holds, where what is known of it would say so less clearly."""

    @classmethod
    @cache
    def facts(cls) -> Mapping[type, Theorem]:
        """What the mechanism guarantees, by notion."""
        found: dict[type, Theorem] = {}
        for owner in reversed(cls.__mro__):
            for value in vars(owner).values():
                if isinstance(value, Fact):
                    found[value.theorem.target] = value.theorem
        return MappingProxyType(found)

    def strength(self) -> tuple[float, ...]:
        """The numbers that the facts are functions of, rounded to the side of more leakage."""
        raise NotImplementedError  # pragma: no cover

    def dominating(self) -> Dominating | None:
        """The dominating pairs of one release, if they are known; None if only the facts are."""
        return None

    def alternatives(self) -> tuple[Dominating, ...] | None:
        """The pairs of which the neighbours fix one, where all releases together are only one."""
        pair = self.dominating()
        return (pair,) if pair is not None else None

    def thinned(self, rate: Real) -> Mechanism | None:
        """The same mechanism on a Poisson sample of the units, if it is one; else None."""
        return None

    if not TYPE_CHECKING:  # a type checker is told of the attributes that there are

        def __getattr__(self, name: str) -> Any:
            """Say of a mechanism that is only accounted for why it cannot be run here."""
            if name == "release":
                raise AttributeError(
                    f"{type(self).__name__} has no release: it is accounted for here, and what it "
                    f"tells is drawn elsewhere. Its guarantee is event.to(...)"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def has_exact_profile(self) -> bool:
        """Whether the facts determine the privacy profile of this mechanism, not only bound it."""
        facts = self.facts()
        lossless = any(n in facts and facts[n].grade is Grade.LOSSLESS for n in (GDP, LogisticDP))
        ranged = BoundedRange in facts and facts[BoundedRange].grade is Grade.SHARP
        return Profile in facts or lossless or ranged

    @property
    def has_tight_mu(self) -> bool:
        """Whether no smaller GDP parameter holds for this mechanism."""
        return True

    @property
    def slope_at_order_one(self) -> bool:
        """Whether D(order)/order is largest at order 1, where it adds under composition."""
        return True

    def grouped(self, size: int) -> Self | None:
        """The same mechanism as seen by ``size`` units, if it is one; else None."""
        return None

    def _told(self) -> list[str]:
        """The names of the parameters that stand in its text: those that are not the usual ones."""
        names = [f.name for f in fields(self) if getattr(self, f.name) != f.default]
        return [name for name in names if name != "neighbors"]

    def __repr__(self) -> str:
        told = [f"{name}={_wire.typed(getattr(self, name))}" for name in self._told()]
        return f"{type(self).__name__}({', '.join(told + _wire.told_neighbors(self))})"
