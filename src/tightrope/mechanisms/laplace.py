"""The Laplace mechanism: two-sided exponential noise on real values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tightrope.events import Event
from tightrope.loss.dominating import Dominating
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.mechanisms.additive import ScaledNoise
from tightrope.mechanisms.discrete_laplace import DiscreteLaplace
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_grid import NoiseGrid
from tightrope.mechanisms.noise_law import LaplaceLaw, NoiseLaw
from tightrope.notions import GDP, RDP, ZCDP, Profile, PureDP, TradeOff
from tightrope.theorems import laplace
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False)
class Laplace(ScaledNoise):
    """Noise of density exp(-|x|/noise_scale) on a query of L1 sensitivity ``sensitivity``.

    Args:
        noise_scale: the scale b, above 0; the standard deviation is sqrt(2) b.
        sensitivity: largest L1 change of the query between neighbours, at least 0.
        neighbors: the relation that the sensitivity refers to.

    Source: Dwork, McSherry, Nissim and Smith (2006), Proposition 1. The vector case is
    dominated by the scalar one at the L1 norm.

    Examples:
        >>> import tightrope as tr
        >>> tr.Laplace(noise_scale=1.0).to(tr.GDP)
        GDP(mu=1.031)
    """

    title: ClassVar[str] = "Laplace mechanism"

    def dominating(self) -> Dominating:
        """Laplace noise against the same noise, shifted by the sensitivity."""
        return Dominating.symmetric(LaplaceLoss.one(*self.strength()))

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Discrete Laplace noise, at the L1 norm in steps."""
        square = Fraction(self.noise_scale) ** 2
        grid = NoiseGrid.of(square, self.sensitivity, coordinates, self.title)
        scale = grid.in_steps(self.noise_scale)
        event = DiscreteLaplace(scale, grid.l1, neighbors=self.neighbors)
        return event, LaplaceLaw(Fraction(scale)), grid.exponent

    @fact(PureDP, Grade.SHARP, "dwork2006", "Proposition 1", "epsilon = sensitivity/noise_scale")
    @staticmethod
    def pure(epsilon: Any) -> Any:
        """Pure DP, attained wherever the noise falls outside of the two centres."""
        return epsilon

    @fact(ZCDP, Grade.SHARP, "harrison2025", "Laplace", "rho = epsilon + e^-epsilon - 1")
    @staticmethod
    def zcdp(epsilon: Any) -> Any:
        """Its Kullback-Leibler divergence is the supremum over all orders."""
        return laplace.rho_laplace(epsilon), np.zeros_like(epsilon)

    @fact(
        GDP,
        Grade.SHARP,
        "tightrope",
        "Laplace under GDP",
        "mu = -2 Phi^-1(e^(-epsilon/2)/2), attained at type I error e^(-epsilon/2)/2",
    )
    @staticmethod
    def gdp(epsilon: Any) -> Any:
        """Smaller than what pure DP or zCDP imply."""
        return laplace.mu_laplace(epsilon)

    @fact(RDP, Grade.LOSSLESS, "mironov2017", "Proposition 6", "the exact Renyi curve")
    @staticmethod
    def rdp(orders: Any, epsilon: Any) -> Any:
        """Exact at every order."""
        return laplace.renyi_laplace(epsilon, orders)

    @fact(TradeOff, Grade.LOSSLESS, "dong2022", "Lemma A.6", "the exact trade-off curve")
    @staticmethod
    def tradeoff_curve(alpha: Any, epsilon: Any) -> Any:
        """Linear, hyperbolic in the middle, linear."""
        return laplace.tradeoff_laplace(epsilon, alpha)

    @fact(
        Profile,
        Grade.LOSSLESS,
        "balle2018",
        "Section 2",
        "delta(e) = 1 - exp((e - epsilon)/2), |e| < epsilon",
    )
    @staticmethod
    def profile(e: Any, epsilon: Any) -> Any:
        """The exact profile."""
        return laplace.log_delta_laplace(epsilon, e)
