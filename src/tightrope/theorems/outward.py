"""From a formula with a stated error to a bound: zero stays zero, all else moves outward."""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS, two_product, up

TINY = 5e-324
SAFE = 1e-280
"""Below this, the error of a product may itself have underflowed."""


def above(value: Any, ulps: float, *sources: Any) -> Any:
    """``value`` moved up by its stated error, and exactly 0 where every source is 0.

    Args:
        value: what a formula gave, with a relative error of at most ``ulps * 2**-52``.
        ulps: that error.
        sources: the parameters that it came from; if all are 0 there is no loss at all.
    """
    nothing = np.all([np.asarray(source) == 0 for source in sources], axis=0)
    moved = np.where(nothing, 0.0, up(np.asarray(value, dtype=float), ulps))
    return float(moved) if moved.ndim == 0 else moved


def product_up(a: Any, b: Any) -> Any:
    """``a b`` rounded up for a, b >= 0, and exact where it is a double."""
    a, b = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        product, error = two_product(a, b)
        inexact = (error > 0) | ~np.isfinite(error) | (product < SAFE)
        moved = np.where(inexact, np.nextafter(product, np.inf), product)
    return np.where((a == 0) | (b == 0), 0.0, moved)


def log_above(value: Any, ulps: Any) -> Any:
    """A log-probability moved up by a relative error of ``ulps * 2**-52`` of its formula.

    The error of the logarithm is relative where it is large and absolute near 0, hence 1 + |x|.
    """
    value = np.asarray(value, dtype=float)
    with np.errstate(invalid="ignore"):
        moved = np.minimum(value + ulps * EPS * (1 + np.abs(value)), 0.0)
    return np.where(np.isneginf(value), value, moved)


def beta_below(value: Any, ulps: Any) -> Any:
    """A type II error moved down by a relative ``ulps * 2**-52``, and kept at least 0."""
    return np.maximum(value - np.abs(value) * ulps * EPS - TINY, 0.0)


def reflected(log_delta_at_size: Any, epsilon: Any) -> Any:
    """log of delta(-e) = (1 - exp(-e)) + exp(-e) delta(e) of symmetric neighbours, rounded up.

    Args:
        log_delta_at_size: log delta at |epsilon|.
        epsilon: negative numbers.
    """
    gap = np.asarray(log1mexp(-np.minimum(epsilon, -1e-300)))
    return np.asarray(log_above(np.logaddexp(gap, epsilon + log_delta_at_size), 8))
