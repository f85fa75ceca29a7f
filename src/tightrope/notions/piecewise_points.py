"""Trade-off curves from points that people write down.

Points through which no trade-off curve goes are refused; all else that is done to them lowers the
curve, and so keeps it true.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope._errors import InvalidArgument
from tightrope.notions.piecewise_vertices import Rising, Vertices
from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import down

__all__ = ["columns", "points_polygon"]

_SLIGHTLY = 1 + 1e-12
"""Points above a convex curve by less than this factor count as rounded, and are lowered."""


def points_polygon(alpha: ArrayLike, beta: ArrayLike) -> Vertices:
    """The curve through the given points: by definition, their piecewise-linear interpolation.

    Of several points with one alpha the lowest counts.  Outside of the given range the curve is
    what convexity forces: the first and the last edge go on in a straight line, up to `alpha = 0`
    and down to `beta = 0`.

    Raises:
        InvalidArgument: there are no two points of different alpha, a point is not in the unit
            square, or no convex, non-increasing curve with `f(alpha) <= 1 - alpha` goes through
            all of them; the message names a point.
    """
    x, y = columns("alpha", alpha, "beta", beta)
    order = np.lexsort((-y, x))
    lowest = order[np.append(np.diff(x[order]) > 0, True)]
    points = _Points(x[lowest], y[lowest], lowest)
    points.check()
    corners = points.extended()
    hull = Vertices(Rising.of(corners[0]), Rising.complement(corners[1])).hull()
    above = points.beta > hull.at(Rising.of(points.alpha)).high * _SLIGHTLY
    above[[0, -1]] = False  # the ends lie on the continued edges, up to their rounding
    points.refuse(above, "lies above the line through its neighbours; f must be convex")
    return hull


def columns(first: str, x: ArrayLike, second: str, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two arrays of one positive length.

    Raises:
        InvalidArgument: they are not.
    """
    a, b = np.atleast_1d(np.asarray(x, np.float64)), np.atleast_1d(np.asarray(y, np.float64))
    if a.ndim != 1 or a.shape != b.shape or a.size == 0:
        raise InvalidArgument(f"{first} and {second} must be sequences of one positive length")
    return a, b


class _Points(NamedTuple):
    """Points by rising alpha, and the place of each in what the caller passed."""

    alpha: FloatArray
    beta: FloatArray
    place: NDArray[np.intp]

    def refuse(self, wrong: NDArray[np.bool_], reason: str) -> None:
        for k in np.flatnonzero(wrong):
            point = f"({float(self.alpha[k])!r}, {float(self.beta[k])!r})"
            raise InvalidArgument(f"point {self.place[k]}, (alpha, beta) = {point}, {reason}")

    def check(self) -> None:
        x, y, _ = self
        self.refuse(~((x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)), "is not in [0, 1] x [0, 1]")
        self.refuse(y > (1 - x) * _SLIGHTLY, "lies above beta = 1 - alpha")
        rising = np.append(False, y[1:] > y[:-1] * _SLIGHTLY)
        self.refuse(rising, "lies higher than one to its left; f must not increase")
        self.refuse(np.array([x.size == 1]), "is no curve by itself; give one of another alpha")

    def extended(self) -> tuple[FloatArray, FloatArray]:
        """The coordinates, with the first and the last edge continued to both axes."""
        x, y = self.alpha, np.minimum(self.beta, 1 - self.alpha)
        top = _further(y[0], x[0], y[0] - y[1], x[1] - x[0])
        end = _further(x[-1], y[-1], x[-1] - x[-2], y[-2] - y[-1])
        place = np.arange(x.size)
        self.refuse((place == 0) & (top > _SLIGHTLY), "has an edge that passes above (0, 1)")
        self.refuse(
            (place == x.size - 1) & (end > _SLIGHTLY), "has an edge that passes above (1, 0)"
        )
        x, y = np.append(0.0, np.append(x, end)), np.append(top, np.append(y, 0.0))
        return np.append(np.minimum(x, 1.0), 1.0), np.append(np.minimum(y, 1.0), 0.0)


def _further(start: float, lever: float, rise: float, run: float) -> float:
    """Continue a line by `lever`, rounded down."""
    if lever == 0:
        return float(start)
    return down(float(start + lever * (rise / run)), 4) if run > 0 else np.inf
