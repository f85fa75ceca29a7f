"""Renyi divergences between two coins, and the zCDP budget that a pair of coins needs.

By data processing every test of two laws is a pair of coins, p = P(test) and q = Q(test), and
the divergences of the coins are at most those of the laws. What a bound on the divergences says
about p and q is what it says about privacy (P. Kairouz, S. Oh and P. Viswanath, "The composition
theorem for differential privacy", 2015; Chen, Pandey and Awan, 2026, Remark 1).

With `x = log(p/q)`, `y = log((1-q)/(1-p))` and `k = order - 1`, the moment
`p e^(k x) + (1-p) e^(-k y)` exceeds 1 by k times a sum of four terms, each at least 0:

    p psi(k x)/k + (1-p) psi(-k y)/k + [q - p + p x] + [p - q - (1-p) y],    psi(z) = e^z - 1 - z.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.num.elementwise import FloatArray
from tightrope.theorems.remainder import remainder

__all__ = ["k_cd", "k_zcdp", "k_zcdp_order", "renyi_bernoulli", "renyi_bernoulli_logits"]

_LARGE = 600.0
_SMALLEST_EXCESS = 1e-9
_GOLDEN = (np.sqrt(5.0) - 1) / 2
_STEPS = 44


class _Coins(NamedTuple):
    """Two coins by probabilities, their logarithms, and the two log-likelihood ratios."""

    p: FloatArray
    q: FloatArray
    not_p: FloatArray
    not_q: FloatArray
    log_p: FloatArray
    log_not_p: FloatArray
    x: FloatArray
    y: FloatArray


def renyi_bernoulli(p: ArrayLike, q: ArrayLike, order: ArrayLike) -> Any:
    """The Renyi divergence D_order(Bern(p) || Bern(q)).

    Args:
        p: probabilities in [0, 1], broadcast with the others.
        q: probabilities in [0, 1].
        order: orders of at least 1; 1 is the Kullback-Leibler divergence, `inf` the largest
            log-likelihood ratio.

    Returns:
        The divergence in nats, `inf` where Bern(p) has an outcome that Bern(q) lacks. Relative
        error below 1e-14, also where p and q agree in most of their digits, plus one part in
        2**52 for each unit of (order - 1) |log(p/q)|.

    Raises:
        InvalidArgument: a probability lies outside [0, 1], or an order below 1.

    Source: A. Renyi, "On measures of entropy and information" (1961).

    >>> round(float(renyi_bernoulli(0.1, 0.6, 2.0)), 12)
    0.713766467763
    """
    p, q, order = np.broadcast_arrays(*(np.asarray(z, dtype=float) for z in (p, q, order)))
    if not (np.all((p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)) and np.all(order >= 1)):
        raise InvalidArgument("renyi_bernoulli: needs p and q in [0, 1] and order of at least 1")
    with np.errstate(all="ignore"):
        inside = _renyi(_coins(p, q), order - 1)
        edges = [(p == q), (q == 0) | (q == 1), (p == 0), (p == 1)]
        return np.select(edges, [np.zeros(p.shape), np.inf, -np.log1p(-q), -np.log(q)], inside)[()]


def renyi_bernoulli_logits(u: ArrayLike, v: ArrayLike, order: ArrayLike) -> Any:
    """The Renyi divergence of two coins given by their log-odds: finite real u and v.

    As `renyi_bernoulli`, and keeps its accuracy where a probability has no double.

    >>> round(float(renyi_bernoulli_logits(-1000.0, -999.0, 2.0)), 6)
    0.0
    """
    u, v, order = np.broadcast_arrays(*(np.asarray(z, dtype=float) for z in (u, v, order)))
    if not np.all(order >= 1):
        raise InvalidArgument("renyi_bernoulli_logits: needs order of at least 1")
    with np.errstate(all="ignore"):
        return _renyi(_coins_of_logits(u, v), order - 1)[()]


def k_zcdp(p: ArrayLike, q: ArrayLike) -> Any:
    """The smallest rho for which the pair Bern(p), Bern(q) is rho-zCDP, in both directions.

    The supremum over orders above 1 of D_order/order. It has one maximum; the direction that
    needs more starts from the coin nearer to 1/2, and its order is near 1 + c/d, c and d half
    the sum and half the difference of the log-odds (exact there in the limit of close coins).

    Args:
        p: probabilities strictly between 0 and 1, broadcast.
        q: likewise.

    Returns:
        rho, with relative error below 2e-15.

    Source: Chen, Pandey and Awan (2026), Remark 1 and Appendix B.

    >>> round(float(k_zcdp(0.1, 0.6)), 12)
    0.755495643295
    """
    return _k_zcdp(p, q)[0]


def k_zcdp_order(p: ArrayLike, q: ArrayLike) -> Any:
    """The order at which `k_zcdp` is attained, to about six digits; 1 is Kullback-Leibler.

    >>> float(k_zcdp_order(0.25, 0.75))
    1.0
    """
    return _k_zcdp(p, q)[1]


def k_cd(c: ArrayLike, d: ArrayLike) -> Any:
    """A lower bound on the zCDP budget of the coins with log-odds c - d and c + d, in closed form.

    K(c, d) = (d/c) log[cosh((c+d)/2)/cosh((c-d)/2)], the value at order 1 + c/d; at c = 0 it is
    d tanh(d/2), the budget of randomised response. Relative error below 1e-15.

    Args:
        c: half the sum of the log-odds; its sign does not matter.
        d: half their difference; its sign does not matter.

    Source: Chen, Pandey and Awan (2026), Section 2 (selected order).

    >>> round(float(k_cd(0.5, 1.0)), 12)
    0.454672587605
    """
    c, d = np.broadcast_arrays(np.abs(np.asarray(c, float)), np.abs(np.asarray(d, float)))
    with np.errstate(all="ignore"):
        # cosh((c+d)/2)/cosh((c-d)/2) = (1+T)/(1-T), and for large arguments e^min(c, d).
        near = 2 * np.arctanh(np.tanh(c / 2) * np.tanh(d / 2))
        far = np.minimum(c, d) + np.log1p(np.exp(-(c + d))) - np.log1p(np.exp(-np.abs(c - d)))
        general = d * (np.where(np.minimum(c, d) < 1, near, far) / c)
        return np.where(c < 1e-9, d * np.tanh(d / 2), general)[()]


def _renyi(coins: _Coins, k: FloatArray) -> FloatArray:
    """D of order 1 + k: the logarithm of the moment, from its excess or by its larger term."""
    p, q, not_p, not_q, log_p, log_not_p, x, y = coins
    divergence = _bregman(p, q, x) + _bregman(not_p, not_q, -y)
    spread = p * _psi(k * x) + not_p * _psi(-k * y)
    excess = divergence + np.where(k > 0, spread / k, 0.0)
    large = np.logaddexp(log_p + k * x, log_not_p - k * y) / k
    near = np.where(k > 0, np.log1p(k * excess) / k, divergence)
    finite = np.where(k * np.maximum(x, -y) < _LARGE, near, large)
    return np.where(np.isinf(k), np.maximum(x, -y), finite)


def _psi(z: FloatArray) -> FloatArray:
    """e^z - 1 - z."""
    return np.asarray(remainder(z)) * z * z


def _bregman(a: FloatArray, b: FloatArray, log_ratio: FloatArray) -> FloatArray:
    """b - a + a log(a/b), never negative."""
    near = a * _psi(-log_ratio)
    return np.where(np.abs(log_ratio) < 0.5, near, (b - a) + a * log_ratio)


def _coins(p: FloatArray, q: FloatArray) -> _Coins:
    x, y = _log_ratio(p, q, p - q), _log_ratio(1 - q, 1 - p, p - q)
    return _Coins(p, q, 1 - p, 1 - q, np.log(p), np.log1p(-p), x, y)


def _log_ratio(a: FloatArray, b: FloatArray, difference: FloatArray) -> FloatArray:
    """log(a/b), from the difference a - b where the two are close."""
    ratio = a / b
    return np.where((ratio > 0.5) & (ratio < 2), np.log1p(difference / b), np.log(ratio))


def _coins_of_logits(u: FloatArray, v: FloatArray) -> _Coins:
    log_p, log_not_p = -np.logaddexp(0, -u), -np.logaddexp(0, u)
    log_q, log_not_q = -np.logaddexp(0, -v), -np.logaddexp(0, v)
    sign, jump = np.sign(u - v), np.expm1(np.minimum(np.abs(u - v), _LARGE))
    near_x = sign * np.log1p(np.exp(-np.logaddexp(0, np.maximum(u, v))) * jump)
    near_y = sign * np.log1p(np.exp(-np.logaddexp(0, -np.minimum(u, v))) * jump)
    close = np.abs(u - v) < _LARGE
    x, y = np.where(close, near_x, log_p - log_q), np.where(close, near_y, log_not_q - log_not_p)
    p, q, not_p, not_q = (np.exp(z) for z in (log_p, log_q, log_not_p, log_not_q))
    return _Coins(p, q, not_p, not_q, log_p, log_not_p, x, y)


def _k_zcdp(p: ArrayLike, q: ArrayLike) -> tuple[Any, Any]:
    p, q = np.broadcast_arrays(np.asarray(p, dtype=float), np.asarray(q, dtype=float))
    if not np.all((p > 0) & (p < 1) & (q > 0) & (q < 1)):
        raise InvalidArgument("k_zcdp: needs p and q strictly between 0 and 1")
    with np.errstate(all="ignore"):
        from_q = q * (1 - q) > p * (1 - p)
        coins = _coins(np.where(from_q, q, p), np.where(from_q, p, q))
        gap = np.abs(coins.x + coins.y)
        tilt = np.abs(coins.log_p - coins.log_not_p - (coins.x + coins.y) / 2) / (gap / 2)
        k = _best_excess(coins, np.where(gap > 0, tilt, 0.0))
        best, first = _renyi(coins, k) / (1 + k), _renyi(coins, np.zeros_like(k))
        same = p == q
        rho = np.where(same, 0.0, np.maximum(best, first))
        return rho[()], np.where(same | (first >= best), 1.0, 1 + k)[()]


def _best_excess(coins: _Coins, tilt: FloatArray) -> FloatArray:
    """Golden-section search for the maximum of D/order over log(order - 1)."""
    low = np.log(np.where(tilt > 2, 0.3 * tilt, _SMALLEST_EXCESS))
    high = np.log(1.5 * tilt + 2)

    def value(log_k: FloatArray) -> FloatArray:
        return np.asarray(_renyi(coins, np.exp(log_k)) / (1 + np.exp(log_k)))

    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(_STEPS):
        rises = at_left < at_right
        low, high = np.where(rises, left, low), np.where(rises, high, right)
        fresh = np.where(rises, low + _GOLDEN * (high - low), high - _GOLDEN * (high - low))
        kept, at_kept = np.where(rises, right, left), np.where(rises, at_right, at_left)
        at_fresh = value(fresh)
        left, right = np.where(rises, kept, fresh), np.where(rises, fresh, kept)
        at_left, at_right = np.where(rises, at_kept, at_fresh), np.where(rises, at_fresh, at_kept)
    return np.asarray(np.exp((low + high) / 2))
