"""Binomial probabilities to full relative accuracy, also far out and for a million trials.

Differences of log-factorials lose as many digits as the factorials are large. Loader's saddle
point form has no such difference: what is left of Stirling's formula, and two deviances.
"""

from __future__ import annotations

import numpy as np

from tightrope.num.elementwise import FloatArray
from tightrope.num.normal import HALF_LOG_2PI
from tightrope.num.rounding import EPS, two_product

_NEAR = 0.25
"""Up to here the series of a deviance loses nothing; beyond, its formula loses one digit."""

_SERIES_FROM = 16
_SMALL_RESTS = np.array(
    [
        np.inf,
        0.08106146679532726,
        0.0413406959554093,
        0.02767792568499834,
        0.020790672103765093,
        0.016644691189821193,
        0.013876128823070748,
        0.01189670994589177,
        0.010411265261972096,
        0.009255462182712733,
        0.00833056343336287,
        0.007573675487951841,
        0.00694284010720953,
        0.006408994188004207,
        0.0059513701127588475,
        0.005554733551962801,
    ]
)
"""What Stirling's formula leaves over of log n! for n below 16."""


def log_binomial(count: int, success: float, failure: float) -> FloatArray:
    """Log-probabilities of 0..count successes; for their errors see ``log_binomial_error``.

    Args:
        count: number of trials, at least 1.
        success: probability of success, in (0, 1).
        failure: its complement, given separately so that neither loses digits.

    Source: Loader (2000), "Fast and accurate computation of binomial probabilities".

    >>> np.round(np.exp(log_binomial(2, 0.25, 0.75)), 4).tolist()
    [0.5625, 0.375, 0.0625]
    """
    none, every = count * np.log(failure), count * np.log(success)
    if failure > 0.5:
        none = count * np.log1p(-success)
    if success > 0.5:
        every = count * np.log1p(-failure)
    inside = log_binomial_at(count, np.arange(1.0, count), success, failure)
    return np.concatenate([[none], inside, [every]])


def log_binomial_at(count: int, k: FloatArray, success: float, failure: float) -> FloatArray:
    """The same of some numbers k of successes, 0 < k < count."""
    rest = count - k
    return np.asarray(
        (stirling_rest(np.array([float(count)])) - stirling_rest(k) - stirling_rest(rest))
        - _spread(k, count, success)
        - _spread(rest, count, failure)
        + 0.5 * np.log(count / (k * rest))
        - HALF_LOG_2PI
    )


def log_binomial_error(count: int, log_p: FloatArray, probabilities: float = 2 * EPS) -> FloatArray:
    """A bound on the error of log-probabilities; measured for up to 1e9 trials.

    Args:
        count: number of trials.
        log_p: the log-probabilities.
        probabilities: the relative errors of success and failure, added up.

    By the derivative of the deviances the probabilities' errors e make |k - count success| e,
    which is at most (2 D + sqrt(2 count D)) e, D being the sum of both deviances: at most |value|.
    What else is rounded comes to less than 2^-52 (40 + 8 |value|); 7 |value| was measured.
    """
    size = np.where(np.isfinite(log_p), np.maximum(-log_p, 0), 0)
    away = 2 * size + np.sqrt(2 * size * count)
    return np.asarray(EPS * (40 + 8 * size) + probabilities * away)


def stirling_rest(n: FloatArray) -> FloatArray:
    """log n! - [(n + 1/2) log n - n + log(2 pi)/2], for whole n of at least 1."""
    square = n * n
    series = (
        1 / 12
        - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square
    ) / n
    small = _SMALL_RESTS[np.minimum(n, _SERIES_FROM - 1).astype(np.intp)]
    return np.where(n < _SERIES_FROM, small, series)


def _spread(x: FloatArray, count: int, probability: float) -> FloatArray:
    """The deviance of x from count times probability, whose rounding is made good."""
    mean, lost = two_product(np.array([float(count)]), np.array([probability]))
    return np.asarray(deviance(x, mean) + lost / mean * (mean - x))


def deviance(x: FloatArray, mean: float | FloatArray) -> FloatArray:
    """x log(x/mean) + mean - x, without cancellation near the mean."""
    gap = (x - mean) / (x + mean)
    near = np.abs(gap) < _NEAR
    v = np.where(near, gap, 0.0)
    square = v * v
    tail = np.zeros_like(v)
    for odd in range(33, 2, -2):
        tail = (tail + 1 / odd) * square
    series = (x - mean) * v + 2 * x * v * tail
    return np.where(near, series, x * _log_ratio(x, mean) + mean - x)


def _log_ratio(x: FloatArray, mean: float | FloatArray) -> FloatArray:
    """log(x/mean), also where the ratio is no double."""
    with np.errstate(over="ignore"):
        ratio = x / mean
    return np.where(np.isfinite(ratio), np.log(ratio), np.log(x) - np.log(mean))
