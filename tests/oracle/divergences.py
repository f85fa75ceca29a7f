"""Exact privacy parameters of finite pairs, thousands at a time.

Every function takes `FinitePairs` and returns one number for each; all are for both orders of the
two laws unless they say otherwise.  With log-masses that are right to a rounding error, results
have relative errors near 1e-15 divided by the largest log-ratio, if that is below 1.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from mpmath import mp
from numpy.typing import NDArray

from .finite_pairs import FinitePairs
from .orders import ABOVE_LINE, RATIO, Objective, kullback_leibler, log_moment, supremum

Array = NDArray[np.float64]

TOLERANCE = 5e-10


def renyi(pairs: FinitePairs, order: float) -> Array:
    """D_order(Q||P), of any order above 0, 1 and infinity included; one direction."""
    if order == np.inf:
        return np.max(np.where(np.isneginf(pairs.log_q), -np.inf, pairs.loss), axis=1)
    if order == 1:
        return kullback_leibler(pairs)
    return log_moment(pairs, np.full(len(pairs), order - 1.0)) / (order - 1)


def renyi_both(pairs: FinitePairs, order: float) -> Array:
    return np.maximum(renyi(pairs, order), renyi(pairs.swapped(), order))


def rho_star(pairs: FinitePairs, tolerance: float = TOLERANCE) -> Array:
    """The zCDP parameter: sup over orders above 1 of D_order/order.

    The result is above the supremum by at most that fraction of it; see `orders.supremum`.  Raise
    the tolerance for pairs that are nearly Gaussian, whose D_order/order is nearly constant.
    """
    return _over_orders(pairs, RATIO, np.zeros(len(pairs)), tolerance)


def xi_star(pairs: FinitePairs, rho: Array | float, tolerance: float = TOLERANCE) -> Array:
    """The least xi of (xi, rho)-zCDP: sup over orders of D_order - rho order; may be negative.

    The result is above the supremum by at most the tolerance times the larger of KL and rho.
    """
    line = np.broadcast_to(rho, (len(pairs),)).astype(float)
    return _over_orders(pairs, ABOVE_LINE, line, tolerance)


def _over_orders(pairs: FinitePairs, objective: Objective, c: Array, tolerance: float) -> Array:
    result = np.full(len(pairs), np.inf)
    finite = np.isfinite(pairs.loss).all(axis=1)
    ordered = [pairs[finite], pairs[finite].swapped()]
    found = [supremum(pair, objective, c[finite], tolerance) for pair in ordered]
    result[finite] = np.maximum(*found)
    return result


def pure_epsilon(pairs: FinitePairs) -> Array:
    """The largest log-ratio of either sign."""
    return np.max(np.abs(pairs.loss), axis=1)


def bounded_range(pairs: FinitePairs) -> Array:
    """The largest minus the smallest log-ratio."""
    there = ~np.isneginf(pairs.log_p) | ~np.isneginf(pairs.log_q)
    top = np.max(np.where(there, pairs.loss, -np.inf), axis=1)
    return top - np.min(np.where(there, pairs.loss, np.inf), axis=1)


def hockey_stick(pairs: FinitePairs, epsilon: Array | float) -> Array:
    """delta at one or several epsilon: rows are pairs, columns are epsilons."""
    e = np.atleast_1d(epsilon)
    both = np.maximum(hockey_stick_one(pairs, e), hockey_stick_one(pairs.swapped(), e))
    return both if np.ndim(epsilon) else both[:, 0]


def hockey_stick_one(pairs: FinitePairs, epsilon: Array) -> Array:
    """sup over events of Q(S) - e^epsilon P(S)."""
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.maximum(pairs.loss[:, :, None] - epsilon, 0.0)
    return np.sum(np.exp(pairs.log_q)[:, :, None] * -np.expm1(-gap), axis=1)


def total_variation(pairs: FinitePairs) -> Array:
    return hockey_stick(pairs, 0.0)


class Corners(NamedTuple):
    """Corners of the trade-off curves T(P, Q), the two ends left out, one curve a row.

    Of each coordinate there are the number and its distance from 1, both without cancellation.
    Rows with fewer corners end in corners (1, 0), up to rounding.
    """

    alpha: Array
    specificity: Array
    beta: Array
    power: Array


def corners(pairs: FinitePairs) -> Corners:
    """Reject by falling q/p: the Neyman-Pearson lemma; alpha is the error under P."""
    there = ~np.isneginf(pairs.log_p) | ~np.isneginf(pairs.log_q)
    order = np.argsort(np.where(there, -pairs.loss, np.inf), axis=1, kind="stable")
    p, q = (np.exp(np.take_along_axis(m, order, axis=1)) for m in (pairs.log_p, pairs.log_q))
    return Corners(_sum(p), _sum_after(p), _sum_after(q), _sum(q))


def _sum(masses: Array) -> Array:
    return np.cumsum(masses, axis=1)[:, :-1]


def _sum_after(masses: Array) -> Array:
    return np.cumsum(masses[:, ::-1], axis=1)[:, ::-1][:, 1:]


def tradeoff(pairs: FinitePairs, alpha: float) -> Array:
    """The least type II error at type I error alpha under P."""
    c = corners(pairs)
    x = np.pad(c.alpha, ((0, 0), (1, 1)))
    y = np.pad(c.beta, ((0, 0), (1, 1)), constant_values=1.0)
    x[:, -1], y[:, -1] = 1.0, 0.0
    return np.array([np.interp(alpha, a, b) for a, b in zip(x, y, strict=True)])


def tight_mu(pairs: FinitePairs) -> Array:
    """The GDP parameter: max over corners of Phi^-1(power) - Phi^-1(alpha); G_mu is convex."""
    return _largest_gap(pairs, lambda tail: _normal_quantile(tail))


def logistic_epsilon(pairs: FinitePairs) -> Array:
    """The logistic DP parameter: max over corners of logit(power) - logit(alpha)."""
    return _largest_gap(pairs, lambda tail: np.log(tail) - np.log1p(-tail))


def _largest_gap(pairs: FinitePairs, quantile_of_tail: Callable[[Array], Array]) -> Array:
    """Compare quantiles of power and alpha at the corners; `quantile_of_tail` is for p <= 1/2."""
    c = corners(pairs)

    def quantile(number: Array, rest: Array) -> Array:
        with np.errstate(divide="ignore"):
            value = quantile_of_tail(np.minimum(np.minimum(number, rest), 0.5))
        return np.where(number <= rest, value, -value)

    with np.errstate(invalid="ignore"):
        gap = quantile(c.power, c.beta) - quantile(c.alpha, c.specificity)
    return np.max(np.nan_to_num(gap, nan=0.0, posinf=np.inf), axis=1, initial=0.0)


def _normal_quantile(tail: Array) -> Array:
    flat = tail.ravel()
    ordinary = flat > 1e-300
    inverse = NormalDist().inv_cdf
    result = np.full(flat.shape, -np.inf)
    result[ordinary] = [inverse(x) for x in flat[ordinary].tolist()]
    for k in np.flatnonzero(~ordinary & (flat > 0)):
        result[k] = -float(mp.sqrt(2) * mp.findroot(_tail_equation(flat[k]), 26.0))
    return result.reshape(tail.shape)


def _tail_equation(tail: float) -> Callable[[mp.mpf], mp.mpf]:
    target = mp.log(mp.mpf(tail))
    return lambda z: mp.log(mp.erfc(z) / 2) - target
