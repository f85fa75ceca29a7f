"""Searches run on one number at a time; this lets them take arrays as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["pointwise", "raised"]

SMALLEST = 1e-100
"""Divergences below this are taken as this: their squares would leave the range of doubles."""


def pointwise(function: Callable[..., float], *arguments: ArrayLike) -> Any:
    """Apply a function of floats to broadcast arguments; a float if all of them are scalars."""
    arrays = np.broadcast_arrays(*(np.asarray(argument, dtype=float) for argument in arguments))
    if arrays[0].ndim == 0:
        return function(*(float(array) for array in arrays))
    values = [function(*point) for point in zip(*(a.ravel().tolist() for a in arrays), strict=True)]
    return np.array(values, dtype=float).reshape(arrays[0].shape)


def raised(curve: Callable[[float], Any]) -> Callable[[float], Any]:
    """The curve, or a weaker one of at least 1e-100 times the order where it starts below that."""
    start = float(curve(1.0))
    if start >= SMALLEST or start == 0:  # nothing at order 1: the laws are equal
        return curve
    return lambda order: max(float(curve(order)), SMALLEST * order)
