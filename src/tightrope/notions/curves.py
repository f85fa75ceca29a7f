"""What trade-off curves and privacy profiles share: points given by hand, or an event's curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope import _wire
from tightrope._errors import InvalidArgument
from tightrope.events.event import Event
from tightrope.events.nodes import wrapped
from tightrope.neighbors import Neighbors
from tightrope.notions.guarantee import Guarantee
from tightrope.notions.piecewise import PiecewiseCurve


@dataclass(frozen=True, repr=False, init=False)
class CurveGuarantee(Guarantee):
    """A guarantee that is a whole curve: either finitely many points, or that of an event."""

    points: tuple[tuple[float, ...], tuple[float, ...]] | None
    event: Event | None

    def _fill(
        self,
        names: tuple[str, str],
        points: tuple[ArrayLike | None, ArrayLike | None],
        neighbors: Neighbors,
    ) -> None:
        first, second = (
            _column(type(self).__name__, n, p) for n, p in zip(names, points, strict=True)
        )
        if len(first) != len(second):
            raise InvalidArgument(
                f"{type(self).__name__}: {names[0]} and {names[1]} must have one length; "
                f"{len(first)} and {len(second)} given"
            )
        object.__setattr__(self, "neighbors", neighbors)
        object.__setattr__(self, "points", (first, second))
        object.__setattr__(self, "event", None)
        self.__post_init__()

    @classmethod
    def of(cls, event: Event) -> Any:
        """The best curve that can be proved for ``event``."""
        curve = object.__new__(cls)
        object.__setattr__(curve, "neighbors", event.neighbors)
        object.__setattr__(curve, "points", None)
        object.__setattr__(curve, "event", event)
        return curve

    def piecewise(self) -> PiecewiseCurve:
        """The piecewise-linear trade-off curve that the points given by hand amount to."""
        raise NotImplementedError  # pragma: no cover

    def _some_points(self) -> str:
        """A few numbers of the curve, for people."""
        raise NotImplementedError  # pragma: no cover

    def __repr__(self) -> str:
        """What reads back, and some numbers behind it, which a reader takes as a comment."""
        return self._text() if self.event is None else f"{self._text()}  # {self._some_points()}"

    def _text(self) -> str:
        if self.event is not None:
            return f"{wrapped(self.event)}.to({type(self).__name__})"
        assert self.points is not None
        first, second = (list(column) for column in self.points)
        told = [repr(first), repr(second), *_wire.told_neighbors(self)]
        return f"{type(self).__name__}({', '.join(told)})"


def _column(owner: str, name: str, values: ArrayLike | None) -> tuple[float, ...]:
    try:
        column = np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        column = np.array([np.nan])
    if column.ndim != 1 or column.size == 0 or not np.isfinite(column).all():
        raise InvalidArgument(
            f"{owner}: {name} must be a sequence of finite numbers; you passed {values!r}"
        )
    return tuple(column.tolist())
