"""The grid on which bounded records are added: fixed by what is declared, never by the records.

A neighbour may hold any number: 1, 2.5 or 2^60 + 1. So nothing that is public, and nothing that
moves all records at once (the step, the centre of a mean), may come from what the records are. It
comes from the bounds, from a declared step, or from the type of an array or a column; a list has no
type. Where bounds are whole and at most 2^40, the step is at most 1: then whole records are exact
on either grid, and even a type that somebody inferred from records moves no sum.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope._check import Real
from tightrope.grid import LOWEST_EXPONENT, Bounds, Column, declared_exponent, floor_log2

__all__ = ["FINENESS", "record_exponent"]

FINENESS = 30
"""Bits of a record: its rounding is below 2**-30 of the larger bound."""

WIDEST = 40
"""Bits of a record at most, so that the sum of a block fits 64."""


def record_exponent(bounds: Bounds, column: Column, step: Real | None) -> int:
    """The exponent of the step on which records are added.

    Raises:
        InvalidArgument: the step is no power of two, too fine, or has no multiple in the bounds.
    """
    size = max(abs(Fraction(bounds.low)), abs(Fraction(bounds.high)))
    if step is not None:
        finest = floor_log2(size) - WIDEST if size else 0
        return declared_exponent(step, bounds, max(finest, LOWEST_EXPONENT), column.caller)
    if size == 0:
        return 0
    fine = max(floor_log2(size) - FINENESS, LOWEST_EXPONENT)
    whole = all(Fraction(end).denominator == 1 for end in (bounds.low, bounds.high))
    if whole and size <= 2**WIDEST:
        return 0 if column.typed else min(fine, 0)
    return fine
