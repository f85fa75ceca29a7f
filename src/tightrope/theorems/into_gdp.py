"""Conversions into Gaussian DP: the optimal ones of Chen, Pandey and Awan (2026)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.notions.approx import ApproxDP
from tightrope.notions.bounded_range import BoundedRange
from tightrope.notions.gdp import GDP
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.tcdp import TCDP
from tightrope.notions.tradeoff import TradeOff
from tightrope.notions.zcdp import ZCDP
from tightrope.num.rounding import up
from tightrope.theorems.constants import mu_br, mu_pure, mu_zcdp, t_zcdp
from tightrope.theorems.outward import above
from tightrope.theorems.registry import Grade, conversion, impossible
from tightrope.theorems.tight_mu import mu_of_xi_rho
from tightrope.theorems.witness import randomized_response

_ULPS = 4


@conversion(
    ZCDP,
    GDP,
    Grade.SHARP,
    "chen2026",
    "Theorem 6",
    "mu = 2 Phi^-1(s(t)), t tanh(t/2) = rho + xi (sharp for xi = 0)",
    witness=lambda rho, xi: randomized_response(float(t_zcdp(rho + xi))),
)
def zcdp_to_gdp(rho: Any, xi: Any) -> Any:
    """rho-zCDP implies mu_zCDP(rho)-GDP; an offset xi is first put under the slope."""
    slope = np.where(np.asarray(xi) == 0, rho, up(np.asarray(rho + xi, dtype=float)))
    return above(mu_zcdp(slope), _ULPS, rho, xi)


@conversion(
    ZCDP,
    GDP,
    Grade.SHARP,
    "tightrope",
    "zCDP with an offset",
    "mu = sup of Phi^-1(q) - Phi^-1(p) over Bernoulli pairs with D(order) <= xi + rho order",
)
def offset_zcdp_to_gdp(rho: Any, xi: Any) -> Any:
    """(xi, rho)-zCDP implies GDP with the supremum over two-valued tests, computed."""
    rho, xi = np.broadcast_arrays(np.asarray(rho, dtype=float), np.asarray(xi, dtype=float))
    offset = (xi > 0) & np.isfinite(xi) & np.isfinite(rho)
    mu = np.full(rho.shape, np.inf)
    mu[offset] = [
        mu_of_xi_rho(float(x), float(r)) for x, r in zip(xi[offset], rho[offset], strict=True)
    ]
    return mu


@conversion(
    BoundedRange,
    GDP,
    Grade.SHARP,
    "chen2026",
    "Theorem 13",
    "mu = 2 Phi^-1(s(epsilon/2))",
    witness=lambda epsilon: randomized_response(epsilon / 2),
)
@conversion(
    LogisticDP,
    GDP,
    Grade.SHARP,
    "chen2026",
    "Theorem 13",
    "mu = 2 Phi^-1(s(epsilon/2))",
    witness=lambda epsilon: randomized_response(epsilon / 2),
)
def range_to_gdp(epsilon: Any) -> Any:
    """epsilon-BR and epsilon-logistic DP imply mu_BR(epsilon)-GDP."""
    return above(mu_br(epsilon), _ULPS, epsilon)


@conversion(
    PureDP,
    GDP,
    Grade.SHARP,
    "chen2026",
    "Remark 14",
    "mu = 2 Phi^-1(s(epsilon))",
    witness=randomized_response,
)
def pure_to_gdp(epsilon: Any) -> Any:
    """epsilon-DP implies 2 Phi^-1(s(epsilon))-GDP."""
    return above(mu_pure(epsilon), _ULPS, epsilon)


@conversion(
    TradeOff,
    GDP,
    Grade.SHARP,
    "dong2022",
    "Definition 2.6",
    "mu = max over vertices of Phi^-1(1 - beta) - Phi^-1(alpha)",
)
def vertices_to_gdp(curve: Any) -> Any:
    """A piecewise-linear trade-off curve lies above a Gaussian one if its vertices do."""
    return curve.mu()


impossible(
    ApproxDP,
    GDP,
    "(epsilon, delta) with delta > 0 allows a test with no false positives and some true ones, "
    "which no Gaussian trade-off curve allows",
)
impossible(
    RDP,
    GDP,
    "finitely many Renyi orders leave the far tail free: at small p, q = p^((order-1)/order) keeps "
    "them finite while Phi^-1(q) - Phi^-1(p) grows without bound",
)
impossible(
    TCDP,
    GDP,
    "truncated CDP bounds only orders below omega, and finitely many Renyi orders leave the far "
    "tail free",
)
