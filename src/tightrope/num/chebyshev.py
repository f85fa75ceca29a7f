"""Polynomials on [0, 1] by their values at Chebyshev points, with what evaluating them loses.

Places are given with their mirrors, 1 minus the place, so that distances keep their digits next to
either end.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS


class Places(NamedTuple):
    """Numbers of [0, 1] of any shape, and 1 minus each; both to a relative accuracy."""

    place: Floats
    mirror: Floats


@lru_cache(maxsize=16)
def nodes(count: int) -> Places:
    """So many Chebyshev points of the first kind, rising.

    >>> [round(x, 6) for x in nodes(2).place.tolist()]
    [0.146447, 0.853553]
    """
    angle = (2 * np.arange(count) + 1) * (math.pi / (4 * count))
    return Places(np.sin(angle) ** 2, np.cos(angle) ** 2)


def interpolation(count: int, at: Places) -> Floats:
    """The values at places, one row each, as combinations of those at so many nodes.

    By the barycentric formula (Berrut and Trefethen, 2004, "Barycentric Lagrange interpolation").

    >>> rows = interpolation(3, Places(np.array([0.25]), np.array([0.75])))
    >>> round(float(rows[0] @ nodes(3).place ** 2), 12)
    0.0625
    """
    node = nodes(count)
    weight = np.sin((2 * np.arange(count) + 1) * (math.pi / (2 * count)))
    weight[1::2] *= -1
    # the distance from a node by the places or by the mirrors, whichever keep their digits
    far = at.place >= 0.5
    rows = np.stack([node.place, -node.mirror])[far.astype(int)]
    np.subtract(np.where(far, -at.mirror, at.place)[..., None], rows, out=rows)
    rows[rows == 0] = 1e-200
    np.divide(weight, rows, out=rows)
    rows /= rows.sum(axis=-1, keepdims=True)
    return np.asarray(rows)


def coefficients(values: Floats) -> Floats:
    """Of T_0, T_1, ... on [-1, 1], by the values at so many nodes, row by row.

    >>> coefficients(nodes(3).place[None] ** 2).round(12)
    array([[0.375, 0.5  , 0.125]])
    """
    return np.asarray(values @ _waves(values.shape[1]))


def lebesgue(count: int) -> float:
    """A bound on the sum of the sizes of a row (Rivlin, 1974, Theorem 1.2)."""
    return 1 + 2 / math.pi * math.log(count)


def rounding(count: int) -> float:
    """What evaluating a polynomial by ``interpolation`` loses, relative to its largest size.

    Rows are 8 EPS off, their sums and those of values times rows up to count/2 EPS each, all times
    the Lebesgue constant. Places that are off by a relative EPS or two are not counted.
    """
    return (count + 48) * EPS * lebesgue(count)


def truncation(sup: Floats, radius: float, count: int) -> Floats:
    """How far a function is from its interpolant.

    Args:
        sup: bounds on its size within the ellipse around [0, 1] whose half axes are
            (radius +- 1/radius)/4.
        radius: above 1.
        count: of nodes.

    Source: Trefethen (2019), "Approximation Theory and Approximation Practice", Theorem 8.2.
    """
    return np.asarray(4 * sup * radius ** (1.0 - count) / (radius - 1))


def turning(values: Floats) -> Floats:
    """Bounds on slopes times sqrt(x (1 - x)), of polynomials by columns of values at nodes.

    With x = sin(a/2)^2, T_k(1 - 2 x) is cos(k a), whose slope in a is at most k. A place and its
    mirror that are both off by a relative shift thus move a value by at most shift times this, and
    as much again for what the slope changes by. Coefficients err by about count EPS.

    >>> bool(1.5 <= turning(3 * nodes(8).place[:, None])[0] < 1.6)
    True
    """
    count = len(values)
    size = np.abs(_waves(count).T @ values)
    size += (count + 8) * EPS * np.abs(values).max(axis=0)
    return np.asarray(np.arange(count) @ size)


@lru_cache(maxsize=16)
def _waves(count: int) -> Floats:
    """Coefficients, a column each, as combinations of values at nodes."""
    k = np.arange(count)
    columns = np.cos((2 * k[::-1, None] + 1) * k * (math.pi / (2 * count))) * (2 / count)
    columns[:, 0] /= 2
    return np.asarray(columns)
