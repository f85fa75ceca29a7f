"""Arguments of questions: a delta, probabilities and numbers, checked before any computation."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope._check import CLOSED_PROBABILITY, PROBABILITY, validated
from tightrope._errors import InvalidArgument
from tightrope.num.arrays import Floats
from tightrope.num.rounding import float_down


def checked_delta(value: Any) -> float:
    """A delta in [0, 1) as the largest double that it is not below."""
    return float_down(validated(value, PROBABILITY, "epsilon: delta"))


def finite(what: str, values: ArrayLike) -> Floats:
    """The values as an array of finite numbers."""
    try:
        given = np.asarray(values)
        asked = given.astype(float) if _numbers(given) else None
    except (TypeError, ValueError, OverflowError):
        asked = None
    if asked is None:
        raise InvalidArgument(f"{what} must be finite numbers; you passed {values!r}")
    if not np.isfinite(asked).all():
        raise InvalidArgument(f"{what} must be a finite number; you passed {values!r}")
    return asked


def _numbers(given: np.ndarray[Any, Any]) -> bool:
    """Whether all are real numbers: no texts, dates or truth values, though these may convert."""
    if given.dtype.kind != "O":
        return given.dtype.kind in "iuf"
    return all(isinstance(one, Real | Decimal) and not isinstance(one, bool) for one in given.flat)


def in_unit(what: str, values: ArrayLike) -> Floats:
    """The values as an array of numbers in [0, 1]."""
    asked = finite(what, values)
    if ((asked < 0) | (asked > 1)).any():
        raise InvalidArgument(f"{what} must be {CLOSED_PROBABILITY.words}; you passed {values!r}")
    return asked
