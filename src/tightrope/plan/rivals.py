"""A slow curve beside a quick one: asked only where it might say more.

Routes over Renyi orders search anew at every point. On a scale on which they are nearly straight
they are asked at a few points first, then inside every stretch where their excess over the quick
curve, known at its ends, may be negative. Each answer is a value of one of the two curves: a
stretch that is skipped wrongly costs a little sharpness, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tightrope.num.arrays import Floats, Indices
from tightrope.num.normal import quantile

Curve = Callable[[Floats], Floats]

FIRST = 9
"""Points at which the slow curve is asked to begin with."""

FARTHEST = 1e4
"""Log deltas below minus this one are all alike in the search."""

SLIGHT = 1e-10
"""What more a curve says by less than that on the scale of the search is not worth asking for."""

EDGES = 1e-300, 1 - 2e-16
"""Probabilities outside of these are all alike in the search."""


def lesser_log_delta(known: Floats, epsilon: Floats, slow: Curve) -> Floats:
    """The lesser of two curves of log delta at every epsilon of a flat array."""
    found = _asked(epsilon, known, epsilon, slow, lambda log: np.maximum(log, -FARTHEST))
    return np.fmin(known, found)


def greater_error(known: Floats, alpha: Floats, slow: Curve) -> Floats:
    """The greater of two trade-off curves at every alpha of a flat array."""
    inside = (alpha > 0) & (alpha < 1)
    found = np.empty(len(alpha))
    found[~inside] = slow(alpha[~inside])
    some = alpha[inside]
    found[inside] = _asked(_score(some), known[inside], some, slow, lambda beta: -_score(beta))
    return np.fmax(known, found)


def _score(probability: Floats) -> Floats:
    return np.asarray(quantile(np.clip(probability, *EDGES)))


def _asked(place: Floats, known: Floats, x: Floats, slow: Curve, height: Curve) -> Floats:
    """Values of the slow curve; not a number where it was not worth asking.

    Args:
        place: of every point, on the scale of the search.
        known: values of the quick curve there.
        x: the arguments of both curves there.
        slow: the slow curve.
        height: values of either curve on the scale of the search; the lesser is the better.
    """
    order = np.argsort(place, kind="stable")
    at, quick = place[order], height(known[order])
    found = np.full(len(x), np.nan)
    fresh = _first(at)
    while len(fresh):
        found[order[fresh]] = slow(x[order[fresh]])
        fresh = _promising(at, height(found[order]) - quick)
    return found


def _first(at: Floats) -> Indices:
    """A few points that are spread evenly, the outermost ones among them."""
    if not len(at):
        return np.zeros(0, dtype=np.intp)
    nearest = np.searchsorted(at, np.linspace(at[0], at[-1], FIRST))
    return np.unique(np.append(np.minimum(nearest, len(at) - 1), len(at) - 1))


def _promising(at: Floats, excess: Floats) -> Indices:
    """One point inside every stretch in which the excess, known at its ends, may be negative."""
    known = np.flatnonzero(~np.isnan(excess))
    chord = np.interp(at, at[known], excess[known])
    stretch = np.searchsorted(known, np.arange(len(at)))
    sag = np.concatenate([[0.0], _sag(at[known], excess[known]), [0.0]])
    waiting = np.flatnonzero(np.isnan(excess) & (chord - sag[stretch] < -SLIGHT))
    first = np.flatnonzero(np.diff(stretch[waiting], prepend=-1))
    behind = np.append(first[1:], len(waiting))[: len(first)]
    return np.asarray(waiting[(first + behind) // 2])


def _sag(at: Floats, value: Floats) -> Floats:
    """How far a curve may leave its chords, judging by how much they turn."""
    width = np.diff(at)
    with np.errstate(over="ignore", invalid="ignore"):
        slope = np.diff(value) / np.where(width > 0, width, 1)
        turn = np.nan_to_num(np.abs(np.diff(slope)), nan=np.inf, posinf=np.inf)
    if not len(turn):
        return np.full(len(width), np.inf)
    return np.asarray(width / 2 * np.maximum(np.append(turn[0], turn), np.append(turn, turn[-1])))
