"""The Skellam mechanism: the difference of two Poisson variables, added to an integer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from tightrope._check import Domain
from tightrope.events import Event
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite import skellam as pairs
from tightrope.mechanisms.additive import NormalNoise
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import NoiseLaw, SkellamLaw
from tightrope.notions import RDP, ZCDP
from tightrope.num.rounding import float_down, float_up
from tightrope.theorems import skellam
from tightrope.theorems.registry import Grade


def skellam_law(noise: NormalNoise) -> SkellamLaw:
    """The law that is drawn from, with the scale as it was given."""
    return SkellamLaw(Fraction(noise.variance), noise.noise_scale)


class Skellam(NormalNoise):
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
    norm: ClassVar[str] = "L1"
    whole: ClassVar[bool] = True
    unbounded: ClassVar[str] = "the log-ratio of Skellam noise grows without bound in its tails"
    scales: ClassVar[Domain] = Domain(
        "a number from 1e-100 to 1e100", lambda x: 1e-100 <= x <= 1e100
    )

    @property
    def has_exact_profile(self) -> bool:
        """No formula gives it; the engine does."""
        return False

    @property
    def has_tight_mu(self) -> bool:
        """The facts give a mu by way of zCDP."""
        return False

    @property
    def slope_at_order_one(self) -> bool:
        """The line of the theorem has an offset."""
        return False

    def strength(self) -> tuple[float, ...]:
        """(variance, sensitivity^2, sensitivity): variance rounded down, the others up."""
        shift = Fraction(self.sensitivity)
        return float_down(self.variance), float_up(shift**2), float_up(shift)

    def dominating(self) -> Dominating | None:
        """The law against itself, shifted by the sensitivity, where its values can be listed."""
        return pairs.skellam(Fraction(self.variance), int(self.sensitivity))

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Itself for one entry; for several, the sensitivity is taken for the L2 norm."""
        from tightrope.mechanisms.skellam_vector import SkellamVector

        law = skellam_law(self)
        if coordinates == 1:
            return self, law, 0
        vector = SkellamVector(
            self.noise_scale,
            self.sensitivity,
            coordinates,
            variance=self.variance if self.noise_scale is None else None,
            neighbors=self.neighbors,
        )
        return vector, law, 0

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
