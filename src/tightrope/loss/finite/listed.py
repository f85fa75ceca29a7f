"""A pair of finite distributions, listed outcome by outcome, without any rounding.

Masses are whole numbers over one total, so that covering both orders of the pair, and differences
of neighbouring corners, lose no digit; only the logarithms in the end are rounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate, pairwise
from typing import Self

import numpy as np

from tightrope._check import Real
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows, Scalars
from tightrope.loss.finite.ratios import log_quotient, of_whole
from tightrope.num.arrays import Floats

Corner = tuple[int, int]
"""Masses that P and Q give to the outcomes with the largest q/p, so many of them."""


@dataclass(frozen=True)
class ListedPair:
    """P and Q as masses of the same outcomes.

    Attributes:
        p: the masses under P, over ``total``.
        q: the masses under Q, over ``total``.
        total: their sums.
    """

    p: tuple[int, ...]
    q: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, p: Iterable[Real], q: Iterable[Real]) -> Self:
        """From weights of any positive sums, each of which is made 1."""
        (first, p_total), (second, q_total) = _whole(p), _whole(q)
        return cls(
            tuple(a * q_total for a in first),
            tuple(b * p_total for b in second),
            p_total * q_total,
        )

    @classmethod
    def of_corners(cls, alpha: Sequence[Fraction], power: Sequence[Fraction]) -> Self:
        """From the corners of a trade-off curve of (P, Q), both columns rising to 1."""
        steps = [
            [right - left for left, right in pairwise([Fraction(0), *column])]
            for column in (alpha, power)
        ]
        return cls.of(*steps)

    def reversed(self) -> Self:
        """Q and P."""
        return type(self)(self.q, self.p, self.total)

    def both_orders(self) -> Self:
        """The least pair that covers (P, Q) and (Q, P): its profile is the larger of theirs.

        Its power curve is the least concave one above theirs; by duality its profile is the
        pointwise maximum of the profiles, at every real epsilon.
        """
        ahead = self._corners()
        back = [(self.total - b, self.total - a) for a, b in reversed(ahead)]
        steps = [
            (right[0] - left[0], right[1] - left[1])
            for left, right in pairwise(_concave(sorted({*ahead, *back})))
        ]
        return type(self)(tuple(a for a, _ in steps), tuple(b for _, b in steps), self.total)

    def _corners(self) -> list[Corner]:
        """Of the curve of power by type I error, from (0, 0): largest q/p first."""
        steps: list[tuple[int, int]] = sorted(
            ((a, b) for a, b in zip(self.p, self.q, strict=True) if a or b),
            key=cmp_to_key(_by_ratio),
        )
        first, second = (accumulate(column) for column in zip(*steps, strict=True))
        return [(0, 0), *zip(first, second, strict=True)]

    def loss(self) -> FiniteLoss:
        """The loss of P against Q."""
        both = [(a, b) for a, b in zip(self.p, self.q, strict=True) if a and b]
        finite = sum(a for a, _ in both)
        absent = sum(b for a, b in zip(self.p, self.q, strict=True) if not a) / self.total
        if not finite:
            nothing = np.zeros(1)
            return FiniteLoss((Rows.one(nothing, nothing, Scalars(math.inf, absent)),))
        losses, doubt = of_whole(both)
        masses = np.array([log_quotient(a, finite) for a, _ in both])
        escape = log_quotient(self.total, finite)
        return FiniteLoss((Rows.one(losses, masses, Scalars(escape, absent, 0.0, doubt)),))

    def weighed(self) -> tuple[Floats, Floats]:
        """Of every outcome log q/p and the larger mass, to four units of rounding."""
        outcomes = [(a, b) for a, b in zip(self.p, self.q, strict=True) if a or b]
        loss = [log_quotient(b, a) for a, b in outcomes]
        return np.array(loss), np.array([max(pair) / self.total for pair in outcomes])


def _whole(weights: Iterable[Real]) -> tuple[list[int], int]:
    """Whole numbers in proportion to the weights, and their sum."""
    exact = [Fraction(weight) for weight in weights]
    common = math.lcm(*(weight.denominator for weight in exact))
    numbers = [weight.numerator * (common // weight.denominator) for weight in exact]
    return numbers, sum(numbers)


def _concave(points: list[Corner]) -> list[Corner]:
    """The upper hull of points that are sorted by their first coordinate, then the second."""
    hull: list[Corner] = []
    for point in points:
        while len(hull) > 1 and _not_above(hull[-1], hull[-2], point):
            hull.pop()
        hull.append(point)
    return hull


def _not_above(middle: Corner, left: Corner, right: Corner) -> bool:
    rise = (middle[1] - left[1]) * (right[0] - middle[0])
    return rise <= (right[1] - middle[1]) * (middle[0] - left[0])


def _by_ratio(one: Corner, other: Corner) -> int:
    """Negative if p/q of the first is below that of the second."""
    return one[0] * other[1] - one[1] * other[0]
