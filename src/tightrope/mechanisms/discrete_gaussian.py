"""The discrete Gaussian mechanism: Gaussian weights on the integers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.dominating import Dominating
from tightrope.mechanisms.integer_noise import IntegerVector, OneInteger
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import GaussianLaw
from tightrope.mechanisms.rows import rows
from tightrope.notions import GDP, ZCDP, Profile, TradeOff
from tightrope.num.rounding import float_down, float_up
from tightrope.theorems import discrete_gaussian
from tightrope.theorems.into_profile import gaussian_profile
from tightrope.theorems.into_tradeoff import gaussian_tradeoff
from tightrope.theorems.registry import Grade

LARGEST_TIGHT_VARIANCE = 1e4
LARGEST_VARIANCE = 1e10
"""Beyond this the law is a Gaussian to ten digits, and its lattice is too fine to walk."""


class DiscreteGaussian(OneInteger):
    """Noise with probabilities in proportion to exp(-z^2/(2 noise_scale^2)), z an integer.

    Args:
        noise_scale: the parameter sigma of the law, above 0; not quite its standard deviation.
        sensitivity: change of the (one) integer that is released, a whole number. A query that
            changes several cells is several releases: ``DiscreteGaussian(s) ** 2`` for two.
        variance: sigma^2 in place of ``noise_scale``, exactly.
        neighbors: the relation that the sensitivity refers to.

    Source: Canonne, Kamath and Steinke (2020), Theorem 4 and Theorem 7. It is as good as the
    continuous Gaussian in zCDP, and slightly worse in GDP.

    Examples:
        >>> import tightrope as tr
        >>> tr.DiscreteGaussian(noise_scale=1.0).to(tr.GDP)
        GDP(mu=1.046)
        >>> tr.DiscreteGaussian(noise_scale=1.0).to(tr.ZCDP)
        ZCDP(rho=0.5)
    """

    title: ClassVar[str] = "discrete Gaussian mechanism"

    @property
    def has_exact_profile(self) -> bool:
        """Up to a scale of 10^5."""
        return self.variance <= LARGEST_VARIANCE

    @property
    def has_tight_mu(self) -> bool:
        """Up to a scale of 100; beyond, the proved parameter is up to 3e-5 larger."""
        return self.variance <= LARGEST_TIGHT_VARIANCE

    def strength(self) -> tuple[float, ...]:
        """(rho, variance, sensitivity): rho = sensitivity^2/(2 variance), variance rounded down."""
        return float_up(self.ratio / 2), float_down(self.variance), float_up(self.sensitivity)

    def dominating(self) -> Dominating:
        """The law against itself, shifted by the sensitivity."""
        loss = DiscreteGaussianLoss.one(self.variance, int(self.sensitivity))
        return Dominating.symmetric(loss)

    @property
    def _law(self) -> GaussianLaw:
        return GaussianLaw(Fraction(self.variance))

    @property
    def _vector(self) -> type[IntegerVector]:
        from tightrope.mechanisms.discrete_gaussian_vector import DiscreteGaussianVector

        return DiscreteGaussianVector

    @fact(
        ZCDP,
        Grade.SHARP,
        "canonne2020",
        "Theorem 4",
        "rho = sensitivity^2/(2 noise_scale^2), attained at whole orders",
    )
    @staticmethod
    def zcdp(rho: Any, variance: Any, shift: Any) -> Any:
        """The same as for the continuous Gaussian."""
        return rho, np.zeros_like(rho)

    @fact(
        GDP,
        Grade.SHARP,
        "tightrope",
        "discrete Gaussian under GDP",
        "mu = max over vertices of Phi^-1(P(Z < k)) - Phi^-1(P(Z >= k + sensitivity))",
    )
    @staticmethod
    def gdp(rho: Any, variance: Any, shift: Any) -> Any:
        """The vertices of its trade-off curve, out to where a tail bound closes."""
        mu = rows(discrete_gaussian.mu, variance, np.maximum(shift, 1))
        return np.where(shift == 0, 0.0, mu)

    @fact(
        Profile,
        Grade.LOSSLESS,
        "canonne2020",
        "Theorem 7",
        "delta(e) = P[Z > e v/D - D/2] - exp(e) P[Z > e v/D + D/2]",
    )
    @staticmethod
    def profile(e: Any, rho: Any, variance: Any, shift: Any) -> Any:
        """The exact profile; beyond a scale of 10^5 that of the GDP parameter."""
        if variance > LARGEST_VARIANCE:
            return gaussian_profile(e, discrete_gaussian.mu(variance, max(int(shift), 1)))
        return discrete_gaussian.log_delta(variance, int(shift), e)

    @fact(
        TradeOff,
        Grade.LOSSLESS,
        "tightrope",
        "discrete Gaussian under GDP",
        "piecewise linear through (P(Z >= k), P(Z < k - sensitivity))",
    )
    @staticmethod
    def tradeoff_curve(alpha: Any, rho: Any, variance: Any, shift: Any) -> Any:
        """The exact trade-off curve; beyond a scale of 10^5 that of the GDP parameter."""
        if variance > LARGEST_VARIANCE:
            return gaussian_tradeoff(alpha, discrete_gaussian.mu(variance, max(int(shift), 1)))
        return discrete_gaussian.tradeoff(variance, int(shift), alpha)
