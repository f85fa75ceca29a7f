"""Pairs of laws on which conversions are tried: random ones, and those that attain bounds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray
from oracle.finite_pairs import FinitePairs, random_pairs

Array = NDArray[np.float64]
Tail = Callable[[float], float]

CELLS = 120


def coins(u: Array, v: Array) -> FinitePairs:
    """Pairs of coins with log-odds u and v, one pair a row."""

    def masses(log_odds: Array) -> Array:
        return np.stack([-np.logaddexp(0, -log_odds), -np.logaddexp(0, log_odds)], axis=1)

    return FinitePairs(masses(np.asarray(u, float)), masses(np.asarray(v, float)))


def extremal_coins() -> FinitePairs:
    """Randomised response; lopsided coins; the widest ones of a range; and a grid of log-odds."""
    t = np.geomspace(0.02, 12, 12)
    p = 1 / t - 1 / np.expm1(t)
    widest = np.log(p) - np.log1p(-p)
    centre, gap = (x.ravel() for x in np.meshgrid([0.3, 1.0, 3.0, 8.0], [0.1, 1.0, 4.0]))
    u = np.concatenate([t, t / 2, np.full(12, -20.0), widest + t, centre + gap / 2])
    v = np.concatenate([-t, -t / 2, -20.0 - t, widest, centre - gap / 2])
    return coins(u, v)


def leaky_coins() -> FinitePairs:
    """Randomised response that reveals everything with a small probability."""
    t = np.array([0.1, 1.0, 3.0, 1.0, 0.5])
    return coins(t, -t).with_failure(np.array([1e-6, 1e-3, 0.1, 0.5, 1e-12]))


def cells(log_tail: Tail, cuts: Array) -> Array:
    """Log-masses between the cuts, and beyond them, from the smaller tail."""
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    left, right = ends[:-1], ends[1:]
    mirrored = left + right < 0
    near, far = np.where(mirrored, -right, left), np.where(mirrored, -left, right)
    upper, lower = (np.array([log_tail(x) for x in column]) for column in (near, far))
    return np.asarray(upper + np.log(-np.expm1(lower - upper)))


def log_normal_tail(x: float) -> float:
    """log P(N > x), for x up to 37."""
    tail = math.erfc(x / math.sqrt(2)) / 2
    return math.log(tail) if tail > 0 else -math.inf


def log_logistic_tail(x: float) -> float:
    return -float(np.logaddexp(0, x))


def shifted(log_tail: Tail, shifts: Array, cuts: Array) -> list[Array]:
    """A law and its shifts, seen through the same cells."""
    return [cells(log_tail, cuts - shift) for shift in shifts]


def fine_pairs() -> FinitePairs:
    """Two Gaussians, and two logistic laws, in 120 cells: they all but attain their curves."""
    rows = []
    for mu in (0.1, 0.5, 1.0, 2.0, 4.0):
        cuts = np.linspace(-7 - mu, 7 + 2 * mu, CELLS - 1)
        rows.append(shifted(log_normal_tail, np.array([0.0, mu]), cuts))
    for shift in (0.1, 0.5, 1.0, 3.0, 6.0):
        cuts = np.linspace(-16 - shift, 16 + 2 * shift, CELLS - 1)
        rows.append(shifted(log_logistic_tail, np.array([0.0, shift]), cuts))
    p, q = (np.vstack([row[side] for row in rows]) for side in (0, 1))
    return FinitePairs.of(p, q)


@cache
def pools(count: int, *, failing: bool) -> list[FinitePairs]:
    """Random pairs and extremal ones; and pairs that fail if the source notion admits them."""
    if not failing:
        return [random_pairs(count, count), extremal_coins(), fine_pairs()]
    pairs = random_pairs(count + 1, count // 2)
    delta = 10 ** np.random.default_rng(count).uniform(-12, -0.5, len(pairs))
    return [*pools(count, failing=False), pairs.with_failure(delta), leaky_coins()]
