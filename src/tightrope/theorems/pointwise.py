"""Searches run on one number at a time; this lets them take arrays as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["pointwise"]


def pointwise(function: Callable[..., float], *arguments: ArrayLike) -> Any:
    """Apply a function of floats to broadcast arguments; a float if all of them are scalars."""
    arrays = np.broadcast_arrays(*(np.asarray(argument, dtype=float) for argument in arguments))
    if arrays[0].ndim == 0:
        return function(*(float(array) for array in arrays))
    values = [function(*point) for point in zip(*(a.ravel().tolist() for a in arrays), strict=True)]
    return np.array(values, dtype=float).reshape(arrays[0].shape)
