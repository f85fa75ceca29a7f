"""Group privacy: what a guarantee for one unit says about k units that change at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tightrope.notions.approx import ApproxDP
from tightrope.notions.bounded_range import BoundedRange
from tightrope.notions.gdp import GDP
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.renyi_curve import OfGroup, RenyiCurve
from tightrope.notions.tcdp import TCDP
from tightrope.notions.tradeoff import TradeOff
from tightrope.notions.zcdp import ZCDP
from tightrope.num.logspace import log_expm1
from tightrope.num.rounding import EPS, down, up
from tightrope.theorems.outward import above, product_up
from tightrope.theorems.registry import F, Grade, theorem

EXACT_HARMONIC = 10_000
"""Largest group whose harmonic number is summed rather than bounded."""


def _group(notion: type, grade: Grade, cite: str, item: str, statement: str) -> Callable[[F], F]:
    return theorem("group", notion, notion, grade, cite, item, statement)


def harmonic_up(k: int) -> float:
    """An upper bound on 1 + 1/2 + ... + 1/k; beyond the exact sums, 1 + log k."""
    if k > EXACT_HARMONIC:
        return up(1 + math.log(k), 4)
    return up(float(np.sum(1.0 / np.arange(1, k + 1))), 32)


@_group(PureDP, Grade.SHARP, "dwork2014", "Theorem 2.2", "epsilon = k epsilon")
def group_pure(epsilon: Any, k: int) -> Any:
    """Log-ratios add along a chain of k neighbours."""
    return product_up(float(k), epsilon)


@_group(BoundedRange, Grade.SHARP, "chen2026", "Corollary 16", "epsilon = k epsilon: ranges add")
def group_bounded_range(epsilon: Any, k: int) -> Any:
    """The ranges of the log-ratios of k steps add."""
    return product_up(float(k), epsilon)


@_group(LogisticDP, Grade.SHARP, "chen2026", "Appendix F", "epsilon = k epsilon: L applied k times")
def group_logistic(epsilon: Any, k: int) -> Any:
    """Each step shifts the log-odds by epsilon."""
    return product_up(float(k), epsilon)


@_group(GDP, Grade.SHARP, "dong2022", "Theorem 2.14", "mu = k mu")
def group_gdp(mu: Any, k: int) -> Any:
    """Gaussian shifts add."""
    return product_up(float(k), mu)


@_group(
    ZCDP,
    Grade.LOOSE,
    "bun2016",
    "Proposition 8.4",
    "rho = k^2 rho, xi = xi k (1 + 1/2 + ... + 1/k); sharp for xi = 0",
)
def group_zcdp(rho: Any, xi: Any, k: int) -> tuple[Any, Any]:
    """From the chained triangle inequality: sum over m < k of k a/(k a - m) D(k a - m)."""
    slope = product_up(float(k) * k, rho)
    return slope, above(np.asarray(xi, dtype=float) * k * harmonic_up(k), 3, xi)


@_group(TCDP, Grade.LOOSE, "bun2018", "Proposition 5", "rho = k^2 rho, omega = omega/k")
def group_tcdp(rho: Any, omega: Any, k: int) -> tuple[Any, Any]:
    """As for zCDP, needing the orders k a - m < omega only."""
    return product_up(float(k) * k, rho), down(np.asarray(omega, dtype=float) / k)


@_group(
    RDP,
    Grade.LOOSE,
    "bun2016",
    "Lemma 5.2, unrolled",
    "D(a) = sum over m < k of k a/(k a - m) D(k a - m)",
)
def group_rdp(curve: RenyiCurve, k: int) -> RenyiCurve:
    """The chained triangle inequality for Renyi divergences; finite orders shrink by k."""
    return OfGroup(curve, k)


@_group(
    ApproxDP,
    Grade.SHARP,
    "vadhan2017",
    "Lemma 2.2",
    "epsilon = k epsilon, delta = delta (e^(k epsilon) - 1)/(e^epsilon - 1)",
)
def group_approx(epsilon: Any, delta: Any, k: int) -> tuple[Any, Any]:
    """Each further step multiplies what has leaked by e^epsilon and adds delta."""
    epsilon = np.asarray(epsilon, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = (
            np.log(np.asarray(delta, dtype=float)),
            np.where(epsilon == 0, np.log(k), np.asarray(log_expm1(k * epsilon))),
            np.where(epsilon == 0, 0.0, -np.asarray(log_expm1(epsilon))),
        )
        size = sum(np.abs(term) for term in terms) + k * epsilon  # they may cancel
        log_delta = np.minimum(sum(terms) + 16 * EPS * (1 + size), 0.0)
        log_delta = np.where(np.asarray(delta) == 0, -np.inf, log_delta)
    return product_up(float(k), epsilon), np.minimum(above(np.exp(log_delta), 4, delta), 1.0)


@_group(TradeOff, Grade.SHARP, "dong2022", "Theorem 2.14", "f_k = 1 - (1 - f) applied k times")
def group_tradeoff(curve: Any, k: int) -> Any:
    """The power of a test grows by 1 - f at each step of the chain."""
    return curve.compose_group(k)
