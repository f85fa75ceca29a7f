"""Exponentials and logarithms as integer intervals: what decides when floats cannot.

A real number x is known to `bits` bits by two integers `low <= x * 2**bits <= high`.  Every
operation here rounds `low` down and `high` up, in Python integers, so a comparison that two such
intervals decide is decided for the real numbers; one that they do not is repeated with more bits.
No float occurs.
"""

from __future__ import annotations

from fractions import Fraction

__all__ = [
    "Interval",
    "coarser",
    "complement",
    "divide",
    "exp_minus",
    "fixed",
    "log_two",
    "logarithm",
    "logistic_tail",
    "multiply",
]

Interval = tuple[int, int]
"""`(low, high)`: integers around a real number times a power of two that the context names."""


def fixed(x: Fraction, bits: int) -> Interval:
    """The rational `x` to `bits` bits."""
    scaled = x.numerator << bits
    low = scaled // x.denominator
    return low, low + (low * x.denominator != scaled)


def coarser(x: Interval, drop: int) -> Interval:
    """The same number with `drop` bits fewer."""
    return x[0] >> drop, -(-x[1] >> drop)


def complement(x: Interval, bits: int) -> Interval:
    """1 - x, both to `bits` bits."""
    return (1 << bits) - x[1], (1 << bits) - x[0]


def multiply(x: Interval, y: Interval, bits: int) -> Interval:
    """The product of two non-negative numbers that are both known to `bits` bits."""
    return x[0] * y[0] >> bits, -(-x[1] * y[1] >> bits)


def divide(x: Interval, y: Interval, bits: int) -> Interval:
    """The quotient of a non-negative and a positive number, both known to `bits` bits."""
    return (x[0] << bits) // y[1], -((-x[1] << bits) // y[0])


def exp_minus(x: Fraction, bits: int) -> Interval:
    """exp(-x) to `bits` bits, for rational x >= 0; the interval is at most 2 wide.

    The argument is halved until it lies below 1/256, the alternating series is summed, and the
    result is squared back.  A squaring at most doubles an absolute error, since the value is at
    most 1; the guard bits take up that growth.

    >>> exp_minus(Fraction(1), 20)    # 2**20/e = 385749.90...
    (385749, 385750)
    """
    if x == 0:
        return 1 << bits, 1 << bits
    if 8 * x > 6 * (bits + 1):  # then exp(-x) < 2**-bits, as 3/4 > log 2
        return 0, 1
    halvings = max(0, (x.numerator // x.denominator).bit_length() + 8)
    guard = halvings + bits.bit_length() + 8
    work = bits + guard
    value = _small_exp_minus(fixed(x / (1 << halvings), work), work)
    for _ in range(halvings):
        value = multiply(value, value, work)
    return coarser(value, guard)


def _small_exp_minus(y: Interval, bits: int) -> Interval:
    """exp(-y) for 0 <= y <= 1/256 by its series.

    Each term is rounded down, losing less than 2 units; y itself is known to one unit, and
    exp(-y) has slope below 1.  The first term that vanishes bounds the alternating remainder.
    """
    term = total = 1 << bits
    terms = 1
    while term:
        term = term * y[0] // (terms << bits)
        total += term if terms % 2 == 0 else -term
        terms += 1
    return total - 2 * terms - 2, min(total + 2 * terms + 2, 1 << bits)


def logarithm(x: Fraction, bits: int) -> Interval:
    """log(x) to `bits` bits, for rational x > 0.

    x = 2**e f with 2/3 <= f < 4/3 about, log f = 2 artanh((f - 1)/(f + 1)), whose series has
    terms of one sign.

    >>> logarithm(Fraction(10), 20)    # 2**20 log 10 = 2414435.3...
    (2414435, 2414436)
    """
    power = x.numerator.bit_length() - x.denominator.bit_length()
    guard = abs(power).bit_length() + bits.bit_length() + 8
    work = bits + guard
    rest = x / Fraction(2) ** power
    low, high = _log_near_one(rest, work)
    two_low, two_high = log_two(work)
    steps = (power * two_low, power * two_high)
    return coarser((low + min(steps), high + max(steps)), guard)


def log_two(bits: int) -> Interval:
    """log 2 to `bits` bits, at most a few units wide."""
    return _log_near_one(Fraction(2), bits)


def _log_near_one(x: Fraction, bits: int) -> Interval:
    """log(x) = 2 artanh((x - 1)/(x + 1)) for 1/2 <= x <= 2, so that |(x - 1)/(x + 1)| <= 1/3.

    The root and its powers, rounded down, lack less than 3 units each, a quotient one more; what
    the series lacks is below 9/8 of its first power that vanished, which is less than 3 units.
    """
    z = (x - 1) / (x + 1)
    if z < 0:
        low, high = _log_near_one(1 / x, bits)
        return -high, -low
    root = (z.numerator << bits) // z.denominator
    square = root * root >> bits
    power, total, count = root, 0, 1
    while power:
        total += power // count
        power = power * square >> bits
        count += 2
    return 2 * total, 2 * total + 4 * count + 8


def logistic_tail(x: Fraction, bits: int) -> Interval:
    """1/(1 + exp(x)) to `bits` bits, the probability that a standard logistic exceeds x.

    >>> logistic_tail(Fraction(0), 8)
    (128, 128)
    """
    one = 1 << bits
    if x < 0:
        low, high = logistic_tail(-x, bits)
        return one - high, one - low
    low, high = exp_minus(x, bits)
    # exp(-x)/(1 + exp(-x)) grows with exp(-x)
    return (low << bits) // (one + low), -((-high << bits) // (one + high))
