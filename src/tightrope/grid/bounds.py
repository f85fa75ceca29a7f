"""Declared bounds: the interval that values are clipped to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope._calls import Spoken
from tightrope._check import Domain, Real, declared, validate_fields
from tightrope._errors import InvalidArgument
from tightrope.grid.points import step_of

FINITE = Domain("a finite number", lambda x: True)


@dataclass(frozen=True)
class Bounds(metaclass=Spoken):
    """The interval [low, high] that values are clipped to before anything is computed from them.

    Choose the bounds from what is publicly known (an age lies within 0 and 120), never from the
    data: the smallest and the largest value of the data are data, and bounds that follow them
    reveal them. No program can tell where two numbers came from, so this is yours to keep.

    Args:
        low: the lower bound, finite.
        high: the upper bound, finite and at least ``low``.

    Raises:
        InvalidArgument: a bound is not finite, or they are the wrong way round.

    Examples:
        >>> import tightrope as tr
        >>> tr.Bounds(0, 120)
        Bounds(low=0, high=120)
    """

    low: Real = declared("a", "a", FINITE, (-100, 100), "lower bound")
    high: Real = declared("b", "b", FINITE, (-100, 100), "upper bound")

    def __post_init__(self) -> None:
        validate_fields(self)
        if self.low > self.high:
            raise InvalidArgument(
                f"Bounds: low must be at most high; you passed low={self.low!r}, "
                f"high={self.high!r}; are the two swapped?"
            )

    @classmethod
    def of(cls, given: Any, caller: str) -> Bounds:
        """``given`` as bounds: they themselves, or a pair of numbers."""
        if isinstance(given, Bounds):
            return given
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise InvalidArgument(
                f"{caller}: bounds must be tr.Bounds(low, high) or a pair (low, high); "
                f"you passed {given!r}"
            )
        return cls(*given)

    def points(self, exponent: int) -> tuple[int, int]:
        """The first and the last whole multiple of ``2**exponent`` within the bounds.

        If there is none, both are the next one towards zero.
        """
        step = step_of(exponent)
        low, high = Fraction(self.low) / step, Fraction(self.high) / step
        first, last = math.ceil(low), math.floor(high)
        return (first, last) if first <= last else (math.trunc(low), math.trunc(low))
