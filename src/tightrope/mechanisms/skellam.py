"""The Skellam mechanism: the difference of two Poisson variables, added to an integer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from tightrope.loss.dominating import Dominating
from tightrope.loss.finite import skellam as pairs
from tightrope.mechanisms.integer_noise import IntegerVector, OneInteger
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.skellam_noise import SkellamNoise
from tightrope.notions import RDP, ZCDP
from tightrope.theorems import skellam
from tightrope.theorems.registry import Grade


class Skellam(SkellamNoise, OneInteger):
    """Noise with probabilities exp(-v) I_|z|(v), z an integer and v its variance.

    It is the difference of two independent Poisson variables of mean v/2. Sums of independent
    Skellam variables are Skellam variables, so parts of the noise may be added by many parties.

    Args:
        noise_scale: the standard deviation of the noise, above 0.
        sensitivity: change of the (one) integer that is released, a whole number. A query that
            changes several cells is several releases: ``Skellam(s) ** 2`` for two.
        variance: noise_scale^2 in place of ``noise_scale``, exactly.
        neighbors: the relation that the sensitivity refers to.

    Raises:
        InvalidArgument: an argument lies outside its range, or both or neither of two is given.

    Source: Agarwal, Kairouz and Liu (2021). Up to a variance of 2^22 the very pair of laws is
    accounted for, beyond that their Theorem 3.5. Noise of a variance up to 2^26 is drawn.

    Examples:
        >>> import tightrope as tr
        >>> run = tr.Skellam(variance=100) ** 10
        >>> round(run.epsilon(1e-6), 4)
        1.3644
        >>> round((tr.DiscreteGaussian(variance=100) ** 10).epsilon(1e-6), 4)
        1.3676
    """

    title: ClassVar[str] = "Skellam mechanism"

    def dominating(self) -> Dominating | None:
        """The law against itself, shifted by the sensitivity, where its values can be listed."""
        return pairs.skellam(Fraction(self.variance), int(self.sensitivity))

    @property
    def _vector(self) -> type[IntegerVector]:
        from tightrope.mechanisms.skellam_vector import SkellamVector

        return SkellamVector

    @fact(
        RDP,
        Grade.LOOSE,
        "agarwal2021",
        "Theorem 3.5",
        "D(a) <= a D^2/(2 v) + min(((2 a - 1) D^2 + 6 D)/(4 v^2), 3 D/(2 v)), a whole",
    )
    @staticmethod
    def rdp(orders: Any, variance: Any, square: Any, l1: Any) -> Any:
        """At whole orders; between them by convexity."""
        return skellam.renyi(orders, variance, square, l1)

    @fact(
        ZCDP,
        Grade.LOOSE,
        "agarwal2021",
        "Theorem 3.5",
        "rho = D^2/(2 v) + D^2/(2 v^2), xi = rho + (6 D - D^2)/(4 v^2), or the like",
    )
    @staticmethod
    def zcdp(variance: Any, square: Any, l1: Any) -> Any:
        """The line above the bound on the Renyi curve."""
        return skellam.line(variance, square, l1)
