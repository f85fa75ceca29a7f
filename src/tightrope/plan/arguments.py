"""Arguments of questions: a delta, probabilities and numbers, checked before any computation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope._check import (
    CLOSED_PROBABILITY,
    PROBABILITY,
    exact_number,
    is_number,
    validated,
    within_doubles,
)
from tightrope._errors import InvalidArgument
from tightrope.num.arrays import Floats
from tightrope.num.rounding import float_down, float_up

WHOLE_DOUBLES = 2.0**52
"""Whole numbers up to this one are doubles, and so are those that round to it."""

MOST_AXES = 32
"""NumPy broadcasts no more."""

Rounding = Callable[[Any], float]
"""To a double, on one side of what is given."""


def checked_delta(value: Any) -> float:
    """A delta in [0, 1) as the largest double that it is not below."""
    return float_down(validated(value, PROBABILITY, "epsilon: delta"))


def finite(what: str, values: ArrayLike, rounded: Rounding = float_down) -> Floats:
    """The values as an array of finite numbers, those that are no doubles rounded."""
    try:
        given = np.asarray(values)
        asked = _doubles(given, rounded) if _numbers(given) else None
    except (TypeError, ValueError, OverflowError, RuntimeError):
        asked = None
    if asked is None:
        raise InvalidArgument(f"{what} must be finite numbers; you passed {values!r}")
    if not np.isfinite(asked).all():
        raise InvalidArgument(f"{what} must be a finite number; you passed {values!r}")
    return asked


def _numbers(given: np.ndarray[Any, Any]) -> bool:
    """Whether all are real numbers: no texts, dates or truth values, though these may convert."""
    if given.ndim > MOST_AXES:
        return False
    return given.dtype.kind in "iuf" or (
        given.dtype.kind == "O" and all(is_number(one) for one in given.flat)
    )


def _doubles(given: np.ndarray[Any, Any], rounded: Rounding) -> Floats:
    if given.dtype.kind == "f" and given.dtype.itemsize <= np.dtype(float).itemsize:
        return given.astype(float)
    if given.dtype.kind in "iu" and not (np.abs(given.astype(float)) > WHOLE_DOUBLES).any():
        return given.astype(float)
    exact = [exact_number(one) for one in given.flat]
    if not all(map(within_doubles, exact)):
        return np.full(given.shape, np.nan)
    return np.array([rounded(one) for one in exact], dtype=float).reshape(given.shape)


def in_unit(what: str, values: ArrayLike, rounded: Rounding = float_up) -> Floats:
    """The values as an array of numbers in [0, 1]: type I errors that are no doubles are raised."""
    asked = finite(what, values, rounded)
    if ((asked < 0) | (asked > 1)).any():
        raise InvalidArgument(f"{what} must be {CLOSED_PROBABILITY.words}; you passed {values!r}")
    return asked
