"""Additive noise: mechanisms that add a draw from a fixed law to a query's value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from tightrope._check import (
    MOST,
    NONNEGATIVE,
    POSITIVE,
    Domain,
    Real,
    declared,
    validated,
)
from tightrope._errors import InvalidArgument
from tightrope.mechanisms.candidates import read_candidates
from tightrope.mechanisms.released import Released
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.mechanisms.source import source_of
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.noise.entropy import Entropy
from tightrope.noise.uniform import pick_one
from tightrope.num.rounding import quotient_up

WHOLE = Domain(
    "a whole number of at least 0 and at most 10^18", lambda x: 0 <= x <= MOST, integral=True
)


@dataclass(frozen=True, repr=False)
class ScaledNoise(AdditiveNoise):
    """Noise given by the scale of its law; what it leaks depends on sensitivity/scale."""

    norm: ClassVar[str] = "L1"
    """The norm in which ``sensitivity`` is measured."""

    noise_scale: Real = declared("b", "b", POSITIVE, (0.1, 100), "scale of the noise's law")
    sensitivity: Real = declared(
        "Δ", r"\Delta", NONNEGATIVE, (1, 10), "largest change of the query's value", default=1
    )

    def strength(self) -> tuple[float, ...]:
        """epsilon = sensitivity/noise_scale."""
        return (quotient_up(self.sensitivity, self.noise_scale),)

    def grouped(self, size: int) -> Self | None:
        """The same noise against ``size`` times the sensitivity."""
        return replace(self, sensitivity=Fraction(self.sensitivity) * size)


@dataclass(frozen=True, repr=False, eq=False, init=False)
class NormalNoise(AdditiveNoise):
    """Normal noise, given by its scale or by its exact variance; equal by value."""

    norm: ClassVar[str] = "L2"
    scales: ClassVar[Domain] = POSITIVE
    """Admissible scales."""

    noise_scale: Real | None = declared(
        "σ", r"\sigma", POSITIVE, (0.1, 100), "the sigma of the noise's law", default=None
    )
    sensitivity: Real = declared(
        "Δ", r"\Delta", NONNEGATIVE, (1, 10), "largest change of the query's value", default=1
    )
    variance: Real = declared(
        "σ²", r"\sigma^2", POSITIVE, (0.01, 1e4), "sigma squared, in place of sigma", default=None
    )

    def __init__(
        self,
        noise_scale: Real | None = None,
        sensitivity: Real = 1,
        *,
        variance: Real | None = None,
        neighbors: Neighbors = add_or_remove,
    ):
        name = type(self).__name__
        if (noise_scale is None) == (variance is None):
            raise InvalidArgument(
                f"{name}: give noise_scale or variance, one of the two; you passed "
                f"noise_scale={noise_scale!r}, variance={variance!r}"
            )
        if noise_scale is None:
            given: Real = validated(variance, self.scales, f"{name}: variance")
        else:
            noise_scale = validated(noise_scale, self.scales, f"{name}: noise_scale")
            given = Fraction(noise_scale) ** 2
        domain = WHOLE if self.whole else NONNEGATIVE
        object.__setattr__(self, "neighbors", neighbors)
        object.__setattr__(self, "noise_scale", noise_scale)
        object.__setattr__(self, "variance", given)
        object.__setattr__(
            self, "sensitivity", validated(sensitivity, domain, f"{name}: sensitivity")
        )
        self._check_neighbors()

    @cached_property
    def ratio(self) -> Fraction:
        """sensitivity^2/variance, exactly: twice rho, and the square of the Gaussian's mu."""
        return Fraction(self.sensitivity) ** 2 / Fraction(self.variance)

    def grouped(self, size: int) -> Self | None:
        """The same noise against ``size`` times the sensitivity."""
        wider = Fraction(self.sensitivity) * size
        return type(self)(variance=self.variance, sensitivity=wider, neighbors=self.neighbors)

    def argmax(
        self, scores: Any, *, coordinates: int | None = None, entropy: Entropy | None = None
    ) -> Released:
        """Report the candidate whose score plus noise is largest, and nothing else.

        It costs what releasing all noisy scores would cost: ``sensitivity`` bounds the L2 norm of
        the change of the *whole* vector of scores, so this is for scores of which a unit touches
        few. Where it may touch all of them, the cost of ``Exponential`` and ``PermuteAndFlip`` does
        not grow with their number. Whether scores are monotone makes no difference here.

        Args:
            scores: one number for each candidate; higher is better. Whole numbers by type if the
                noise is discrete.
            coordinates: the most scores that one unit can change; all by default.
            entropy: where random bits come from, the operating system by default.

        Returns:
            ``value`` is the number of the candidate, ties broken fairly; ``event`` the release of
            all noisy scores, and what was made of it.

        Raises:
            InvalidArgument: a score is not finite (its place is told), there is no candidate,
                there are several selections, or an argument is not admissible.

        Source: Dwork and Roth (2014), Proposition 2.1: post-processing.

        Examples:
            >>> import tightrope as tr
            >>> chosen = tr.Gaussian(noise_scale=2.0).argmax([3, 900, 14], coordinates=1)
            >>> chosen.value, chosen.event.to(tr.ZCDP)
            (1, ZCDP(rho=0.1251))
        """
        caller = f"{type(self).__name__}.argmax"
        source = source_of(entropy, caller)
        known = read_candidates(scores, caller).flat
        noisy = self.release(known, coordinates=coordinates, entropy=source)
        best = noisy.value == noisy.value.max()
        winner = pick_one(best[np.newaxis], source)
        return Released(int(winner[0]), noisy.event.then("number of the largest"), source.secure)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NormalNoise) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return type(self), self.variance, self.sensitivity, self.neighbors

    @property
    def _given_scale(self) -> str:
        return "variance" if self.noise_scale is None else "noise_scale"

    def _told(self) -> list[str]:
        scale = self._given_scale
        return [scale] if self.sensitivity == 1 else [scale, "sensitivity"]
