"""The sum of rows, one a person, each clipped to a norm, exactly.

Rows are clipped first, so that the norm of the doubles is at most the bound; then every entry is
cut to a multiple of a power of two *towards zero*, which no norm grows by; the integers are added
exactly. So the sensitivity of what is computed is the bound itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._calls import Spoken, spoken
from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope.aggregates.record_grid import FINENESS
from tightrope.aggregates.sums import change_of
from tightrope.grid import (
    BLOCK,
    LOWEST_EXPONENT,
    clip_column,
    floor_log2,
    plain,
    read,
    step_of,
)
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.num.rounding import sqrt_up

__all__ = ["BoundedRowSum", "bounded_row_sum"]

_FEWER = {("L1", "L1"), ("L1", "L2"), ("L2", "L2")}
"""Norms of which the second is at most the first."""


@dataclass(frozen=True, eq=False)
class BoundedRowSum(metaclass=Spoken):
    """A sum of rows that is ready for release, and not public before.

    Attributes:
        points: the sums of the columns in steps of ``2**exponent``, as Python integers; not public.
        exponent: of the step.
        norm: in which the rows were clipped.
        sensitivity: the largest change between neighbours in that norm.
        neighbors: the relation that the sensitivity refers to.
    """

    points: NDArray[Any] = field(repr=False)
    exponent: int
    norm: str
    sensitivity: Real
    neighbors: Neighbors

    @property
    def exact(self) -> list[Fraction]:
        """The sums themselves, without noise: not to be published."""
        return [point * step_of(self.exponent) for point in self.points.tolist()]

    def sensitivity_in(self, norm: str) -> Real:
        """The largest change between neighbours in the norm ``"L1"`` or ``"L2"``, rounded up."""
        if (self.norm, norm) in _FEWER:
            return self.sensitivity
        columns = len(self.points)
        if (self.norm, norm) == ("Linf", "L1"):
            return plain(Fraction(self.sensitivity) * columns)
        return sqrt_up(Fraction(self.sensitivity) ** 2 * columns)


@spoken
def bounded_row_sum(
    rows: Any, norm: str, bound: Real, *, neighbors: Neighbors = add_or_remove
) -> BoundedRowSum:
    """The sum of rows, one a person, each scaled down to a norm of at most ``bound``.

    ``tr.Gaussian`` wants the L2 norm, ``tr.Laplace`` the L1 norm. With ``"Linf"`` each entry is
    clipped by itself. Entries are cut towards zero to a grid finer than 2^-30 of the bound.

    Args:
        rows: an array of two axes, or a frame; the second has the columns, whose number is public.
        norm: ``"L1"``, ``"L2"`` or ``"Linf"``.
        bound: the largest norm, from 1e-290 to 1e300; chosen without looking at the data.
        neighbors: ``tr.add_or_remove`` or ``tr.replace_one``, where the sum moves by twice as much.

    Raises:
        InvalidArgument: an entry is not a number (its place is told), or infinite (which ``"Linf"``
            clips), or an argument is not admissible.

    Examples:
        >>> import tightrope as tr
        >>> total = tr.bounded_row_sum([[3.0, 4.0], [0.0, 0.5]], norm="L2", bound=1)
        >>> total
        BoundedRowSum(exponent=-30, norm='L2', sensitivity=1, neighbors=add_or_remove)
        >>> tr.Gaussian(noise_scale=2.0).release(total).value.shape
        (2,)
    """
    caller = "bounded_row_sum"
    change = change_of(neighbors, caller)
    column = read(rows, caller, "rows")
    if len(column.shape) != 2 or not column.shape[1]:
        raise InvalidArgument(
            f"{caller}: rows must have two axes, one row a person; you passed the shape "
            f"{column.shape}"
        )
    clipped = clip_column(column, norm, bound)
    exponent = max(floor_log2(Fraction(bound)) - FINENESS, LOWEST_EXPONENT)
    moved = change(-1, 1) * Fraction(bound)
    return BoundedRowSum(_total(clipped, exponent), exponent, norm, plain(moved), neighbors)


def _total(rows: NDArray[np.float64], exponent: int) -> NDArray[Any]:
    """The columns' sums in steps; an entry is below 2**31 steps, so sums of blocks fit 64 bits."""
    total = np.zeros(rows.shape[1], dtype=object)
    for start in range(0, len(rows), BLOCK):
        steps = np.trunc(np.ldexp(rows[start : start + BLOCK], -exponent)).astype(np.int64)
        total += steps.sum(axis=0).astype(object)
    return total
