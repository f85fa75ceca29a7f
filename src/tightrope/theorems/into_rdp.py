"""Conversions into Renyi DP: functions of the order and of the source's parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.notions.approx import ApproxDP
from tightrope.notions.gdp import GDP
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.tcdp import TCDP
from tightrope.notions.zcdp import ZCDP
from tightrope.num.rounding import up
from tightrope.theorems.constants import rho_pure
from tightrope.theorems.outward import above
from tightrope.theorems.registry import Grade, conversion, impossible
from tightrope.theorems.witness import GaussianPair, randomized_response

_ULPS = 8


def renyi_rr(t: Any, orders: Any) -> Any:
    """Renyi divergence of randomised response with log-odds t; relative error below 1e-15.

    [log cosh((2a - 1) t/2) - log cosh(t/2)]/(a - 1), evaluated as the logarithm of
    cosh b + tanh(t/2) sinh b with b = (a - 1) t, where nothing cancels.
    """
    t, orders = np.broadcast_arrays(np.asarray(t, dtype=float), np.asarray(orders, dtype=float))
    with np.errstate(all="ignore"):
        b = (orders - 1) * t
        lean = np.tanh(t / 2)
        near = np.log1p(2 * np.sinh(b / 2) ** 2 + lean * np.sinh(b))
        far = b + np.log((1 + lean) / 2 + np.exp(-2 * b) / (1 + np.exp(t)))
        value = np.where(b < 1, near, far) / (orders - 1)
    value = np.where(orders == 1, rho_pure(t), value)
    return np.where(np.isinf(orders) | np.isinf(t), t, value)


@conversion(
    PureDP,
    RDP,
    Grade.SHARP,
    "steinke2024",
    "Theorem 1",
    "D(a) = [log cosh((2a - 1) epsilon/2) - log cosh(epsilon/2)]/(a - 1)",
    witness=lambda order, epsilon: randomized_response(epsilon),
)
def pure_to_rdp(orders: Any, epsilon: Any) -> Any:
    """epsilon-DP implies the Renyi curve of randomised response."""
    return np.minimum(above(renyi_rr(epsilon, orders), _ULPS, epsilon), epsilon)


@conversion(
    ZCDP,
    RDP,
    Grade.LOSSLESS,
    "bun2016",
    "Definition 8.1",
    "D(a) = xi + rho a",
    witness=lambda order, rho, xi: GaussianPair(float(np.sqrt(2 * rho))) if xi == 0 else None,
)
def zcdp_to_rdp(orders: Any, rho: Any, xi: Any) -> Any:
    """zCDP is a straight Renyi curve."""
    with np.errstate(invalid="ignore", over="ignore"):
        line = np.asarray(xi + rho * orders, dtype=float)
    return above(np.where((np.asarray(rho) == 0) & np.isinf(orders), xi, line), 2, rho, xi)


@conversion(
    GDP,
    RDP,
    Grade.SHARP,
    "dong2022",
    "Corollary B.6",
    "D(a) = a mu^2/2",
    witness=lambda order, mu: GaussianPair(mu),
)
def gdp_to_rdp(orders: Any, mu: Any) -> Any:
    """mu-GDP implies the Renyi curve of two Gaussians."""
    return above(np.asarray(mu, dtype=float) ** 2 * orders / 2, 2, mu)


@conversion(TCDP, RDP, Grade.LOSSLESS, "bun2018", "Definition 1", "D(a) = rho a for a up to omega")
def tcdp_to_rdp(orders: Any, rho: Any, omega: Any) -> Any:
    """Truncated CDP is a straight Renyi curve up to omega."""
    return np.where(np.asarray(orders) <= omega, above(rho * np.asarray(orders), 1, rho), np.inf)


@conversion(ZCDP, TCDP, Grade.SHARP, "bun2018", "Definition 1", "rho + xi, any omega")
def zcdp_to_tcdp(rho: Any, xi: Any) -> Any:
    """zCDP implies truncated CDP of every omega."""
    slope = np.where(np.asarray(xi) == 0, rho, up(np.asarray(rho + xi, dtype=float)))
    return slope, np.full_like(np.asarray(slope, dtype=float), np.inf)


for _target in (ZCDP, TCDP, RDP):
    impossible(
        ApproxDP,
        _target,
        "with delta > 0 the Renyi divergence of every order above 1 may be infinite",
    )
impossible(TCDP, ZCDP, "truncated CDP bounds only orders below omega, zCDP all of them")
impossible(
    RDP,
    ZCDP,
    "zCDP needs a bound on D(order)/order at every order; the curve is unknown beyond its last "
    "order, or has no finite value at infinity by which the supremum could be proved",
)
impossible(RDP, TCDP, "state it as TCDP(rho, omega) if D(order) <= rho order up to omega")
