"""Skellam noise on a vector of integers whose change is bounded in the L2 and the L1 norm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from tightrope import _wire
from tightrope._check import COUNT, Real, declared, validated
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.mechanisms.additive import WHOLE, NormalNoise
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.skellam import Skellam, skellam_law
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import RDP, ZCDP
from tightrope.num.rounding import float_down, float_up
from tightrope.theorems import skellam
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False, eq=False, init=False)
class SkellamVector(NormalNoise):
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
    whole: ClassVar[bool] = True
    scales = Skellam.scales
    unbounded: ClassVar[str] = Skellam.unbounded

    dimension: Real = declared("d", "d", COUNT, (1, 1000), "number of integers", default=None)
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
        name = type(self).__name__
        super().__init__(noise_scale, sensitivity, variance=variance, neighbors=neighbors)
        cells = validated(dimension, COUNT, f"{name}: dimension")
        square = int(self.sensitivity) ** 2
        most = min(square, math.isqrt(square * int(cells)))
        if l1_sensitivity is not None:
            most = min(most, int(validated(l1_sensitivity, WHOLE, f"{name}: l1_sensitivity")))
        object.__setattr__(self, "dimension", cells)
        object.__setattr__(self, "l1_sensitivity", most)

    @property
    def has_exact_profile(self) -> bool:
        """A bound on its Renyi curve is what is known."""
        return False

    @property
    def has_tight_mu(self) -> bool:
        """It comes from that bound."""
        return False

    @property
    def slope_at_order_one(self) -> bool:
        """The line of the theorem has an offset."""
        return False

    def strength(self) -> tuple[float, ...]:
        """(variance, L2 norm squared, L1 norm): variance rounded down, the others up."""
        square = Fraction(self.sensitivity) ** 2
        return float_down(self.variance), float_up(square), float_up(self.l1_sensitivity)

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Itself.

        Raises:
            InvalidArgument: a unit can touch more entries than there are.
        """
        if coordinates > self.dimension:
            raise InvalidArgument(
                f"SkellamVector.release: a unit can touch {coordinates} entries, and "
                f"dimension={self.dimension}; pass coordinates= if it touches fewer"
            )
        return self, skellam_law(self), 0

    def grouped(self, size: int) -> Self | None:
        """The same noise against ``size`` times both sensitivities."""
        return type(self)(
            sensitivity=int(self.sensitivity) * size,
            dimension=self.dimension,
            variance=self.variance,
            l1_sensitivity=int(self.l1_sensitivity) * size,
            neighbors=self.neighbors,
        )

    def _key(self) -> tuple[Any, ...]:
        norms = self.sensitivity, self.l1_sensitivity
        return type(self), self.variance, *norms, self.dimension, self.neighbors

    def __repr__(self) -> str:
        scale = "noise_scale" if self.noise_scale is not None else "variance"
        names = (scale, "sensitivity", "dimension", "l1_sensitivity")
        told = [f"{name}={_wire.typed(getattr(self, name))}" for name in names]
        return f"{type(self).__name__}({', '.join(told + _wire.told_neighbors(self))})"

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
