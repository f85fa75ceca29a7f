"""Logarithms of likelihood ratios, and how far they may be off.

Near its largest loss the profile of a few runs is as uncertain as that loss is: of few outcomes
the logarithms are rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

FEW = 64
"""Outcomes whose logarithms are rounded once; of more, that would take long."""

ROUNDED_ONCE = 0.5001 * EPS
"""Relative error of a logarithm that was rounded once."""

ROUGH = 6 * EPS
"""The same of the logarithm of a rounded quotient."""

LOG_2 = math.log(2)
DIGITS = 24
"""What a logarithm is computed to, before it is rounded."""


class LogRatios(NamedTuple):
    """Losses, and the relative error of all of them."""

    loss: Floats
    doubt: float


def of_whole(pairs: Sequence[tuple[int, int]]) -> LogRatios:
    """log(a/b) of positive whole numbers."""
    few = len(pairs) <= FEW
    log = _nearest if few else log_quotient
    return LogRatios(np.array([log(a, b) for a, b in pairs]), ROUNDED_ONCE if few else ROUGH)


def log_quotient(a: int, b: int) -> float:
    """log(a/b) to three units of rounding; infinite where one of them is 0."""
    if not (a and b):
        return math.inf if a else -math.inf
    if b < 2 * a < 4 * b:
        return math.log1p((a - b) / b)
    shift = a.bit_length() - b.bit_length()
    near = a / (b << shift) if shift > 0 else (a << -shift) / b
    return math.log(near) + shift * LOG_2


def _nearest(a: int, b: int) -> float:
    """log(a/b), rounded once; the closer the numbers, the more digits the quotient takes."""
    close = max(b.bit_length() - abs(a - b).bit_length() + 1, 0)
    context = Context(prec=DIGITS + close * 31 // 100, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return float(context.ln(context.divide(Decimal(a), Decimal(b)))) if a != b else 0.0
