"""The sum of bounded records, exactly, with its sensitivity.

A float sum depends on the order of its terms and on how they are rounded, so that one record can
change it by more than its bound (Casacuberta, Shoemate, Vadhan and Wagaman, 2022). Here every
record is clipped and rounded to a grid first, which is fixed by what is declared; the integers are
added exactly, in any order, and cannot overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from tightrope._calls import Spoken, spoken
from tightrope._check import Real
from tightrope.aggregates.record_grid import record_exponent
from tightrope.grid import Bounds, Column, as_doubles, plain, read_records, step_of, to_points
from tightrope.neighbors import Neighbors, add_or_remove, by_kind

__all__ = ["BoundedSum", "bounded_sum", "change_of", "in_units", "total_of"]


@dataclass(frozen=True)
class BoundedSum(metaclass=Spoken):
    """A sum that is ready for release, and not public before: ``mechanism.release(total)``.

    Attributes:
        points: the sum in steps of ``2**exponent``, an integer of any size; not public.
        exponent: of the step.
        sensitivity: the largest change between neighbours, in the units of the records.
        neighbors: the relation that the sensitivity refers to.
    """

    points: int = field(repr=False)
    exponent: int
    sensitivity: Real
    neighbors: Neighbors

    @property
    def exact(self) -> Fraction:
        """The sum itself, without noise: not to be published."""
        return self.points * step_of(self.exponent)

    def sensitivity_in(self, norm: str) -> Real:
        """Of one number, all norms are alike."""
        return self.sensitivity


@spoken
def bounded_sum(
    values: Any,
    bounds: Bounds | tuple[Real, Real],
    *,
    step: Real | None = None,
    neighbors: Neighbors = add_or_remove,
) -> BoundedSum:
    """The sum of records clipped to ``bounds``, and what one record can change.

    Each unit has one record. Every record is rounded half to even to a grid within the bounds,
    before anything is added, so that the sensitivity holds for what is computed: the larger size
    of the two bounds (of the points of the grid next to them, inside) if a record is added or
    removed, their distance if one is replaced.

    The step of the grid is public, so it never comes from the records. It is ``step`` if that is
    given. Else it is 1 for an array or a column whose type is one of integers (or booleans),
    between whole bounds of at most 2^40; otherwise, and for every list, at most a 2^-30th of the
    larger bound. What a type says is taken for declared: if it was inferred from records, as
    ``np.array(records)`` does, then the exponent tells whether all of them were whole, and a given
    ``step`` tells nothing. The sum and its sensitivity are the same for either type.

    Args:
        values: one number a record, an array of any shape or a column; infinities are clipped like
            all others.
        bounds: ``tr.Bounds(low, high)`` or a pair, declared without looking at the data.
        step: distance of the points of the grid, a power of two: 1 where records are whole, which
            discrete noise needs.
        neighbors: ``tr.add_or_remove`` or ``tr.replace_one``.

    Raises:
        InvalidArgument: a record is not a number (its place is told), or an argument is not
            admissible.

    Examples:
        >>> import tightrope as tr
        >>> ages = tr.bounded_sum([34, 51, 130, 7], (0, 120), step=1)
        >>> ages
        BoundedSum(exponent=0, sensitivity=120, neighbors=add_or_remove)
        >>> noisy = tr.DiscreteLaplace(noise_scale=240, sensitivity=120).release(ages)
        >>> noisy.to(tr.PureDP)
        PureDP(epsilon=0.5)
    """
    interval = Bounds.of(bounds, "bounded_sum")
    change = change_of(neighbors, "bounded_sum")
    column = read_records(values, "bounded_sum")
    exponent = record_exponent(interval, column, step)
    low, high = interval.points(exponent)
    points = total_of(column, low, high, exponent)
    return BoundedSum(points, exponent, in_units(change(low, high), exponent), neighbors)


def change_of(neighbors: Neighbors, caller: str) -> Callable[[int, int], int]:
    """How far one record can move the sum, from the ends of the interval that it lies in."""
    return by_kind(
        neighbors,
        f"{caller}: neighbors",
        added=lambda low, high: max(abs(low), abs(high)),
        replaced=lambda low, high: high - low,
    )


def in_units(points: int, exponent: int) -> Real:
    """A number of steps in the units of the records."""
    return plain(points * step_of(exponent))


def total_of(column: Column, low: int, high: int, exponent: int) -> int:
    """The exact sum of the records' points between ``low`` and ``high``.

    Records are read as doubles, which NumPy makes of integers in the company of a float, so that a
    type that was inferred from them moves none: integers that differ from theirs by rounding lie
    beyond the bounds, or within a step that is much longer than that.

    A record is below 2**41 steps and a block at most 2**18 records, so blocks fit 64 bits; they are
    added as Python integers, which have no largest.
    """
    total = 0
    for _, block in column.blocks():
        total += int(np.clip(to_points(as_doubles(block), exponent), low, high).sum())
    return total
