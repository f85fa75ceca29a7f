"""The step of a grid as somebody declared it."""

from __future__ import annotations

import math
from fractions import Fraction

from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.grid.bounds import Bounds
from tightrope.grid.points import floor_log2, plain, step_of

__all__ = ["declared_exponent"]

_STEP = Domain("a power of two, such as 1 or 0.25", lambda x: x > 0 and _is_power(Fraction(x)))


def declared_exponent(step: Real, bounds: Bounds, finest: int, caller: str) -> int:
    """The exponent of a declared step.

    Raises:
        InvalidArgument: the step is no power of two, or below ``2**finest``, or has no multiple
            within the bounds.
    """
    exponent = floor_log2(Fraction(validated(step, _STEP, f"{caller}: step")))
    size = step_of(exponent)
    if exponent < finest:
        raise InvalidArgument(
            f"{caller}: step={step!r} is too fine for bounds of that size, for which the finest "
            f"is {plain(step_of(finest))!r}"
        )
    if math.ceil(Fraction(bounds.low) / size) > Fraction(bounds.high) / size:
        raise InvalidArgument(f"{caller}: no multiple of step={step!r} is within the bounds")
    return exponent


def _is_power(x: Fraction) -> bool:
    return x == step_of(floor_log2(x))
