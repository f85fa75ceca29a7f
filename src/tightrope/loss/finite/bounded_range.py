"""Many bounded-range releases of one epsilon: their optimal adaptive composition, covered.

A release of bounded range epsilon has its losses in [t - epsilon, t] for some t in [0, epsilon],
which an adversary may choose after seeing the earlier results. Let V_n(e) be the largest
E[(1 - exp(e - L))_+] of n such releases. As V_n is convex in exp(e) and E[exp(-L)] = 1, the worst
law of the next loss has only the two ends of its range, so that

    V_{n+1}(e) = max over t of p_t V_n(e - t) + (1 - p_t) V_n(e - t + epsilon),
    p_t = (exp(epsilon) - exp(t))/(exp(epsilon) - 1),   V_0(e) = (1 - exp(e))_+.

With x = exp(e) and s = exp(-t), and with V_n replaced by its chords between points of a grid that
divides epsilon, the objective on a cell of s is alpha + beta s + kappa/s with beta, kappa <= 0:
its maximum is explicit. Chords lie above a convex function, so what results is an upper bound.

Other releases with pairs of their own may come in between: an adversary only gains if all of them
come first, and then they compose with V_n as with the profile of a pair.

Source: Dong, Durfee and Rogers (2020), "Optimal differential privacy composition for exponential
mechanisms", Section 4 (adaptive composition), whose recursion this is.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from tightrope.loss.finite.cover import covering
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.loss import Floats
from tightrope.num.rounding import EPS

MOST_WORK = 4e6
"""Cells that are maximised over, in all steps together."""

FINEST, COARSEST = 512, 4
"""Steps of the grid in epsilon."""

FAR = 19.0
"""Standard deviations, at most sqrt(n) epsilon/2 together, after which V_n is not followed."""

LARGEST = 300.0
"""The largest loss that is followed: exp(-loss) stays a double."""

ROUNDING = 64 * EPS
"""Of one step of the recursion, relatively."""

TINY = 1e-305
"""What underflow can take from a value."""


@lru_cache(maxsize=64)
def adaptive(epsilon: float, runs: int) -> FiniteLoss | None:
    """A pair whose profile is at least V_runs; None where the grid would be too coarse.

    Args:
        epsilon: the length of the range, positive.
        runs: the number of releases, at least 2.
    """
    steps, reach = _grid(epsilon, runs)
    if steps < COARSEST or reach * epsilon / steps > LARGEST:
        return None
    step = epsilon / steps
    x: Floats = np.asarray(np.exp(step * np.arange(-reach, reach + 1.0)))
    value = np.maximum(1 - x, 0.0)
    for done in range(1, runs + 1):
        value = np.minimum(_advanced(value, x, epsilon, steps), 1.0)
        value[reach + min(done * steps, reach) :] *= float(done * steps > reach)
    return covering(reach * step, reach, lambda _: _logs(value))


def _grid(epsilon: float, runs: int) -> tuple[int, int]:
    """Steps in epsilon, and points on each side of 0."""
    far = min(runs, FAR * math.sqrt(runs) + runs * epsilon / 4)
    steps = int(min(FINEST, math.sqrt(MOST_WORK / (2 * far * runs))))
    return steps, math.ceil(far * steps)


def _logs(value: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(value))


def _advanced(value: Floats, x: Floats, epsilon: float, steps: int) -> Floats:
    """One release more: the largest objective over every cell of s, at every point of the grid.

    Left of the grid V_n is at most 1, right of it at most what it is at the last point.
    """
    points = len(x)
    extended = np.concatenate([np.ones(steps), value, np.full(steps, value[-1])])
    s = np.exp(-epsilon * np.arange(steps + 1) / steps)
    best = np.zeros(points)
    for cell in range(steps):
        right, left = float(s[cell]), float(s[cell + 1])
        low = extended[steps - cell - 1 :][:points], extended[steps - cell :][:points]
        high = extended[2 * steps - cell - 1 :][:points], extended[2 * steps - cell :][:points]
        np.maximum(best, _largest(low, high, left, right, epsilon), out=best)
    return np.asarray(best * (1 + ROUNDING) + TINY)


def _largest(
    low: tuple[Floats, Floats],
    high: tuple[Floats, Floats],
    left: float,
    right: float,
    epsilon: float,
) -> Floats:
    """The maximum over s in [left, right], V_n being linear there at x s and at x s exp(epsilon).

    Args:
        low: V_n at x left and x right.
        high: V_n at x left exp(epsilon) and x right exp(epsilon).
        left: where the cell begins.
        right: where it ends.
        epsilon: the length of the range.
    """
    width = right - left
    slope, slope_high = (low[1] - low[0]) / width, (high[1] - high[0]) / width
    beta = math.exp(epsilon) * slope - slope_high
    kappa = (high[0] - slope_high * left) - (low[0] - slope * left)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = np.sqrt(np.minimum(kappa, 0) / np.minimum(beta, 0))
    at = np.clip(np.where(np.isnan(at), left, at), left, right)
    part = (at - left) / width
    first = (math.exp(epsilon) - 1 / at) / math.expm1(epsilon)
    there = low[0] + part * (low[1] - low[0])
    there_high = high[0] + part * (high[1] - high[0])
    return np.asarray(first * there + (1 - first) * there_high)
