"""The law of one sampled Laplace loss, tilted: two even atoms and a density between them.

Let r = 1 - rate + rate P/Q lie in [r_-, r_+] and tau = log(r/r_-)/d in [0, 1]. Times
exp(epsilon tau) its law under Q has atoms of 1/2 at both ends. Losses of P against Q run from
-epsilon to epsilon; ``s``, in [0, 1], says how far along they are, and

    h = rate P/Q = rate exp(-epsilon) exp(2 epsilon s),    r = 1 - rate + h,

so that tau, too, is a function of s. In s the density is

    (epsilon/2) exp(epsilon (tau - s)),

which is as smooth at the lower end as anywhere, while the density in tau rises there like
h^(-3/2), by exp(3 epsilon).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Floats
from tightrope.num.chebyshev import Places
from tightrope.num.rounding import EPS


class Ratios(NamedTuple):
    """What belongs to a place; each to a relative accuracy.

    Attributes:
        odds: h.
        ratio: r.
        low: r - r_-.
        high: r_+ - r.
    """

    odds: Floats
    ratio: Floats
    low: Floats
    high: Floats


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
    def rest(self) -> float:
        """1 - rate."""
        return 1 - self.rate

    @cached_property
    def log_least(self) -> float:
        """log r_-."""
        if self.rate < 0.5:
            return math.log1p(self.rate * math.expm1(-self.epsilon))
        return math.log(self.ends[0])

    @cached_property
    def width(self) -> float:
        """d."""
        return math.log1p(2 * self.rate * math.sinh(self.epsilon) / self.ends[0])

    @cached_property
    def odds(self) -> tuple[float, float]:
        """h at both ends."""
        return self.rate * math.exp(-self.epsilon), self.rate * math.exp(self.epsilon)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """r_- and r_+."""
        return self.rest + self.odds[0], self.rest + self.odds[1]

    def at(self, s: Places) -> Floats:
        """The density in s; its relative error is at most ``error``."""
        return np.asarray(self.epsilon / 2 * np.exp(self.epsilon * (self.tau(s) - s.place)))

    @property
    def error(self) -> float:
        """Elementary functions err by 4 EPS; their arguments and the constants by as much."""
        return EPS * (64 + 16 * (self.epsilon + self.width))

    def tau(self, s: Places) -> Floats:
        """What is added up."""
        return np.asarray(np.log1p(self.ratios(s).low / self.ends[0]) / self.width)

    def ratios(self, s: Places) -> Ratios:
        """Both ratios, and how far they are from their ends."""
        low = self.odds[0] * np.expm1(2 * self.epsilon * s.place)
        high = -self.odds[1] * np.expm1(-2 * self.epsilon * s.mirror)
        odds = self.odds[0] * np.exp(2 * self.epsilon * s.place)
        return Ratios(odds, self.rest + odds, low, high)

    def places(self, low: Floats, high: Floats) -> Places:
        """s by how far r is from either end.

        From the upper end only where it is near: 1 - s keeps the digits elsewhere.
        """
        place = np.log1p(low / self.odds[0]) / (2 * self.epsilon)
        part = np.minimum(high / self.odds[1], 0.5)
        near = -np.log1p(-part) / (2 * self.epsilon)
        return Places(place, np.where(part < 0.5, near, 1 - place))

    def part(self, start: Floats, rest: Floats) -> Places:
        """s by tau and 1 - tau."""
        low = self.ends[0] * np.expm1(self.width * start)
        return self.places(low, -self.ends[1] * np.expm1(-self.width * rest))
