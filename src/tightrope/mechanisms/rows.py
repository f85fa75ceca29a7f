"""Formulas for one mechanism at a time, applied to columns of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tightrope.num.elementwise import FloatArray


def rows(formula: Callable[..., Any], strength: Any, whole: Any, *further: Any) -> FloatArray:
    """``formula(strength, whole number, *further)`` for every mechanism, one row each."""
    pairs = zip(np.ravel(strength).tolist(), np.ravel(whole).tolist(), strict=True)
    return np.array([formula(s, int(w), *further) for s, w in pairs])
