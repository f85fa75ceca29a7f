"""Hockey sticks of sums of a few uniform variables, by B-splines and positive terms only.

Let N_j be the density of a sum of j variables that are uniform on (0, 1), a cardinal B-spline: a
polynomial of degree j - 1 between whole numbers. Wanted are, at v = r + theta, for every j,

    H_j(v) = integral of exp(-b y) (1 - exp(-2 b (v - y))) N_j(y) over y in (0, v).

De Boor's recurrence (j - 1) N_j(y) = y N_(j-1)(y) + (j - y) N_(j-1)(y - 1) gives N_j at the nodes
of a Gauss rule with a relative error, and over (r', r' + 1), with w = v - r' - 1 >= 0, the bracket
is (1 - exp(-2 b w)) + exp(-2 b w) (1 - exp(-2 b (1 - t))).

The rule is exact for N_j times a polynomial of degree D = 2 points - j. Over (0, u) the smooth
factors are exp(b (u - t)) and sinh(b (u - t)), times constants: their Taylor series about u have
positive terms, so what these leave after degree D is non-negative and at most

    R = max(b^D, b^(D + 1))/(D + 1)!

times the factor itself, in the integral as well as in the sum. Hence so is the rule's error.

Source: de Boor (1972), "On calculating with B-splines".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from tightrope.num.arrays import Floats, Indices
from tightrope.num.gauss_legendre import unit_rule
from tightrope.num.rounding import EPS

SCALE = 900 * math.log(2)
"""Splines are kept times 2^900, for they become as small as 1e-400."""


class Splines:
    """H_j for j of 1, ..., most, with the rate b of exponentials.

    Attributes:
        most: the largest number of uniform variables.
        rate: b.
    """

    def __init__(self, most: int, rate: float):
        self.most, self.rate = most, rate
        self.rule = unit_rule((most + _smooth_degree(rate) + 1) // 2)

    def log_partial(self, theta: Floats, rows: int) -> Floats:
        """log H_j(r + theta), for r = 0, ..., rows - 1 < most; theta x j x rows, j from 1."""
        whole, last = self._whole(theta, rows), self._last(theta, rows)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(whole + last)) - SCALE

    def log_complete(self, v: Floats, j: Indices) -> Floats:
        """log H_j(v) for v >= j >= 0, in closed form: every variable is below v."""
        each = math.log(-math.expm1(-self.rate) / self.rate)
        return np.asarray(j * each + np.log(-np.expm1(-2 * self.rate * (v - j / 2))))

    @property
    def error(self) -> float:
        """A relative error of every H_j.

        Each step of the recurrence errs by 3 EPS; nodes that are off by EPS change a sum by
        2 (j + b) EPS, since (j - 1) N_j >= |N_j'| but next to the ends, where N_j is a power.
        """
        points = len(self.rule.weight)
        return EPS * (12 * self.most + 8 * self.rate + 5 * points + 64)

    # --- pieces ----------------------------------------------------------------------------

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Integrals of N_j(r + t) over t with both smooth factors; j x r, scaled."""
        node, mirror, weight = self.rule
        fall = weight * np.exp(-self.rate * node)
        factors = np.stack([fall, fall * -np.expm1(-2 * self.rate * mirror)], axis=1)
        moments = np.zeros((2, self.most, self.most))
        for j, spline in enumerate(self._splines(node, mirror, self.most)):
            moments[:, j, : j + 1] = (spline @ factors).T
        return moments[0], moments[1]

    def _whole(self, theta: Floats, rows: int) -> Floats:
        """The pieces (r', r' + 1) with r' < r, from those of r - 1: for q = exp(-2 b),

        1 - q^(w + 1) = (1 - q) + q (1 - q^w).
        """
        fall = np.exp(-self.rate * np.arange(self.most))
        flat, tilted = (moment * fall for moment in self._moments)
        kept, lost = math.exp(-2 * self.rate), -math.expm1(-2 * self.rate)
        entering, left = (
            np.exp(-2 * self.rate * theta)[:, None],
            -np.expm1(-2 * self.rate * theta)[:, None],
        )
        passed = np.append(np.zeros((self.most, 1)), np.cumsum(flat, axis=1), axis=1)
        whole = np.zeros((rows, len(theta), self.most))
        for r in range(rows - 1):
            fresh = left * flat[:, r] + entering * tilted[:, r]
            whole[r + 1] = kept * whole[r] + lost * passed[:, r] + fresh
        return np.moveaxis(whole, 0, 2)

    def _last(self, theta: Floats, rows: int) -> Floats:
        """The piece (r, r + theta)."""
        node, mirror, weight = self.rule
        t = theta[:, None] * node
        rest = (1 - theta)[:, None] + theta[:, None] * mirror
        factor = theta[:, None] * weight * np.exp(-self.rate * t)
        factor *= -np.expm1(-2 * self.rate * theta[:, None] * mirror)
        last = np.zeros((len(theta), self.most, rows))
        for j, spline in enumerate(self._splines(t, rest, rows)):
            piece = np.einsum("rtq,tq->tr", spline, factor)
            last[:, j, : piece.shape[1]] = piece
        return np.asarray(last * np.exp(-self.rate * np.arange(rows)))

    def _splines(self, t: Floats, rest: Floats, rows: int) -> Iterator[Floats]:
        """N_j(r + t) for r below j and below rows, j = 1, 2, ...; ``rest`` is 1 - t; scaled."""
        r = np.arange(rows).reshape(-1, *(1 for _ in t.shape))
        rising, falling = r + t, np.empty((rows, *t.shape))
        spline = np.zeros((rows, *t.shape))
        spline[0] = math.exp(SCALE)
        yield spline[:1]
        for j in range(2, self.most + 1):
            spline /= j - 1
            last = min(j, rows)
            np.add(rest, j - 1 - r[1:last], out=falling[1:last])
            falling[1:last] *= spline[: last - 1]
            spline[:last] *= rising[:last]
            spline[1:last] += falling[1:last]
            yield spline[:last]


def _smooth_degree(rate: float) -> int:
    """The least D with max(b^D, b^(D + 1))/(D + 1)! below EPS/16."""
    degree, log_term = 0, max(0.0, math.log(rate))
    while log_term > math.log(EPS / 16):
        degree += 1
        log_term = (degree + (rate > 1)) * math.log(rate) - math.lgamma(degree + 2)
    return degree
