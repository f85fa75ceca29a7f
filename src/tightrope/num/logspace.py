"""Arithmetic on logarithms: sums and differences of numbers that a double cannot hold."""

from typing import overload

import numpy as np

from tightrope.num.elementwise import FloatArray, branches, elementwise

__all__ = [
    "log1mexp",
    "log_cosh",
    "log_expm1",
    "log_mixture",
    "log_sinhc",
    "logsubexp",
    "logsumexp",
    "softplus",
]

Axes = int | tuple[int, ...]

_LOG2 = 0.6931471805599453
_LARGEST = 700.0


@elementwise
def log1mexp(x: FloatArray) -> FloatArray:
    """Return `log(1 - exp(-x))` for `x >= 0`.  Relative error below 5e-16.

    M. Mächler, "Accurately computing log(1 - exp(-|a|))" (2012).

    >>> f"{log1mexp(1e-20):.12g}", log1mexp(800.0)
    ('-46.0517018599', -0.0)
    """
    return np.where(x < _LOG2, np.log(-np.expm1(-x)), np.log1p(-np.exp(-x)))


@elementwise
def log_expm1(x: FloatArray) -> FloatArray:
    """Return `log(exp(x) - 1)` for `x >= 0`.

    Error below 5e-16 of the larger of 1 and the value (the value vanishes at `log 2`).

    >>> log_expm1(1000.0)
    1000.0
    """
    return np.where(x < 1.0, np.log(np.expm1(np.minimum(x, 1.0))), x + np.log1p(-np.exp(-x)))


def log_mixture(loss: FloatArray, rate: FloatArray | float) -> FloatArray:
    """Return `log(1 - rate + rate exp(loss))`, for `0 < rate <= 1` and an array of any real losses.

    The loss of a mixture of P, with that rate, and Q against Q.  Relative error below 5e-16, for a
    rate of at least 1e-200: no digit of a small rate or loss is lost.

    >>> log_mixture(np.array([1e-20, -800.0]), 0.5)
    array([ 5.00000000e-21, -6.93147181e-01])
    """
    with np.errstate(all="ignore"):
        gain = rate * np.expm1(np.minimum(loss, _LARGEST))
        value = np.log1p(gain)
        low, high = gain < -0.5, loss > _LARGEST
        if low.any():
            value = np.where(low, np.log((1 - rate) + rate * np.exp(loss)), value)
        if high.any():
            value = np.where(high, loss + np.log(rate + (1 - rate) * np.exp(-loss)), value)
    return np.asarray(value)


@elementwise
def logsubexp(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return `log(exp(a) - exp(b))` for `a >= b`; `-inf` where they are equal.

    The error is that of `a - b`, which is exact for close arguments, and of the final sum: below
    5e-16 of the larger of 1, `|a|` and the value.

    Raises:
        ValueError: `b > a` somewhere.

    >>> f"{logsubexp(-1000.0, -1001.0):.12g}"
    '-1000.45867515'
    """
    if np.any(b > a):
        raise ValueError("logsubexp(a, b): a difference of exponentials needs b <= a")
    return np.where(b == a, -np.inf, a + log1mexp(a - b))


@overload
def logsumexp(a: FloatArray, axis: None = None, weights: FloatArray | None = None) -> float: ...
@overload
def logsumexp(a: FloatArray, axis: Axes, weights: FloatArray | None = None) -> FloatArray: ...
def logsumexp(
    a: FloatArray, axis: Axes | None = None, weights: FloatArray | None = None
) -> FloatArray | float:
    """Return `log(sum(weights * exp(a)))` along `axis`; over all axes, and a float, by default.

    Error below `n 2**-53` for n summands, and an ulp of the value.

    Args:
        a: exponents; infinities are allowed.
        axis: as in `numpy.sum`.
        weights: non-negative, broadcast against `a`; a zero weight removes its summand.

    Raises:
        ValueError: a weight is negative or not a number.

    >>> f"{logsumexp(np.array([-1000.0, -1000.0])):.12g}"
    '-999.306852819'
    """
    factors = np.ones(1) if weights is None else np.asarray(weights, dtype=np.float64)
    if not np.all(factors >= 0):
        raise ValueError("logsumexp: weights must be non-negative numbers")
    exponents = np.where(factors == 0, -np.inf, a)
    top = np.max(exponents, axis=axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        total = np.sum(factors * np.exp(exponents - shift), axis=axis, keepdims=True)
        result = np.squeeze(np.log(total) + shift, axis=axis)
    return float(result) if axis is None else result


@elementwise
def softplus(x: FloatArray) -> FloatArray:
    """Return `log(1 + exp(x))`.  Relative error below 5e-16 for every real `x`.

    >>> softplus(-800.0), softplus(800.0)
    (0.0, 800.0)
    """
    return np.logaddexp(0.0, x)


@elementwise
def log_cosh(x: FloatArray) -> FloatArray:
    """Return `log(cosh(x))`, even in `x`.  Relative error below 1e-15.

    >>> f"{log_cosh(1e-8):.12g}", f"{log_cosh(-1000.0):.12g}"
    ('5e-17', '999.306852819')
    """
    y: FloatArray = np.abs(x)
    half = np.sinh(np.minimum(y, 2.0) / 2)
    near = np.log1p(2 * half * half)
    return np.where(y <= 2.0, near, (y - _LOG2) + np.log1p(np.exp(-2 * y)))


@elementwise
def log_sinhc(x: FloatArray) -> FloatArray:
    """Return `log(sinh(x) / x)` for finite `x`, even, 0 at 0.  Relative error below 1e-15.

    >>> f"{log_sinhc(1e-8):.12g}"
    '1.66666666667e-17'
    """
    y: FloatArray = np.abs(x)
    return branches([y], (y <= 3.0, _log_sinhc_near), (y > 3.0, _log_sinhc_far))


def _log_sinhc_near(y: FloatArray) -> FloatArray:
    """Sum `sinh(y)/y - 1 = y^2/3! + y^4/5! + ...`, of one sign, for `y <= 3`."""
    square = y * y
    series = np.zeros_like(y)
    for k in range(15, 0, -1):
        series = (series + 1) * (square / ((2 * k) * (2 * k + 1)))
    return np.log1p(series)


def _log_sinhc_far(y: FloatArray) -> FloatArray:
    return ((y - _LOG2) - np.log(y)) + np.log1p(-np.exp(-2 * y))
