"""Binomial probabilities to full relative accuracy, also far out and for a million trials.

Differences of log-factorials lose as many digits as the factorials are large. Loader's saddle
point form has no such difference: what is left of Stirling's formula, and two deviances.
"""

from __future__ import annotations

import numpy as np

from tightrope.num.elementwise import FloatArray

_HALF_LOG_TWO_PI = 0.9189385332046727
_SERIES_FROM = 16.0


def log_binomial(count: int, success: float, failure: float) -> FloatArray:
    """Log-probabilities of 0..count successes; absolute error below 1e-14 + 4e-16 |value|.

    Args:
        count: number of trials, at least 1.
        success: probability of success, in (0, 1).
        failure: its complement, given separately so that neither loses digits.

    Source: Loader (2000), "Fast and accurate computation of binomial probabilities".

    >>> np.round(np.exp(log_binomial(2, 0.25, 0.75)), 4).tolist()
    [0.5625, 0.375, 0.0625]
    """
    k = np.arange(1.0, count)
    rest = count - k
    inside = (
        stirling_rest(np.array([float(count)]))
        - stirling_rest(k)
        - stirling_rest(rest)
        - deviance(k, count * success)
        - deviance(rest, count * failure)
        + 0.5 * np.log(count / (k * rest))
        - _HALF_LOG_TWO_PI
    )
    none, every = count * np.log(failure), count * np.log(success)
    if failure > 0.5:
        none = count * np.log1p(-success)
    if success > 0.5:
        every = count * np.log1p(-failure)
    return np.concatenate([[none], inside, [every]])


def stirling_rest(n: FloatArray) -> FloatArray:
    """log n! - [(n + 1/2) log n - n + log(2 pi)/2]."""
    from scipy import special

    exact = special.gammaln(n + 1) - ((n + 0.5) * np.log(n) - n + _HALF_LOG_TWO_PI)
    square = n * n
    series = (
        1 / 12
        - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square
    ) / n
    return np.where(n < _SERIES_FROM, exact, series)


def deviance(x: FloatArray, mean: float | FloatArray) -> FloatArray:
    """x log(x/mean) + mean - x, without cancellation near the mean."""
    gap = (x - mean) / (x + mean)
    near = np.abs(gap) < 0.1
    v = np.where(near, gap, 0.0)
    square = v * v
    tail = np.zeros_like(v)
    for odd in range(23, 2, -2):
        tail = (tail + 1 / odd) * square
    series = (x - mean) * v + 2 * x * v * tail
    return np.where(near, series, x * np.log(x / mean) + mean - x)
