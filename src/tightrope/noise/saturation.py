"""Adding integer noise to integers so that no overflow can tell the value.

A sampler returns what lies beyond +-2**62 as +-2**62.  If the values lie within +-2**61, no sum
leaves 64 bits, and the sum clipped to +-2**61 is a function of the exact sum: a saturated sample
makes the exact sum as well as the computed one at least 2**61 in size, on the same side.  So what
is released is what would be released with noise of any size, clipped afterwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument

__all__ = ["RANGE", "saturating_add"]

RANGE = 1 << 61
"""Largest size of a value, and of a noisy value."""


def saturating_add(values: NDArray[np.int64], noise: NDArray[np.int64]) -> NDArray[np.int64]:
    """The noisy values, clipped to +-2**61.

    Args:
        values: integers within +-2**61.
        noise: samples of that shape, or one that broadcasts to it.

    Raises:
        InvalidArgument: the values are no 64-bit integers, or lie beyond +-2**61.

    >>> saturating_add(np.array([5, -5]), np.array([2**62, 3])).tolist() == [2**61, -2]
    True
    """
    if values.dtype != np.int64:
        raise InvalidArgument(
            f"saturating_add: values must be 64-bit integers; you passed {values.dtype}"
        )
    if np.any((values > RANGE) | (values < -RANGE)):
        raise InvalidArgument("saturating_add: values must lie within +-2^61; clip them first")
    return np.asarray(np.clip(values + noise, -RANGE, RANGE))
