"""Suprema over all Renyi orders above 1, bracketed by a proof rather than found on a grid.

With K(x) = (x - 1) D_x(Q||P), which is convex and vanishes at x = 1, the chord over an interval of
orders bounds K from above: D_x <= slope + offset/(x - 1) there, with offset <= 0.  So D_x/x and
D_x - rho x have upper bounds in closed form on the interval.  Intervals whose bound is not above
what is attained elsewhere are dropped, the others halved: branch and bound, all pairs at once.
Orders so large that max log(q/p) bounds the objective below what is attained need no look.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .finite_pairs import FinitePairs

Array = NDArray[np.float64]

_FIRST_POINTS = 24
_MOST_ROUNDS = 400
_LARGE = 300.0


class Objective(NamedTuple):
    """What is maximised over the excess order s = x - 1; c is a constant of each pair.

    Attributes:
        value: the objective, of D, s and c; rising in D.
        peak: the s >= 0 at which value(slope + offset/s, s, c) is largest, of slope, offset, c.
        horizon: the s beyond which D <= `most` cannot attain `value`, of `most`, `value` and c.
    """

    value: Callable[[Array, Array, Array], Array]
    peak: Callable[[Array, Array, Array], Array]
    horizon: Callable[[Array, Array, Array], Array]


RATIO = Objective(
    value=lambda d, s, c: d / (1 + s),
    peak=lambda slope, offset, c: (np.sqrt(offset * (offset - slope)) - offset) / slope,
    horizon=lambda most, value, c: most / value - 1,
)
"""D_x / x."""

ABOVE_LINE = Objective(
    value=lambda d, s, c: d - c * (1 + s),
    peak=lambda slope, offset, c: np.sqrt(-offset / c),
    horizon=lambda most, value, c: (most - value) / c - 1,
)
"""D_x - c x."""


def log_moment(pairs: FinitePairs, s: Array) -> Array:
    """K = log sum of q (q/p)^s, one s for each pair; it is 0 at s = 0."""
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        exponent = np.where(np.isneginf(pairs.log_q), -np.inf, s[:, None] * pairs.loss)
        near = np.sum(np.exp(pairs.log_q) * np.expm1(np.minimum(exponent, _LARGE)), axis=1)
        far = np.logaddexp.reduce(pairs.log_q + exponent, axis=1)
        return np.where(np.max(exponent, axis=1) < _LARGE, np.log1p(near), far)


def kullback_leibler(pairs: FinitePairs) -> Array:
    """D(Q||P) = sum of q log(q/p) - q + p, whose terms have one sign."""
    loss, p, q = pairs.loss, np.exp(pairs.log_p), np.exp(pairs.log_q)
    with np.errstate(invalid="ignore", over="ignore"):
        close = q * (loss + np.expm1(-loss))
        apart = np.where(q > 0, q * loss, 0.0) - q + p
    return np.sum(np.where(np.abs(loss) < 1, close, apart), axis=1)


def supremum(pairs: FinitePairs, objective: Objective, c: Array, tolerance: float) -> Array:
    """An upper bound on the supremum over x > 1, for D(Q||P) with finite losses.

    It is above the supremum by at most `tolerance` times max(KL, c).  The work grows with the
    range of orders in which the objective is flat, over the square root of the tolerance.
    """
    search = _Search(pairs, objective, c, tolerance)
    for _ in range(_MOST_ROUNDS):
        if not search.halve():
            return search.best + search.slack
    raise RuntimeError("branch and bound did not end")


class _Search:
    def __init__(
        self, pairs: FinitePairs, objective: Objective, c: Array, tolerance: float
    ) -> None:
        self.pairs, self.objective, self.c = pairs, objective, c
        kl = kullback_leibler(pairs)
        self.most = np.max(np.where(np.isneginf(pairs.log_q), -np.inf, pairs.loss), axis=1)
        self.slack = tolerance * np.maximum(kl, c)
        self.best = objective.value(kl, np.zeros_like(kl), c)
        with np.errstate(divide="ignore", invalid="ignore"):
            horizon = np.maximum(objective.horizon(self.most, self.best, c), 1e-2)
        rows = np.flatnonzero(self.slack > 0)
        grid = np.geomspace(1e-2, horizon[rows] * 1.01, _FIRST_POINTS, axis=1)
        self.row = np.repeat(rows, _FIRST_POINTS)
        self.high = grid.ravel()
        self.k_high = self._attained(self.row, self.high)
        self.low = np.pad(grid[:, :-1], ((0, 0), (1, 0))).ravel()
        k = self.k_high.reshape(grid.shape)
        self.k_low = np.pad(k[:, :-1], ((0, 0), (1, 0))).ravel()

    def _attained(self, row: NDArray[np.intp], s: Array) -> Array:
        k = log_moment(self.pairs[row], s)
        np.maximum.at(self.best, row, self.objective.value(k / s, s, self.c[row]))
        return k

    def _bound(self) -> Array:
        c, most = self.c[self.row], self.most[self.row]
        slope = (self.k_high - self.k_low) / (self.high - self.low)
        offset = np.minimum(self.k_low - slope * self.low, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = np.clip(np.nan_to_num(self.objective.peak(slope, offset, c)), self.low, self.high)
            d = slope + np.where(offset == 0, 0.0, offset / s)
        return np.minimum(self.objective.value(d, s, c), self.objective.value(most, self.low, c))

    def halve(self) -> bool:
        """Drop intervals that cannot matter and halve the others; whether any were left."""
        alive = self._bound() > (self.best + self.slack)[self.row]
        if not alive.any():
            return False
        row, low, high = self.row[alive], self.low[alive], self.high[alive]
        middle = np.where(high > 4 * low, np.sqrt(low * high), (low + high) / 2)
        middle = np.where(low == 0, high / 4, middle)
        k = self._attained(row, middle)
        self.row = np.tile(row, 2)
        self.low, self.high = np.append(low, middle), np.append(middle, high)
        self.k_low = np.append(self.k_low[alive], k)
        self.k_high = np.append(k, self.k_high[alive])
        return True
