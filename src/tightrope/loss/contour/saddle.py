"""Where to lay the contour: the saddle point of the integrand on the real axis.

Nothing here is a guarantee: any contour gives a valid bound, and one through the saddle gives a
tight one. The objectives have one minimum, which is found by a bracket in log c.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.parabola import vertex

Objective = Callable[[Floats], Floats]

_COARSE = 4.0 ** np.arange(-2.0, 3.0)
_FINE = np.linspace(-1.0, 1.0, 9)
"""Factors by which a bracket is moved, and exponents of its width by which it is narrowed."""

NEAR = 0.3
"""How far above its minimum the logarithm of the integrand's size may be."""

SMALLEST, LARGEST = 1e-9, 1e15
"""Where the search for c ends: no contour is of use beyond."""


def for_epsilon(total: Total, epsilon: float, start: float = 2.0) -> float:
    """The c that minimises K(c) - c epsilon - log c - log(c + 1)."""

    def size(c: Floats) -> Floats:
        return _cumulant(total, c) - c * epsilon - np.log(c) - np.log1p(c)

    return _minimiser(size, start, lambda c: 1.0)


def for_delta(total: Total, log_delta: float, start: float = 2.0) -> tuple[float, float]:
    """The c of the best Chernoff bound, and the epsilon that it gives at that delta."""

    def epsilon(c: Floats) -> Floats:
        return (_cumulant(total, c) + log_kappa(c) - log_delta) / c

    c = _minimiser(epsilon, start, lambda c: c)
    return c, float(epsilon(np.array([c]))[0])


def log_kappa(s: Floats) -> Floats:
    """log of s^s/(1 + s)^(1 + s), the largest (1 - exp(-y)) exp(-s y) over y >= 0."""
    return np.asarray(-s * np.log1p(1 / s) - np.log1p(s))


class Shape(NamedTuple):
    """What the integrand looks like on the axis.

    Attributes:
        c: where.
        log_m: K(c).
        curvature: the second derivative of K(c) - log c - log(c + 1), by a difference.
    """

    c: float
    log_m: float
    curvature: float

    def log_delta(self, epsilon: float) -> float:
        """log delta by the leading term of the saddle-point method, if c is the saddle."""
        spread = math.log(self.c) + math.log1p(self.c) + math.log(2 * math.pi * self.curvature) / 2
        return self.log_m - self.c * epsilon - spread


def shape(total: Total, c: float) -> Shape:
    """The shape at c."""
    step = 0.1 * c
    values = _cumulant(total, np.array([c - step, c, c + step]))
    second = max(float(values[0] - 2 * values[1] + values[2]) / step**2, 0.0)
    return Shape(c, float(values[1]), second + 1 / c**2 + 1 / (c + 1) ** 2)


def _cumulant(total: Total, c: Floats) -> Floats:
    value = total.estimate(c.astype(complex)).real
    return np.where(np.isnan(value), np.inf, value)


def _minimiser(objective: Objective, start: float, weight: Callable[[float], float]) -> float:
    """Near the minimum: ``weight`` turns the objective into the logarithm of a size."""
    with np.errstate(all="ignore"):
        middle = start
        for _ in range(40):
            best = int(np.argmin(objective(middle * _COARSE)))
            middle = min(max(middle * float(_COARSE[best]), SMALLEST), LARGEST)
            if 0 < best < len(_COARSE) - 1 or middle in (SMALLEST, LARGEST):
                break
        width = 4.0
        for _ in range(12):
            points = middle * width**_FINE
            values = objective(points)
            best = min(max(int(np.argmin(values)), 1), len(points) - 2)
            middle = float(points[best])
            three = values[best - 1 : best + 2]
            if (np.max(three) - np.min(three)) * weight(middle) < NEAR:
                break
            width **= 2 / (len(points) - 1)
    return float(middle * width ** (vertex(three) * 2 / (len(points) - 1)))
