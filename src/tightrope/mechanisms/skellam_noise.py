"""What is known of Skellam noise, on one integer or on a vector: the same bound on both."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from tightrope.mechanisms.integer_noise import IntegerNoise
from tightrope.mechanisms.noise_law import SkellamLaw
from tightrope.num.rounding import float_down, float_up


class SkellamNoise(IntegerNoise):
    """Base of the mechanisms that add Skellam noise."""

    unbounded: ClassVar[str] = "the log-ratio of Skellam noise grows without bound in its tails"

    @property
    def has_exact_profile(self) -> bool:
        """No formula gives it; where the values can be listed, the engine does."""
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
        """(variance, L2 norm squared, L1 norm): variance rounded down, the others up."""
        square, l1 = self.largest_change
        return float_down(self.variance), float_up(square), float_up(l1)

    @property
    def _law(self) -> SkellamLaw:
        """With the scale as it was given."""
        return SkellamLaw(Fraction(self.variance), self.noise_scale)
