"""Bounds for whole cells of a contour: all t within some distance of a point.

A sieve that looks at cells sees much further than one that looks at nodes. Single precision is
enough: it is taken to err by 1e-5, which is added.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope.num.arrays import Floats, Indices
from tightrope.num.rounding import EPS

Singles = NDArray[np.float32]

GOLDEN = (5**0.5 - 1) / 2

ROUNDED = 1e-5
"""What single precision may cost a factor."""


def spread_out(many: int, most: int) -> Indices:
    """About ``most`` of so many, in no regular order: regular ones may revive together."""
    if many <= most:
        return np.arange(many)
    place = (np.arange(most) + np.arange(1, most + 1) ** 2 * GOLDEN % 1) / most
    return np.unique((place * many).astype(np.intp))


def least_square_sine(tau: Floats, turns: Floats, reach: Floats) -> Singles:
    """Bounds from below on sin(pi turns t)^2, up to 1e-5; tau x turns.

    With u the distance of turns t to the next whole number, sin(pi u) >= 3 u - 4 u^3.

    Args:
        tau: points.
        turns: as many factors.
        reach: for every factor, how far turns t may be from turns tau.
    """
    turned = tau[:, None] * turns
    turned -= np.rint(turned)
    away = turned.astype(np.float32)
    np.abs(away, out=away)
    away -= (reach + 4 * EPS * float(tau.max(initial=0.0)) * turns).astype(np.float32)
    np.maximum(away, 0, out=away)
    cubic = away * away
    cubic *= -4
    cubic += 3
    cubic *= away
    cubic *= cubic
    return cubic


def log_product(squares: Singles, count: Floats) -> Floats:
    """log of the product over columns of square roots, each as often as is counted.

    Squares above 1 count as 1; what is known of them is known up to 1e-5.
    """
    squares += np.float32(ROUNDED)
    np.minimum(squares, 1, out=squares)
    if (count == count[0]).all():
        product = np.maximum(np.prod(squares, axis=1), 1e-35).astype(float)
        return np.asarray(np.log(product) * (count[0] / 2) + ROUNDED * count.sum())
    return np.asarray(np.log(squares).astype(float) @ (count / 2) + ROUNDED * count.sum())
