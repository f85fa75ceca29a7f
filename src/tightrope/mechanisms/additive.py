"""Additive noise: mechanisms that add a draw from a fixed law to a query's value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

from tightrope import _wire
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
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.neighbors import Neighbors, add_or_remove
from tightrope.num.rounding import float_up

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
        return (float_up(Fraction(self.sensitivity) / Fraction(self.noise_scale)),)

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NormalNoise) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return type(self), self.variance, self.sensitivity, self.neighbors

    def __repr__(self) -> str:
        if self.noise_scale is None:
            told = [f"variance={_wire.typed(self.variance)}"]
        else:
            told = [f"noise_scale={_wire.typed(self.noise_scale)}"]
        if self.sensitivity != 1:
            told.append(f"sensitivity={_wire.typed(self.sensitivity)}")
        return f"{type(self).__name__}({', '.join(told + _wire.told_neighbors(self))})"
