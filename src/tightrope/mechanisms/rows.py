"""Formulas for one mechanism at a time, applied to columns of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rows(formula: Callable[[float, int], float], strength: Any, whole: Any) -> Floats:
    """``formula(strength, whole number)`` for every row."""
    pairs = zip(np.ravel(strength).tolist(), np.ravel(whole).tolist(), strict=True)
    return np.array([formula(s, int(w)) for s, w in pairs])


def renyi_rows(
    formula: Callable[[float, int, Any], Any], orders: Any, strength: Any, whole: Any
) -> Floats:
    """Renyi divergences at a vector of orders, one row a mechanism."""
    pairs = zip(np.ravel(strength).tolist(), np.ravel(whole).tolist(), strict=True)
    flat = np.ravel(orders)
    return np.array([formula(s, int(w), flat) for s, w in pairs])
