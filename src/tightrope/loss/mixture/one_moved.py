"""The integrand of M where one weight of a standard Gaussian is moved: a plain sampled release.

Between phi and phi S, with S(u) = 1 - q + q exp(d u - d^2/2), M(c + it) is the integral of
phi S^(e + it) with e = c + 1, or of phi S^(e - it) with e = -c, by which of them is P. It is summed
at evenly spaced u on the real axis. The rule errs by no more than 2/expm1(2 pi y/step) times the
integral of the integrand's size at a height y, where

    phi is larger by exp(y^2/2) at most, S^e by cos(d y/2)^min(e, 0), S^(it) by exp(|t| d y),

and log S is elsewhere by no more than d y/cos(d y/2). The slope of log(phi S^e) is -u + e d w(u),
with a sigmoid w between 0 and 1: beyond all u to which e d w can move the mass, the nodes fall at
least geometrically.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from tightrope.loss.mixture.pair import MixturePair
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

MARGIN = 10.0
"""How far nodes go beyond all that S^e can move the mass to."""

FARTHEST, WIDEST = 40.0, 4.0
"""Products e d, and d, beyond which it would take too many nodes, or too fine ones."""

TALLEST, MOST_TURNED = 4.0, 2.4
"""The height of the strip is at most the first, and d times it at most the second."""

MOST_GROWTH = 24.0
"""Likewise -e d^2 y^2: eight times the logarithm of cos(d y/2)^e, or a little less."""


@dataclass(frozen=True)
class OneMoved:
    """phi S^(e + it) or phi S^(e - it).

    Attributes:
        weight: q.
        offset: d.
        power: e.
        turn: 1 or -1, the sign of t.
    """

    weight: float
    offset: float
    power: float
    turn: float

    @classmethod
    def of(cls, pair: MixturePair, c: float) -> Self | None:
        """The integrand of a pair on the line through c; None if it is of another kind."""
        one, other, power, turn = pair.right, pair.left, c + 1, 1.0
        if other.weights:
            one, other, power, turn = other, one, -c, -1.0
        alone = len(one.weights) == 1 and not other.weights and not pair.gap
        if not alone or one.still != 1 - one.weights[0] or pair.furthest < math.inf:
            return None
        found = cls(one.weights[0], one.offsets[0], power, turn)
        near = abs(power) * found.offset < FARTHEST and found.offset < WIDEST
        return found if near else None

    def nodes(self, step: float) -> Floats:
        """Multiples of a step, which is a power of 2: they are exact, and so are their squares."""
        moved = self.offset * self.power
        first = math.floor((min(moved, 0.0) - MARGIN) / step)
        last = math.ceil((max(moved, 0.0) + MARGIN) / step)
        return step * np.arange(first, last + 1.0)

    def log_s(self, u: Floats) -> tuple[Floats, Floats]:
        """log S at real points, and by how much it may be off: by its argument, and as log1p."""
        q, d = self.weight, self.offset
        exponent = d * u - d * d / 2
        found = np.log1p(q * np.expm1(exponent))
        moving = q * np.exp(exponent - found) * (d * np.abs(u) + d * d)
        return found, EPS * (moving + 4 * np.abs(np.expm1(-found)) + 2 * np.abs(found))

    @property
    def height(self) -> float:
        """Of the strip."""
        turned = math.sqrt(MOST_GROWTH / -self.power) if self.power < 0 else MOST_TURNED
        return min(TALLEST, min(MOST_TURNED, turned) / self.offset)

    @property
    def growth(self) -> float:
        """log of how much larger phi S^e may be at that height."""
        return self.height**2 / 2 + min(self.power, 0.0) * math.log(self._narrow)

    @property
    def shift(self) -> float:
        """How far log S moves on the way there."""
        return self.offset * self.height / self._narrow

    @property
    def _narrow(self) -> float:
        return math.cos(self.offset * self.height / 2)

    def log_error(self, step: float, farthest: float = 0.0) -> float:
        """log of the error of the rule for every |t| <= farthest, over the integral of phi S^e."""
        area = 2 * math.pi * self.height / step
        turned = farthest * self.offset * self.height
        return math.log(2) + self.growth + turned - area - math.log(-math.expm1(-area))


def beyond(step: float) -> float:
    """What is beyond the last node, over that node.

    A node has at most r = exp(-MARGIN step) of the one before it. With r up to 0.7 this is more
    than the sum of r^i over i > 0, with r up to 0.1 even more than that of r^i i^4.
    """
    return 4 * math.exp(-MARGIN * step)
