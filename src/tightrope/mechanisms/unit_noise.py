"""Whole noise on numbers that one unit moves by at most 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.mechanisms.discrete_gaussian import DiscreteGaussian
from tightrope.mechanisms.discrete_laplace import DiscreteLaplace
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.skellam import Skellam

UnitNoise = DiscreteLaplace | DiscreteGaussian | Skellam

_DELTA = Domain("a number from 1e-30 to 0.5", lambda x: 1e-30 <= x <= 0.5)


def law_of(noise: Any, caller: str) -> NoiseLaw:
    """The law of the noise.

    Raises:
        InvalidArgument: it is not whole noise of sensitivity 1.
    """
    if not isinstance(noise, UnitNoise) or noise.sensitivity != 1:
        raise InvalidArgument(
            f"{caller}: noise must be tr.DiscreteLaplace(...), tr.DiscreteGaussian(...) or "
            f"tr.Skellam(...) of sensitivity 1; you passed {noise!r}"
        )
    return noise._on_grid(1)[1]


def read_delta(delta: Real, caller: str) -> Fraction:
    """The most that a threshold may let through, exactly."""
    return Fraction(validated(delta, _DELTA, f"{caller}: delta"))
