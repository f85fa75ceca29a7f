"""How the transform of a pair of Gaussian mixtures decays along a vertical line.

For every t >= tau and every height y,

    |M(c + it)| <= E_y(tau) = integral of |p| |r|^c exp(-tau arg r) at height y,

which falls in tau. E_y itself is computed by the trapezoid rule. For any f that is real on the
axis, |f(x + iy)|^2 = f(x + iy) f(x - iy) and 2i arg f(x + iy) = log f(x + iy) - log f(x - iy), so
the integrand of E_y is analytic in x; at x + ia it is at most the geometric mean of |p r^c| at the
heights y + a and |y - a|, because arg r rises with the height as long as width (y + a) <= pi/2.
(With e_i = exp(d_i u), the slope of arg S(u + iy) in y has the sign of the sum over i and j of
w_i w_j e_i e_j d_i cos((d_i - d_j) y).) On the real axis E_0(0) is M(c).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce

import numpy as np

from tightrope.loss.mixture.pair import BLOCK, OnLine
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

MOST_DAMPED = 600.0
"""exp(-600) stands for all that is smaller, where only an upper bound is wanted."""

ROUNDING = 1e-12
"""Of the logarithm of an integrand, beside what its parts say."""


class Envelope:
    """E_y along several lines, tabulated: its logarithm is convex in tau, hence below its chords.

    Args:
        c: the power of r.
        step: the distance between nodes.
        knots: values of tau, from 0 on, where E is computed.
        lines: log p and the loss at the nodes (columns) of some lines (rows), and log of a bound
            on the quadrature error of each line. The first line is the real axis.

    Attributes:
        log_ends: bounds on log M(c).
        table: log E_y at the knots, a row for each line.
    """

    def __init__(
        self, c: float, step: float, knots: Floats, lines: Iterable[tuple[OnLine, Floats]]
    ):
        self.c, self.step, self.knots = c, step, knots
        self.log_ends = -math.inf, math.inf
        self.table = np.concatenate([self._logs(at, error) for at, error in lines])

    def _logs(self, at: OnLine, error: Floats) -> Floats:
        """log E_y at the knots, rounded up; a row for each line."""
        logs = at.density.value.real + self.c * at.loss.value.real
        scale = float(logs.max())
        doubt = at.density.error + self.c * at.loss.error + ROUNDING + 8 * EPS * abs(scale)
        weight = self.step * np.exp(logs + doubt - scale)
        sums = self._damped(np.maximum(at.loss.value.imag - at.loss.error, 0), weight)
        errors = np.exp(np.minimum(error - scale, 700.0))
        found = np.asarray(scale + np.log(sums + (errors[:, None] + 1e-300)))
        if self.log_ends[1] == math.inf:  # what the doubts add to the weights is taken off twice
            least = sums[0, 0] - 2 * weight[0] @ np.expm1(doubt[0]) - errors[0]
            lower = scale + math.log(least) if least > 0 else -math.inf
            self.log_ends = lower, float(found[0, 0])
        return found

    def _damped(self, turn: Floats, weight: Floats) -> Floats:
        """The sum of the weights times exp(-tau turn), at the knots; a row for each line."""
        width = max(1, BLOCK // turn.size)
        parts = (self.knots[i : i + width, None] for i in range(0, len(self.knots), width))
        return np.concatenate(
            [
                (np.exp(np.maximum(-tau * turn[:, None], -MOST_DAMPED)) @ weight[..., None])[..., 0]
                for tau in parts
            ],
            axis=1,
        )

    def log_bound(self, tau: Floats) -> Floats:
        """log of a bound on the least E_y(tau)."""
        return reduce(np.minimum, (np.interp(tau, self.knots, line) for line in self.table))
