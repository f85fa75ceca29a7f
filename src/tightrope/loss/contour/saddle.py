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
from tightrope.num.parabola import lowest

Objective = Callable[[Floats], Floats]

_COARSE = 2.0 ** np.arange(-4.0, 5.0)
_FINE = np.linspace(-1.0, 1.0, 9)
"""Factors by which a bracket is moved, and exponents of its width by which it is narrowed."""

ANYWHERE = 2.0
"""Where a search starts that knows nothing."""

CLOSE = 1.5
"""The width of the bracket around a start that is likely to be close."""

NEAR = 0.3
"""How far above its minimum the logarithm of the integrand's size may be."""

UNKNOWN = 1e100
"""Sizes beyond this one stand for what is beyond reach."""

SMALLEST, LARGEST = 1e-9, 1e15
"""Where the search for c ends: no contour is of use beyond."""


def for_epsilon(total: Total, epsilon: float, near: float | None = None) -> float:
    """The c that minimises K(c) - c epsilon - log c - log(c + 1); ``near`` is looked at first."""
    return lowest_at(total, epsilon, near)[0]


def lowest_at(total: Total, epsilon: float, near: float | None = None) -> tuple[float, float]:
    """That c, and the minimum."""

    def size(c: Floats) -> Floats:
        return _cumulant(total, c) - c * epsilon - np.log(c) - np.log1p(c)

    return _found(size, near, lambda c: 1.0)


def for_delta(total: Total, log_delta: float, near: float | None = None) -> tuple[float, float]:
    """The c of the best Chernoff bound, and the epsilon that it gives at that delta.

    It is looked for around ``near`` first.
    """

    def epsilon(c: Floats) -> Floats:
        return (_cumulant(total, c) + log_kappa(c) - log_delta) / c

    def weight(c: float) -> float:
        return c

    return _found(epsilon, near, weight)


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
    return seen(total, c, np.empty(0))[0]


def seen(total: Total, c: float, s: Floats) -> tuple[Shape, Floats]:
    """The shape at c, and K at other points."""
    step = 0.1 * c
    before, log_m, after, *others = _cumulant(total, np.array([c - step, c, c + step, *s])).tolist()
    second = max((before - 2 * log_m + after) / step**2, 0.0)
    return Shape(c, log_m, second + 1 / c**2 + 1 / (c + 1) ** 2), np.array(others)


def _cumulant(total: Total, c: Floats) -> Floats:
    value = total.estimate(c.astype(complex)).real
    return np.where(np.isnan(value), np.inf, value)


def _found(
    objective: Objective, near: float | None, weight: Callable[[float], float]
) -> tuple[float, float]:
    """Near the minimum: ``weight`` turns the objective into the logarithm of a size."""
    close = None if near is None else _narrowed(objective, near, CLOSE, weight)
    return close or _minimiser(objective, near or ANYWHERE, weight)


def _minimiser(
    objective: Objective, middle: float, weight: Callable[[float], float]
) -> tuple[float, float]:
    """The same from anywhere, ``middle`` being looked at first."""
    with np.errstate(all="ignore"):
        for _ in range(20):
            values = objective(middle * _COARSE)
            values = np.where(values < UNKNOWN, values, np.inf)  # then farther to the left
            best = int(np.argmin(values))
            middle = min(max(middle * float(_COARSE[best]), SMALLEST), LARGEST)
            if 0 < best < len(_COARSE) - 1 or middle in (SMALLEST, LARGEST):
                break
    return _narrowed(objective, middle, 2.0, weight) or (middle, float(values[best]))


def _narrowed(
    objective: Objective, middle: float, width: float, weight: Callable[[float], float]
) -> tuple[float, float] | None:
    """The minimum within a factor of the width, or None if it seems to lie farther away."""
    found = None
    with np.errstate(all="ignore"):
        for _ in range(12):
            points = middle * width**_FINE
            values = objective(points)
            best = int(np.argmin(values))
            if not 0 < best < len(points) - 1:
                return found
            middle, three = float(points[best]), values[best - 1 : best + 2]
            found = middle, float(three[1])
            if (np.max(three) - np.min(three)) * weight(middle) < NEAR:
                break
            width **= 2 / (len(points) - 1)
    moved, value = lowest(three)
    return float(middle * width ** (moved * 2 / (len(points) - 1))), value
