"""Pointwise minimum and maximum of polygonal trade-off curves, and their iteration for groups.

Each result goes through all corners of the true curve, with coordinates that are right to a few
units of rounding; its vertices are then moved to the safe side by more than that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope.notions.piecewise_products import LIMIT, atoms_of_vertices
from tightrope.notions.piecewise_vertices import Rising, Vertices, ordered_union
from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import EPS

__all__ = ["chained", "greater", "iterated", "less"]

_ERROR = 16 * EPS
_SAME = 4 * EPS  # powers that differ by less may be equal


def less(f: Vertices, g: Vertices) -> Vertices:
    """The lower convex hull of the pointwise minimum: a curve for either of two pairs."""
    alpha, _ = ordered_union(f.alpha, g.alpha)
    of_f, of_g = f.at(alpha), g.at(alpha)
    power = Rising(np.maximum(of_f.low, of_g.low), np.minimum(of_f.high, of_g.high))
    return Vertices(alpha, power).lowered(_ERROR).hull()


def greater(f: Vertices, g: Vertices) -> Vertices:
    """The pointwise maximum: what holds if both curves hold for one pair."""
    alpha, _ = ordered_union(f.alpha, g.alpha)
    of_f, of_g = f.at(alpha), g.at(alpha)
    power = Rising(np.minimum(of_f.low, of_g.low), np.maximum(of_f.high, of_g.high))
    crossing = _crossings(Vertices(alpha, of_f), _excess(of_f, of_g))
    alpha, order = ordered_union(alpha, crossing.alpha)
    return Vertices(alpha, power.joined(crossing.power)[order]).lowered(_ERROR).hull()


def _excess(first: Rising, second: Rising) -> FloatArray:
    """By how much each first number is larger; 0 if rounding cannot tell."""
    near = np.maximum(first.low, second.low) <= 0.5
    difference = np.where(near, first.low - second.low, second.high - first.high)
    scale = np.where(near, first.low + second.low, first.high + second.high)
    return np.where(np.abs(difference) > _SAME * scale, difference, 0.0)


def _crossings(curve: Vertices, excess: FloatArray) -> Vertices:
    """The points inside edges of `curve` at which `excess`, linear along an edge, changes sign."""
    (k,) = np.nonzero(excess[:-1] * excess[1:] < 0)
    before, after = np.abs(excess[k]), np.abs(excess[k + 1])
    parts = before / (before + after), after / (before + after)
    return Vertices(_between(curve.alpha, k, parts), _between(curve.power, k, parts))


def _between(x: Rising, k: NDArray[np.intp], parts: tuple[FloatArray, FloatArray]) -> Rising:
    step = x[k].to(x[k + 1])
    return Rising(x.low[k] + parts[0] * step, x.high[k + 1] + parts[1] * step)


def chained(outer: Vertices, inner: Vertices) -> Vertices:
    """The curve whose power is the power of `outer` at the power of `inner`.

    J. Dong, A. Roth and W. J. Su, "Gaussian differential privacy" (2022), Theorem 2.14.  Its
    corners lie at those of `inner`, and where the power of `inner` reaches a corner of `outer`.
    """
    reached = (outer.alpha.low > inner.power.low[0]) & (outer.alpha.high > 0)
    alpha, order = ordered_union(inner.alpha, inner.alpha_at(outer.alpha[reached]))
    power = outer.at(inner.power).joined(outer.power[reached])
    return Vertices(alpha, power[order]).lowered(_ERROR).hull()


def iterated(f: Vertices, k: int) -> Vertices:
    """The curve chained with itself k times, by repeated squaring."""
    if k == 1:
        return f
    half = iterated(f, k // 2)
    square = _few(chained(half, half))
    return _few(chained(square, f)) if k % 2 else square


def _few(curve: Vertices) -> Vertices:
    return curve if len(curve) <= LIMIT else atoms_of_vertices(curve).vertices()
