"""The sharp constants between zCDP, GDP, bounded range, logistic and pure DP, as formulas.

Letters are those of Chen, Pandey and Awan (2026): ``t_rho`` solves ``rho = t tanh(t/2)``, the
zCDP parameter of binary randomised response with log-odds t, and ``g(t)`` is the normal quantile
of the logistic function. All functions broadcast over arrays; each states its relative error,
measured over arguments from 1e-300 to 1e6. They round to nearest; the theorems that use them
round outwards.
"""

from __future__ import annotations

import numpy as np

from tightrope.num.elementwise import FloatArray, branches, elementwise
from tightrope.num.logspace import log_sinhc
from tightrope.num.probit_logit import logit_of_probit, probit_of_logit

_SMALL_RHO = 1e-8
_LARGE_RHO = 40.0
_NEWTON_STEPS = 3
_LAMBERT_BELOW = 2.0
_LAMBERT_DEPTH = 13


@elementwise
def t_zcdp(rho: FloatArray) -> FloatArray:
    """The log-odds t of the randomised response that is exactly rho-zCDP: t tanh(t/2) = rho.

    Relative error below 5e-16. Source: Chen, Pandey and Awan (2026), Theorem 6.

    >>> round(t_zcdp(1.0), 6)
    1.543405
    """
    return branches(
        [rho],
        (rho < _SMALL_RHO, lambda r: np.sqrt(2 * r) * (1 + r / 12)),
        (rho <= _LARGE_RHO, _t_zcdp_newton),
        (rho > _LARGE_RHO, lambda r: r),  # t = rho + 2 rho e^-rho + ..., equal in doubles
    )


def _t_zcdp_newton(rho: FloatArray) -> FloatArray:
    series = np.sqrt(2 * rho) * (1 + rho * (1 / 12 + rho * (11 / 1440 + rho * 17 / 40320)))
    t = np.where(rho < 2, series, rho + 2 * rho * np.exp(-rho))
    for _ in range(_NEWTON_STEPS):
        tanh = np.tanh(t / 2)
        t = t - (t * tanh - rho) / (tanh + (t / 2) * (1 - tanh * tanh))
    return t


@elementwise
def mu_zcdp(rho: FloatArray) -> FloatArray:
    """The smallest mu such that every rho-zCDP mechanism is mu-GDP: 2 g(t_rho).

    Relative error below 1e-15. Source: Chen, Pandey and Awan (2026), Theorem 6.

    >>> round(mu_zcdp(0.5), 6)
    1.283913
    """
    return 2 * probit_of_logit(t_zcdp(rho))


@elementwise
def rho_from_mu_zcdp(mu: FloatArray) -> FloatArray:
    """The rho at which ``mu_zcdp`` is mu, in closed form: a tanh(a/2), a = logit(Phi(mu/2)).

    Relative error below 1e-15. Source: Chen, Pandey and Awan (2026), Theorem 6.

    >>> round(rho_from_mu_zcdp(mu_zcdp(0.5)), 12)
    0.5
    """
    return rho_pure(logit_of_probit(mu / 2))


@elementwise
def tv_zcdp(rho: FloatArray) -> FloatArray:
    """The largest total variation of a rho-zCDP pair, tanh(t_rho/2). Relative error < 1e-15."""
    return np.tanh(t_zcdp(rho) / 2)


@elementwise
def rho_pure(epsilon: FloatArray) -> FloatArray:
    """Sharp zCDP of epsilon-DP: epsilon tanh(epsilon/2). Relative error below 4e-16.

    Source: Steinke (2024); attained by randomised response.
    """
    return epsilon * np.tanh(epsilon / 2)


@elementwise
def mu_pure(epsilon: FloatArray) -> FloatArray:
    """Sharp GDP of epsilon-DP: 2 g(epsilon). Relative error below 8e-16.

    Source: Awan and Ramasethu (2023), Lemma 2; Chen, Pandey and Awan (2026), Remark 14.
    """
    return 2 * probit_of_logit(epsilon)


@elementwise
def mu_br(epsilon: FloatArray) -> FloatArray:
    """Sharp GDP of epsilon-bounded range and epsilon-logistic DP: 2 g(epsilon/2).

    Relative error below 8e-16. Source: Chen, Pandey and Awan (2026), Theorem 13.
    """
    return 2 * probit_of_logit(epsilon / 2)


@elementwise
def eps_from_mu_br(mu: FloatArray) -> FloatArray:
    """The epsilon at which ``mu_br`` is mu: 2 logit(Phi(mu/2)). Relative error below 8e-16."""
    return 2 * logit_of_probit(mu / 2)


@elementwise
def rho_br(epsilon: FloatArray) -> FloatArray:
    """Sharp zCDP of epsilon-bounded range: e/(exp(e) - 1) + log((exp(e) - 1)/e) - 1.

    Evaluated as (h coth h - 1) + log(sinh(h)/h) with h = e/2, two positive terms. Relative error
    below 8e-16. Source: Harrison and Manurangsi (2025), Theorem 23.

    >>> round(rho_br(1.0), 6)
    0.123302
    """
    half = epsilon / 2
    total: FloatArray = _coth_excess(half) + np.asarray(log_sinhc(half))
    return total


@elementwise
def rho_logistic(epsilon: FloatArray) -> FloatArray:
    """Sharp zCDP of epsilon-logistic DP: epsilon coth(epsilon/2) - 2. Relative error < 8e-16.

    The Kullback-Leibler divergence of two logistic laws epsilon apart; that no order asks for
    more is proved in the documentation (docs/theory.md, logistic DP).
    """
    return 2 * _coth_excess(epsilon / 2)


def _coth_excess(h: FloatArray) -> FloatArray:
    """h coth h - 1, by Lambert's continued fraction h^2/(3 + h^2/(5 + ...)) where it cancels."""
    return branches(
        [h],
        (h < _LAMBERT_BELOW, _lambert),
        (h >= _LAMBERT_BELOW, lambda x: x / np.tanh(x) - 1),
    )


def _lambert(h: FloatArray) -> FloatArray:
    square = h * h
    tail = np.full(h.shape, 2.0 * _LAMBERT_DEPTH + 1)
    for odd in range(2 * _LAMBERT_DEPTH - 1, 2, -2):
        tail = odd + square / tail
    return np.asarray(square / tail)
