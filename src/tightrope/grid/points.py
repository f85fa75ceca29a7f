"""Between real values and the points of a grid, the whole multiples of a power of two.

Floats are scaled by a power of two, which is exact, and rounded half to even; integers are shifted.
What lies beyond +-2**61 steps becomes +-2**61 steps.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.saturation import RANGE

__all__ = ["LOWEST_EXPONENT", "floor_log2", "from_points", "plain", "step_of", "to_points"]

Points = NDArray[np.int64]

LOWEST_EXPONENT = -1074
"""Every double is a multiple of this power of two."""

_FURTHEST = 61
"""A shift by more bits leaves nothing, or nothing but the sign."""

_LARGEST_EXPONENT = 1023
"""Powers of two up to this are doubles."""


def step_of(exponent: int) -> Fraction:
    """The step of the grid, ``2**exponent``, exactly."""
    return Fraction(2) ** exponent


def floor_log2(x: Fraction) -> int:
    """The largest k with 2**k <= x, for x > 0.

    >>> floor_log2(Fraction(8)), floor_log2(Fraction(7)), floor_log2(Fraction(1, 3))
    (3, 2, -2)
    """
    k = x.numerator.bit_length() - x.denominator.bit_length()
    return k if Fraction(2) ** k <= x else k - 1


def plain(x: Fraction) -> Real:
    """A fraction as an int or a float if that is exactly the same number."""
    if x.denominator == 1:
        return int(x)
    try:
        return float(x) if Fraction(float(x)) == x else x
    except OverflowError:
        return x


def to_points(values: NDArray[Any], exponent: int, unit: int = 0) -> Points:
    """The points next to the values, half to even, within +-2**61.

    Args:
        values: float64 without NaN, int64 within +-2**61, or Python ints and floats.
        exponent: of the grid's step.
        unit: integers count multiples of ``2**unit``.

    >>> to_points(np.array([0.5, 1.5, -2.25]), 0).tolist(), to_points(np.array([6, 10]), 2).tolist()
    ([0, 2, -2], [2, 2])
    """
    if values.dtype.kind == "f":
        return _from_floats(values, exponent)
    if values.dtype.kind == "O":
        scale = step_of(unit - exponent)
        return np.array([_point(value, scale) for value in values], dtype=np.int64)
    return _shifted(values, unit - exponent)


def _point(value: int | float, scale: Fraction) -> int:
    if isinstance(value, float) and math.isinf(value):
        return RANGE if value > 0 else -RANGE
    return max(-RANGE, min(RANGE, round(Fraction(value) * scale)))


def _from_floats(values: NDArray[np.float64], exponent: int) -> Points:
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(values, -exponent)
    np.rint(scaled, out=scaled)
    np.clip(scaled, -float(RANGE), float(RANGE), out=scaled)
    return scaled.astype(np.int64)


def _shifted(values: Points, bits: int) -> Points:
    """values 2**bits, half to even, saturated."""
    if bits >= 0:
        shift = min(bits, _FURTHEST)
        most = RANGE >> shift
        return np.asarray(np.clip(values, -most, most) << shift)
    drop = min(-bits, _FURTHEST + 2)
    below = values >> drop
    rest, half = values - (below << drop), 1 << (drop - 1)
    up = (rest > half) | ((rest == half) & (below & 1 == 1))
    return np.asarray(below + up)


def from_points(points: Points, exponent: int) -> NDArray[np.float64]:
    """The points as doubles: exact up to 2**53 steps, else the double next to it.

    >>> from_points(np.array([3, -5]), -2).tolist()
    [0.75, -1.25]
    """
    room = _LARGEST_EXPONENT - exponent
    if room < _FURTHEST:
        points = np.clip(points, -(1 << room), 1 << room)
    return np.asarray(np.ldexp(points.astype(np.float64), exponent))
