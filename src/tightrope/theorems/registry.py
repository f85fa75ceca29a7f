"""The registry: every theorem with its citation, its grade, what it leads from and to.

A theorem enters by a decorator over one function, and everything that walks the registry (the
planner, the tests that try to falsify it, the documentation) finds it there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from tightrope._cite import Reference, reference

F = TypeVar("F", bound=Callable[..., Any])


class Grade(Enum):
    """How much a theorem gives away."""

    LOSSLESS = "lossless"
    """Source and target say the same: there is a way back."""

    SHARP = "sharp"
    """The best that holds for the whole class; the witness attains it."""

    LOOSE = "loose"
    """Valid, and known not to be the best possible."""


@dataclass(frozen=True)
class Theorem:
    """One proved implication, as a function on parameters.

    ``function`` takes the source's parameters as arrays and gives the target's. Where the
    target is a curve it takes the point of the curve first: epsilon for a profile (giving log
    delta), alpha for a trade-off curve (beta), the order for a Renyi curve (the divergence).
    """

    name: str
    kind: str
    source: type
    target: type
    grade: Grade
    cite: str
    item: str
    statement: str
    function: Callable[..., Any]
    witness: Callable[..., Any] | None = None
    condition: str = ""
    """Where it says something, or in which form, if not of all members of the source."""

    @property
    def graded(self) -> str:
        """The grade, and what it hangs on: ``lossless, only if rho = 0``."""
        return f"{self.grade.value}, {self.condition}" if self.condition else self.grade.value

    @property
    def reference(self) -> Reference:
        """The source in the literature."""
        return reference(self.cite)

    @property
    def citation(self) -> str:
        """``Bun and Steinke (2016), Proposition 1.4``."""
        return f"{self.reference.short}, {self.item}"

    def __call__(self, *parameters: Any) -> Any:
        """Apply the theorem to parameters."""
        return self.function(*parameters)


@dataclass(frozen=True)
class Impossible:
    """A proof that no theorem can lead from one notion to another, and what to do instead."""

    source: type
    target: type
    reason: str


_theorems: dict[str, Theorem] = {}
_impossible: list[Impossible] = []


def theorem(  # noqa: PLR0913  (a theorem is all of these)
    kind: str,
    source: type,
    target: type,
    grade: Grade,
    cite: str,
    item: str,
    statement: str,
    witness: Callable[..., Any] | None = None,
    *,
    condition: str = "",
) -> Callable[[F], F]:
    """Register the decorated function as a theorem; stacked, it is one for each source."""

    def enter(function: F) -> F:
        name = function.__name__
        if name in _theorems:
            name = f"{name}_from_{source.__name__}"
        _theorems[name] = Theorem(
            name, kind, source, target, grade, cite, item, statement, function, witness, condition
        )
        return function

    return enter


def conversion(  # noqa: PLR0913
    source: type,
    target: type,
    grade: Grade,
    cite: str,
    item: str,
    statement: str,
    witness: Callable[..., Any] | None = None,
    *,
    condition: str = "",
) -> Callable[[F], F]:
    """Register a conversion from one notion to another."""
    return theorem(
        "conversion", source, target, grade, cite, item, statement, witness, condition=condition
    )


def impossible(source: type, target: type, reason: str) -> None:
    """Record that no conversion can exist, with the reason that a caller is told."""
    _impossible.append(Impossible(source, target, reason))


def theorems(kind: str | None = None) -> tuple[Theorem, ...]:
    """All theorems, or those of one kind, in order of registration."""
    return tuple(t for t in _theorems.values() if kind in (None, t.kind))


def named(name: str) -> Theorem:
    """The theorem of that name; KeyError if there is none."""
    return _theorems[name]


def impossibilities() -> tuple[Impossible, ...]:
    """Every recorded proof that a conversion cannot exist."""
    return tuple(_impossible)
