"""Conversions into trade-off curves: the least type II error at type I error alpha.

Every function takes alpha first and rounds the type II error down.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.notions.approx import ApproxDP
from tightrope.notions.bounded_range import BoundedRange
from tightrope.notions.gdp import GDP
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.profile import Profile
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.tcdp import TCDP
from tightrope.notions.tradeoff import TradeOff
from tightrope.notions.zcdp import ZCDP
from tightrope.num.normal import cdf, quantile
from tightrope.num.rounding import EPS, up
from tightrope.theorems import testing_boundary
from tightrope.theorems.into_rdp import tcdp_to_rdp, zcdp_to_rdp
from tightrope.theorems.outward import beta_below
from tightrope.theorems.registry import Grade, conversion
from tightrope.theorems.witness import (
    GaussianPair,
    LeakyCoins,
    LogisticPair,
    randomized_response,
)

_ULPS = 8


@conversion(
    GDP,
    TradeOff,
    Grade.LOSSLESS,
    "dong2022",
    "Definition 2.6",
    "G_mu(a) = Phi(Phi^-1(1 - a) - mu)",
    witness=lambda alpha, mu: GaussianPair(mu),
)
def gaussian_tradeoff(alpha: Any, mu: Any) -> Any:
    """The trade-off curve of N(0, 1) and N(mu, 1)."""
    z = -np.asarray(quantile(alpha))
    x = z - mu
    # a quantile's rounding moves the tail by its hazard, at most |x| + 1
    with np.errstate(invalid="ignore", over="ignore"):
        error = (np.abs(x) + 1) * (np.abs(z) + mu) * 4
    inside = beta_below(cdf(x), np.where(np.isfinite(error), error, 0) + _ULPS)
    return np.where(np.asarray(alpha) == 0, 1.0, np.where(np.asarray(alpha) == 1, 0.0, inside))


@conversion(
    LogisticDP,
    TradeOff,
    Grade.LOSSLESS,
    "chen2026",
    "Definition 12",
    "L(a) = (1 - a)/(1 + (e^epsilon - 1) a)",
    witness=lambda alpha, epsilon: LogisticPair(epsilon),
)
@conversion(
    BoundedRange,
    TradeOff,
    Grade.SHARP,
    "chen2026",
    "Definition 12",
    "L(a) = (1 - a)/(1 + (e^epsilon - 1) a), the envelope of the class",
)
def logistic_tradeoff(alpha: Any, epsilon: Any) -> Any:
    """The trade-off curve of two logistic laws epsilon apart."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        plain = (1 - alpha) / (1 + np.expm1(epsilon) * alpha)
        wide = (1 - alpha) / alpha * np.exp(-np.asarray(epsilon, dtype=float))
    chosen = np.where(np.asarray(epsilon) > 700, np.minimum(wide, 1.0), plain)
    return np.where(np.asarray(alpha) == 0, 1.0, beta_below(chosen, _ULPS))


@conversion(
    PureDP,
    TradeOff,
    Grade.SHARP,
    "dong2022",
    "Proposition 2.12",
    "f(a) = max(1 - e^epsilon a, e^-epsilon (1 - a))",
    witness=lambda alpha, epsilon: randomized_response(epsilon),
)
def pure_tradeoff(alpha: Any, epsilon: Any) -> Any:
    """The trade-off curve of randomised response."""
    return approx_tradeoff(alpha, epsilon, 0.0)


@conversion(
    ApproxDP,
    TradeOff,
    Grade.LOSSLESS,
    "wasserman2010",
    "Theorem 2.4",
    "f(a) = max(0, 1 - delta - e^epsilon a, e^-epsilon (1 - delta - a))",
    witness=lambda alpha, epsilon, delta: LeakyCoins(delta, epsilon),
)
def approx_tradeoff(alpha: Any, epsilon: Any, delta: Any) -> Any:
    """The trade-off curve that one (epsilon, delta) statement amounts to."""
    alpha = np.asarray(alpha, dtype=float)
    with np.errstate(over="ignore", invalid="ignore"):
        spent = up(np.where(alpha == 0, 0.0, np.exp(epsilon) * alpha), 2) * (alpha > 0)
        steep = 1 - delta - spent
        flat = np.exp(-np.asarray(epsilon, dtype=float)) * (1 - delta - alpha)
        steep_error = 2 * EPS * ((alpha > 0) | (np.asarray(delta) > 0))
    return np.maximum(np.maximum(steep - steep_error, beta_below(flat, 4)), 0.0)


@conversion(
    ZCDP,
    TradeOff,
    Grade.SHARP,
    "chen2026",
    "Remark 1 and Appendix B",
    "T(a) = 1 - sup{q : K_zCDP(a, q) <= rho}, the testing boundary",
)
def zcdp_tradeoff(alpha: Any, rho: Any, xi: Any) -> Any:
    """The testing boundary of the class of all zCDP pairs."""
    return testing_boundary.tradeoff(lambda order: zcdp_to_rdp(order, rho, xi), alpha)


@conversion(
    TCDP,
    TradeOff,
    Grade.SHARP,
    "riess2026",
    "trade-off of Renyi profiles",
    "pointwise greatest of the boundaries of the orders up to omega",
)
def tcdp_tradeoff(alpha: Any, rho: Any, omega: Any) -> Any:
    """The intersection of the testing regions of all orders up to omega."""
    return testing_boundary.tradeoff(
        lambda order: tcdp_to_rdp(order, rho, omega), alpha, max_order=omega
    )


@conversion(
    RDP,
    TradeOff,
    Grade.SHARP,
    "riess2026",
    "trade-off of Renyi profiles",
    "pointwise greatest of the boundaries of single orders",
)
def renyi_tradeoff(alpha: Any, curve: Any) -> Any:
    """The intersection of the testing regions of all known orders."""
    return testing_boundary.tradeoff(curve, alpha, max_order=curve.max_order)


@conversion(
    Profile,
    TradeOff,
    Grade.LOSSLESS,
    "dong2022",
    "Proposition 2.12",
    "f(a) = sup over epsilon of max(0, 1 - delta - e^epsilon a, e^-epsilon (1 - delta - a))",
)
def profile_to_tradeoff(alpha: Any, curve: Any) -> Any:
    """The trade-off curve of finitely many (epsilon, delta) statements."""
    return curve(alpha)
