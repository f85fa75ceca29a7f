"""Numbers of twice the precision, as unevaluated sums of two doubles; for sums that cancel.

Products err by at most 8 units of 2^-106 of themselves, sums by at most 4 of the sizes of their two
summands, barring overflow and underflow (Joldes, Muller and Popescu, 2017, "Tight and rigorous
error bounds for basic building blocks of double-word arithmetic", Algorithms 5 and 11).
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Flags, Floats, Indices
from tightrope.num.rounding import two_product, two_sum

__all__ = ["UNIT", "Twofold"]

UNIT = 2.0**-106
"""The unit in which errors are stated."""


class Twofold(NamedTuple):
    """An array of numbers, each high + low with |low| at most an ulp of high.

    >>> third = Twofold.of([Fraction(1, 3)])
    >>> float((third * third + third).low[0])
    2.4671622769447922e-17
    """

    high: Floats
    low: Floats

    @classmethod
    def of(cls, values: list[Fraction]) -> Twofold:
        """Rational numbers, rounded."""
        high = [float(value) for value in values]
        low = [float(value - Fraction(near)) for value, near in zip(values, high, strict=True)]
        return cls(np.array(high), np.array(low))

    @classmethod
    def exactly(cls, values: Floats) -> Twofold:
        """Doubles as they are."""
        return cls(values, np.zeros_like(values))

    def __add__(self, other: Twofold) -> Twofold:  # type: ignore[override]
        """The sum, with broadcasting."""
        high, rest = two_sum(self.high, other.high)
        return _tidied(high, rest + (self.low + other.low))

    def __mul__(self, other: Twofold) -> Twofold:  # type: ignore[override]
        """The product, with broadcasting."""
        high, rest = two_product(self.high, other.high)
        return _tidied(high, rest + (self.high * other.low + self.low * other.high))

    def take(self, index: Indices | Flags) -> Twofold:
        """Some of them."""
        return Twofold(self.high[index], self.low[index])

    def column(self) -> Twofold:
        """With an axis more, for all pairs with others."""
        return Twofold(self.high[..., None], self.low[..., None])

    def flat(self) -> Twofold:
        """With one axis."""
        return Twofold(self.high.ravel(), self.low.ravel())

    def total(self) -> Twofold:
        """The sum along the last axis, half by half."""
        found = self
        while found.high.shape[-1] > 1:
            many = found.high.shape[-1]
            half = many // 2
            first, second, odd = (
                Twofold(found.high[..., part], found.low[..., part])
                for part in (slice(half), slice(half, 2 * half), slice(2 * half, many))
            )
            both = first + second
            found = Twofold(
                np.concatenate([both.high, odd.high], axis=-1),
                np.concatenate([both.low, odd.low], axis=-1),
            )
        return Twofold(found.high[..., 0], found.low[..., 0])


def _tidied(high: Floats, low: Floats) -> Twofold:
    total = high + low
    return Twofold(total, low - (total - high))
