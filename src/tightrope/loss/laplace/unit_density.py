"""The law of one sampled Laplace loss, tilted and scaled to [0, 1]: two even atoms, a density.

Let r = 1 - rate + rate P/Q lie in [r_-, r_+] and T = log(r/r_-) in [0, d]. Times exp(epsilon T/d)
the law of tau = T/d under Q has atoms of 1/2 at 0 and 1, and between them the density

    gamma(tau) = d exp(-epsilon/2) sqrt(rate) r_- exp(d tau + epsilon tau)/(4 h^(3/2)),
    h = rate exp(-epsilon) + r_- (exp(d tau) - 1) = rate P/Q,

analytic but where r_- exp(d tau) <= 1 - rate: a distance of ``room`` to the left of 0, in units of
d. For Re tau = x, |h| is at least what it is at x. The slope of log gamma is

    d + epsilon - (3/2) d r_- exp(d tau)/h = epsilon - d/2 - (3/2) d (1 - rate)/h,

which rises; so gamma is convex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

CELLS = 64
"""Cells of an ellipse, and parts of a line, in which the density is bounded."""


@dataclass(frozen=True)
class UnitDensity:
    """The density of one release.

    Attributes:
        epsilon: sensitivity over noise scale.
        rate: the probability that the unit is sampled.
    """

    epsilon: float
    rate: float

    @cached_property
    def log_least(self) -> float:
        """log r_-."""
        return math.log1p(self.rate * math.expm1(-self.epsilon))

    @cached_property
    def width(self) -> float:
        """d."""
        spread = 2 * self.rate * math.sinh(self.epsilon)
        return math.log1p(spread / (1 + self.rate * math.expm1(-self.epsilon)))

    @cached_property
    def room(self) -> float:
        """How far 0 is from the singularity, in units of d."""
        return math.log1p(self.rate * math.exp(-self.epsilon) / (1 - self.rate)) / self.width

    def at(self, tau: Floats) -> Floats:
        """The density; its relative error is at most ``error``."""
        return self._formula(tau, tau)

    @property
    def error(self) -> float:
        """Elementary functions err by 4 EPS; their arguments, h and the constants by as much."""
        return EPS * (64 + 16 * (self.epsilon + self.width))

    @cached_property
    def ends(self) -> Floats:
        """The density at 0 and at 1, rounded up; nowhere between is it larger."""
        return self.at(np.array([0.0, 1.0])) * (1 + 1e-9)

    @cached_property
    def steepest(self) -> float:
        """The largest size of the slope, which is at an end; rounded up."""
        h = self.rate * np.exp(np.array([-self.epsilon, self.epsilon]))
        slope = self.epsilon - self.width / 2 - 1.5 * self.width * (1 - self.rate) / h
        return float((self.ends * (np.abs(slope) + 1e-9)).max()) * (1 + 1e-9)

    @cached_property
    def mass(self) -> float:
        """The integral of the density, rounded up: a convex function lies below its chords."""
        value = self.at(np.linspace(0, 1, CELLS + 1))
        return float((value[1:] + value[:-1]).mean()) / 2 * (1 + 1e-9)

    def sup(self, radius: float) -> float:
        """A bound on the size within the ellipse of ``chebyshev.truncation``; or infinity."""
        left = (radius + 1 / radius) / 4 - 0.5
        turned = self.width * (radius - 1 / radius) / 4
        if left >= 0.99 * self.room or turned >= 3:
            return math.inf
        ends = np.array([-left]), np.array([1 + left])
        return float(self._formula(*ends)[0]) * (1 + 1e-9)

    def along(self, radius: float) -> float:
        """A bound on the integral of the size along any line from 0 or 1 within that ellipse.

        In cells of Re tau the line is at most as long as the distance of their farthest point, and
        the size depends on the real part alone; it is summed over parts of the line.
        """
        long, short = (radius + 1 / radius) / 4, (radius - 1 / radius) / 4
        edges = np.linspace(0.5 - long, 0.5 + long, CELLS + 1)
        edges += [-1e-12] + [0.0] * (CELLS - 1) + [1e-12]
        ends = np.stack([edges[:-1], edges[1:]])
        off = np.maximum(np.maximum(ends[0] - 0.5, 0.5 - ends[1]), 0) / long
        tall = short * np.sqrt(np.maximum(1 - off * off, 0)) + 1e-9
        return max(self._line(ends, tall, start) for start in (0.0, 1.0))

    def _line(self, ends: Floats, tall: Floats, start: float) -> float:
        parts = np.linspace(0, 1, CELLS + 1)
        marks = start + parts[:, None, None] * (ends - start)
        low = np.minimum(marks[:-1], marks[1:]).min(axis=1)
        high = np.maximum(marks[:-1], marks[1:]).max(axis=1)
        length = np.hypot(np.abs(ends - start).max(axis=0), tall)
        return float((length * self._formula(low, high).mean(axis=0)).max()) * (1 + 1e-9)

    def _formula(self, low: Floats, high: Floats) -> Floats:
        """The denominator at ``low``, the numerator at ``high``."""
        least = 1 + self.rate * math.expm1(-self.epsilon)
        h = self.rate * math.exp(-self.epsilon) + least * np.expm1(self.width * low)
        front = self.width * math.exp(-self.epsilon / 2) * math.sqrt(self.rate) * least / 4
        return np.asarray(front * np.exp((self.width + self.epsilon) * high) / (h * np.sqrt(h)))
