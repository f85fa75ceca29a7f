"""Poisson sampling: every unit enters the sample independently with a given rate.

Three facts decide what sampling gives (add-or-remove neighbours):

* Notions that are trade-off or divergence bounds never get worse, by joint (quasi-)convexity.
* Pure DP and privacy profiles improve.
* zCDP and GDP do *not* improve at any rate: far out in the tail the sampled mechanism looks like
  the whole one. The claim that rho shrinks to rate^2 rho is false.
* Bounded range is lost: mixing over samples mixes intervals.

Under replace-one only the first holds from a guarantee alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tightrope.notions.gdp import GDP
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.profile import Profile
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.notions.tcdp import TCDP
from tightrope.notions.tradeoff import TradeOff
from tightrope.notions.zcdp import ZCDP
from tightrope.num.logspace import log_expm1, softplus
from tightrope.num.rounding import EPS
from tightrope.num.solve import solve_down
from tightrope.theorems.outward import above, beta_below, log_above
from tightrope.theorems.registry import F, Grade, theorem


def _sampling(notion: type, grade: Grade, cite: str, item: str, statement: str) -> Callable[[F], F]:
    return theorem("sampling", notion, notion, grade, cite, item, statement)


@_sampling(
    PureDP,
    Grade.SHARP,
    "balle2018b",
    "Theorem 8",
    "epsilon = log(1 + rate (e^epsilon - 1)), add-or-remove",
)
def sample_pure(epsilon: Any, rate: Any) -> Any:
    """Pure DP is amplified; to first order by the rate itself."""
    epsilon = np.asarray(epsilon, dtype=float)
    amplified, error = _amplified(epsilon, rate)
    raised = above(amplified * (1 + error), 2, epsilon)
    return np.where(np.asarray(rate) == 0, 0.0, np.minimum(raised, epsilon))


def _amplified(epsilon: Any, rate: Any) -> tuple[Any, Any]:
    """log(1 + rate (e^epsilon - 1)) and its relative error.

    Evaluated as log(1 + e^L), L = log rate + log(e^epsilon - 1); an error of L is one of e^L, and
    relative to the result it is the smaller the larger that is.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.asarray(log_expm1(epsilon)), np.log(np.asarray(rate, dtype=float))
        value = np.asarray(softplus(np.maximum(logs[0] + logs[1], -1e308)))
        size = np.where(np.isfinite(logs[0]), np.abs(logs[0]), 0.0) + np.where(
            np.isfinite(logs[1]), np.abs(logs[1]), 0.0
        )
    return np.where(np.asarray(epsilon) == 0, 0.0, value), EPS * (16 + 4 * size)


@_sampling(
    Profile,
    Grade.SHARP,
    "balle2018b",
    "Theorem 8",
    "delta'(log(1 + rate (e^e - 1))) = rate delta(e), add-or-remove",
)
def sample_profile(epsilon: Any, rate: float, log_delta: Any) -> Any:
    """The profile of the sampled event at epsilon >= 0, from that of the whole one."""
    log_expm1_of, log_rate = np.asarray(log_expm1(epsilon)), np.log(rate)
    with np.errstate(invalid="ignore"):
        inner = np.asarray(softplus(np.maximum(log_expm1_of - log_rate, -1e308)))
        size = np.where(np.isfinite(log_expm1_of), np.abs(log_expm1_of), 0.0) - log_rate
    lowered = np.where(np.asarray(epsilon) == 0, 0.0, inner * (1 - EPS * (16 + 4 * size)))
    return log_above(log_rate + log_delta(np.maximum(lowered, 0.0)), 4)


@_sampling(
    TradeOff,
    Grade.SHARP,
    "dong2022",
    "Section 4.1",
    "f'(a) = rate f(a) + (1 - rate)(1 - a) or the inverse of that, if it is less; add-or-remove",
)
def sample_tradeoff(alpha: Any, rate: float, curve: Callable[[Any], Any]) -> Any:
    """The trade-off curve of the sampled event, both orders of the neighbours considered."""
    alpha = np.asarray(alpha, dtype=float)

    def mixed(a: Any) -> Any:
        value = rate * np.asarray(curve(a)) + (1 - rate) * (1 - a)
        return np.where(a == 0, value, beta_below(value, 4))

    ends = np.zeros_like(alpha), np.ones_like(alpha)
    inverse = solve_down(lambda a: mixed(a) - alpha, *ends, increasing=False)
    return np.where(alpha == 1, 0.0, np.minimum(mixed(alpha), inverse))


_UNCHANGED = "unchanged: joint convexity over the samples, and sharp for every rate above 0"


@_sampling(
    GDP, Grade.SHARP, "dong2022", "Proposition 4.1, and tail of the sampled curve", _UNCHANGED
)
def sample_gdp(mu: Any, rate: Any) -> Any:
    """mu-GDP stays mu-GDP; no smaller mu holds, whatever the rate."""
    return np.where(np.asarray(rate) == 0, 0.0, mu)


@_sampling(ZCDP, Grade.SHARP, "bun2016", "Lemma 2.2 (quasi-convexity)", _UNCHANGED)
def sample_zcdp(rho: Any, xi: Any, rate: Any) -> tuple[Any, Any]:
    """rho-zCDP stays rho-zCDP; rate^2 rho is false."""
    nothing = np.asarray(rate) == 0
    return np.where(nothing, 0.0, rho), np.where(nothing, 0.0, xi)


@_sampling(LogisticDP, Grade.LOOSE, "dong2022", "Proposition 4.1", "unchanged: joint convexity")
def sample_logistic(epsilon: Any, rate: Any) -> Any:
    """Logistic DP is a trade-off bound, so mixing does not hurt it."""
    return np.where(np.asarray(rate) == 0, 0.0, epsilon)


@_sampling(RDP, Grade.LOOSE, "mironov2017", "quasi-convexity of Renyi divergence", "unchanged")
def sample_rdp(curve: RenyiCurve, rate: Any) -> RenyiCurve:
    """The Renyi curve of the whole event bounds that of the sampled one."""
    return curve


@_sampling(TCDP, Grade.LOOSE, "bun2016", "Lemma 2.2 (quasi-convexity)", "unchanged")
def sample_tcdp(rho: Any, omega: Any, rate: Any) -> tuple[Any, Any]:
    """Truncated CDP of the whole event bounds that of the sampled one."""
    return np.where(np.asarray(rate) == 0, 0.0, rho), omega
