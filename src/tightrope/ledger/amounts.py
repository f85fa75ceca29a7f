"""Amounts of privacy as exact decimals: what is stored, added and compared is never rounded.

A price is rounded up once, to a multiple of 10^-400, when it enters; every double above 1e-100 and
the square of every double above 1e-30 is such a multiple already, so that they enter as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, Inexact, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from operator import le

from tightrope.num.rounding import sqrt_up

PLACES = 400
"""Decimal places that an amount may have."""

EXACT = Context(prec=2000, Emin=-(10**6), Emax=10**6, traps=[Inexact, InvalidOperation])
"""Arithmetic that would rather fail than round; the largest double has 309 digits."""

Amounts = tuple[Decimal, ...]
"""One amount for each thing that a filter counts."""

ZERO = Decimal(0)


def exact_up(value: Fraction | float) -> Decimal:
    """The least decimal of at most ``PLACES`` places that is at least ``value``.

    >>> exact_up(0.5), Fraction(exact_up(Fraction(1, 3))) > Fraction(1, 3)
    (Decimal('0.5'), True)
    """
    units = math.ceil(Fraction(value) * 10**PLACES)
    return plain(EXACT.scaleb(Decimal(units), -PLACES))


def exact_down(value: Fraction | float) -> Decimal:
    """The largest decimal of at most ``PLACES`` places that is at most ``value``."""
    return plain(EXACT.minus(exact_up(-Fraction(value))))


def plain(amount: Decimal) -> Decimal:
    """The same amount without trailing zeros, so that equal amounts are written alike."""
    return EXACT.normalize(amount) if amount else ZERO


def written(amount: Decimal) -> str:
    """All digits of an amount, without an exponent.

    >>> written(Decimal("2.50")), written(Decimal("1E-3")), written(Decimal("0E+5"))
    ('2.5', '0.001', '0')
    """
    return format(plain(amount), "f")


@lru_cache(1024)
def read(text: str) -> Decimal:
    """The amount that ``written`` wrote; long books repeat theirs.

    >>> read("0.001")
    Decimal('0.001')
    """
    return EXACT.create_decimal(text)


def nothing(like: Sequence[object]) -> Amounts:
    """Zero of everything that is counted."""
    return (ZERO,) * len(like)


def total(a: Sequence[Decimal], b: Sequence[Decimal]) -> Amounts:
    """The sum, exactly."""
    return tuple(map(EXACT.add, a, b))


def times(count: int, amounts: Sequence[Decimal]) -> Amounts:
    """So many times the amounts, exactly."""
    return tuple(EXACT.multiply(Decimal(count), amount) for amount in amounts)


def negative(amounts: Sequence[Decimal]) -> Amounts:
    """The amounts to take away."""
    return tuple(map(EXACT.minus, amounts))


def difference(a: Sequence[Decimal], b: Sequence[Decimal]) -> Amounts:
    """What is left of ``a`` without ``b``, exactly."""
    return tuple(map(EXACT.subtract, a, b))


def greatest(several: Iterable[Sequence[Decimal]]) -> Amounts:
    """The greatest amount of each thing."""
    return tuple(map(max, zip(*several, strict=True)))


def within(a: Sequence[Decimal], capacity: Sequence[Decimal]) -> bool:
    """Whether every amount fits into its capacity."""
    return all(map(le, a, capacity))


def root_up(square: Decimal) -> float:
    """The least double whose square is at least ``square``."""
    return sqrt_up(Fraction(square))


def root_down(square: Decimal) -> float:
    """The largest double whose square is at most ``square``."""
    root = root_up(square)
    return root if Fraction(root) ** 2 == square else max(0.0, math.nextafter(root, 0.0))
