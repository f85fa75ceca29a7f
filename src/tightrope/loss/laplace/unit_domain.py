"""Where the density of one sampled Laplace loss is analytic, and how large it is there.

With r = 1 - rate + h, ``UnitDensity`` is analytic in |arg h| < pi. The domain is |arg h| <= turn,
without the corner between h = 0 and a chord: of each half of it, Im h >= 0 say, r is where half
planes meet that do not contain 0, and log turns Re(w) > 1 into -log cos(arg) < Re, a convex region.
So each half is convex in tau, and straight lines from real tau do not leave the domain. The size
of the density in tau,

    (d/4) sqrt(h_-) exp(epsilon tau) r/h^(3/2),

follows from |r|, which is exp of the real part of d tau, and arg r, the imaginary part: |h|^2 is
(|r| - 1 + rate)^2 + 4 |r| (1 - rate) sin(arg r/2)^2. An ellipse in s with foci 0 and 1 lies in the
domain if its height is at most turn, in units of 2 epsilon; it also says where the domain ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.num.arrays import Floats

CELLS = 32
"""Cells of |r| on either side of 1 - rate."""

ARGUMENTS = np.linspace(0, 1, 9)
"""Cells of arg r, in units of its largest value."""

NARROW = np.append(0.0, np.geomspace(1e-6, 0.5, 24))

SHARES = np.append(NARROW, 1 - NARROW[-2::-1])
"""Parts of a line, narrow at both ends."""

SAFE = 1 + 1e-9
"""Rounds bounds up."""


@dataclass(frozen=True)
class UnitDomain:
    """A domain, and an ellipse in it.

    Attributes:
        density: of one release.
        turn: the largest argument of h, below pi.
    """

    density: UnitDensity
    turn: float

    @cached_property
    def radius(self) -> float:
        """Of the ellipse, see ``chebyshev.truncation``."""
        part = self.turn / self.density.epsilon
        return (part + math.hypot(1, part)) / SAFE

    @cached_property
    def odds(self) -> tuple[float, float]:
        """The least and the largest |h| of the ellipse; the chord joins points of the least one."""
        reach = math.hypot(self.density.epsilon, self.turn)
        rate = self.density.rate
        return rate * math.exp(-reach) / SAFE, rate * math.exp(reach) * SAFE

    @cached_property
    def least(self) -> float:
        """The least |r|: where |arg h| is ``turn``, or in the ellipse."""
        rest = self.density.rest
        return max(rest * self._sine, rest - self.odds[1]) / SAFE

    @cached_property
    def stretch(self) -> float:
        """A bound on the slope of tau by s in the ellipse, 2 epsilon h/(d r)."""
        part = min(1 / self._sine, self.odds[1] / self.least)
        return 2 * self.density.epsilon / self.density.width * part * SAFE

    @cached_property
    def sup(self) -> float:
        """A bound on the density in tau."""
        low, high = self._edges[:-1, None], self._edges[1:, None]
        return float(self._size(low, high, self._arguments[..., 0]).max()) * SAFE

    @cached_property
    def along(self) -> float:
        """A bound on the integral of its size along any line from 0 or 1."""
        return max(self._along(origin) for origin in (0.0, 1.0))

    @cached_property
    def _edges(self) -> Floats:
        """Of cells of |r| - 1 + rate."""
        small = self.odds[0] / 2
        drop = self.density.rest - self.least
        below = -np.geomspace(drop, small, CELLS) if drop > small else np.array([-drop])
        return np.append(below, np.geomspace(small, self.odds[1], CELLS))

    @cached_property
    def _arguments(self) -> Floats:
        """Of cells of arg r, the ends last."""
        most = self.argument(self._edges[1:], self.turn) * SAFE
        marks = most[:, None] * ARGUMENTS
        return np.stack([marks[:, :-1], marks[:, 1:]], axis=-1)

    def _along(self, origin: float) -> float:
        """The largest over ends of lines in a cell of |r| and arg r: length times mean size."""
        away = self._tau(self._edges) - origin
        low, high = away[:-1, None], away[1:, None]
        turned = self._arguments
        length = np.hypot(np.maximum(np.abs(low), np.abs(high)), turned[..., 1] / self._width)
        start, end = SHARES[:-1, None, None], SHARES[1:, None, None]
        near = self._rise(origin + np.minimum(start * low, end * low))
        far = self._rise(origin + np.maximum(start * high, end * high))
        sizes = self._size(near, far, start * turned[..., 0])
        mean = ((end - start) * sizes).sum(axis=0)
        return float((length * mean).max()) * SAFE

    def argument(self, rise: Floats, turn: float | Floats) -> Floats:
        """The largest argument of r with |r| - 1 + rate at most so much, where |arg h| <= turn."""
        rest, square = self.density.rest, rise * (rise + 2 * self.density.rest)
        along = rest * np.cos(turn)
        root = np.sqrt(np.maximum(along * along + square, 0))
        odds = np.where(along > 0, square / (np.abs(along) + root), root - along)
        return np.asarray(np.arctan2(odds * np.sin(turn), rest + odds * np.cos(turn)))

    def least_rise(self, odds: Floats, turn: Floats) -> Floats:
        """The least |r| - 1 + rate of an h of that size and an argument of up to pi/2."""
        rest = self.density.rest
        square = odds * (2 * rest * np.cos(turn) + odds)
        return np.asarray(square / (np.sqrt(rest * rest + square) + rest))

    @property
    def _width(self) -> float:
        return self.density.width

    @property
    def _sine(self) -> float:
        """The least |r|/max(1 - rate, |h|)."""
        return math.sin(max(self.turn, math.pi / 2))

    def _tau(self, rise: Floats) -> Floats:
        """The real part of tau."""
        low = (rise - self.density.odds[0]) / self.density.ends[0]
        return np.asarray(np.log1p(low) / self._width)

    def _rise(self, tau: Floats) -> Floats:
        """The inverse."""
        grown = self.density.ends[0] * np.expm1(self._width * tau)
        return np.asarray(self.density.odds[0] + grown)

    def _size(self, low: Floats, high: Floats, turned: Floats) -> Floats:
        """The density where |r| - 1 + rate is between two numbers, and arg r at least so much."""
        density = self.density
        bend = 2 * density.rest * np.sin(turned / 2) ** 2
        # |h| rises with arg r, and with |r| from (1 - rate) cos(arg r) on
        rise = np.clip(-bend, low, high)
        square = rise * rise + 2 * bend * (density.rest + rise)
        odds = np.maximum(np.sqrt(square), self.odds[0] * math.cos(self.turn / 2))
        front = self._width / 4 * math.sqrt(density.odds[0]) * (density.rest + high)
        return np.asarray(front * np.exp(density.epsilon * self._tau(high)) / odds**1.5)
