"""What a Renyi bound says about (epsilon, delta), sharply: order by order, the best of all orders.

A curve bounds the divergence D_order of both orders of a pair of laws. Every single order gives
a valid delta (`single_order`), and the least over a continuous order is taken. Near epsilon = 0
the bounds of both directions together say more than any order does (`corner`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS
from tightrope.theorems.conversions_to_delta import Curve, cks_order
from tightrope.theorems.corner import CORNER_ENDS, corner, kinks
from tightrope.theorems.order_search import argmin, ceiling
from tightrope.theorems.pointwise import pointwise, raised
from tightrope.theorems.single_order import Tangent, best_tangent, certified_log_delta, pole

__all__ = ["Value", "least", "log_delta", "single_order_log_delta"]

_ULPS = 8


def single_order_log_delta(order: ArrayLike, bound: ArrayLike, epsilon: ArrayLike) -> Any:
    """log of sup{q - e^epsilon p : D_order(Bern(q) || Bern(p)) <= bound}, from above.

    Args:
        order: at least 1 and finite; 1 is the Kullback-Leibler divergence. Broadcast.
        bound: at least 0; `inf` gives 0.
        epsilon: at least 0.

    Returns:
        A proved upper bound; delta exceeds the supremum by a relative 1e-12 at most, if above
        1e-300.

    Raises:
        InvalidArgument: an argument lies outside its range.

    Source: Asoodeh et al. (2021), Theorem 3; proof in `single_order`.

    >>> round(math.exp(single_order_log_delta(2.0, 0.5, 3.0)), 12)
    0.008493770659
    """

    def at(order: float, bound: float, epsilon: float) -> float:
        _require(1 <= order < math.inf and bound >= 0, "order of at least 1, bound of at least 0")
        _require(epsilon >= 0, "epsilon of at least 0")
        return certified_log_delta(best_tangent(order - 1, bound, epsilon), epsilon)

    return pointwise(at, order, bound, epsilon)


def log_delta(curve: Curve, epsilon: ArrayLike, *, max_order: float = math.inf) -> Any:
    """log of the least delta that the curve is shown to imply, at every epsilon.

    Args:
        curve: bound on D_order(P||Q) and D_order(Q||P), a function of a float order >= 1;
            nondecreasing, and convex when multiplied by (order - 1). A bound that is one ulp
            below the intended one is allowed for.
        epsilon: at least 0.
        max_order: the largest order at which the curve is known; the search ends there.

    Returns:
        An upper bound on log(delta), in [-inf, 0], which exceeds the least over single orders
        and the corner by less than 1e-12 where delta is above 1e-300. It is the exact profile of
        the class of rho-zCDP mechanisms for `curve = rho * order`.

    Raises:
        InvalidArgument: epsilon is negative or not a number.

    Source: Asoodeh et al. (2021), Theorem 3; Chen, Pandey and Awan (2026), Appendix B.

    >>> round(math.exp(log_delta(lambda order: order, 3.0)), 12)
    0.080157152184
    """
    return pointwise(lambda e: least(curve, e, max_order).log_delta, epsilon)


class _Tangents:
    """The bound as a function of log(order - 1); remembers the best tangents met.

    Each search for the tangents of one order begins where that of the last order ended.
    """

    def __init__(self, curve: Curve, epsilon: float, max_order: float):
        self.curve, self.epsilon, self.max_order = curve, epsilon, max_order
        self.best = Tangent(0.0, 0.0, 0.0, math.inf, math.nan, math.nan)
        self._y: float | None = None

    def __call__(self, log_k: float) -> float:
        order = min(1 + math.exp(log_k), self.max_order)
        tangent = best_tangent(order - 1, float(self.curve(order)), self.epsilon, self._y)
        if 0 < tangent.y < math.inf:
            self._y = tangent.y
        if tangent.log_delta < self.best.log_delta:
            self.best = tangent
        return tangent.log_delta


class Value(NamedTuple):
    """log(delta) from above, and about its derivative by epsilon."""

    log_delta: float
    slope: float


def least(curve: Curve, epsilon: float, max_order: float) -> Value:
    """`log_delta` at one epsilon, with its derivative."""
    _require(epsilon >= 0, "epsilon of at least 0")
    if epsilon == math.inf:
        return Value(-math.inf, 0.0)
    curve = raised(curve)
    tangents = _Tangents(curve, epsilon, max_order)
    tangents(-math.inf)
    if max_order > 1:
        for order in kinks(curve, max_order):
            tangents(math.log(order - 1))
        start = cks_order(curve, epsilon, max_order)
        argmin(tangents, start, ceiling(max_order))
    single = Value(certified_log_delta(tangents.best, epsilon), tangents.best.slope)
    return min(single, _corner(curve, epsilon, max_order))


def _corner(curve: Curve, epsilon: float, max_order: float) -> Value:
    """The bound from both directions together, or 0 beyond its range."""
    if not epsilon < float(curve(1.0)) + CORNER_ENDS < math.inf:
        return Value(0.0, 0.0)
    meeting = corner(curve, max_order)
    if epsilon > meeting.epsilon:
        return Value(0.0, 0.0)
    t = meeting.t
    value = float(log1mexp(t - epsilon)) - math.log1p(math.exp(-t))
    safe = value + _ULPS * EPS * (1 - value)
    return Value(min(0.0, safe), -pole(1.0, t - epsilon))


def _require(condition: bool, words: str) -> None:
    if not condition:
        raise InvalidArgument(f"a Renyi bound needs {words}")
