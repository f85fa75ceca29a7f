"""What a Renyi bound says about testing: the least type II error at each type I error.

A test of two laws with bounded divergences is a pair of coins, p = P(test) = alpha and
q = Q(test) = 1 - beta, whose divergences are bounded as well. For each order and each of the two
directions the largest q grows from p until the divergence, which increases in q, meets the
bound; every order gives a valid bound on beta, and the greatest is taken, over a continuous order
(Balle et al., 2020, for one order; Riess et al., 2026, for sharpness).

The unknown is `y = log((1-p)/(1-q))`; `x = log(q/p)`. A search finds y closely, and `_outward`
then moves it until the divergence, less its rounding error, was seen to reach the bound. So what
is returned does not depend on how well the search went.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.num.rounding import down, up
from tightrope.theorems.coin_divergence import Coins, log_ratio, of_p, of_q
from tightrope.theorems.conversions_to_delta import Curve
from tightrope.theorems.corner import kinks
from tightrope.theorems.order_search import argmin, ceiling
from tightrope.theorems.pointwise import pointwise, raised
from tightrope.theorems.single_order import tilt

__all__ = ["Support", "single_order_tradeoff", "support", "tradeoff"]

_U = 2.0**-53
_SMALLEST = 1e-300
_LARGEST_Y = 700.0
_SMALLEST_Y = 1e-305
_MOST_STEPS = 100


class Support(NamedTuple):
    """A line below the testing region: beta' >= beta - slope (alpha' - alpha) for all tests.

    `power` is 1 - beta, from above, with its own digits where it is small.
    """

    alpha: float
    beta: float
    power: float
    slope: float


class _Root(NamedTuple):
    """Where a divergence meets its bound."""

    y: float
    divergence: Coins
    k: float
    bound: float


def tradeoff(curve: Curve, alpha: ArrayLike, *, max_order: float = math.inf) -> Any:
    """The least type II error at type I error alpha that the curve is shown to allow.

    Args:
        curve: bound on D_order(P||Q) and D_order(Q||P), a function of a float order >= 1;
            nondecreasing, and convex when multiplied by (order - 1). A bound that is one ulp
            below the intended one is allowed for.
        alpha: in [0, 1].
        max_order: the largest order at which the curve is known; the search ends there.

    Returns:
        A lower bound on the type II error, within a relative 1e-12 of the greatest over orders
        and directions; 1 at alpha = 0, 0 at alpha = 1. It is the exact testing boundary of
        rho-zCDP for `curve = rho * order`.

    Raises:
        InvalidArgument: alpha lies outside [0, 1].

    Source: Riess et al. (2026); Chen, Pandey and Awan (2026), Remark 1.

    >>> round(tradeoff(lambda order: order, 0.1), 12)
    0.310782773455
    """
    return pointwise(lambda a: support(curve, a, max_order).beta, alpha)


def single_order_tradeoff(order: ArrayLike, bound: ArrayLike, alpha: ArrayLike) -> Any:
    """The least type II error if both divergences of one order are at most `bound`.

    Args:
        order: at least 1 and finite, broadcast.
        bound: at least 0.
        alpha: in [0, 1].

    Raises:
        InvalidArgument: an argument lies outside its range.

    Source: Balle et al. (2020), "Hypothesis testing interpretations and Renyi differential
    privacy".

    >>> round(single_order_tradeoff(2.0, 0.5, 0.1), 12)
    0.658370294949
    """

    def at(order: float, bound: float, alpha: float) -> float:
        if not (1 <= order < math.inf and bound >= 0):
            raise InvalidArgument("a trade-off needs order of at least 1 and bound of at least 0")
        p = _inside(alpha)
        roots = [_root(d, order - 1, bound, p, None) for d in (of_q, of_p)]
        return _support(min(roots, key=_by_y), alpha).beta

    return pointwise(at, order, bound, alpha)


def support(curve: Curve, alpha: float, max_order: float = math.inf) -> Support:
    """The point of `tradeoff` at alpha with a supporting line there.

    The divergence of the best order is convex in (p, q) jointly and has reached its bound at the
    point, so that its tangent there lies below the region of all tests. The line holds for
    alpha' within a factor of 2 of alpha if its slope is moved outward by 1e-13.
    """
    p = _inside(alpha)
    not_p = 1 - p
    curve = raised(curve)
    first, second = _Search(curve, max_order, p, of_q), _Search(curve, max_order, p, of_p)
    first.run(lambda k, bound: k / (1 + k) * (bound + math.log(p)))
    second.run(lambda k, bound: bound - math.log(not_p) / k)
    return _support(min(first.best, second.best, key=_by_y), alpha)


class _Search:
    """The root as a function of log(order - 1); remembers the least met."""

    def __init__(self, curve: Curve, max_order: float, p: float, divergence: Coins):
        self.curve, self.max_order, self.p, self.divergence = curve, max_order, p, divergence
        self.best = _Root(math.inf, divergence, 0.0, math.inf)
        self._y: float | None = None

    def run(self, guess: Callable[[float, float], float]) -> None:
        """Search the orders, starting from the least of a rough function of k and the bound."""
        self(-math.inf)
        if self.max_order <= 1:
            return
        for order in kinks(self.curve, self.max_order):
            self(math.log(order - 1))
        highest = ceiling(self.max_order)
        start = argmin(lambda log_k: guess(*self._at(log_k)), 0.0, highest, tolerance=1e-2)
        argmin(self, start, highest)

    def __call__(self, log_k: float) -> float:
        root = _root(self.divergence, *self._at(log_k), self.p, self._y)
        if 0 < root.y < math.inf:
            self._y = root.y
        if root.y < self.best.y:
            self.best = root
        return root.y

    def _at(self, log_k: float) -> tuple[float, float]:
        order = min(1 + math.exp(log_k), self.max_order)
        return order - 1, float(self.curve(order))


def _root(divergence: Coins, k: float, bound: float, p: float, y: float | None) -> _Root:
    """Solve divergence = bound for y by Newton steps in logarithms; `inf` if q = 1 is allowed."""
    if bound == 0:
        return _Root(0.0, divergence, k, bound)
    if divergence(k, p, _LARGEST_Y).value <= bound:
        return _Root(math.inf, divergence, k, bound)
    if y is None:
        y = min(math.sqrt(2 * bound * p / ((1 - p) * (1 + k))), 1 + bound)
    low, high = _SMALLEST_Y, _LARGEST_Y
    for _ in range(_MOST_STEPS):
        value, slope, _ = divergence(k, p, y)
        low, high = (y, high) if value < bound else (low, y)
        steps = _steps(bound, value, y * slope)
        aims = [y * math.exp(min(max(step, -_LARGEST_Y), _LARGEST_Y)) for step in steps]
        if steps and abs(steps[0]) < 1e-8:
            return _Root(aims[0], divergence, k, bound)
        inside = (aim for aim in aims if low < aim < high)
        y = next(inside, math.sqrt(low) * math.sqrt(high))
    return _Root(y, divergence, k, bound)


def _steps(bound: float, value: float, steepness: float) -> tuple[float, ...]:
    """Newton steps in log y, for the logarithm of the divergence and for the divergence."""
    if value <= 0 or steepness <= 0:
        return ()
    return math.log(bound / value) * value / steepness, (bound - value) / steepness


def _outward(root: _Root, p: float) -> float:
    """Move y up until the divergence is seen, past its rounding error, to reach the bound."""
    y, divergence, k, bound = root
    bound += 2 * _U * bound
    shift = 4 * _U * y
    while 0 < y < _LARGEST_Y:
        value, slope, error = divergence(k, p, y)
        missing = bound + error - value
        if missing <= 0:
            return y
        y += max(shift, 1.01 * missing / slope) if slope > 0 else shift
        shift *= 2
    return y if y == 0 else math.inf


def _support(root: _Root, alpha: float) -> Support:
    p = _inside(alpha)
    y = _outward(root, p)
    if alpha in (0, 1) or math.isinf(y):
        return Support(alpha, 1.0, 0.0, 0.0) if alpha == 0 else Support(alpha, 0.0, 1.0, 0.0)
    beta = down((1 - alpha) * math.exp(-y), 4)
    power = min(1.0, up(p - (1 - p) * math.expm1(-y), 4))
    if y == 0:  # the bound is 0, and the two laws are one
        return Support(alpha, beta, power, 1.0)
    gap = y + log_ratio(p, y)
    turn = tilt(root.k, gap)
    slope = math.exp(gap - y - turn if root.divergence is of_q else turn - y)
    return Support(alpha, beta, power, slope)


def _by_y(root: _Root) -> float:
    return root.y


def _inside(alpha: float) -> float:
    """alpha as a probability to compute with; beta falls in alpha, so a larger one is safe."""
    if not 0 <= alpha <= 1:
        raise InvalidArgument("a trade-off needs alpha in [0, 1]")
    return min(max(alpha, _SMALLEST), 1 - _U)
