"""The mean of bounded records, as a centred sum and a count, each of known sensitivity."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tightrope._calls import Spoken, spoken
from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope.aggregates.record_grid import record_exponent
from tightrope.aggregates.sums import BoundedSum, change_of, in_units, total_of
from tightrope.grid import Bounds, plain, read_records, step_of
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.num.rounding import float_up

__all__ = ["BoundedMean", "bounded_mean"]


@dataclass(frozen=True)
class BoundedMean(metaclass=Spoken):
    """A mean in parts to release: the sum of what is above the middle of the bounds, and a count.

    Attributes:
        total: the centred sum.
        count: the number of records: a sum to release if records are added or removed, a plain
            number, which neighbours share, if they are replaced.
        bounds: the interval that the records were clipped to.
    """

    total: BoundedSum
    count: BoundedSum | int
    bounds: Bounds
    origin: Real = field(repr=False)

    @property
    def sensitivity(self) -> float | None:
        """The largest change of the mean if the number of records is public, else None."""
        if isinstance(self.count, BoundedSum):
            return None
        return float_up(Fraction(self.total.sensitivity) / max(self.count, 1))

    def of(self, total: Any, count: Any = None) -> float:
        """The mean from what was released: computed from public numbers, so it costs nothing.

        Args:
            total: the released value of ``total`` (or the release itself).
            count: the released value of ``count``, if that is to be released; at least 1 is used.

        Raises:
            InvalidArgument: the count is missing, or given although it is public.
        """
        if isinstance(self.count, BoundedSum) != (count is not None):
            raise InvalidArgument(
                "BoundedMean.of: give the released count if records are added or removed, and "
                "only then"
            )
        records: Any = self.count if count is None else getattr(count, "value", count)
        centred = float(getattr(total, "value", total)) / max(float(records), 1.0)
        low, high = float(self.bounds.low), float(self.bounds.high)
        return min(max(float(self.origin) + centred, low), high)


@spoken
def bounded_mean(
    values: Any,
    bounds: Bounds | tuple[Real, Real],
    *,
    step: Real | None = None,
    neighbors: Neighbors = add_or_remove,
) -> BoundedMean:
    """The mean of records clipped to ``bounds``, in parts that are ready for release.

    Records are clipped, rounded and added as in ``bounded_sum``, on a grid that never comes from
    them, each less the exact middle of the bounds (of the points next to them, inside), so that one
    record changes the sum by half the width of the bounds (the whole width if it is replaced). If
    records are added or removed their number is private too, and is released beside: a whole
    number of sensitivity 1.

    Args:
        values: one number a record, an array of any shape or a column.
        bounds: ``tr.Bounds(low, high)`` or a pair, declared without looking at the data.
        step: as for ``bounded_sum``; if the middle lies between two points, the sum counts halves
            of it.
        neighbors: ``tr.add_or_remove`` or ``tr.replace_one``.

    Raises:
        InvalidArgument: a record is not a number, or an argument is not admissible.

    Examples:
        >>> import tightrope as tr
        >>> mean = tr.bounded_mean([34.5, 51.0, 130.0, 7.25], (0, 120))
        >>> mean.total.sensitivity
        60
        >>> total = tr.Laplace(noise_scale=120, sensitivity=60).release(mean.total)
        >>> count = tr.DiscreteLaplace(noise_scale=2).release(mean.count)
        >>> 0 <= mean.of(total, count) <= 120
        True
    """
    interval = Bounds.of(bounds, "bounded_mean")
    change = change_of(neighbors, "bounded_mean")
    column = read_records(values, "bounded_mean")
    exponent = record_exponent(interval, column, step)
    low, high = interval.points(exponent)
    size = column.flat.size
    halves = 2 * total_of(column, low, high, exponent) - size * (low + high)
    points, finer = _coarsened(halves, exponent, low + high)
    moved = in_units(change(low - high, high - low), exponent - 1)
    total = BoundedSum(points, finer, moved, neighbors)
    count = BoundedSum(size, 0, 1, neighbors) if neighbors.kind == "add_or_remove" else size
    return BoundedMean(total, count, interval, plain((low + high) * step_of(exponent - 1)))


def _coarsened(halves: int, exponent: int, both_ends: int) -> tuple[int, int]:
    """A sum that counts half steps, in whole ones if the middle of the two ends is a point.

    Then every record is a whole number of steps away from it, and so is the sum.
    """
    return (halves // 2, exponent) if both_ends % 2 == 0 else (halves, exponent - 1)
