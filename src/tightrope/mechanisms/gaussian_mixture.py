"""Gaussian noise on a query whose change between neighbours is itself drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tightrope._check import NONNEGATIVE, POSITIVE, Real, declared, validated
from tightrope._errors import InvalidArgument
from tightrope.loss.dominating import Dominating
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.mechanisms.columns import column, of_one_length, probabilities
from tightrope.mechanisms.mechanism import Mechanism, fact
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.notions import GDP, ZCDP
from tightrope.num.rounding import float_up, sqrt_up
from tightrope.theorems.registry import Grade

LEAST_WEIGHT = 1e-300
"""To which smaller weights are raised."""


@dataclass(frozen=True, repr=False, init=False)
class GaussianMixture(Mechanism):
    """Normal noise on a query that one unit changes by a random amount: by s_i with chance w_i.

    With the unit the result has the law sum of w_i N(s_i, noise_scale^2), without it
    N(0, noise_scale^2). Both orders are accounted for. A Gaussian on a Poisson sample is the
    mixture of the shifts 0 and the sensitivity; several copies of one unit, or a batch that is
    drawn in another way, are mixtures of more shifts.

    Args:
        shifts: the changes s_i, at least 0 (of a query with many values, their L2 norms).
        weights: their probabilities, which add up to 1 within 1e-9 and are divided by their sum.
        noise_scale: the standard deviation of the noise, above 0.
        neighbors: the relation, by default adding or removing a unit.

    Source: Zhu, Dong and Wang (2022), Theorem 10 (dominating pairs compose); Ganesh (2024).

    Examples:
        >>> import tightrope as tr
        >>> event = tr.GaussianMixture([0, 1, 2], [0.9, 0.09, 0.01], noise_scale=2.0)
        >>> event.to(tr.GDP)
        GDP(mu=1.0)
        >>> round((event**100).epsilon(1e-6), 4)
        3.1771
    """

    title: ClassVar[str] = "Gaussian mechanism with random shifts"

    shifts: tuple[Real, ...]
    weights: tuple[Real, ...]
    noise_scale: Real = declared(
        "σ", r"\sigma", POSITIVE, (0.1, 100), "standard deviation of the noise"
    )

    def __init__(
        self,
        shifts: Sequence[Real] | ArrayLike,
        weights: Sequence[Real] | ArrayLike,
        noise_scale: Real,
        *,
        neighbors: Neighbors = add_or_remove,
    ):
        name = type(self).__name__
        moved = column(shifts, NONNEGATIVE, f"{name}: shifts")
        chances = probabilities(weights, f"{name}: weights")
        of_one_length(name, shifts=moved, weights=chances)
        scale = validated(noise_scale, POSITIVE, f"{name}: noise_scale")
        for field, value in (
            ("shifts", moved),
            ("weights", chances),
            ("noise_scale", scale),
            ("neighbors", neighbors),
        ):
            object.__setattr__(self, field, value)
        self._check_neighbors()
        if neighbors.kind != "add_or_remove":
            raise InvalidArgument(
                f"{name}: the mixture is the law with the unit, so the relation must be adding or "
                f"removing one; you passed neighbours that {neighbors}"
            )

    @property
    def slope_at_order_one(self) -> bool:
        """D(order)/order grows to its supremum at order infinity, where the largest shift rules."""
        return len(self._law) == 1

    @cached_property
    def ratio(self) -> Fraction:
        """(largest shift that can happen/noise_scale)^2, exactly."""
        shifts = (s for s, w in zip(self.shifts, self.weights, strict=True) if w)
        return (Fraction(max(shifts)) / Fraction(self.noise_scale)) ** 2

    def strength(self) -> tuple[float, ...]:
        """(rho, mu) of the Gaussian mechanism whose sensitivity is the largest shift."""
        return float_up(self.ratio / 2), sqrt_up(self.ratio)

    @cached_property
    def _law(self) -> dict[float, float]:
        """Weights by shift over noise scale, each shift or more as likely as it is, or likelier."""
        exact: dict[float, Fraction] = {}
        for shift, weight in zip(self.shifts, self.weights, strict=True):
            at = float_up(Fraction(shift) / Fraction(self.noise_scale))
            exact[at] = exact.get(at, Fraction(0)) + Fraction(weight)
        total = sum(exact.values())
        law: dict[float, float] = {}
        rest = Fraction(1)
        for at in sorted((at for at in exact if exact[at]), reverse=True)[:-1]:
            law[at] = max(float_up(exact[at] / total), LEAST_WEIGHT)
            if Fraction(law[at]) >= rest:
                return law | {at: float(rest)}
            rest -= Fraction(law[at])
        return law | {min(at for at in exact if exact[at]): float(rest)}

    def dominating(self) -> Dominating:
        """The noise alone against the mixture, and the mixture against the noise alone."""
        law = self._law
        if len(law) == 1:
            return Dominating.symmetric(GaussianLoss(float_up(self.ratio)))
        mixture, still = (list(law.values()), list(law)), ([1.0], [0.0])
        return Dominating.of_orders(
            GaussianMixtureLoss.one(*first, *second)
            for first, second in ((still, mixture), (mixture, still))
        )

    def thinned(self, rate: Real) -> GaussianMixture:
        """The shift is 0 unless the unit is sampled."""
        sampled = Fraction(rate)
        total = sum((Fraction(w) for w in self.weights), Fraction(0))
        weights = [1 - sampled, *(sampled * Fraction(w) / total for w in self.weights)]
        shifts = (0, *self.shifts)
        return GaussianMixture(shifts, weights, self.noise_scale, neighbors=self.neighbors)

    @fact(
        GDP,
        Grade.SHARP,
        "dong2022",
        "Theorem 2.7, with joint convexity",
        "mu = largest shift/noise_scale",
    )
    @staticmethod
    def gdp(rho: Any, mu: Any) -> Any:
        """Trade-off curves are jointly convex; the largest shift alone decides at small alpha."""
        return mu

    @fact(
        ZCDP,
        Grade.SHARP,
        "bun2016",
        "Proposition 1.6, with quasi-convexity",
        "rho = (largest shift/noise_scale)^2/2",
    )
    @staticmethod
    def zcdp(rho: Any, mu: Any) -> Any:
        """Renyi divergences are quasi-convex; D(order)/order tends to rho at order infinity."""
        return rho, np.zeros_like(rho)
