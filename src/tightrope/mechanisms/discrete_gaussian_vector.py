"""Discrete Gaussian noise on a vector of integers whose change is bounded in the L2 norm."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from tightrope._check import Real, declared, validated
from tightrope._errors import InvalidArgument
from tightrope.loss.discrete import shift_vectors
from tightrope.loss.dominating import Dominating
from tightrope.mechanisms.additive import WHOLE
from tightrope.mechanisms.integer_noise import IntegerVector
from tightrope.mechanisms.mechanism import fact
from tightrope.mechanisms.noise_law import GaussianLaw
from tightrope.mechanisms.rows import rows
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import GDP, ZCDP
from tightrope.num.rounding import float_down, float_up, sqrt_up
from tightrope.theorems import discrete_gaussian
from tightrope.theorems.outward import product_up
from tightrope.theorems.registry import Grade


@dataclass(frozen=True, repr=False, eq=False, init=False)
class DiscreteGaussianVector(IntegerVector):
    """Independent discrete Gaussian noise of one scale on each of several integers.

    Only the L2 norm of the change is known. It does not decide what leaks: a change by (1, 1, 1, 1)
    may leak more than one by (2, 0, 0, 0), so every direction is looked at, where the squared
    sensitivity is at most 64 and they are few; composed releases may differ in direction, so each
    is covered anew. Otherwise zCDP and GDP are what is known. If one cell changes, use
    ``DiscreteGaussian``, and if each of d cells changes by one, ``DiscreteGaussian(s) ** d``.

    Args:
        noise_scale: the parameter sigma of the law, above 0; not quite its standard deviation.
        sensitivity: largest L2 norm of the change, a whole number.
        dimension: how many integers there are, at least 1.
        variance: sigma^2 in place of ``noise_scale``, exactly.
        squared_sensitivity: its square in place of ``sensitivity``, a whole number.
        neighbors: the relation that the sensitivity refers to.

    Raises:
        InvalidArgument: an argument lies outside its range, or both or neither of two is given.

    Source: Canonne, Kamath and Steinke (2020), Theorem 4 and Section 2.3.

    Examples:
        >>> import tightrope as tr
        >>> event = tr.DiscreteGaussianVector(noise_scale=1.0, sensitivity=2, dimension=4)
        >>> event.to(tr.ZCDP)
        ZCDP(rho=2.0)
        >>> round(event.delta(2.0), 3), round(tr.DiscreteGaussian(1.0, 2).delta(2.0), 3)
        (0.315, 0.267)
    """

    title: ClassVar[str] = "discrete Gaussian mechanism on a vector"

    squared_sensitivity: Real = declared(
        "Δ²", r"\Delta^2", WHOLE, (1, 64), "sensitivity squared, in its place", default=None
    )

    def __init__(  # noqa: PLR0913  (a scale and a sensitivity, either of them or its square)
        self,
        noise_scale: Real | None = None,
        sensitivity: Real | None = None,
        dimension: Real | None = None,
        *,
        variance: Real | None = None,
        squared_sensitivity: Real | None = None,
        neighbors: Neighbors = add_or_remove,
    ):
        name = type(self).__name__
        if (sensitivity is None) == (squared_sensitivity is None):
            raise InvalidArgument(
                f"{name}: give sensitivity or squared_sensitivity, one of the two; you passed "
                f"sensitivity={sensitivity!r}, squared_sensitivity={squared_sensitivity!r}"
            )
        norm = 0 if sensitivity is None else sensitivity
        super().__init__(noise_scale, norm, dimension, variance=variance, neighbors=neighbors)
        if squared_sensitivity is None:
            square: Real = Fraction(self.sensitivity) ** 2
        else:
            square = validated(squared_sensitivity, WHOLE, f"{name}: squared_sensitivity")
            object.__setattr__(self, "sensitivity", None)
        object.__setattr__(self, "squared_sensitivity", int(square))

    @property
    def largest_change(self) -> tuple[int, int]:
        """The squared sensitivity, twice: of whole numbers no L1 norm is larger than it."""
        return int(self.squared_sensitivity), int(self.squared_sensitivity)

    @property
    def has_exact_profile(self) -> bool:
        """No formula gives it; where the directions are few, the engine does."""
        return False

    @property
    def has_tight_mu(self) -> bool:
        """The proved parameter is that of one cell, times the norm."""
        return False

    @cached_property
    def ratio(self) -> Fraction:
        """squared_sensitivity/variance, exactly: twice rho."""
        return Fraction(self.squared_sensitivity) / Fraction(self.variance)

    def strength(self) -> tuple[float, ...]:
        """(rho, variance, sensitivity): variance rounded down, sensitivity up."""
        shift = sqrt_up(Fraction(self.squared_sensitivity))
        return float_up(self.ratio / 2), float_down(self.variance), shift

    @property
    def _key_of_directions(self) -> tuple[Fraction, int, int]:
        square = int(self.squared_sensitivity)
        return Fraction(self.variance), square, min(int(self.dimension), max(square, 1))

    def dominating(self) -> Dominating | None:
        """One pair that covers every direction, if they are few."""
        return shift_vectors.cover(*self._key_of_directions)

    def alternatives(self) -> tuple[Dominating, ...] | None:
        """The pair of every direction, if they are few."""
        return shift_vectors.directions(*self._key_of_directions)

    def grouped(self, size: int) -> Self | None:
        """The same noise against ``size`` times the sensitivity."""
        return type(self)(
            dimension=self.dimension,
            variance=self.variance,
            squared_sensitivity=int(self.squared_sensitivity) * size**2,
            neighbors=self.neighbors,
        )

    def _told(self) -> list[str]:
        norm = "squared_sensitivity" if self.sensitivity is None else "sensitivity"
        return [self._given_scale, norm, "dimension"]

    @property
    def _law(self) -> GaussianLaw:
        return GaussianLaw(Fraction(self.variance))

    @fact(
        ZCDP,
        Grade.SHARP,
        "canonne2020",
        "Theorem 4",
        "rho = sensitivity^2/(2 noise_scale^2), attained where it is a sum of dimension squares",
    )
    @staticmethod
    def zcdp(rho: Any, variance: Any, shift: Any) -> Any:
        """Of every direction: cell by cell it adds up to the squared norm."""
        return rho, np.zeros_like(rho)

    @fact(
        GDP,
        Grade.LOOSE,
        "tightrope",
        "discrete Gaussian under GDP",
        "mu = sensitivity times the mu of one cell under a shift by one",
    )
    @staticmethod
    def gdp(rho: Any, variance: Any, shift: Any) -> Any:
        """A shift by x is a group of x shifts by one; squares add up over the cells."""
        return product_up(shift, rows(discrete_gaussian.mu, variance, np.ones_like(shift)))
