"""The density of the loss of sampled Gaussian noise, continued to complex losses.

With w = exp(v) = rate/(1 - rate) exp(mu x - mu^2/2), what the ratio of the mixture to the base law
is above its least value 1 - rate is log(1 + w) =: l >= 0. So v = log(exp(l) - 1) = v_0 + mu x, and
under the base law l has the density

    f(l) = phi((v - v_0)/mu)/mu * exp(l)/(exp(l) - 1);

under the mixture it is (1 - rate) exp(l) f(l). It is analytic for Re l > 0, |Im l| <= Re l. On the
ray l = lambda exp(i angle), 0 < angle < pi/4, lambda = exp(s), the function l f(l) of s has a
logarithmic slope

    -(v - v_0) T/mu^2 + 1 - l/(exp(l) - 1),   T = l/(1 - exp(-l)),

where |exp(l) - 1| >= Re l shows that |l/(exp(l) - 1)| <= sqrt 2 and |T| <= lambda + sqrt 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1
from tightrope.num.normal import half_log_2pi
from tightrope.num.precision import EXTENDED, turn_by, ulp

ROOT = 1.4143
"""The square root of 2, rounded up."""


class Density(NamedTuple):
    """log of l times the density at points of a ray.

    Attributes:
        value: the logarithm.
        error: how far it may be off.
        slope: a bound on its slope in log lambda.
        spread: |v - v_0|.
    """

    value: Complexes
    error: Floats
    slope: Floats
    spread: Floats


@dataclass(frozen=True)
class SampledDensity:
    """The density of l.

    Attributes:
        mu: sensitivity over noise scale.
        rate: the probability of being sampled.
        mixed: whether l is drawn by the mixture, else by the base law.
    """

    mu: float
    rate: float
    mixed: bool

    def refined(self) -> SampledDensity:
        """The same numbers beyond doubles."""
        return replace(self, mu=EXTENDED(self.mu), rate=EXTENDED(self.rate))

    @cached_property
    def log_least(self) -> float:
        """log of the least ratio."""
        return np.log1p(-self.rate)  # type: ignore[no-any-return]  # in the format of the rate

    @cached_property
    def start(self) -> float:
        """v_0."""
        odds = np.log(self.rate) - self.log_least
        return odds - self.mu * self.mu / 2  # type: ignore[no-any-return]

    def at(self, s: Floats, angle: float) -> Density:
        """At l = exp(s + i angle)."""
        s = np.asarray(s, dtype=np.result_type(s, self.mu))
        size = np.exp(s)
        loss: Complexes = size * turn_by(angle, s)
        log_back = np.log(-expm1(-loss) / loss)  # of 1/T
        v = s + 1j * angle + (loss + log_back)
        x = (v - self.start) / self.mu
        value = -log_back - x * x / 2 - (np.log(self.mu) + half_log_2pi(s))
        if self.mixed:
            value = value + (loss + self.log_least)
        spread = np.abs(v - self.start)
        slope = spread * (size + ROOT) / self.mu**2 + 1 + ROOT + self.mixed * size
        return Density(value, self._error(s, size, np.abs(x), value), slope, spread)

    def _error(self, s: Floats, size: Floats, x: Floats, value: Complexes) -> Floats:
        """Of the logarithm: v and v_0 are off, x rounds, the rest is smooth.

        1 - exp(-l) is good to 9 |T| ulps, and to 72 for lambda >= 1.
        """
        back = 9 * np.minimum(size + 1.5, 8)
        start = 2 * abs(math.log(self.rate)) + 2 * abs(self.log_least) + self.mu**2
        off = back + 8 * size + 2 * np.abs(s) + 4 * np.log1p(size) + 4 + start
        rest = back + 12 + 4 * np.log1p(size) + 2 * np.abs(value) + 10 * size
        return np.asarray(ulp(value) * (x * off / self.mu + 3 * x * x + rest))

    def ends(self, angle: float, power: float, depth: float) -> tuple[float, float]:
        """Where log lambda may start and end if l f(l) exp(power lambda) is integrated over it.

        Outside, the logarithm of |l f(l)| exp(power lambda) falls at least as fast as log lambda
        departs. The depth is how low it is there, roughly. On the left lambda is at most 1/1000,
        so v and T are within 0.6 lambda of log l and 1; on the right it is at least 20, and they
        are within exp(-lambda/sqrt 2) (lambda + 1) of l.
        """
        mu2 = self.mu**2
        left = self.start - max(1.1 * mu2 + 0.1, self.mu * math.sqrt(2 * depth))
        a = math.cos(2 * angle) / mu2
        b = (self.start * math.cos(angle) + 1e-4) / mu2 + power + self.mixed * math.cos(angle)
        c = 2 + ROOT + 1e-4 * (abs(self.start) + 1) / mu2
        falls = (b + math.sqrt(b * b + 4 * a * c)) / (2 * a)
        deep = (b + math.sqrt(b * b + 2 * a * depth)) / a
        return min(left, math.log(1e-3)), math.log(max(20.0, falls, deep))
