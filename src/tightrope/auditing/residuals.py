"""The noise in outputs, where the law that it should have is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from typing import Any

import numpy as np

from tightrope._errors import InvalidArgument
from tightrope.auditing.draws import Sample
from tightrope.auditing.noise_shapes import (
    GaussianShape,
    LaplaceShape,
    LogisticShape,
    NoiseShape,
    SkellamShape,
)
from tightrope.grid import floor_log2, step_of, to_points
from tightrope.mechanisms import DiscreteLaplace, Laplace, Logistic
from tightrope.mechanisms.releasing import AdditiveNoise
from tightrope.mechanisms.skellam_noise import SkellamNoise
from tightrope.num.arrays import Floats

__all__ = ["KnownNoise", "released_noise", "stated_noise"]


@dataclass(frozen=True)
class KnownNoise:
    """Noise whose law is known, on a grid.

    Attributes:
        shape: the law, in steps of the grid.
        exponent: the step is 2 to this power; None if there is no grid.
    """

    shape: NoiseShape
    exponent: int | None

    def of(self, outputs: Sample, x: Any) -> Floats:
        """The outputs minus the input, in steps, in a row.

        Raises:
            InvalidArgument: the outputs are not as many numbers as the input.
        """
        one = np.asarray(x).reshape(-1)
        try:
            values = np.asarray(outputs, dtype=np.float64).reshape(len(outputs), one.size)
        except (TypeError, ValueError):
            raise InvalidArgument(
                "audit: law needs outputs that are the input plus noise: numbers, as many as the "
                f"input has; the first output is {outputs[0]!r}"
            ) from None
        if self.exponent is None:
            return (values - one.astype(np.float64)).reshape(-1)
        points = to_points(one, self.exponent).astype(np.float64)
        return np.asarray(np.ldexp(values, -self.exponent) - points).reshape(-1)


def released_noise(mechanism: AdditiveNoise, x: Any) -> KnownNoise:
    """The noise of a release of x: whole numbers of steps."""
    touched = max(np.size(x), 1)
    exponent = 0 if mechanism.whole else floor_log2(mechanism.grid_step(touched))
    return KnownNoise(_shape(mechanism, step_of(exponent), True), exponent)


def stated_noise(law: object) -> KnownNoise:
    """The noise that a program is said to add: of this mechanism, whole if it is discrete.

    Raises:
        InvalidArgument: it is no mechanism that adds noise.
    """
    if not isinstance(law, AdditiveNoise):
        raise InvalidArgument(
            f"audit: law must be a mechanism that adds noise, such as tr.Laplace(2.0); you passed "
            f"{law!r}"
        )
    return KnownNoise(_shape(law, Fraction(1), law.whole), 0 if law.whole else None)


@singledispatch
def _shape(mechanism: Any, step: Fraction, whole: bool) -> NoiseShape:
    """The law of a mechanism's noise in steps; of most it is Gaussian."""
    return GaussianShape(math.sqrt(Fraction(mechanism.variance) / step**2), whole)


@_shape.register
def _(mechanism: Laplace | DiscreteLaplace, step: Fraction, whole: bool) -> NoiseShape:
    return LaplaceShape(float(Fraction(mechanism.noise_scale) / step), whole)


@_shape.register
def _(mechanism: Logistic, step: Fraction, whole: bool) -> NoiseShape:
    return LogisticShape(float(Fraction(mechanism.noise_scale) / step), whole)


@_shape.register
def _(mechanism: SkellamNoise, step: Fraction, whole: bool) -> NoiseShape:
    return SkellamShape(math.sqrt(mechanism.variance), whole)
