"""The discrete Laplace (geometric) mechanism: two-sided geometric noise on the integers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from tightrope._check import Real, declared
from tightrope.events import Event
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.mechanisms.additive import WHOLE, ScaledNoise
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import LaplaceLaw, NoiseLaw
from tightrope.mechanisms.rows import rows
from tightrope.notions import GDP, RDP, ZCDP, Profile, PureDP, TradeOff
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS, up
from tightrope.theorems import discrete_laplace
from tightrope.theorems.into_gdp import pure_to_gdp
from tightrope.theorems.into_profile import pure_profile
from tightrope.theorems.into_rdp import pure_to_rdp
from tightrope.theorems.into_tradeoff import pure_tradeoff
from tightrope.theorems.into_zcdp import pure_to_zcdp
from tightrope.theorems.outward import log_above
from tightrope.theorems.registry import Grade
from tightrope.theorems.supporting_lines import tradeoff_of_lines

MOST_VERTICES = 1000
"""Largest sensitivity whose trade-off curve is walked vertex by vertex."""


@dataclass(frozen=True, repr=False)
class DiscreteLaplace(ScaledNoise):
    """Noise with probabilities in proportion to exp(-|z|/noise_scale), z an integer.

    Args:
        noise_scale: the scale, above 0.
        sensitivity: largest L1 change of the query between neighbours, a whole number.
        neighbors: the relation that the sensitivity refers to.

    Source: Ghosh, Roughgarden and Sundararajan (2012), Theorem 2.1.

    Examples:
        >>> import tightrope as tr
        >>> tr.DiscreteLaplace(noise_scale=2.0).to(tr.ZCDP)
        ZCDP(rho=0.1225)
    """

    title: ClassVar[str] = "discrete Laplace mechanism"
    whole: ClassVar[bool] = True

    sensitivity: Real = declared(
        "Δ", r"\Delta", WHOLE, (1, 10), "largest change of the query's value", default=1
    )

    @property
    def has_exact_profile(self) -> bool:
        """Where the vertices of the trade-off curve are few enough to walk."""
        return self.sensitivity <= MOST_VERTICES

    def strength(self) -> tuple[float, ...]:
        """(epsilon, sensitivity)."""
        return (*super().strength(), float(self.sensitivity))

    def dominating(self) -> Dominating | None:
        """The law against itself, shifted by the sensitivity, where its values can be listed."""
        if not self.has_exact_profile:
            return None
        epsilon, shift = self.strength()
        unit = up(epsilon / max(shift, 1.0))
        return Dominating.symmetric(FiniteLoss.discrete_laplace(unit, int(shift)))

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Itself: of all changes of one L1 norm, that of a single entry leaks most."""
        return self, LaplaceLaw(Fraction(self.noise_scale)), 0

    @fact(PureDP, Grade.SHARP, "ghosh2012", "Theorem 2.1", "epsilon = sensitivity/noise_scale")
    @staticmethod
    def pure(epsilon: Any, shift: Any) -> Any:
        """Pure DP, attained in both tails."""
        return epsilon

    @fact(
        ZCDP,
        Grade.SHARP,
        "harrison2025",
        "discrete Laplace",
        "rho = sup over orders of D(order)/order, the Kullback-Leibler divergence",
    )
    @staticmethod
    def zcdp(epsilon: Any, shift: Any) -> Any:
        """For sensitivity 1 it is randomised response."""
        if np.all(shift == 1):
            return pure_to_zcdp(epsilon)
        rho = rows(discrete_laplace.rho_discrete_laplace, epsilon, np.maximum(shift, 1))
        return rho, np.zeros_like(rho)

    @fact(
        GDP,
        Grade.SHARP,
        "tightrope",
        "vertices of discrete noise",
        "mu = max over vertices of Phi^-1(1 - beta) - Phi^-1(alpha)",
    )
    @staticmethod
    def gdp(epsilon: Any, shift: Any) -> Any:
        """Its trade-off curve is piecewise linear, so its vertices decide."""
        if np.all(shift == 1):
            return pure_to_gdp(epsilon)
        return rows(discrete_laplace.mu_discrete_laplace, epsilon, np.maximum(shift, 1))

    @fact(RDP, Grade.LOSSLESS, "mironov2017", "Definition 4", "the exact Renyi curve")
    @staticmethod
    def rdp(orders: Any, epsilon: Any, shift: Any) -> Any:
        """Exact at every order."""
        whole = np.maximum(shift, 1)
        if np.all(shift == 1):
            return pure_to_rdp(orders, epsilon)
        return rows(discrete_laplace.renyi_discrete_laplace, epsilon, whole, np.ravel(orders))

    @fact(
        TradeOff,
        Grade.LOSSLESS,
        "tightrope",
        "vertices of discrete noise",
        "piecewise linear through its vertices, one for each unit of sensitivity",
    )
    @staticmethod
    def tradeoff_curve(alpha: Any, epsilon: Any, shift: Any) -> Any:
        """The exact trade-off curve; beyond a sensitivity of 1,000 that of pure DP."""
        if shift > MOST_VERTICES:
            return pure_tradeoff(alpha, epsilon)
        losses = _losses(epsilon, int(shift))[0]
        losses = losses[losses >= 0]
        return tradeoff_of_lines(alpha, losses, _log_delta(losses, epsilon, int(shift)))

    @fact(
        Profile,
        Grade.LOSSLESS,
        "dong2022",
        "Proposition 2.13",
        "delta(e) = sum over log-ratios l > e of P(l) (1 - exp(e - l))",
    )
    @staticmethod
    def profile(e: Any, epsilon: Any, shift: Any) -> Any:
        """The exact profile; beyond a sensitivity of 1,000 that of pure DP."""
        if shift > MOST_VERTICES:
            return pure_profile(e, epsilon)
        return _log_delta(e, epsilon, int(shift))


@lru_cache(maxsize=256)
def _losses(epsilon: float, shift: int) -> tuple[Any, Any]:
    """The log-ratios, from epsilon down, and the logarithms of their masses."""
    shift = max(shift, 1)
    rate = epsilon / shift
    ends = -math.log1p(math.exp(-rate))  # P(Z <= 0) = 1/(1 + r)
    inner = np.log(-np.expm1(-rate)) + ends - rate * np.arange(1.0, shift) if rate else []
    masses = np.concatenate([[ends], inner, [ends - epsilon]])
    return epsilon - 2 * rate * np.arange(len(masses)), masses


def _log_delta(e: Any, epsilon: float, shift: int) -> Any:
    losses, masses = _losses(epsilon, shift)
    gaps = losses - np.asarray(e, dtype=float)[..., np.newaxis] + 8 * EPS * epsilon
    with np.errstate(divide="ignore"):
        terms = masses + np.asarray(log1mexp(np.maximum(gaps, 0.0)))
        total = np.logaddexp.reduce(terms, axis=-1)
    at_end = np.asarray(e) >= epsilon
    return np.where(at_end, -np.inf, log_above(total, 16 + len(masses) + 2 * epsilon))
