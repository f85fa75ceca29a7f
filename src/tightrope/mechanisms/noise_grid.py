"""The grid on which real-valued noise is released, and what rounding to it costs.

The step is 2^k, and k comes from the noise scale, the sensitivity and the number of coordinates
that a unit can touch, never from the data. Rounding moves every touched coordinate by at most half
a step at either neighbour, so between neighbours

    a coordinate by at most g,  the L1 norm by at most d g,  the L2 norm by at most sqrt(d) g

more than before; half to even attains it: .5 and 1.5 steps become 0 and 2. Changes of whole
numbers are whole, which allows to round the new bounds of one coordinate and of the L1 norm down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from tightrope._check import Real
from tightrope._errors import InvalidArgument
from tightrope.grid import LOWEST_EXPONENT, floor_log2, plain, step_of

FINENESS = 24
"""Bits of the sensitivity below its leading one: rounding costs less than 2^-24 of it ..."""

FINER = 4
"""... with up to so many bits more for several coordinates; 2^31 sensitivities then fit."""

WIDEST = 56
"""The noise scale is less than 2^56 steps, so that noise next to never saturates."""

LEAST_RATIO = Fraction(1, 2**64)
"""Least scale over sensitivity."""


@dataclass(frozen=True)
class NoiseGrid:
    """Steps of ``2**exponent``, and a sensitivity in these steps.

    Attributes:
        exponent: of the step.
        change: the sensitivity over the step, before rounding.
        coordinates: how many coordinates a unit can touch.
    """

    exponent: int
    change: Fraction
    coordinates: int

    @classmethod
    def of(cls, variance: Real, sensitivity: Real, coordinates: int, owner: str) -> Self:
        """The grid for noise of scale sqrt(variance).

        Raises:
            InvalidArgument: the noise is smaller than 2^-64 of the sensitivity.
        """
        change, square = Fraction(sensitivity), Fraction(variance)
        if change and square < (LEAST_RATIO * change) ** 2:
            raise InvalidArgument(
                f"{owner}: noise_scale is below 2^-64 of sensitivity={sensitivity!r}: noise that "
                "small protects nobody; are the two swapped?"
            )
        scale = floor_log2(square) // 2
        size = floor_log2(change) if change else scale
        fine = size - FINENESS - min(FINER, (coordinates - 1).bit_length())
        exponent = max(fine, scale + 1 - WIDEST, LOWEST_EXPONENT)
        return cls(exponent, change / step_of(exponent), coordinates)

    @property
    def step(self) -> Fraction:
        """The step, exactly."""
        return step_of(self.exponent)

    @property
    def l1(self) -> int:
        """The L1 sensitivity in steps after rounding; of one coordinate, its largest change."""
        return math.floor(self.change) + self.coordinates if self.change else 0

    @property
    def l2(self) -> int:
        """A whole number that is at least the L2 sensitivity in steps after rounding."""
        if not self.change:
            return 0
        whole = math.ceil(self.change)
        return whole + math.isqrt(self.coordinates - 1) + 1 if self.coordinates > 1 else self.l1

    def in_steps(self, x: Real) -> Real:
        """A real number in steps: as a whole number or a float if it is one."""
        return plain(Fraction(x) / self.step)
