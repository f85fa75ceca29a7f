"""Directed rounding: how a number with a stated error becomes a bound.

A privacy guarantee must never be better than the truth by a rounding error.  A formula is
evaluated in ordinary arithmetic, its worst relative error is known, and `up` or `down` moves the
result past that error.  Exact inputs (integers, fractions) and sums are rounded once, outward.
"""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import overload

import numpy as np

from tightrope.num.elementwise import FloatArray

__all__ = [
    "EPS",
    "down",
    "float_down",
    "float_up",
    "sqrt_up",
    "sum_up",
    "two_product",
    "two_sum",
    "up",
]

EPS = 2.0**-52
"""One ulp of 1.0: the unit in which relative errors are stated."""

_MAX = 1.7976931348623157e308


@overload
def up(x: float, ulps: float = 1) -> float: ...
@overload
def up(x: FloatArray, ulps: float = 1) -> FloatArray: ...
def up(x: float | FloatArray, ulps: float = 1) -> float | FloatArray:
    """Move `x` upward by at least `ulps * 2**-52` of its magnitude and at least one double.

    If the true value lies within a relative `ulps * 2**-52` of `x`, the result is an upper bound
    on it, also for negative and subnormal `x`.  `up(inf)` is `inf`, `up(-inf)` is the lowest
    finite double (a value that overflowed may lie there), not-a-number stays.

    Args:
        x: a float or an array of floats.
        ulps: the relative error to cover, in units of `2**-52`, non-negative; need not be whole.

    >>> up(1.0), up(0.0), up(-1.0)
    (1.0000000000000004, 5e-324, -0.9999999999999997)
    """
    if isinstance(x, np.ndarray):
        with np.errstate(over="ignore"):
            moved = x + np.minimum(np.abs(x), _MAX) * (ulps * EPS)
            return np.asarray(np.nextafter(moved, np.inf) + 0.0)
    return math.nextafter(x + min(abs(x), _MAX) * (ulps * EPS), math.inf) + 0.0


@overload
def down(x: float, ulps: float = 1) -> float: ...
@overload
def down(x: FloatArray, ulps: float = 1) -> FloatArray: ...
def down(x: float | FloatArray, ulps: float = 1) -> float | FloatArray:
    """Move `x` downward by at least `ulps * 2**-52` of its magnitude and at least one double.

    The mirror image of `up`: `down(x, ulps) == -up(-x, ulps)`.

    >>> down(1.0), down(0.0)
    (0.9999999999999997, -5e-324)
    """
    return -up(-x, ulps)


def float_up(x: int | Fraction | float | Decimal) -> float:
    """Return the smallest double that is at least `x`, exactly; `inf` above all doubles.

    >>> float_up(Fraction(1, 10)), float_up(2**53 + 1), float_up(Decimal("0.1"))
    (0.1, 9007199254740994.0, 0.1)
    """
    if isinstance(x, float):
        return float(x)
    if isinstance(x, Decimal):
        return _ratio_up(*x.as_integer_ratio())
    return _ratio_up(int(x.numerator), int(x.denominator))


def quotient_up(x: int | Fraction | float, y: int | Fraction | float) -> float:
    """Return the smallest double that is at least `x/y`, exactly; `y` above 0.

    >>> quotient_up(1, 10), quotient_up(1.0, 3)
    (0.1, 0.33333333333333337)
    """
    (a, b), (c, d) = x.as_integer_ratio(), y.as_integer_ratio()
    return _ratio_up(a * d, b * c)


def _ratio_up(numerator: int, denominator: int) -> float:
    """Return the smallest double that is at least the ratio; the denominator is positive."""
    try:
        nearest = numerator / denominator  # rounded once, however long the two are
    except OverflowError:
        return math.inf if numerator > 0 else -_MAX
    whole, parts = nearest.as_integer_ratio()
    short = whole * denominator < numerator * parts
    return math.nextafter(nearest, math.inf) if short else nearest


def shortened(x: float, bits: int = 30) -> float:
    """Return the largest double of so many bits that is at most `x`, above 0.

    Its multiples are exact, up to the `2**(53 - bits)`-th.

    >>> shortened(0.1) <= 0.1, shortened(0.1) * 12345 == 12345 * Fraction(shortened(0.1))
    (True, True)
    """
    mantissa, exponent = math.frexp(x)
    return math.ldexp(math.floor(mantissa * 2**bits), exponent - bits)


def sqrt_up(x: int | Fraction) -> float:
    """Return the smallest double whose square is at least `x`, exactly; `x` non-negative.

    >>> sqrt_up(Fraction(1, 4)), sqrt_up(Fraction(2)), sqrt_up(Fraction(10) ** -600)
    (0.5, 1.4142135623730951, 1e-300)
    """
    numerator, denominator = int(x.numerator), int(x.denominator)
    if numerator == 0:
        return 0.0
    # scaled by a power of four to lie near 1, where the square root of doubles is a good guess
    half = (numerator.bit_length() - denominator.bit_length()) // 2
    square = numerator << max(-2 * half, 0), denominator << max(2 * half, 0)
    root = math.sqrt(square[0] / square[1])
    while not _squares_above(root, *square):
        root = math.nextafter(root, math.inf)
    while _squares_above(below := math.nextafter(root, 0.0), *square):
        root = below
    whole, parts = root.as_integer_ratio()
    return _ratio_up(whole << max(half, 0), parts << max(-half, 0))


def _squares_above(root: float, numerator: int, denominator: int) -> bool:
    """Whether the square of the root is at least the ratio, exactly."""
    whole, parts = root.as_integer_ratio()
    return whole * whole * denominator >= numerator * parts * parts


def float_down(x: int | Fraction | float | Decimal) -> float:
    """Return the largest double that is at most `x`, exactly; `-inf` below all doubles.

    >>> float_down(Fraction(1, 10)), float_down(2**53 + 1)
    (0.09999999999999999, 9007199254740992.0)
    """
    return 0.0 - float_up(-x)  # and no -0.0


def sum_up(values: Iterable[float], counts: Sequence[int] | None = None) -> float:
    """Return the smallest double that is at least the exact sum of `counts[i] * values[i]`.

    Args:
        values: non-negative doubles; `inf` is allowed.
        counts: non-negative integers of any size, one for each value; all one if absent.

    Raises:
        ValueError: a value is negative or not a number, a count is negative, or lengths differ.

    >>> sum_up([0.1] * 10), sum_up([0.1], [10])
    (1.0000000000000002, 1.0000000000000002)
    """
    terms = [float(value) for value in values]
    if not all(term >= 0 for term in terms):
        raise ValueError(f"sum_up: values must be non-negative numbers, got {min(terms)!r}")
    return _plain_sum_up(terms) if counts is None else _weighted_sum_up(terms, counts)


def _plain_sum_up(terms: list[float]) -> float:
    try:
        total = math.fsum(terms)  # the exact sum, rounded once to nearest
    except OverflowError:
        return math.inf
    if math.isinf(total) or math.fsum([*terms, -total]) <= 0:
        return total
    return math.nextafter(total, math.inf)


def _weighted_sum_up(terms: list[float], counts: Sequence[int]) -> float:
    """Add in integers, as multiples of the smallest positive double: nothing is rounded."""
    total = 0
    for term, count in zip(terms, counts, strict=True):
        if count < 0:
            raise ValueError(f"sum_up: counts must be non-negative integers, got {count!r}")
        if count and math.isinf(term):
            return math.inf
        if count:
            numerator, denominator = term.as_integer_ratio()
            total += numerator * int(count) * ((1 << 1074) // denominator)
    return float_up(Fraction(total, 1 << 1074))


def two_product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return `(p, e)` with `p = fl(a b)` and `p + e = a b` exactly.

    Barring overflow (factors below 1e150) and underflow.  T. J. Dekker, "A floating-point
    technique for extending the available precision" (1971).
    """
    product = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    return product, error


def two_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return `(s, e)` with `s = fl(a + b)` and `s + e = a + b` exactly.

    D. E. Knuth, "The Art of Computer Programming" (1969), volume 2, Theorem 4.2.2 B.
    """
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _split(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    scaled = 134217729.0 * a  # 2**27 + 1
    high = scaled - (scaled - a)
    return high, a - high
