"""A finite pair that covers a privacy profile: for what is known by its curve alone.

delta is convex in x = exp(epsilon). Chords between points on or above it lie above it, and a
decreasing convex polygon from (0, 1) is the profile of a finite pair: at each vertex the slope
rises by what Q puts on that loss, and what is left at the last vertex is the mass of an infinite
loss. So composing the polygon's pair covers whatever the curve promises, for every way in which
the neighbours may differ. (The connect-the-dots pair of Doroshenko, Ghazi, Kamath, Kumar and
Manurangsi, 2022, with the points' convex hull in place of the points.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows, Scalars
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS
from tightrope.theorems.outward import reflected

LAST_LOG_DELTA = -92.0
"""Where a polygon ends: what delta is left counts as an infinite loss."""

OUTWARD = 1e-11
"""Relative rise of every point, which exceeds what rounding does to the polygon's slopes."""


def covering(reach: float, points: int, log_delta: Callable[[Floats], Floats]) -> FiniteLoss:
    """The pair whose profile is the polygon over an even grid from -reach to reach.

    Args:
        reach: the largest finite loss, above 0; what delta is there becomes an infinite loss.
        points: how many points the grid has on each side of 0.
        log_delta: upper bounds on log delta at any real epsilon.
    """
    step = reach / points
    epsilon: Floats = np.asarray(step * np.arange(-points, points + 1.0))
    x = np.concatenate(([0.0], np.exp(epsilon)))
    delta = np.exp(np.asarray(log_delta(epsilon))) * (1 + OUTWARD)
    y = np.concatenate(([1.0], np.minimum(delta, 1.0)))
    kept = _lower_hull(x, y)
    x, y, losses = x[kept], y[kept], np.concatenate(([-np.inf], epsilon))[kept][1:]
    slopes = np.append(np.diff(y) / np.diff(x), 0.0)
    on_p = np.maximum(np.diff(slopes), 0.0) * x[1:]
    infinite, absent = float(y[-1]), max(1 + float(slopes[0]), 0.0)
    rows = Rows.one(
        losses[on_p > 0],
        np.log(on_p[on_p > 0] / on_p.sum()),
        Scalars(-float(np.log1p(-infinite)), absent, step, loss_doubt=4 * EPS),
    )
    return FiniteLoss((rows,))


def symmetric(log_delta: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """The profile at any epsilon, from that at epsilon >= 0 if both orders are alike."""

    def everywhere(epsilon: Floats) -> Floats:
        size = np.abs(epsilon)
        distinct, index = np.unique(size, return_inverse=True)
        known = log_delta(distinct)[index]
        return np.where(epsilon < 0, np.asarray(reflected(known, -size)), known)

    return everywhere


def _lower_hull(x: Floats, y: Floats) -> list[int]:
    """Indices of the lower convex hull of points with ascending x."""
    hull: list[int] = []
    for i in range(len(x)):
        while len(hull) > 1 and _above(x, y, hull[-2], hull[-1], i):
            hull.pop()
        hull.append(i)
    return hull


def _above(x: Floats, y: Floats, a: int, b: int, c: int) -> bool:
    """Whether point b is not below the chord from a to c."""
    return bool((y[b] - y[a]) * (x[c] - x[b]) >= (y[c] - y[b]) * (x[b] - x[a]))
