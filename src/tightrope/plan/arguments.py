"""Arguments of questions: a delta, probabilities and numbers, checked before any computation."""

from __future__ import annotations

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
        asked = np.asarray(np.real(values), dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} must be finite numbers; you passed {values!r}") from None
    if not np.isfinite(asked).all() or np.asarray(values).dtype.kind in "bc":
        raise InvalidArgument(f"{what} must be a finite number; you passed {values!r}")
    return asked


def in_unit(what: str, values: ArrayLike) -> Floats:
    """The values as an array of numbers in [0, 1]."""
    asked = finite(what, values)
    if ((asked < 0) | (asked > 1)).any():
        raise InvalidArgument(f"{what} must be {CLOSED_PROBABILITY.words}; you passed {values!r}")
    return asked
