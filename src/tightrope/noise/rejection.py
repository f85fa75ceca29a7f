"""Rejection in bulk: many proposals at once, the first ones that are kept count.

The kept values of independent proposals are independent and have the law of a kept one, and how
many proposals a round makes depends on nothing but how many values are still wanted.  So taking the
first `count` of them is exact, and one round nearly always does.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["Proposals", "first_kept"]

Proposals = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""Proposed values, and which of them are kept."""


def first_kept(count: int, rate: float, propose: Callable[[int], Proposals]) -> NDArray[np.int64]:
    """The first `count` values kept; about a share `rate` of the proposals is."""
    values, kept = propose(math.ceil((count + 4 * math.sqrt(count)) / rate))
    found = values[kept][:count]
    if len(found) == count:
        return found
    return np.concatenate([found, first_kept(count - len(found), rate, propose)])
