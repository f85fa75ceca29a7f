"""A first look at what a Renyi curve says about delta, from a few vectors of orders.

A second look, by the search of `renyi_profile`, asks for one order at a time, which costs most
where a curve is the sum of many. Every order gives a valid bound, so that only its sharpness
hangs on which are asked.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.num.arrays import Floats
from tightrope.theorems.conversions_to_delta import cks_estimate
from tightrope.theorems.corner import CORNER_ENDS
from tightrope.theorems.order_search import LOWEST, ceiling
from tightrope.theorems.single_order import best_tangent, certified_log_delta

POINTS = (33, 9, 9)
"""Orders asked at once by a formula; the next ones lie between the neighbours of the best.

The first ones tell apart the two valleys that sampling makes: few units in the sample, or one.
"""

LAST = 9
"""Orders asked by their best tangents."""


def rough_log_delta(curve: RenyiCurve, epsilon: float) -> float:
    """A bound by 0.1 or 3 % above that of the best order at most in practice, and quicker.

    Near epsilon = 0, where more than orders counts, it is minus infinity: no bound, but a word
    that the second look may find anything.
    """
    if epsilon < float(curve(1.0)) + CORNER_ENDS:
        return -math.inf
    low, high = LOWEST, ceiling(curve.max_order)
    for points in POINTS:
        log_k = np.linspace(low, high, points)
        orders = np.minimum(1 + np.exp(log_k), curve.max_order)
        best = int(np.argmin(cks_estimate(orders - 1, curve(orders), epsilon)))
        low, high = float(log_k[max(best - 1, 0)]), float(log_k[min(best + 1, points - 1)])
    near = np.minimum(1 + np.exp(np.linspace(low, high, LAST)), curve.max_order)
    bends = [order for order in curve.kinks if order < math.inf]
    return _least(np.append(near, bends), curve, epsilon)


def _least(orders: Floats, curve: RenyiCurve, epsilon: float) -> float:
    """The least bound of these orders."""
    bounds = np.asarray(curve(orders), dtype=float).tolist()
    tangents = (
        best_tangent(order - 1, bound, epsilon)
        for order, bound in zip(orders.tolist(), bounds, strict=True)
    )
    return min(certified_log_delta(tangent, epsilon) for tangent in tangents)
