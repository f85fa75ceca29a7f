"""The corner of a class of pairs: where the bounds of both directions meet on the diagonal.

If D_n(P||Q) and D_n(Q||P) are both at most r, the coins s(-t), s(t) with D_n(RR_t) = r, randomised
response, lie on the boundary of both convex regions. Of all feasible coins they maximise
q - e^epsilon p as long as e^epsilon lies between the slopes of the two boundaries there, which are
each other's inverse: with a = e^t, from the gradient of p (q/p)^n + (1-p) ((1-q)/(1-p))^n,

    e^epsilon <= ((n - 1)/n) sinh(n t)/sinh((n - 1) t),      delta = s(t) - e^epsilon s(-t),

and sinh(t)/t at n = 1. Any order gives a valid bound; the one of the least t is the best. For
zCDP it is order 1 (Chen, Pandey and Awan, 2026, Theorem 6 and Appendix B); for a table of orders
it may be another.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tightrope.num.logspace import log_sinhc
from tightrope.num.rounding import down, up
from tightrope.num.solve import solve_up
from tightrope.theorems.constants import t_zcdp
from tightrope.theorems.conversions_to_delta import Curve
from tightrope.theorems.order_search import argmin, ceiling

__all__ = ["CORNER_ENDS", "Corner", "corner", "kinks"]

CORNER_ENDS = 0.56
"""How far beyond curve(1) the corner may decide: it ends below t <= t tanh(t/2) + 2t/(1 + e^t)."""

_ULPS = 8
_PROBES = (1.1, 2.0, 5.0, 20.0, 100.0)


class Corner(NamedTuple):
    """Log-odds t of the coins, rounded up, and the order whose bounds meet there."""

    t: float
    order: float

    @property
    def epsilon(self) -> float:
        """Up to here the corner decides, rounded down."""
        if self.order == 1:
            return down(float(log_sinhc(self.t)), _ULPS)
        n, k = self.order, self.order - 1
        ratio = self.t + math.log(math.expm1(-2 * n * self.t) / math.expm1(-2 * k * self.t))
        return ratio + math.log(k / n) - _ULPS * 2.0**-52 * (1 + abs(ratio) + 1 / k)


def kinks(curve: Curve, max_order: float) -> tuple[float, ...]:
    """Finite orders above 1 at which a curve may bend, its last one included."""
    bends: tuple[float, ...] = getattr(curve, "kinks", ())
    return tuple(n for n in (*bends, max_order) if 1 < n <= max_order and n < math.inf)


def corner(curve: Curve, max_order: float) -> Corner:
    """The corner of the order that allows the least t."""
    best = Corner(up(float(t_zcdp(float(curve(1.0)))), _ULPS), 1.0)
    for order in (*_PROBES, *kinks(curve, max_order)):
        if order <= max_order and _rr(best.t, order) > float(curve(order)):
            best = Corner(_least_t(curve, order, best.t), order)
    if best.order == 1:
        return best

    def t_at(log_k: float) -> float:
        return _least_t(curve, min(1 + math.exp(log_k), max_order), best.t)

    log_k = argmin(t_at, math.log(best.order - 1), ceiling(max_order))
    order = min(1 + math.exp(log_k), max_order)
    return min(best, Corner(_least_t(curve, order, best.t), order))


def _least_t(curve: Curve, order: float, most: float) -> float:
    """Smallest t, from above, at which randomised response reaches the bound; at most ``most``."""
    bound = float(curve(order))
    if _rr(most, order) <= bound:
        return most
    return up(solve_up(lambda t: _rr(t, order) - bound, 0.0, most, increasing=True), _ULPS)


def _rr(t: float, order: float) -> float:
    """The Renyi divergence of randomised response, to nearest."""
    b = (order - 1) * t
    lean = math.tanh(t / 2)
    if b < 1:
        return math.log1p(2 * math.sinh(b / 2) ** 2 + lean * math.sinh(b)) / (order - 1)
    return (b + math.log((1 + lean) / 2 + math.exp(-2 * b) / (1 + math.exp(min(t, 700.0))))) / (
        order - 1
    )
