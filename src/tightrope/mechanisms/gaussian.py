"""The Gaussian mechanism: normal noise on real values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from tightrope._check import Real
from tightrope.events import Event
from tightrope.grid import plain
from tightrope.loss.dominating import Dominating
from tightrope.loss.gaussian import GaussianLoss
from tightrope.mechanisms.additive import NormalNoise
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.mechanisms.discrete_gaussian_vector import DiscreteGaussianVector
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_grid import NoiseGrid
from tightrope.mechanisms.noise_law import GaussianLaw, NoiseLaw
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import GDP, ZCDP
from tightrope.num.rounding import float_up, sqrt_up
from tightrope.theorems.false_claims import classic_gaussian_scale
from tightrope.theorems.registry import Grade


class Gaussian(NormalNoise):
    """Normal noise N(0, noise_scale^2) on a query of L2 sensitivity ``sensitivity``.

    Args:
        noise_scale: the standard deviation sigma, above 0 (not divided by the sensitivity).
        sensitivity: largest L2 change of the query between neighbours, at least 0.
        variance: sigma^2 in place of ``noise_scale``, exactly, as in ``Fraction(4099, 104)``.
        neighbors: the relation that the sensitivity refers to.

    Raises:
        InvalidArgument: an argument lies outside its range, or both or neither scale is given.

    Source: Dong, Roth and Su (2022), Theorem 2.7; Bun and Steinke (2016), Proposition 1.6.

    Examples:
        >>> import tightrope as tr
        >>> tr.Gaussian(noise_scale=4.0, sensitivity=2.0).to(tr.GDP)
        GDP(mu=0.5)
    """

    title: ClassVar[str] = "Gaussian mechanism"

    def strength(self) -> tuple[float, ...]:
        """(rho, mu): sensitivity^2/(2 variance) and sensitivity/noise_scale."""
        return float_up(self.ratio / 2), sqrt_up(self.ratio)

    def dominating(self) -> Dominating:
        """N(0, 1) against N(sensitivity/noise_scale, 1)."""
        return Dominating.symmetric(GaussianLoss(float_up(self.ratio)))

    @classmethod
    def classic(
        cls,
        epsilon: Real,
        delta: Real,
        sensitivity: Real = 1,
        *,
        neighbors: Neighbors = add_or_remove,
    ) -> Self:
        """The textbook mechanism of scale sensitivity sqrt(2 log(1.25/delta))/epsilon.

        For comparison: ``Gaussian.for_(tr.ApproxDP(epsilon, delta))`` needs less noise.

        Raises:
            FalseClaim: epsilon exceeds 1, where the formula does not hold.

        Source: Dwork and Roth (2014), Theorem 3.22.

        Examples:
            >>> import tightrope as tr
            >>> round(tr.Gaussian.classic(1.0, 1e-5).noise_scale, 4)
            4.8448
        """
        scale = classic_gaussian_scale(epsilon, delta, sensitivity)
        return cls(scale, sensitivity, neighbors=neighbors)

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Discrete Gaussian noise; of several entries only the L2 norm of the change is known."""
        grid = NoiseGrid.of(self.variance, self.sensitivity, coordinates, self.title)
        variance = Fraction(self.variance) / grid.step**2
        given: dict[str, Any] = {"neighbors": self.neighbors}
        if self.noise_scale is None:
            given["variance"] = plain(variance)
        else:
            given["noise_scale"] = grid.in_steps(self.noise_scale)
        event: Event
        if coordinates == 1:
            event = DiscreteGaussian(sensitivity=grid.l1, **given)
        else:
            event = DiscreteGaussianVector(sensitivity=grid.l2, dimension=coordinates, **given)
        return event, GaussianLaw(variance), grid.exponent

    @fact(GDP, Grade.LOSSLESS, "dong2022", "Theorem 2.7", "mu = sensitivity/noise_scale")
    @staticmethod
    def gdp(rho: Any, mu: Any) -> Any:
        """The Gaussian mechanism is what Gaussian DP is named after."""
        return mu

    @fact(ZCDP, Grade.SHARP, "bun2016", "Proposition 1.6", "rho = sensitivity^2/(2 noise_scale^2)")
    @staticmethod
    def zcdp(rho: Any, mu: Any) -> Any:
        """Its Renyi curve is a straight line."""
        return rho, np.zeros_like(rho)
