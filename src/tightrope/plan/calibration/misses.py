"""A miss: the logarithm of what is proved over what is wanted.

It is close to linear in the logarithm of most parameters, and at most 0 exactly where the target
is proved to hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

LEAST = -1e300
"""The miss of what leaks nothing, where the target admits something."""

SLIGHT = 1e-300
"""A miss that is no larger than rounding still is one."""

NARROW = 1e-3
"""Misses that are smaller are looked at twice."""


def log_ratio(have: float, want: float) -> float:
    """log of have/want, both at least 0, its sign being exact."""
    if have <= want:
        return math.log(have / want) if have and have / want else LEAST
    return max(math.log(have / want), SLIGHT) if want and have < math.inf else math.inf


def worst(misses: Iterable[float]) -> float:
    """The largest of several misses.

    One that is exactly 0 may belong to a number that does not depend on the parameter at all, so
    the others decide how near the edge is.
    """
    known = list(misses)
    if max(known) > 0:
        return max(known)
    return max((miss for miss in known if miss), default=0.0)
