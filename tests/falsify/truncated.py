"""The tCDP parameter of a pair: sup of D_order/order over the orders up to omega.

(order - 1) D is convex, so between two orders of a grid it lies below its chord, which gives an
upper bound; the values on the grid are a lower one. With 200 orders they differ by 0.1 % or so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from oracle.finite_pairs import FinitePairs
from oracle.orders import RATIO, kullback_leibler, log_moment

Array = NDArray[np.float64]

POINTS = 200
NEAREST = 1e-3


def stated_rho(pairs: FinitePairs, omega: Array) -> Array:
    """A rho for which the pair is (rho, omega)-tCDP for certain."""
    return _both(pairs, omega)[1]


def shown_rho(pairs: FinitePairs, omega: Array) -> Array:
    """A rho that the pair needs at least."""
    return _both(pairs, omega)[0]


def _both(pairs: FinitePairs, omega: Array) -> Array:
    first, second = (_one(x, omega) for x in (pairs, pairs.swapped()))
    return np.asarray(np.maximum(first, second))


def _one(pairs: FinitePairs, omega: Array) -> Array:
    """The largest value on the grid, and the largest that the chords allow."""
    last = omega - 1
    s = np.geomspace(np.minimum(NEAREST, last / 2), last, POINTS)
    moments = np.array([log_moment(pairs, row) for row in s])
    seen = np.maximum(kullback_leibler(pairs), (moments / s / (1 + s)).max(axis=0))
    slope = np.diff(moments, axis=0) / np.diff(s, axis=0)
    offset = np.minimum(moments[:-1] - slope * s[:-1], 0.0)
    with np.errstate(all="ignore"):
        peak = np.clip(np.nan_to_num(RATIO.peak(slope, offset, omega)), s[:-1], s[1:])
        chord = RATIO.value(slope + offset / peak, peak, omega)
    most = np.maximum(chord.max(axis=0), moments[0] / s[0])
    return np.array([seen, np.maximum(most, seen)])
