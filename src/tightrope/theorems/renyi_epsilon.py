"""The least epsilon that a Renyi bound implies at a given delta.

The inverse of `renyi_profile.log_delta`: the search ends at a point at which that bound was
evaluated and found to hold.
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.num.rounding import down
from tightrope.num.solve import solve_up
from tightrope.theorems.conversions_to_delta import Curve
from tightrope.theorems.order_search import argmin, ceiling
from tightrope.theorems.pointwise import pointwise
from tightrope.theorems.renyi_profile import least

__all__ = ["epsilon", "epsilon_at_log_delta"]

_MOST_STEPS = 12
_CLOSE = 1e-14


def epsilon(curve: Curve, delta: ArrayLike, *, max_order: float = math.inf) -> Any:
    """The smallest epsilon >= 0 at which `log_delta` is at most log(delta), from above.

    Args:
        curve: as for `renyi_profile.log_delta`.
        delta: in (0, 1].
        max_order: as for `log_delta`.

    Returns:
        A float at which the bound was evaluated and found to hold, within a relative 1e-12 of
        the smallest; `inf` if there is none.

    Raises:
        InvalidArgument: delta lies outside (0, 1].

    >>> round(epsilon(lambda order: order, 1e-5), 12)
    7.077196146598
    """

    def at(delta: float) -> float:
        if not 0 < delta <= 1:
            raise InvalidArgument(f"epsilon: delta must lie in (0, 1]; got {delta!r}")
        return _epsilon(curve, down(math.log(delta)) if delta < 1 else 0.0, max_order)

    return pointwise(at, delta)


def epsilon_at_log_delta(curve: Curve, log_delta: ArrayLike, *, max_order: float = math.inf) -> Any:
    """`epsilon` for a delta that is given by its logarithm, and may be too small for a double.

    >>> round(epsilon_at_log_delta(lambda order: order, -1000.0), 6)
    64.104118
    """
    return pointwise(lambda target: _epsilon(curve, target, max_order), log_delta)


def _epsilon(curve: Curve, target: float, max_order: float) -> float:
    """Newton's method from above; the end is a point at which the bound was seen to hold."""

    def excess(epsilon: float) -> float:
        return least(curve, epsilon, max_order).log_delta - target

    if excess(0.0) <= 0:
        return 0.0
    high = _beyond(curve, target, max_order)
    if high == math.inf:
        return high
    point = _newton(curve, target, max_order, high)
    near = point * (1 + _CLOSE)
    if excess(near) <= 0 < excess(point * (1 - _CLOSE)):
        return near
    return solve_up(excess, 0.0, high, increasing=False)


def _newton(curve: Curve, target: float, max_order: float, point: float) -> float:
    for _ in range(_MOST_STEPS):
        value = least(curve, point, max_order)
        step = (value.log_delta - target) / value.slope if value.slope < 0 else 0.0
        point = max(point - step, point / 2)
        if abs(step) <= 1e-14 * point:
            break
    return point


def _beyond(curve: Curve, target: float, max_order: float) -> float:
    """An epsilon at which the bound holds, `inf` if there is none."""
    point = _cks_epsilon(curve, target, max_order)
    while least(curve, point, max_order).log_delta > target:
        point *= 2
    return point


def _cks_epsilon(curve: Curve, target: float, max_order: float) -> float:
    """About the epsilon of Canonne, Kamath and Steinke at the best order; 1 without any."""

    def bound(log_k: float) -> float:
        k = min(math.exp(log_k), max_order - 1)
        size = -target - math.log1p(k)
        return float(curve(1 + k)) - math.log1p(1 / k) + size / k

    if max_order <= 1:
        return 1.0
    value = bound(argmin(bound, 0.0, ceiling(max_order), tolerance=1e-3))
    return max(value, 0.0) * (1 + 1e-6) + 1e-6 if value < math.inf else 1.0
