"""A trade-off curve from its profile: the greatest of finitely many supporting lines.

A symmetric curve f with profile delta lies above 1 - delta(e) - e^e a and above the mirror image
e^-e (1 - delta(e) - a), for every e; with e at the log-ratios of a finite pair these lines are all
of its edges, so that nothing is lost. (Dong, Roth and Su 2022, Propositions 2.12 and 2.13.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import EPS, up

__all__ = ["tradeoff_of_lines"]


def tradeoff_of_lines(alpha: Any, epsilons: FloatArray, log_deltas: FloatArray) -> Any:
    """The type II error at alpha, rounded down, from points (epsilon >= 0, log delta, up)."""
    alpha = np.asarray(alpha, dtype=float)
    rest = 1 - up(np.exp(log_deltas), 2) - EPS
    rest[np.isneginf(log_deltas)] = 1.0
    a = alpha[..., np.newaxis]
    with np.errstate(over="ignore", invalid="ignore"):
        steep = rest - up(np.asarray(np.exp(epsilons) * a), 2) - 2 * EPS
        flat = np.exp(-epsilons) * (rest - a) * (1 - 4 * EPS) - np.exp(-epsilons) * EPS
    steep = np.where(a == 0, rest, steep)
    best = np.maximum(steep.max(axis=-1), flat.max(axis=-1))
    return np.where(alpha == 1, 0.0, np.maximum(best, 0.0))
