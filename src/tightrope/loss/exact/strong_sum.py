"""A few Laplace and logistic releases that hide little: how far losses lie below their top.

Under P, epsilon less a Laplace loss is 0 or an exponential variable of mean 2, with even odds, but
cut off at 2 epsilon; epsilon less a logistic loss is such a variable, given that it is not cut off.
Without the cuts a sum is a Gamma variable of k degrees, k being binomial, whatever the epsilons
are. With u half the distance of an epsilon from the top, such a sum adds to delta

    h_k(u) = 2 exp(-u) [u^(k + 1)/(k + 1)! + u^(k + 3)/(k + 3)! + ...],

and to what delta leaves of 1

    1 - h_k(u) = exp(-u) {2 [u^(k - 1)/(k - 1)! + u^(k - 3)/(k - 3)! + ...] + (-1)^k exp(-u)}.

A cut takes exp(-epsilon) times the same, from 2 epsilon on, away; the atom there puts some back. So
the truth is a sum over corners: which releases are cut. Up to the least epsilon only one
corner counts, the rest of 1 is a short signed sum anywhere, and where that rest is
large, delta has positive terms. Thus both are sharp however large the losses are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tightrope.loss.exact.cut_ways import Cut, corner_count, cut_losses, how_many, ways
from tightrope.loss.exact.truncated_powers import product_of_signs
from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.law import Law, in_blocks
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats, Indices
from tightrope.num.polynomials import horner
from tightrope.num.rounding import EPS

MOST_RELEASES = 32
"""Releases of one sum: of more, the signs cancel digits."""

MOST_CORNERS = 1 << 10
"""Corners of one sum."""

ENTRIES = 1 << 16
"""Corners times epsilons that are computed at once."""

SERIES = 160
"""Powers in a series for delta: for u <= 33 what follows adds less than 1e-30 of its first term."""


class Corners(NamedTuple):
    """Which releases are cut.

    Attributes:
        depth: half of how far below the top.
        weight: in how many ways, with the sign.
        cut: how many Laplace losses.
    """

    depth: Floats
    weight: Floats
    cut: Indices


@dataclass(frozen=True, eq=False)
class StrongSum(Law):
    """The law of a sum of strong losses.

    Attributes:
        laplace: how many Laplace losses there are.
        logistic: how many logistic ones.
        top: the largest sum, as a double and a rest.
        corners: of the sum.
        log_front: -log of the probability that no logistic variable is cut off.
        rest: what is left of 1, times exp(u), as polynomials; one row for each number of cuts.
        series: delta exp(u)/u^(logistic + 1), up to the least epsilon.
    """

    quick: ClassVar[bool] = True

    laplace: int
    logistic: int
    top: tuple[float, float]
    corners: Corners
    log_front: float
    rest: Floats
    series: Floats

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if there is another kind of loss, a weak one, or too many."""
        kinds = cut_losses(total)
        if not kinds:
            return None
        m, r = (how_many(kinds, kind) for kind in (LaplaceLoss, LogisticLoss))
        weakest = min(float(loss.epsilon.min()) for loss in kinds)
        if m + r > MOST_RELEASES or corner_count(kinds) > MOST_CORNERS or weakest < m + r + 1:
            return None
        return cls(m, r, _top(kinds), _corners(kinds), _front(kinds), _rest(m, r), _series(m, r))

    @property
    def terms(self) -> int:
        """Steps of three polynomials in each corner."""
        return 3 * len(self.corners.depth) * len(self.rest[0]) + SERIES

    @property
    def method(self) -> str:
        """For a derivation."""
        corners = len(self.corners.depth)
        return f"Gamma laws at {corners:,} corner{'s' * (corners > 1)}"

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        u = self._below_top(epsilon)
        lower, upper = self._by_series(np.maximum(u, 0))
        deep = u > self.laplace + self.logistic + 1
        with np.errstate(divide="ignore"):
            missed = np.exp(np.minimum(self._log_rest(u[deep]), 0))
            lower[deep] = np.log1p(-missed[1]) - 4 * EPS
            upper[deep] = np.log1p(-missed[0]) + 4 * EPS
        upper = np.where(u > 0, np.minimum(upper, 0), -np.inf)
        return LogInterval(np.where(u > 0, lower, -np.inf), upper, self.method)

    def log_missed(self, epsilon: Floats) -> LogInterval:
        """Bounds on log(1 - delta) at every epsilon >= 0."""
        lower, upper = self._log_rest(np.maximum(self._below_top(epsilon), 0))
        return LogInterval(np.minimum(lower, 0), np.minimum(upper, 0), self.method)

    def _below_top(self, epsilon: Floats) -> Floats:
        """u, with a relative error of 3 EPS."""
        return np.asarray(((self.top[0] - epsilon) + self.top[1]) / 2)

    # --- delta, from its positive terms ----------------------------------------------------

    def _by_series(self, u: Floats) -> Floats:
        power = self.logistic + 1
        inside = np.minimum(u, MOST_RELEASES + 1)
        with np.errstate(divide="ignore"):
            log_power = power * np.log(inside)
        value = log_power - inside + np.log(horner(self.series, inside)) + self.log_front
        size = np.where(np.isfinite(value), np.abs(value), 0) + np.abs(log_power) + inside
        size = np.where(np.isfinite(size), size, 0)
        mean = self.laplace + 2 * inside  # of the powers, weighed by their terms
        error = EPS * (4 * size + 8 * (power + mean + inside) + 16)
        return np.asarray([value - error, value + error])

    # --- what is left of 1, corner by corner -----------------------------------------------

    def _log_rest(self, u: Floats) -> Floats:
        return in_blocks(self._rest_bounds, u, max(1, ENTRIES // len(self.corners.depth)))

    def _rest_bounds(self, u: Floats) -> Floats:
        depth, weight, cut = self.corners
        at = u[:, None] - depth
        inside, away = np.maximum(at, 0), np.exp(-np.abs(at))
        value = np.where(at >= 0, horner(self.rest[cut].T[:, None, :], inside), 0.0)
        ends = np.where(at >= 0, (cut == self.laplace) * (-1.0) ** self.logistic, cut == 0) * away
        total = ((value + ends) * weight).sum(axis=1)
        error = self._errors(u, at, np.abs(ends)) @ np.abs(weight)
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum([total - error, total + error], 0))
        outward = EPS * (8 * u + 4 * np.abs(np.where(np.isfinite(logs), logs, 0)) + 8)
        return np.asarray(logs - u + self.log_front + np.array([[-1.0], [1.0]]) * outward)

    def _errors(self, u: Floats, at: Floats, ends: Floats) -> Floats:
        """Of every corner: no coefficient is larger than with no cut; places err by their own."""
        most = self.rest[0]
        degree = len(most) - 1
        slope = most[:-1] * np.arange(degree, 0, -1)
        inside = np.maximum(at, 0)
        size = np.where(at >= 0, horner(most[:, None, None], inside), 0.0)
        steep = np.where(at >= 0, horner(slope[:, None, None], inside), 0.0) if degree else 0.0
        place = 32 * u[:, None] + 32
        return np.asarray(
            EPS * ((3 * degree + 32 + len(most) + at.shape[1]) * size + place * (steep + ends))
        )


def _top(kinds: list[Cut]) -> tuple[float, float]:
    terms = [(loss.epsilon.tolist(), loss.count.tolist()) for loss in kinds]
    whole = sum(Fraction(e) * int(n) for es, ns in terms for e, n in zip(es, ns, strict=True))
    return float(whole), float(Fraction(whole) - Fraction(float(whole)))


def _front(kinds: list[Cut]) -> float:
    logistic = (loss for loss in kinds if isinstance(loss, LogisticLoss))
    return -sum(float(np.log(-np.expm1(-loss.epsilon)) @ loss.count) for loss in logistic)


def _corners(kinds: list[Cut]) -> Corners:
    depth, weight, cut = np.zeros(1), np.ones(1), np.zeros(1, dtype=np.intp)
    for epsilon, flat, counted in ways(kinds):
        lost = np.arange(len(counted))
        depth = np.add.outer(depth, lost * epsilon).ravel()
        weight = np.multiply.outer(weight, np.array(counted, dtype=float)).ravel()
        cut = np.add.outer(cut, lost if flat else 0 * lost).ravel()
    return Corners(depth, weight, cut)


def _degrees(laplace: int, cut: int) -> list[Fraction]:
    """The signed law of k: coefficients of (1 + x)^(m - cut) (1 - x)^cut/2^m."""
    return [Fraction(c, 2**laplace) for c in product_of_signs(laplace - cut, cut)]


def _rest(laplace: int, logistic: int) -> Floats:
    """The polynomials, the highest power first."""
    rows = np.zeros((laplace + 1, max(laplace + logistic, 1)))
    for cut in range(laplace + 1):
        power = [Fraction(0)] * rows.shape[1]
        for k, share in enumerate(_degrees(laplace, cut)):
            for j in range(k + logistic - 1, -1, -2):
                power[j] += 2 * share / math.factorial(j)
        rows[cut] = [float(one) for one in reversed(power)]
    return rows


def _series(laplace: int, logistic: int) -> Floats:
    """Coefficients of the positive terms, the highest power first."""
    power = [Fraction(0)] * SERIES
    for k, share in enumerate(_degrees(laplace, 0)):
        for i in range(k, SERIES, 2):
            power[i] += 2 * share / math.factorial(logistic + 1 + i)
    return np.array([float(one) for one in reversed(power)])
