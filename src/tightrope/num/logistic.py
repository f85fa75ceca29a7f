"""The logistic function and its inverse: log-odds, in which the theorems are short."""

import numpy as np

from tightrope.num.elementwise import FloatArray, elementwise

__all__ = ["log_sigmoid", "logit", "sigmoid"]


@elementwise
def sigmoid(x: FloatArray) -> FloatArray:
    """Return `1 / (1 + exp(-x))`.  Relative error below 5e-16 for every real `x`.

    >>> sigmoid(0.0)
    0.5
    """
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small, 1.0) / (1.0 + small)


@elementwise
def logit(p: FloatArray) -> FloatArray:
    """Return `log(p / (1 - p))` for `p` in [0, 1].  Relative error below 5e-16, also near 1/2.

    >>> logit(0.5), logit(1.0)
    (0.0, inf)
    """
    # 2p - 1 is exact on [1/4, 3/4], where the difference of logarithms would cancel.
    centre = 2 * np.arctanh(2 * np.clip(p, 0.25, 0.75) - 1)
    return np.where(np.abs(p - 0.5) <= 0.25, centre, np.log(p) - np.log1p(-p))


@elementwise
def log_sigmoid(x: FloatArray) -> FloatArray:
    """Return `log(1 / (1 + exp(-x)))`.  Relative error below 5e-16 for every real `x`.

    >>> log_sigmoid(-1000.0)
    -1000.0
    """
    return -np.logaddexp(0.0, -x)
