"""A trial: what a theorem claims of many pairs of laws, and what is true of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from oracle.orders import kullback_leibler, log_moment

import tightrope as tr

Array = NDArray[np.float64]

RELATIVE = 1e-8
"""Ten times the accuracy of the oracle's suprema over orders."""

NEAR_ONE = 1e-13
"""Absolute error of beta at an alpha near 1, which is rounded itself."""

ORDERS = np.array([1.0, 1.2, 2.0, 5.0, 30.0])


@dataclass(frozen=True)
class Trial:
    """A claim (a parameter, log delta, or beta at alpha) and the truth for many pairs."""

    pairs: FinitePairs
    claim: Array
    truth: Array
    target: type
    alpha: Array | float = 0.0
    note: Any = field(repr=False, default=None)

    def refuted(self, distortion: float = 0.0) -> NDArray[np.bool_]:
        """Which pairs break the claim if it is made stronger by this share.

        The share is one of the parameter, of log delta (which is negative), or of beta.
        """
        if self.target is tr.TradeOff:
            error = np.where(np.asarray(self.alpha) > 0.5, NEAR_ONE, 1e-30)
            return self.truth < self.claim * (1 + distortion) * (1 - RELATIVE) - error
        if self.target is tr.Profile:
            with np.errstate(invalid="ignore"):
                claim = np.where(np.isneginf(self.claim), -np.inf, self.claim * (1 + distortion))
            return self.truth * (1 - RELATIVE) > np.exp(claim) + 1e-30
        return self.truth * (1 - RELATIVE) > self.claim * (1 - distortion) + 1e-15


def renyi_at(pairs: FinitePairs, orders: Array) -> Array:
    """The larger divergence of each pair at an order of its own."""
    return np.maximum(*(_renyi_at(x, orders) for x in (pairs, pairs.swapped())))


def _renyi_at(pairs: FinitePairs, orders: Array) -> Array:
    k = orders - 1
    safe = np.where(k > 0, k, 1.0)
    return np.where(k > 0, log_moment(pairs, safe) / safe, kullback_leibler(pairs))


def delta_at(pairs: FinitePairs, epsilon: Array) -> Array:
    """The larger hockey-stick divergence of each pair at an epsilon of its own."""
    return np.maximum(*(_delta_at(x, epsilon) for x in (pairs, pairs.swapped())))


def _delta_at(pairs: FinitePairs, epsilon: Array) -> Array:
    gap = np.maximum(pairs.loss - epsilon[:, None], 0.0)
    return np.sum(np.exp(pairs.log_q) * -np.expm1(-gap), axis=1)


def finite_loss(pairs: FinitePairs) -> Array:
    """The largest log-ratio apart from outcomes that one law rules out."""
    return np.max(np.where(np.isfinite(pairs.loss), np.abs(pairs.loss), 0.0), axis=1)


def corner(pairs: FinitePairs, rng: np.random.Generator) -> tuple[Array, Array]:
    """A corner of the trade-off curve of each pair, in one of its two orders."""
    swap = rng.random((len(pairs), 1)) < 0.5
    p, q = pairs.log_p, pairs.log_q
    corners = oracle.corners(FinitePairs(np.where(swap, q, p), np.where(swap, p, q)))
    there = (corners.alpha > 0) & (corners.specificity > 0)
    column = np.argmax(np.where(there, rng.random(there.shape), -1.0), axis=1)[:, None]
    alpha, beta = (np.take_along_axis(x, column, 1)[:, 0] for x in (corners.alpha, corners.beta))
    return np.minimum(alpha, 1.0), beta
