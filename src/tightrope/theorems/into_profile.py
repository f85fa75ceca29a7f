"""Conversions into privacy profiles: log of the least delta at every epsilon >= 0.

Every function takes epsilon first and rounds log delta up. A single (epsilon, delta) statement
is one point of the profile. (At negative epsilon a symmetric profile follows from the positive
side; the planner does that for all of them.)
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
from tightrope.notions.tradeoff import TradeOff
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.logspace import log1mexp, log_expm1, softplus
from tightrope.theorems.outward import log_above
from tightrope.theorems.registry import Grade, conversion
from tightrope.theorems.witness import GaussianPair, LeakyCoins, LogisticPair, randomized_response

_ULPS = 8


@conversion(
    GDP,
    Profile,
    Grade.LOSSLESS,
    "balle2018",
    "Theorem 8",
    "delta(e) = Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu)",
    witness=lambda epsilon, mu: GaussianPair(mu),
)
def gaussian_profile(epsilon: Any, mu: Any) -> Any:
    """The privacy profile of the Gaussian mechanism."""
    log_delta = np.asarray(gaussian_log_delta(mu, epsilon))
    with np.errstate(invalid="ignore"):
        raised = np.minimum(log_delta + np.asarray(gaussian_log_delta_error(log_delta)), 0.0)
    return np.where(np.isneginf(log_delta), log_delta, raised)


@conversion(
    PureDP,
    Profile,
    Grade.SHARP,
    "kairouz2015",
    "Theorem 3.1",
    "delta(e) = (exp(epsilon) - exp(e))+ / (exp(epsilon) + 1)",
    witness=lambda e, epsilon: randomized_response(epsilon),
)
def pure_profile(epsilon: Any, parameter: Any) -> Any:
    """The profile of randomised response."""
    gap = np.maximum(np.asarray(parameter - epsilon, dtype=float), 0.0)
    odds = np.asarray(softplus(-np.asarray(parameter, dtype=float)))
    return log_above(np.asarray(log1mexp(gap)) - odds, _ULPS)


@conversion(
    LogisticDP,
    Profile,
    Grade.LOSSLESS,
    "chen2026",
    "Definition 12, conjugated",
    "delta(e) = (exp(epsilon/2) - exp(e/2))^2 / (exp(epsilon) - 1), e <= epsilon",
    witness=lambda e, epsilon: LogisticPair(epsilon),
)
@conversion(
    BoundedRange,
    Profile,
    Grade.SHARP,
    "chen2026",
    "Definition 12, conjugated",
    "delta(e) = (exp(epsilon/2) - exp(e/2))^2 / (exp(epsilon) - 1), e <= epsilon",
)
def logistic_profile(epsilon: Any, parameter: Any) -> Any:
    """The profile of two logistic laws, which is also that of the bounded-range class."""
    gap = np.asarray(parameter - epsilon, dtype=float)
    with np.errstate(invalid="ignore"):
        numerator = epsilon + 2 * np.asarray(log_expm1(np.maximum(gap, 0) / 2))
        value = numerator - np.asarray(log_expm1(parameter))
        scale = 1 + np.abs(epsilon) / (1 + np.abs(value))  # the terms may exceed their sum
    return np.where(gap > 0, log_above(value, _ULPS * np.where(gap > 0, scale, 1)), -np.inf)


@conversion(
    ApproxDP,
    Profile,
    Grade.LOSSLESS,
    "kairouz2015",
    "Theorem 3.1",
    "delta(e) = delta + (1 - delta) (exp(epsilon) - exp(e))+ / (exp(epsilon) + 1)",
    witness=lambda e, epsilon, delta: LeakyCoins(delta, epsilon),
)
def approx_profile(epsilon: Any, parameter: Any, delta: Any) -> Any:
    """The profile that one (epsilon, delta) statement amounts to."""
    with np.errstate(divide="ignore"):
        rest = np.log1p(-np.asarray(delta, dtype=float)) + pure_profile(epsilon, parameter)
        return log_above(np.logaddexp(np.log(delta), rest), _ULPS)


@conversion(
    TradeOff,
    Profile,
    Grade.LOSSLESS,
    "dong2022",
    "Proposition 2.13",
    "delta(e) = sup over a of 1 - f(a) - exp(e) a",
)
def tradeoff_to_profile(epsilon: Any, curve: Any) -> Any:
    """The conjugate of the trade-off curve."""
    return curve.log_delta(epsilon)
