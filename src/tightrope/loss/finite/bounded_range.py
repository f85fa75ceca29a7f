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
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tightrope.loss.finite.cover import covering
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

SMALLEST = 1e-6
"""For a smaller epsilon cells are so narrow that rounding would count."""

MOST_WORK = 3e6
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
    if epsilon < SMALLEST or steps < COARSEST or reach * epsilon / steps > LARGEST:
        return None
    step = epsilon / steps
    value: Floats = np.maximum(-np.expm1(step * np.arange(-reach, reach + 1.0)), 0.0)
    for done in range(1, runs + 1):
        value = np.minimum(_advanced(value, epsilon, steps), 1.0)
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


def _advanced(value: Floats, epsilon: float, steps: int) -> Floats:
    """One release more: the largest objective over every cell of s, at every point of the grid.

    Left of the grid V_n is at most 1, right of it at most what it is at the last point.
    """
    points, step = len(value), epsilon / steps
    extended = np.concatenate([np.ones(steps), value, np.full(steps, value[-1])])
    best = np.zeros(points)
    for cell in range(steps):
        low = extended[steps - cell - 1 :][:points], extended[steps - cell :][:points]
        high = extended[2 * steps - cell - 1 :][:points], extended[2 * steps - cell :][:points]
        rest = _Cell(low, high, epsilon, step, step * (steps - cell - 1))
        for part in (rest.best, 0.0, 1.0):
            np.maximum(best, rest.objective(part), out=best)
    return np.asarray(best * (1 + ROUNDING) + TINY)


@dataclass(frozen=True)
class _Cell:
    """The objective for s in one cell, V_n being linear there at x s and at x s exp(epsilon).

    Attributes:
        low: V_n at x s for both ends of the cell.
        high: V_n at x s exp(epsilon).
        epsilon: the length of the range.
        step: -log of the left end over the right one.
        left: epsilon - t at the left end, exactly a number of steps.
    """

    low: tuple[Floats, Floats]
    high: tuple[Floats, Floats]
    epsilon: float
    step: float
    left: float

    @property
    def best(self) -> Floats:
        """Where it is largest, as a part of the cell; to first order, which is enough."""
        start = math.exp(self.left - self.epsilon)
        width = start * math.expm1(self.step)
        slope, slope_high = ((end[1] - end[0]) / width for end in (self.low, self.high))
        beta = math.exp(self.epsilon) * slope - slope_high
        kappa = (self.high[0] - slope_high * start) - (self.low[0] - slope * start)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.sqrt(np.minimum(kappa, 0) / np.minimum(beta, 0))
            part = (at - start) / width
        return np.asarray(np.clip(np.where(np.isnan(part), 0.0, part), 0.0, 1.0))

    def objective(self, part: Floats | float) -> Floats:
        """p_t V_n(e - t) + (1 - p_t) V_n(e - t + epsilon), with no digits lost in p_t."""
        rest = self.left + np.log1p(part * math.expm1(self.step))  # epsilon - t
        scale = -math.expm1(-self.epsilon)
        first = -np.expm1(-rest) / scale
        second = np.exp(-rest) * -np.expm1(rest - self.epsilon) / scale
        there, there_high = (end[0] + part * (end[1] - end[0]) for end in (self.low, self.high))
        return np.asarray(first * there + second * there_high)
