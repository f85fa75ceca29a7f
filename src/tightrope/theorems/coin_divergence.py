"""Renyi divergences of two coins along a line: p fixed, q growing, with derivative and error.

The coins land heads with probabilities p and `q = 1 - (1-p) e^-y`. Every divergence is the
logarithm of a moment, whose excess over 1 is k times a sum of terms of one sign (`remainder`), so
that it keeps its relative accuracy down to y = 0; its rounding error is bounded beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from tightrope.theorems.remainder import chi, m, psi, psi_over

__all__ = ["Coins", "Divergence", "log_ratio", "of_p", "of_q"]

_U = 2.0**-53
_LARGE = 600.0


class Divergence(NamedTuple):
    """A divergence, its derivative by y, and a bound on its rounding error."""

    value: float
    slope: float
    error: float


Coins = Callable[[float, float, float], Divergence]
"""A divergence as a function of k = order - 1, p and y."""


def log_ratio(p: float, y: float) -> float:
    """x = log(q/p)."""
    return math.log1p((1 - p) / p * -math.expm1(-y))


def of_q(k: float, p: float, y: float) -> Divergence:
    """D of order 1 + k of Bern(q) from Bern(p), by its excess over 1 or by its larger term."""
    x, not_q = log_ratio(p, y), (1 - p) * math.exp(-y)
    q = p + (1 - p) * -math.expm1(-y)
    larger = q + not_q * math.exp(-k * (x + y))
    if k * x > _LARGE:
        value = _log_sum(math.log(q) + k * x, math.log1p(-p) - (1 + k) * y) / k
    else:
        excess = q * (psi_over(k, x) + psi(-x)) + not_q * psi_over(k, -y) + (1 - p) * chi(y)
        value = math.log1p(k * excess) / k if k else excess
    slope = (1 + k) * not_q * m(k, x + y) / larger
    return Divergence(value, slope, _error(k, value, x))


def of_p(k: float, p: float, y: float) -> Divergence:
    """D of order 1 + k of Bern(p) from Bern(q)."""
    x = log_ratio(p, y)
    q = p + (1 - p) * -math.expm1(-y)
    larger = (1 - p) + p * math.exp(-k * (x + y))
    if k * y > _LARGE:
        value = _log_sum(math.log1p(-p) + k * y, math.log(p) - k * x) / k
    else:
        excess = p * psi_over(k, -x) + q * chi(x) + (1 - p) * (psi_over(k, y) + psi(-y))
        value = math.log1p(k * excess) / k if k else excess
    slope = (1 + k) * (1 - p) * m(1 + k, x + y) / larger
    return Divergence(value, slope, _error(k, value, y))


def _log_sum(a: float, b: float) -> float:
    """log(e^a + e^b)."""
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


def _error(k: float, value: float, ratio: float) -> float:
    """Rounding error: 24 units and 8 for each unit of the exponent, of the moment less 1."""
    return _U * ((24 + 8 * k * ratio) * m(k, value) + 4 * value)
