"""Conversions into zCDP. Parameters of the target are (rho, xi)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tightrope.notions.bounded_range import BoundedRange
from tightrope.notions.gdp import GDP
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.zcdp import ZCDP
from tightrope.theorems.constants import rho_br, rho_logistic, rho_pure
from tightrope.theorems.outward import SAFE, above, product_up
from tightrope.theorems.registry import Grade, conversion
from tightrope.theorems.renyi_supremum import sup_ratio
from tightrope.theorems.witness import (
    Coins,
    GaussianPair,
    LogisticPair,
    randomized_response,
)

_ULPS = 4


def _widest_coins(epsilon: float) -> Coins:
    """The epsilon-BR coins of largest divergence: p = 1/epsilon - 1/(e^epsilon - 1).

    That is 1/2 - (epsilon coth(epsilon/2) - 2)/(2 epsilon), whose log-odds lose no digits.
    """
    log_odds = -2 * math.atanh(float(rho_logistic(epsilon)) / epsilon)
    return Coins(log_odds, log_odds + epsilon)


@conversion(
    PureDP,
    ZCDP,
    Grade.SHARP,
    "steinke2024",
    "Theorem 1",
    "rho = epsilon tanh(epsilon/2)",
    witness=randomized_response,
)
def pure_to_zcdp(epsilon: Any) -> Any:
    """epsilon-DP implies epsilon tanh(epsilon/2)-zCDP; at most epsilon^2/2."""
    return above(rho_pure(epsilon), _ULPS, epsilon), np.zeros_like(epsilon)


@conversion(
    PureDP,
    ZCDP,
    Grade.LOSSLESS,
    "bun2016",
    "Lemma 8.3",
    "xi = epsilon, rho = 0",
    witness=randomized_response,
    condition="as an offset, with rho = 0",
)
def pure_to_offset_zcdp(epsilon: Any) -> Any:
    """epsilon-DP is (epsilon, 0)-zCDP: the divergence of infinite order is the largest."""
    return np.zeros_like(epsilon), np.asarray(epsilon, dtype=float)


@conversion(
    BoundedRange,
    ZCDP,
    Grade.SHARP,
    "harrison2025",
    "Theorem 23",
    "rho = epsilon/(e^epsilon - 1) + log((e^epsilon - 1)/epsilon) - 1",
    witness=_widest_coins,
)
def bounded_range_to_zcdp(epsilon: Any) -> Any:
    """epsilon-BR implies rho_BR(epsilon)-zCDP; at most epsilon^2/8."""
    return above(rho_br(epsilon), _ULPS, epsilon), np.zeros_like(epsilon)


@conversion(
    LogisticDP,
    ZCDP,
    Grade.SHARP,
    "tightrope",
    "logistic DP",
    "rho = epsilon coth(epsilon/2) - 2",
    witness=LogisticPair,
)
def logistic_to_zcdp(epsilon: Any) -> Any:
    """epsilon-logistic DP implies (epsilon coth(epsilon/2) - 2)-zCDP; at most epsilon^2/6."""
    return above(rho_logistic(epsilon), _ULPS, epsilon), np.zeros_like(epsilon)


@conversion(
    GDP, ZCDP, Grade.SHARP, "chen2026", "Proposition 4", "rho = mu^2/2", witness=GaussianPair
)
def gdp_to_zcdp(mu: Any) -> Any:
    """mu-GDP implies (mu^2/2)-zCDP."""
    square = product_up(mu, mu)
    return np.maximum(square / 2, np.minimum(square, SAFE)), np.zeros_like(square)


@conversion(
    RDP,
    ZCDP,
    Grade.SHARP,
    "bun2016",
    "Definition 1.1",
    "rho = sup over orders of D(order)/order",
    condition="only if D(infinity) is finite",
)
def rdp_to_zcdp(curve: Any) -> Any:
    """A Renyi curve implies zCDP with the supremum of its slopes, if the curve is bounded."""
    largest = curve(np.inf)
    return (sup_ratio(curve, largest) if np.isfinite(largest) else np.inf), 0.0
