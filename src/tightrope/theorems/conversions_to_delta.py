"""Conversions to (epsilon, delta) in closed form, or up to one scalar equation: the looser ones.

They are what the literature uses, serve as checks of the sharp conversion of `renyi_profile`,
and start its search. Each result is rounded up past its stated error. Wherever an order is
optimised, any order would do, so that the equation need not be solved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope._errors import InvalidArgument
from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import EPS, up
from tightrope.theorems.order_search import argmin, ceiling
from tightrope.theorems.pointwise import pointwise

__all__ = [
    "Curve",
    "bs16_log_delta",
    "cks_epsilon",
    "cks_estimate",
    "cks_log_delta",
    "cks_order",
    "cks_rdp_epsilon",
    "cks_zcdp_log_delta",
    "classic_epsilon",
    "mironov_epsilon",
    "tcdp_epsilon",
]

Curve = Callable[[float], Any]
"""A bound on the Renyi divergence at every order from 1; `inf` where nothing is known."""

_NEWTON_STEPS = 40
_TINY = 1e-300


def cks_log_delta(curve: Curve, epsilon: ArrayLike, *, max_order: float = math.inf) -> Any:
    """log of inf over orders a of exp((a-1)(curve(a) - epsilon)) (1 - 1/a)^(a-1) / a.

    Args:
        curve: bound on the Renyi divergence of Q from P as a function of the order.
        epsilon: any real numbers.
        max_order: largest order to use.

    Returns:
        The logarithm of a valid delta, at most 0.

    Source: Canonne, Kamath and Steinke (2020), Proposition 12.

    >>> round(cks_log_delta(lambda order: 0.5 * order, 6.0), 6)
    -17.92918
    """

    def at(epsilon: float) -> float:
        if max_order <= 1:
            return 0.0
        order = 1 + math.exp(cks_order(curve, epsilon, max_order, tolerance=1e-8))
        order = min(order, max_order)
        return float(_cks_up(order - 1, float(curve(order)), epsilon))

    return pointwise(at, epsilon)


def cks_order(
    curve: Curve, epsilon: float, max_order: float = math.inf, tolerance: float = 1e-2
) -> float:
    """log(order - 1) of about the best order in the bound of Canonne, Kamath and Steinke."""

    def bound(log_k: float) -> float:
        order = min(1 + math.exp(log_k), max_order)
        return float(cks_estimate(order - 1, float(curve(order)), epsilon))

    return argmin(bound, 0.0, ceiling(max_order), tolerance)


def cks_zcdp_log_delta(rho: ArrayLike, epsilon: ArrayLike) -> Any:
    """`cks_log_delta` for rho-zCDP, by the equation (2a - 1) rho - epsilon + log(1 - 1/a) = 0.

    Args: rho of at least 0 and any real epsilon, which broadcast.

    >>> round(float(cks_zcdp_log_delta(0.5, 6.0)), 6)
    -17.92918
    """
    rho, epsilon = np.broadcast_arrays(_at_least_0("rho", rho), np.asarray(epsilon, dtype=float))
    with np.errstate(all="ignore"):
        half = (epsilon - rho) / (4 * rho)
        k = np.maximum(half + np.hypot(half, np.sqrt(0.5 / rho)), _TINY)
        for _ in range(_NEWTON_STEPS):
            value = rho * (1 + 2 * k) - np.log1p(1 / k) - epsilon
            k = k * np.exp(np.clip(-value / (2 * rho * k + 1 / (1 + k)), -3, 3))
        return _unless_equal_laws(_cks_up(k, rho * (1 + k), epsilon), rho, epsilon)


def cks_epsilon(rho: ArrayLike, delta: ArrayLike) -> Any:
    """The least epsilon >= 0 that the bound of Canonne, Kamath and Steinke gives for rho-zCDP.

    epsilon(a) = rho a + log(1 - 1/a) + log(1/(a delta))/(a - 1), least where
    rho (a - 1)^2 + log(a) = log(1/delta).

    Args: rho of at least 0 and delta in (0, 1], which broadcast.

    Source: Canonne, Kamath and Steinke (2020), Corollary 13 at the optimal order.

    >>> round(float(cks_epsilon(0.5, 1e-6)), 6)
    5.221534
    """
    rho, size = np.broadcast_arrays(_at_least_0("rho", rho), _log_inverse(delta))
    with np.errstate(all="ignore"):
        k = np.maximum(np.sqrt(size / rho), _TINY)
        for _ in range(_NEWTON_STEPS):
            value = rho * k * k + np.log1p(k) - size
            k = k * np.exp(np.clip(-value / (2 * rho * k * k + k / (1 + k)), -3, 3))
        value = np.maximum(_cks_epsilon_up(k, rho * (1 + k), size), 0.0)
        return np.where((rho == 0) | (size == 0), 0.0, value)[()]


def cks_rdp_epsilon(order: ArrayLike, rdp: ArrayLike, delta: ArrayLike) -> Any:
    """epsilon from one Renyi bound: rdp + log(1 - 1/a) - (log(delta) + log(a))/(a - 1).

    It may be negative, which is a valid statement too: P(S) <= e^epsilon Q(S) + delta.

    Args: an order above 1, the bound on its divergence, and delta in (0, 1]; all broadcast.

    Source: Canonne, Kamath and Steinke (2020), Proposition 12; Balle et al. (2020), Theorem 21.

    >>> round(float(cks_rdp_epsilon(2.0, 0.5, 1e-5)), 6)
    10.626631
    """
    return _cks_epsilon_up(*np.broadcast_arrays(_excess(order), rdp, _log_inverse(delta)))[()]


def mironov_epsilon(order: ArrayLike, rdp: ArrayLike, delta: ArrayLike) -> Any:
    """epsilon from one Renyi bound: rdp + log(1/delta)/(order - 1).

    Arguments as in `cks_rdp_epsilon`. Source: Mironov (2017), Proposition 3.

    >>> round(float(mironov_epsilon(2.0, 0.5, 1e-5)), 6)
    12.012925
    """
    return _up(np.asarray(rdp, dtype=float) + _log_inverse(delta) / _excess(order), 4)


def classic_epsilon(rho: ArrayLike, delta: ArrayLike) -> Any:
    """epsilon = rho + 2 sqrt(rho log(1/delta)) for rho-zCDP, rho >= 0 and delta in (0, 1].

    Source: Bun and Steinke (2016), Proposition 1.3.

    >>> round(float(classic_epsilon(0.5, 1e-6)), 6)
    5.756522
    """
    rho = np.asarray(rho, dtype=float)
    return _up(rho + 2 * np.sqrt(rho * _log_inverse(delta)), 4)


def tcdp_epsilon(rho: ArrayLike, omega: ArrayLike, delta: ArrayLike) -> Any:
    """epsilon = rho a + log(1/delta)/(a - 1), a = min(1 + sqrt(log(1/delta)/rho), omega).

    Args:
        rho: slope of the curve of a (rho, omega)-tCDP mechanism, at least 0, broadcast.
        omega: the order, above 1 and finite, up to which it holds.
        delta: in (0, 1].

    Source: Bun, Dwork, Rothblum and Steinke (2018), Lemma 6.

    >>> round(float(tcdp_epsilon(1.0, 2.0, 1e-10)), 6)
    25.025851
    """
    rho, size = _at_least_0("rho", rho), _log_inverse(delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        k = np.fmin(np.sqrt(size / rho), _excess(omega))
    return _up(rho * (1 + k) + np.where(size == 0, 0.0, size / np.maximum(k, _TINY)), 6)


def bs16_log_delta(rho: ArrayLike, epsilon: ArrayLike) -> Any:
    """log of exp(-(e - rho)^2/(4 rho)) 2/(x + sqrt(x^2 + 4/(pi rho))), x = 1 + (e - rho)/(2 rho).

    Args:
        rho: at least 0, broadcast.
        epsilon: real numbers; below rho the lemma says nothing and the bound is 0.

    Source: Bun and Steinke (2016), Lemma 3.6.

    >>> round(float(bs16_log_delta(0.5, 5.0)), 6)
    -11.850158
    """
    rho, epsilon = np.broadcast_arrays(_at_least_0("rho", rho), np.asarray(epsilon, dtype=float))
    with np.errstate(all="ignore"):
        excess = (epsilon - rho) / (2 * rho)
        main = excess * excess * rho
        factor = np.log(2 / (1 + excess + np.hypot(1 + excess, np.sqrt(4 / (np.pi * rho)))))
        conditioning = np.abs(excess) * (np.abs(epsilon) + rho)
        value = factor - main + EPS * (6 + 4 * main + 2 * np.abs(factor) + conditioning)
        bound = np.where(epsilon < rho, 0.0, np.minimum(value, 0.0))
        return _unless_equal_laws(bound, rho, epsilon)


def cks_estimate(k: Any, bound: Any, epsilon: Any) -> Any:
    """The logarithm of the delta that one bound at order 1 + k gives, but for rounding."""
    return k * (bound - epsilon) - k * np.log1p(1 / k) - np.log1p(k)


def _cks_up(k: Any, bound: Any, epsilon: Any) -> Any:
    """The bound of order 1 + k, moved up by two ulps of each of its terms."""
    terms = k * (np.abs(bound) + np.abs(epsilon)) + k * np.log1p(1 / k) + np.log1p(k)
    return np.minimum(cks_estimate(k, bound, epsilon) + 2 * EPS * (terms + 1), 0.0)


def _cks_epsilon_up(k: FloatArray, bound: FloatArray, size: FloatArray) -> FloatArray:
    """The epsilon of order 1 + k at log(1/delta) = size, moved up by two ulps of each term."""
    lift, gain = np.log1p(1 / k), np.log1p(k) / k
    value = bound - lift - gain + size / k
    return np.asarray(up(value + 2 * EPS * (bound + lift + gain + size / k)))


def _unless_equal_laws(value: FloatArray, rho: FloatArray, epsilon: FloatArray) -> Any:
    """At rho = 0 the two laws are one, and delta is 0."""
    return np.where(rho > 0, value, np.where(epsilon < 0, 0.0, -np.inf))[()]


def _up(value: FloatArray, ulps: float) -> Any:
    return np.asarray(up(np.asarray(value), ulps))[()]


def _log_inverse(delta: ArrayLike) -> FloatArray:
    delta = np.asarray(delta, dtype=float)
    if not np.all((delta > 0) & (delta <= 1)):
        raise InvalidArgument("delta must lie in (0, 1]")
    return np.asarray(-np.log(delta))


def _at_least_0(name: str, value: ArrayLike) -> FloatArray:
    array = np.asarray(value, dtype=float)
    if not np.all(array >= 0):
        raise InvalidArgument(f"{name} must be at least 0")
    return array


def _excess(order: ArrayLike) -> FloatArray:
    array = np.asarray(order, dtype=float)
    if not np.all(array > 1):
        raise InvalidArgument("the order must be above 1")
    return np.asarray(array - 1)
