"""The tail bound: log delta from the moments of the privacy loss, by Markov's inequality.

The loosest conversion of a Renyi curve, and the one that the moments accountant made known. Every
order is valid, so a fixed fine grid of them is safe, and takes arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.theorems.outward import log_above

_ULPS = 8
_ORDERS = 4001
_LEAST, _LARGEST = 1e-6, 1e6  # of order - 1


def tail_log_delta(curve: Any, epsilon: Any, max_order: float) -> Any:
    """log of the least of exp((order - 1)(curve(order) - epsilon)) over orders, rounded up.

    Args:
        curve: bound on the Renyi divergence at every order from 1 to ``max_order``.
        epsilon: any real numbers.
        max_order: the largest order to use.

    Source: Mironov (2017), Proposition 3.
    """
    orders = 1 + np.geomspace(_LEAST, min(_LARGEST, max_order - 1), _ORDERS)
    bounds = np.asarray(curve(orders), dtype=float)
    exponents = (orders - 1) * (bounds - np.asarray(epsilon, dtype=float)[..., None])
    return log_above(np.minimum(np.nanmin(exponents, axis=-1), 0.0), _ULPS)
