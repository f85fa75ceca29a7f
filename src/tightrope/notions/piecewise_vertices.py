"""Vertices of a trade-off curve, with both ends of the unit interval in full precision.

A failure probability of 1e-20 is the gap between a type II error and 1, where doubles are 1e-16
apart.  So every coordinate is held twice, as a number and as its distance from 1, and it means
the smaller of the two.  Differences of such coordinates are accurate to two units of rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import EPS

__all__ = ["Rising", "Vertices", "ordered_union"]

_TURN_ERROR = 8 * EPS


@dataclass(frozen=True)
class Rising:
    """A non-decreasing sequence in [0, 1]: `low`, or `1 - high` where `low` is above 1/2.

    Attributes:
        low: the distances from 0.
        high: the distances from 1.
    """

    low: FloatArray
    high: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> Rising:
        """The doubles `values` themselves: above 1/2 their distance from 1 is exact."""
        return cls(values, 1 - values)

    @classmethod
    def complement(cls, values: FloatArray) -> Rising:
        """Exactly `1 - x` for falling doubles `x`, also where that rounds to 1/2."""
        rounded = 1 - values
        return cls(np.where(values < 0.5, np.maximum(rounded, 0.5 + EPS), rounded), values)

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, where: NDArray[np.intp] | NDArray[np.bool_] | slice) -> Rising:
        return Rising(self.low[where], self.high[where])

    @property
    def near_zero(self) -> NDArray[np.bool_]:
        """Where the number is given by its distance from 0."""
        return self.low <= 0.5

    @property
    def rounded_down(self) -> FloatArray:
        """The largest doubles that are not above the sequence."""
        value = 1 - self.high
        value = np.where(1 - value < self.high, np.nextafter(value, 0.0), value)
        return np.where(self.near_zero, self.low, value)

    def joined(self, further: Rising) -> Rising:
        """This sequence and then the further one."""
        return Rising(np.append(self.low, further.low), np.append(self.high, further.high))

    def mirrored(self) -> Rising:
        """The sequence `1 - x`, in rising order."""
        return Rising(self.high[::-1], self.low[::-1])

    def to(self, other: Rising) -> FloatArray:
        """The distances from these numbers up to those of `other`, to two units of rounding."""
        head = 1 - other.high
        across = (head - self.low) + ((1 - head) - other.high)
        from_one = np.where(self.near_zero, across, self.high - other.high)
        return np.where(other.near_zero, other.low - self.low, from_one)

    def steps(self) -> FloatArray:
        """The distances from each number to the next."""
        return self[:-1].to(self[1:])

    def index_of(self, points: Rising) -> NDArray[np.intp]:
        """The index of the last number that is at most each point, and not the very last."""
        lower = int(np.count_nonzero(self.near_zero))
        below = np.searchsorted(self.low[:lower], points.low, side="right")
        above = np.searchsorted(-self.high[lower:], -points.high, side="right")
        index = np.where(points.near_zero, below, lower + above) - 1
        return np.asarray(np.clip(index, 0, len(self) - 2))

    def lowered(self, error: float) -> Rising:
        """Move every number down by the relative `error`, from either end, and keep the order."""
        low = _least_of_later(self.low * (1 - error))
        high = -_least_of_later(-np.minimum(self.high * (1 + error), 1.0))
        near = low <= 0.5
        if not near.all():
            ceiling = np.nextafter(1 - high[~near].max(), 0.0)
            low = np.where(near, np.minimum(low, ceiling), low)
        return Rising(np.maximum(low, 0.0), high)

    def exact(self, index: int) -> Fraction:
        """The number at `index`."""
        low, high = float(self.low[index]), float(self.high[index])
        return Fraction(low) if low <= 0.5 else 1 - Fraction(high)


_ONE = Rising(np.ones(1), np.zeros(1))


def _least_of_later(values: FloatArray) -> FloatArray:
    return np.asarray(np.minimum.accumulate(values[::-1])[::-1])


def ordered_union(first: Rising, second: Rising) -> tuple[Rising, NDArray[np.intp]]:
    """All numbers of both in rising order, and their indices in the concatenation."""
    both = first.joined(second)
    order = np.lexsort((np.where(both.near_zero, both.low, -both.high), ~both.near_zero))
    return both[order], order


@dataclass(frozen=True)
class Vertices:
    """A polygonal trade-off curve from `alpha = 0` to `alpha = 1, power = 1`.

    Attributes:
        alpha: type I errors.
        power: one minus the type II errors.
    """

    alpha: Rising
    power: Rising

    def __len__(self) -> int:
        return len(self.alpha)

    def __getitem__(self, where: NDArray[np.bool_] | slice) -> Vertices:
        return Vertices(self.alpha[where], self.power[where])

    def inverse(self) -> Vertices:
        """The curve of the same pair with its laws exchanged."""
        alpha, power = self.power.mirrored(), self.alpha.mirrored()
        if alpha.high[-1] > 0:  # f(0) < 1, so the inverse has come to 0 at f(0)
            alpha, power = alpha.joined(_ONE), power.joined(_ONE)
        first = int(np.count_nonzero(alpha.low == 0)) - 1
        return Vertices(alpha[first:], power[first:])

    def joined(self, further: Vertices) -> Vertices:
        """This curve up to its last vertex, which is the first of `further`, and that one on."""
        return Vertices(self.alpha.joined(further.alpha[1:]), self.power.joined(further.power[1:]))

    def at(self, alpha: Rising) -> Rising:
        """The power at each `alpha`, to eight units of rounding of its distance from 0 and 1."""
        k = self.alpha.index_of(alpha)
        left, right = self.alpha[k], self.alpha[k + 1]
        bottom, top = self.power[k], self.power[k + 1]
        run, rise = left.to(right), bottom.to(top)
        low = bottom.low + rise * (np.maximum(left.to(alpha), 0.0) / run)
        high = top.high + rise * (np.maximum(alpha.to(right), 0.0) / run)
        return Rising(low, high)

    def alpha_at(self, power: Rising) -> Rising:
        """The type I error at which each `power` is reached, as accurate as `at`."""
        return Vertices(self.power, self.alpha).at(power)

    def lowered(self, error: float) -> Vertices:
        """Move every vertex to the left and down by the relative `error`: a safe curve.

        Each point of an edge moves to the left and down too, hence below a falling curve.
        """
        return Vertices(self.alpha.lowered(error), self.power.mirrored().lowered(error).mirrored())

    def hull(self) -> Vertices:
        """The lower convex hull, without vertices inside an edge; decided exactly.

        A vertex on or above the line through its neighbours is no corner of the hull, so all of
        these go at once, until none is left.
        """
        curve = self[np.flatnonzero(self.alpha.low == 0)[-1] :]
        distinct = (curve.alpha.steps() > 0) | (curve.power.steps() > 0)
        curve = curve[np.append(True, distinct)]
        while not (corner := curve._corners()).all():
            curve = curve[corner]
        return curve

    def _corners(self) -> NDArray[np.bool_]:
        """Where the curve is strictly convex; the two ends count as such."""
        run, rise = self.alpha.steps(), self.power.steps()
        steep, flat = rise[:-1] * run[1:], rise[1:] * run[:-1]
        corner = np.concatenate([[True], steep > flat, [True]])
        for k in np.flatnonzero(abs(steep - flat) <= _TURN_ERROR * (steep + flat)) + 1:
            corner[k] = self._exact_turn(int(k)) > 0
        return corner

    def _exact_turn(self, k: int) -> Fraction:
        x, y = self.alpha.exact, self.power.exact
        return (y(k) - y(k - 1)) * (x(k + 1) - x(k)) - (y(k + 1) - y(k)) * (x(k) - x(k - 1))
