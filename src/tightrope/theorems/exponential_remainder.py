"""The second remainder of the exponential, `e(x) = (exp(x) - 1 - x)/x^2`.

Renyi divergences, Kullback-Leibler divergences and their limits are sums of such remainders with
positive weights; written so, nothing cancels however small the losses are.
"""

import math

import numpy as np
from numpy.polynomial.polynomial import polyval

from tightrope.num.elementwise import FloatArray, branches, elementwise

__all__ = ["log_remainder", "remainder"]

_SERIES = [1 / math.factorial(n + 2) for n in range(18)]


@elementwise
def remainder(x: FloatArray) -> FloatArray:
    """Return `(exp(x) - 1 - x)/x^2`, 1/2 at 0. Relative error below 1e-15 for `x < 709`.

    >>> remainder(0.0), remainder(1.0)
    (0.5, 0.7182818284590452)
    """
    return branches(
        [x],
        (np.abs(x) <= 1, lambda y: np.asarray(polyval(y, _SERIES))),
        (np.abs(x) > 1, lambda y: (np.expm1(y) - y) / y / y),
    )


@elementwise
def log_remainder(x: FloatArray) -> FloatArray:
    """Return the logarithm of `remainder`, for every real x.

    Absolute error below 1e-15 plus an ulp of the value.

    >>> f"{log_remainder(1000.0):.12g}"
    '986.184489442'
    """
    return branches(
        [x],
        (np.abs(x) <= 1, lambda y: np.log(polyval(y, _SERIES))),
        (x > 1, lambda y: y + np.log1p(-(1 + y) * np.exp(-y)) - 2 * np.log(y)),
        (x < -1, lambda y: np.log(np.expm1(y) - y) - 2 * np.log(-y)),
    )
