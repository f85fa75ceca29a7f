"""A contour that is kept, and how it did at the epsilon that it was laid for."""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.contour.contour import Contour

WIDE = 1e-9
"""Relative width of an interval that is worth another try."""

MOST_PATIENT = 1 << 13
"""Nodes of a contour that may be laid anew, or with values beyond doubles."""

SAME = 1e-2
"""How far, relatively, a saddle may lie from a contour that would not do better through it."""


class Kept(NamedTuple):
    """A contour, and how it did.

    Attributes:
        contour: the nodes.
        saddle: the c for which it was laid; it may have moved to the left.
        width: the relative width of the interval at its own epsilon; infinite without a lower end.
        log_upper: the upper end there.
        rounded: whether it is rounding that makes the interval wide.
        hasty: whether it may be narrower with a shorter step, or nearer to the saddle.
    """

    contour: Contour
    saddle: float
    width: float
    log_upper: float
    rounded: bool
    hasty: bool

    @classmethod
    def at(cls, contour: Contour, c: float, epsilon: float) -> Self:
        """A contour that was laid for an epsilon with the saddle c."""
        sums = contour.sums(np.array([epsilon]))
        upper = float(sums.log_upper[0])
        width = upper - float(sums.log_lower[0])
        width = width if math.isfinite(width) else math.inf
        rounded = width > WIDE and bool(sums.rounded[0])
        aliased = width > WIDE and bool(sums.aliased[0])
        short = not contour.eta and contour.nodes <= MOST_PATIENT
        hasty = short and (aliased or (rounded and contour.c < c))
        return cls(contour, c, width, upper, rounded and short, hasty)

    def is_vain_at(self, c: float) -> bool:
        """Whether it proves no lower end, and another one through c would not either."""
        return self.width == math.inf and abs(self.saddle - c) <= SAME * c
