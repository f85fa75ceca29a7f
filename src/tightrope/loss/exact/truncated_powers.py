"""What one corner of a sum of Laplace and logistic losses adds to its profile: an entire function.

With m Laplace losses, of which p lie at their upper ends, and r logistic ones, it is

    Q_p(t) = 2^-m * sum over j of a_j 2^-j t^(j + r + 1)/(j + r + 1)!,   t >= 0,

a_j being the coefficients of (1 + x)^(p - 1) (1 - x)^(m - p - 1). For 0 < p < m that is a
polynomial. For p = m all a_j are positive, a_j = sum of C(m - 1, i) over i <= j; of every other p
they are no larger in size. So |Q_p| summed without signs is at most Q_m, and likewise the
derivatives.

Of a series the terms from J on are left out, J at least twice t/2 and beyond m: they fall by a
half each, so with the first of them below 2^-108 of the largest they add less than 2^-107 of Q_m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from tightrope.num.arrays import Indices
from tightrope.num.twofold import UNIT, Twofold

LOG_LEFT_OUT = -108 * math.log(2)
"""log of the first term that is left out, relative to the largest."""


@dataclass(frozen=True, eq=False)
class Powers:
    """Q_p for p of 0, ..., m, at t up to ``reach``.

    Attributes:
        laplace: m.
        logistic: r.
        reach: a power of two; t is taken in this unit.
        inner: coefficients of Q_p/t^(r + 1) for 0 < p < m, the highest power first.
        outer: of Q_0 and Q_m, the highest first.
    """

    laplace: int
    logistic: int
    reach: float
    inner: Twofold
    outer: Twofold

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, laplace: int, logistic: int, reach: float) -> Powers:
        """The functions for so many losses."""
        inner = [product_of_signs(p - 1, laplace - p - 1) for p in range(1, laplace)]
        outer = _series(laplace, logistic, reach)
        ends = [[(-1) ** j * a for j, a in enumerate(outer)], outer]
        scale = [_scale(laplace, logistic, reach, j) for j in range(len(outer))]
        columns = (_columns(rows, scale) for rows in (inner, ends))
        return cls(laplace, logistic, reach, *columns)

    def at(self, plus: Indices, t: Twofold) -> Twofold:
        """Q_p(t) for arrays of p and of t in [0, reach], in units of ``reach``."""
        ends = (plus == 0) | (plus == self.laplace)
        high, low = np.zeros((2, *t.high.shape))
        for rows, table, row in (
            (ends, self.outer, np.minimum(plus, 1)),
            (~ends, self.inner, plus - 1),
        ):
            if rows.any():
                found = _horner(table, row[rows], t.take(rows))
                high[rows], low[rows] = found
        value = Twofold(high, low)
        for _ in range(self.logistic + 1):
            value = value * t
        return value

    @property
    def steps(self) -> int:
        """Terms of the longest sum, with the factors t."""
        return len(self.outer.high) + self.logistic + 1

    @property
    def error(self) -> float:
        """Of every Q_p, relative to Q_m: each step of Horner's rule errs by 12 units at most."""
        return 16 * (self.steps + 2) * UNIT


def product_of_signs(p: int, q: int) -> list[int]:
    """Coefficients of (1 + x)^p (1 - x)^q."""
    row = [1]
    for sign in [1] * p + [-1] * q:
        row = [a + sign * b for a, b in zip([*row, 0], [0, *row], strict=True)]
    return row


def _series(laplace: int, logistic: int, reach: float) -> list[int]:
    """The a_j of p = m that are kept; with no Laplace loss those of 1/(1 - x^2)."""
    log_half, row = math.log(reach / 2), list[int]()
    total, log_most = 0, 0.0
    while True:
        j = len(row)
        total += math.comb(laplace - 1, j) if laplace else (-1) ** j
        row.append(total)
        log_term = (j + 1) * log_half + math.lgamma(logistic + 2) - math.lgamma(j + logistic + 3)
        log_most = max(log_most, log_term)
        far = j >= max(laplace, reach)
        if far and log_term + laplace * math.log(2) < log_most + LOG_LEFT_OUT:
            return row


def _scale(laplace: int, logistic: int, reach: float, j: int) -> Fraction:
    """What belongs to a_j t^(j + r + 1), t in units of the reach."""
    power = j + logistic + 1
    numerator, denominator = reach.as_integer_ratio()
    below = 2 ** (laplace + j) * math.factorial(power)
    return Fraction(numerator**power, denominator**power * below)


def _columns(rows: list[list[int]], scale: list[Fraction]) -> Twofold:
    """The coefficients with their scales, one row a power; the highest first."""
    width = max((len(row) for row in rows), default=0)
    powers = [[row[j] * scale[j] for row in rows] for j in reversed(range(width))]
    parts = [Twofold.of(power) for power in powers]
    if not parts:
        return Twofold.exactly(np.zeros((0, 0)))
    return Twofold(np.array([one.high for one in parts]), np.array([one.low for one in parts]))


def _horner(table: Twofold, row: Indices, t: Twofold) -> Twofold:
    value = Twofold(table.high[0][row], table.low[0][row])
    for high, low in zip(table.high[1:], table.low[1:], strict=True):
        value = value * t + Twofold(high[row], low[row])
    return value


def unit_of(largest: float) -> float:
    """A power of two that no t exceeds."""
    return float(max(2.0 ** math.ceil(math.log2(largest) + 1e-9), 2.0**-60))
