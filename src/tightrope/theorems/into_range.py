"""Conversions into pure DP, bounded range and logistic DP: the notions of log-ratios."""

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
from tightrope.theorems.registry import Grade, conversion, impossible
from tightrope.theorems.witness import Coins, LogisticPair, randomized_response

_FAR = -35.0
"""Log-odds so small that a pair there attains limits at zero to all digits."""


def _lopsided(epsilon: float) -> Coins:
    return Coins(_FAR, _FAR - epsilon)


@conversion(
    BoundedRange,
    PureDP,
    Grade.SHARP,
    "durfee2019",
    "Definition 3.1",
    "epsilon = epsilon, as 0 lies in every interval of log-ratios",
    witness=_lopsided,
)
def bounded_range_to_pure(epsilon: Any) -> Any:
    """epsilon-BR implies epsilon-DP."""
    return np.asarray(epsilon, dtype=float)


@conversion(
    LogisticDP,
    PureDP,
    Grade.SHARP,
    "chen2026",
    "Definition 12",
    "epsilon = epsilon, the slope of the logistic curve at its ends",
    witness=LogisticPair,
)
def logistic_to_pure(epsilon: Any) -> Any:
    """epsilon-logistic DP implies epsilon-DP."""
    return np.asarray(epsilon, dtype=float)


@conversion(
    PureDP,
    BoundedRange,
    Grade.SHARP,
    "chen2026",
    "Example 11",
    "2 epsilon",
    witness=randomized_response,
)
def pure_to_bounded_range(epsilon: Any) -> Any:
    """epsilon-DP implies 2 epsilon-BR: the log-ratio lies in [-epsilon, epsilon]."""
    return 2.0 * np.asarray(epsilon, dtype=float)


@conversion(
    PureDP,
    LogisticDP,
    Grade.SHARP,
    "chen2026",
    "Example 11 and Definition 12",
    "2 epsilon",
    witness=randomized_response,
)
def pure_to_logistic(epsilon: Any) -> Any:
    """epsilon-DP implies 2 epsilon-logistic DP, through bounded range."""
    return 2.0 * np.asarray(epsilon, dtype=float)


@conversion(
    BoundedRange,
    LogisticDP,
    Grade.SHARP,
    "chen2026",
    "Definition 12",
    "epsilon: the log-odds of q exceed those of p by at most epsilon",
    witness=lambda epsilon: randomized_response(epsilon / 2),
)
def bounded_range_to_logistic(epsilon: Any) -> Any:
    """epsilon-BR implies epsilon-logistic DP, the lower envelope of its two-point curves."""
    return np.asarray(epsilon, dtype=float)


@conversion(
    LogisticDP,
    BoundedRange,
    Grade.SHARP,
    "chen2026",
    "Definition 12",
    "2 epsilon, through pure DP",
    witness=LogisticPair,
)
def logistic_to_bounded_range(epsilon: Any) -> Any:
    """epsilon-logistic DP implies 2 epsilon-BR, and the logistic pair needs all of it."""
    return 2.0 * np.asarray(epsilon, dtype=float)


@conversion(
    ZCDP,
    PureDP,
    Grade.LOSSLESS,
    "bun2016",
    "Lemma 8.3",
    "epsilon = xi, if rho = 0",
    witness=lambda rho, xi: randomized_response(xi),
    condition="only if rho = 0",
)
def offset_zcdp_to_pure(rho: Any, xi: Any) -> Any:
    """(xi, 0)-zCDP is xi-DP: let the order go to infinity."""
    return np.where(np.asarray(rho) == 0, xi, np.inf)


@conversion(
    RDP,
    PureDP,
    Grade.SHARP,
    "mironov2017",
    "Section II",
    "epsilon = D(infinity), if finite",
    condition="from the order infinity alone",
)
def rdp_to_pure(curve: Any) -> Any:
    """The Renyi divergence of infinite order is the largest log-ratio."""
    return curve(np.inf)


@conversion(
    TradeOff,
    PureDP,
    Grade.SHARP,
    "dong2022",
    "Proposition 2.12",
    "epsilon = log of the steepest slope, if beta(0) = 1",
    condition="only if beta(0) = 1 and all slopes are finite",
)
def slope_to_pure(curve: Any) -> Any:
    """A trade-off curve that starts at 1 with a finite slope implies pure DP."""
    return curve.epsilon_max if curve.failure == 0 else np.inf


impossible(GDP, PureDP, "the log-ratio of Gaussian noise is unbounded")
impossible(ZCDP, PureDP, "zCDP allows unbounded log-ratios, as the Gaussian's, unless rho is 0")
impossible(TCDP, PureDP, "truncated CDP bounds only orders below omega")
impossible(RDP, PureDP, "only a bound at infinite order limits the log-ratio")
impossible(ApproxDP, PureDP, "with probability delta > 0 the log-ratio is not bounded at all")
for _target in (BoundedRange, LogisticDP):
    impossible(GDP, _target, "the log-ratio of Gaussian noise is unbounded")
    impossible(ZCDP, _target, "zCDP allows unbounded log-ratios, as the Gaussian's")
    impossible(TCDP, _target, "truncated CDP bounds only orders below omega")
    impossible(RDP, _target, "only a bound at infinite order limits the log-ratio")
    impossible(ApproxDP, _target, "with probability delta > 0 the log-ratio is not bounded at all")
