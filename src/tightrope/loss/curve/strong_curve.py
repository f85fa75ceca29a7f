"""Trade-off curves of a few strong releases: delta is next to 1 where tests still hardly err.

The least type II error is the greatest rest(x) - alpha x, with rest = 1 - delta, which has its
digits here. Both orders of the neighbours are alike, so that rest(1/x) is rest(x)/x.
"""

from __future__ import annotations

import numpy as np

from tightrope.loss.curve.chords import Level, Stencil, TypeTwoBounds, errors
from tightrope.loss.exact.strong_sum import StrongSum
from tightrope.loss.interval import LogInterval
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log_expm1
from tightrope.num.rounding import EPS

ARM = 1e-5
"""Distance of the knots of a stencil, in units of epsilon."""

STEPS = 50
"""Halvings of the range in which the best epsilon lies."""


def by_rests(law: StrongSum, level: Level) -> TypeTwoBounds:
    """Bounds on the least type II error, by a stencil around the best epsilon."""
    middle = _best(law, level)
    epsilon = middle[:, None] + ARM * np.arange(-2.0, 3.0)
    rest = _log_rest(law, epsilon.ravel())
    lower, upper = (end.reshape(epsilon.shape) for end in (rest.lower, rest.upper))
    log_scale = upper[:, 2]
    weight = level.log_alpha + middle
    with np.errstate(over="ignore"):
        slope = np.exp(weight - log_scale)
        size = np.abs(log_scale) + np.abs(middle) + np.abs(weight) + 16
        off = 4 * EPS * size[:, None] * (1 + slope[:, None])
        high, low = (np.exp(end - log_scale[:, None]) for end in (upper, lower))
    y = np.exp(epsilon - middle[:, None])
    alike = np.ones(len(middle), dtype=bool)
    return errors(
        Stencil(y, -high - off, off - low, slope, np.exp(level.log_rest), log_scale, alike)
    )


def _best(law: StrongSum, level: Level) -> Floats:
    """About the epsilon at which the rest rises by alpha for each unit of x."""
    high = np.full_like(level.log_alpha, law.top[0])
    low = -high
    for _ in range(STEPS):
        middle = (low + high) / 2
        before, after = (_log_rest(law, middle + arm).upper for arm in (-ARM, ARM))
        rise = before + np.asarray(log_expm1(np.maximum(after - before, 0)))
        above = rise - (middle - ARM) - np.log(np.expm1(2 * ARM)) > level.log_alpha
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray((low + high) / 2)


def _log_rest(law: StrongSum, epsilon: Floats) -> LogInterval:
    """log of 1 - delta at epsilons of any sign."""
    lower, upper, method = law.log_missed(np.abs(epsilon))
    below = np.minimum(epsilon, 0)
    error = 4 * EPS * np.abs(below)
    return LogInterval(lower + below - error, upper + below + error, method)
