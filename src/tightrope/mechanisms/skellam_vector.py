"""Skellam noise on a vector of integers whose change is bounded in the L2 and the L1 norm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tightrope._check import Real, declared, validated
from tightrope.mechanisms.additive import WHOLE
from tightrope.mechanisms.integer_noise import IntegerVector
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.skellam_noise import SkellamNoise
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import RDP, ZCDP
from tightrope.theorems import skellam
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False, eq=False, init=False)
class SkellamVector(SkellamNoise, IntegerVector):
    """Independent Skellam noise of one variance on each of several integers.

    What is known of it is a bound on its Renyi divergences by the L2 and the L1 norm of the change.
    If one cell changes, use ``Skellam``, and if each of d cells changes by one,
    ``Skellam(s) ** d``: these are accounted for exactly.

    Args:
        noise_scale: the standard deviation of the noise, above 0.
        sensitivity: largest L2 norm of the change, a whole number.
        dimension: how many integers there are, at least 1.
        variance: noise_scale^2 in place of ``noise_scale``, exactly.
        l1_sensitivity: largest L1 norm of the change, a whole number. A change of whole numbers
            has an L1 norm of at most the square of its L2 norm, and at most sqrt(dimension) times
            it: the smaller of these by default.
        neighbors: the relation that the sensitivities refer to.

    Raises:
        InvalidArgument: an argument lies outside its range, or both or neither of two is given.

    Source: Agarwal, Kairouz and Liu (2021), Theorem 3.5; divergences of independent cells add up.

    Examples:
        >>> import tightrope as tr
        >>> event = tr.SkellamVector(variance=10**6, sensitivity=100, dimension=64)
        >>> event.l1_sensitivity
        800
        >>> round(event.epsilon(1e-6), 3)
        0.43
    """

    title: ClassVar[str] = "Skellam mechanism on a vector"

    l1_sensitivity: Real = declared(
        "Δ₁", r"\Delta_1", WHOLE, (1, 100), "largest L1 norm of the change", default=None
    )

    def __init__(  # noqa: PLR0913  (a scale or its square, and two norms)
        self,
        noise_scale: Real | None = None,
        sensitivity: Real = 1,
        dimension: Real | None = None,
        *,
        variance: Real | None = None,
        l1_sensitivity: Real | None = None,
        neighbors: Neighbors = add_or_remove,
    ):
        super().__init__(
            noise_scale, sensitivity, dimension, variance=variance, neighbors=neighbors
        )
        square = int(self.sensitivity) ** 2
        most = min(square, math.isqrt(square * int(self.dimension)))
        if l1_sensitivity is not None:
            what = f"{type(self).__name__}: l1_sensitivity"
            most = min(most, int(validated(l1_sensitivity, WHOLE, what)))
        object.__setattr__(self, "l1_sensitivity", most)

    @property
    def largest_change(self) -> tuple[int, int]:
        """The square of the sensitivity, and the L1 sensitivity."""
        return int(self.sensitivity) ** 2, int(self.l1_sensitivity)

    def grouped(self, size: int) -> Self | None:
        """The same noise against ``size`` times both sensitivities."""
        return type(self)(
            sensitivity=int(self.sensitivity) * size,
            dimension=self.dimension,
            variance=self.variance,
            l1_sensitivity=int(self.l1_sensitivity) * size,
            neighbors=self.neighbors,
        )

    def _told(self) -> list[str]:
        return [self._given_scale, "sensitivity", "dimension", "l1_sensitivity"]

    @fact(
        RDP,
        Grade.LOOSE,
        "agarwal2021",
        "Theorem 3.5, for vectors",
        "that of Skellam, D^2 the squared L2 norm and D the L1 norm",
    )
    @staticmethod
    def rdp(orders: Any, variance: Any, square: Any, l1: Any) -> Any:
        """At whole orders; between them by convexity."""
        return skellam.renyi(orders, variance, square, l1)

    @fact(
        ZCDP,
        Grade.LOOSE,
        "agarwal2021",
        "Theorem 3.5, for vectors",
        "rho = D2^2/(2 v) + D2^2/(2 v^2), xi = rho + (6 D1 - D2^2)/(4 v^2), or the like",
    )
    @staticmethod
    def zcdp(variance: Any, square: Any, l1: Any) -> Any:
        """The line above the bound on the Renyi curve."""
        return skellam.line(variance, square, l1)
