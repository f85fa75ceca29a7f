"""Discrete Gaussian noise on several integers of which only an L2 bound on the change is known.

A shift by more, in any coordinate, can only leak more: the noise is log-concave, so half-lines are
the best tests, their power grows with the shift, and trade-off curves multiply coordinate by
coordinate. So among the integer vectors whose squares add up to at most the bound, those count
alone in which no coordinate can grow. None of these dominates the others: with variance 1 and a
norm of 2, the shift (2) leaks less than (1, 1, 1, 1) at epsilon 2, and more at epsilon 5.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.cover import LAST_LOG_DELTA, covering, symmetric
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.total import Total

LARGEST_SQUARE = 64
"""Largest bound on the sum of squares up to which directions are listed."""

MOST_DIRECTIONS = 32
"""Most directions of which a cover is made."""

LARGEST_VARIANCE = 1e4
"""Beyond it all directions of one norm leak alike, to five digits."""

LARGEST_RATIO = 1000
"""Largest square over variance: nobody is private with more, and the numbers grow out of range."""

LARGEST_LOSS = 600.0
"""The largest loss that a cover can hold."""

FINEST, COARSEST = 2048, 256
"""Most steps of a cover's grid on each side of 0, and fewest."""

Shifts = tuple[int, ...]


def largest_shifts(square: int, dimension: int) -> Iterator[Shifts]:
    """Positive shifts, falling, that cannot grow in any coordinate.

    Args:
        square: what their squares add up to at most.
        dimension: how many coordinates there are at most.

    >>> list(largest_shifts(4, 4)), list(largest_shifts(4, 2))
    ([(1, 1, 1, 1), (2,)], [(1, 1), (2,)])
    """
    for shifts in _falling(square, dimension, square):
        least = shifts[-1] if len(shifts) == dimension else 0
        if sum(shift * shift for shift in shifts) + 2 * least + 1 > square:
            yield shifts


def _falling(square: int, dimension: int, most: int) -> Iterator[Shifts]:
    """Every falling sequence of at most so many positive numbers."""
    yield ()
    if dimension:
        for first in range(1, most + 1):
            if first * first > square:
                break
            for others in _falling(square - first * first, dimension - 1, first):
                yield (first, *others)


def directions(variance: Fraction, square: int, dimension: int) -> tuple[Dominating, ...] | None:
    """The pair of every direction of the largest change; None if they are too many."""
    if square > LARGEST_SQUARE or square > LARGEST_RATIO * variance or variance > LARGEST_VARIANCE:
        return None
    if square == 0:
        return (Dominating((Total(()),)),)
    return tuple(
        Dominating.symmetric(DiscreteGaussianLoss({(variance, d): n for d, n in runs.items()}))
        for runs in map(Counter, largest_shifts(square, dimension))
    )


@lru_cache(maxsize=256)
def cover(variance: Fraction, square: int, dimension: int) -> Dominating | None:
    """One pair that covers every direction: what composes, as releases may differ in theirs."""
    pairs = directions(variance, square, dimension)
    if pairs is None or len(pairs) == 1:
        return pairs[0] if pairs else None
    if len(pairs) > MOST_DIRECTIONS:
        return None
    every, reach = PairProfile(pairs), 1.0
    while every.log_delta(np.array([reach])).upper[0] > LAST_LOG_DELTA:
        reach *= 1.25
        if reach > LARGEST_LOSS:
            return None
    step = _step(float(1 / (2 * variance)), reach)
    points = math.ceil(reach / step)
    found = covering(
        points * step, points, symmetric(lambda epsilon: every.log_delta(epsilon).upper)
    )
    return Dominating.symmetric(found, attained=False)


def _step(half: float, reach: float) -> float:
    """Every loss is a multiple of ``half``: a step that fits to it, neither too fine nor coarse."""
    steps = reach / half
    return half * max(round(steps / FINEST), 1) if steps > COARSEST else half / (COARSEST // steps)
