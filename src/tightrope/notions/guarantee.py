"""What all guarantees share: a notion of privacy with its parameters, for stated neighbours."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np

from tightrope import _wire
from tightrope._check import Parameter, Real, parameters
from tightrope.events.leaf import Leaf
from tightrope.num.arrays import Flags, Floats

Columns = tuple[Floats, ...]
"""Parameters of many guarantees of one notion, an array a parameter."""


@dataclass(frozen=True, repr=False)
class Guarantee(Leaf):
    """An upper bound on what anybody can learn about one unit.

    A guarantee is also an event of which only that bound is known, so guarantees compose,
    repeat and group like anything else that was run.
    """

    short: ClassVar[str]
    """The prefix of the short text form, as in ``zcdp:0.5``."""

    title: ClassVar[str]
    """The notion's usual name."""

    protective: ClassVar[frozenset[str]] = frozenset()
    """Parameters of which more is a stronger promise."""

    _derive: ClassVar[Any] = None  # builds the last derivation step, for computed guarantees

    def derived(self, derive: Callable[[], Any]) -> Self:
        """This guarantee with a function that builds the last step of its derivation."""
        twin = copy.copy(self)
        object.__setattr__(twin, "_derive", derive)
        return twin

    def derivation_step(self) -> Any:
        """The last step of the derivation; None for a guarantee that was given."""
        return None if self._derive is None else self._derive()

    @property
    def values(self) -> tuple[Real, ...]:
        """The parameters, in order."""
        return tuple(getattr(self, p.name) for p in parameters(self))

    @classmethod
    def improves(cls, new: Columns, old: Columns) -> Flags:
        """Where the new parameters say more than the old ones, elementwise."""
        return np.asarray(new[0] < old[0])

    @classmethod
    def greatest(cls, rows: Sequence[Columns]) -> Columns:
        """The parameters that hold whichever of several events was touched."""
        return tuple(np.max(column, axis=0) for column in zip(*rows, strict=True))

    @classmethod
    def shown(cls, name: str, value: Any, digits: int = 4) -> str:
        """A parameter for people, rounded to the side of the weaker promise."""
        rounded = _wire.shown_down if name in cls.protective else _wire.shown
        return rounded(value, digits)

    def _safe(self, parameter: Parameter) -> str:
        """A parameter as ``shown``; with all digits if that reads back as more, or as nothing."""
        name, value = parameter.name, getattr(self, parameter.name)
        if self._derive is None:
            return _wire.typed(value)
        text = self.shown(name, value)
        moved = float(text) - float(value)
        stronger = moved > 0 if name in self.protective else moved < 0
        lost = moved and not parameter.domain.contains(float(text))
        return _wire.typed(value) if stronger or lost else text

    def __repr__(self) -> str:
        pairs = [f"{p.name}={self._safe(p)}" for p in self._told()]
        return f"{type(self).__name__}({', '.join(pairs + _wire.told_neighbors(self))})"

    def __str__(self) -> str:
        return f"{self!r} for neighbours that {self.neighbors}"

    def _told(self) -> list[Any]:
        """The parameters worth printing: those that have no default, or differ from it."""
        defaults = {f.name: f.default for f in fields(self)}
        return [p for p in parameters(self) if getattr(self, p.name) != defaults[p.name]]
