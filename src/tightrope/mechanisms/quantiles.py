"""A quantile of bounded records, chosen by the exponential mechanism among the points of a grid.

The score of a point is how many records would have to be added to make it a quantile, or less:
with L records below the point, G above it, n in all,

    score = -max(0, L - q n, G - (1 - q) n).

A point that is a q-quantile has the score 0. A record that is added moves L - q n by -q or 1 - q,
and G - (1 - q) n by -(1 - q) or q, so the score by at most max(q, 1 - q); one that is replaced
moves L and G by at most 1 each. All points between two neighbouring records have one score, so they
are chosen together, in proportion to their number, and then one of them uniformly. The weights
themselves are never computed, so that none underflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._calls import spoken
from tightrope._check import CLOSED_PROBABILITY, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.grid import (
    LOWEST_EXPONENT,
    Bounds,
    Column,
    as_doubles,
    declared_exponent,
    floor_log2,
    from_points,
    read_records,
    to_points,
)
from tightrope.mechanisms.candidates import coefficient
from tightrope.mechanisms.exponential import Exponential
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.source import source_of
from tightrope.neighbors import Neighbors, add_or_remove, by_kind
from tightrope.noise.entropy import Entropy
from tightrope.noise.exponential import exponential_choice
from tightrope.noise.uniform import uniform_below

__all__ = ["quantile"]

Points = NDArray[np.int64]

_FINENESS = 30
"""Bits of the range: by default it has 2^30 to 2^31 points, if doubles are as fine."""

_DOUBLE = 52
"""Bits of a double below its leading one: every point of the grid is a double."""

_FINEST_SHARE = 1 << 20
"""Largest denominator of q: scores are then whole numbers that doubles hold."""

_MOST_RECORDS = 1 << 32


@spoken
def quantile(  # noqa: PLR0913  (what is asked, of which grid, at which cost)
    values: Any,
    q: Real,
    bounds: Bounds | tuple[Real, Real],
    *,
    epsilon: Real,
    step: Real | None = None,
    neighbors: Neighbors = add_or_remove,
    entropy: Entropy | None = None,
) -> Released:
    """A private q-quantile of records, one a person, by the exponential mechanism.

    Records are clipped to ``bounds`` and rounded half to even to the points of a grid within them;
    the answer is one of these points, drawn exactly in proportion to exp(-epsilon t/(2 s)), with t
    the number of records by which the point misses the rank that was asked for, and
    s = max(q, 1 - q) the sensitivity of t; s = 1 if records are replaced.

    Args:
        values: one number a record, an array of any shape or a column; infinities are clipped like
            all others.
        q: from 0 to 1: 0.5 for the median. Taken as the nearest fraction whose denominator is at
            most 2^20, which is 1/10 for 0.1.
        bounds: ``tr.Bounds(low, high)`` or a pair, declared without looking at the data. The
            narrower, the better: the answer is spread over the whole of them where records are few.
        epsilon: at least 0; the release is epsilon-bounded-range.
        step: distance of the points, a power of two: 1 for whole answers. By default so fine that
            there are 2^30 points or more; it is never made from the data. Between records that are
            whole, a fine grid has many points that nobody holds, so give the step there.
        neighbors: ``tr.add_or_remove`` or ``tr.replace_one``.
        entropy: where random bits come from, the operating system by default.

    Returns:
        ``value`` is the point, an int if ``step`` is whole, else a float; ``event`` is
        ``Exponential(epsilon)``.

    Raises:
        InvalidArgument: a record is not a number (its place is told), or an argument is not
            admissible.

    Source: Smith (2011), Algorithm 2; McSherry and Talwar (2007), Theorem 6.

    Examples:
        >>> import tightrope as tr
        >>> ages = [20 + i % 50 for i in range(1000)]
        >>> median = tr.quantile(ages, 0.5, (0, 120), epsilon=1.0, step=1)
        >>> 35 <= median.value <= 55, median.event
        (True, Exponential(epsilon=1.0))
    """
    caller = "quantile"
    source = source_of(entropy, caller)
    event = Exponential(epsilon, neighbors=neighbors)
    interval = Bounds.of(bounds, caller)
    share = Fraction(validated(q, CLOSED_PROBABILITY, f"{caller}: q")).limit_denominator(
        _FINEST_SHARE
    )
    moved = _moved(share, neighbors, caller)
    factor = coefficient(event.epsilon, moved, False, caller)
    exponent = _exponent(interval, step, caller)
    low, high = interval.points(exponent)
    stretches = Stretches.of(
        _sorted_points(read_records(values, caller), exponent, low, high), low, high
    )
    scores = stretches.scores(share)
    chosen = int(exponential_choice(scores, factor, multiplicities=stretches.sizes, entropy=source))
    within = int(uniform_below(int(stretches.sizes[chosen]), 1, entropy=source)[0])
    point = int(stretches.starts[chosen]) + within
    return Released(_value(point, exponent, step), event, source.secure)


def _moved(share: Fraction, neighbors: Neighbors, caller: str) -> int:
    """By how much a score moves between neighbours, in units of 1/denominator of the share."""
    added = max(share.numerator, share.denominator - share.numerator)
    return by_kind(neighbors, f"{caller}: neighbors", added=added, replaced=share.denominator)


def _exponent(bounds: Bounds, step: Real | None, caller: str) -> int:
    """Of the grid's step: as asked for, else from the bounds alone."""
    low, high = Fraction(bounds.low), Fraction(bounds.high)
    size = max(abs(low), abs(high))
    finest = floor_log2(size) - _DOUBLE if size else 0
    finest = max(finest, LOWEST_EXPONENT)
    if step is None:
        return max(finest, floor_log2(high - low) - _FINENESS) if high > low else finest
    return declared_exponent(step, bounds, finest, caller)


def _sorted_points(column: Column, exponent: int, low: int, high: int) -> Points:
    if column.flat.size > _MOST_RECORDS:
        raise InvalidArgument(f"{column.caller}: there are more than 2^32 records")
    points = np.empty(column.flat.size, dtype=np.int64)
    for part, block in column.blocks():
        points[part] = np.clip(to_points(as_doubles(block), exponent), low, high)
    points.sort()
    return points


def _value(point: int, exponent: int, step: Real | None) -> int | float:
    if step is not None and exponent >= 0:
        return point << exponent
    return float(from_points(np.array([point]), exponent)[0])


@dataclass(frozen=True)
class Stretches:
    """The points from ``low`` to ``high`` in stretches of one score: records, and what is between.

    Attributes:
        starts: the first point of each.
        sizes: how many points each has, at least 1.
        below: how many records are less than its points.
        above: how many are greater.
        records: how many there are.
    """

    starts: Points
    sizes: Points
    below: Points
    above: Points
    records: int

    @classmethod
    def of(cls, ordered: Points, low: int, high: int) -> Stretches:
        """From the records' points, sorted and within low and high."""
        held, counts = np.unique(ordered, return_counts=True)
        upto = np.concatenate([[0], np.cumsum(counts)])
        starts = np.empty(2 * len(held) + 1, dtype=np.int64)
        starts[0], starts[1::2], starts[2::2] = low, held, held + 1
        sizes = np.diff(np.append(starts, high + 1))
        below = np.repeat(upto, 2)[:-1]
        above = len(ordered) - np.repeat(upto, 2)[1:]
        there = sizes > 0
        return cls(starts[there], sizes[there], below[there], above[there], len(ordered))

    def scores(self, share: Fraction) -> NDArray[np.float64]:
        """The scores in units of 1/denominator: whole numbers below 2^53, so exact."""
        top, bottom = share.numerator, share.denominator
        left = bottom * self.below - top * self.records
        right = bottom * self.above - (bottom - top) * self.records
        missed = np.maximum(left, right)
        return -np.maximum(missed, 0).astype(np.float64)
