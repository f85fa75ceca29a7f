"""One release of Laplace noise on a Poisson sample: its profile is a formula in both orders.

With r = 1 - rate + rate P/Q and delta_L the profile of the Laplace pair, 1 - exp((e - epsilon)/2),

    E_Q[(r - exp(e))_+] = rate delta_L(log(1 + (exp(e) - 1)/rate)),
    E_Q[(1 - exp(e) r)_+] = A delta_L(log(rate exp(e)/A)),   A = 1 - (1 - rate) exp(e),

at e >= 0, the second for A > 0 (else it is 0). Both fall with e and with what is taken a logarithm
of, so that either end is the formula with that moved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

FAR = 30.0
"""An epsilon from which on exp(epsilon) is taken out."""


@dataclass(frozen=True)
class OneSampledLaplace(Law):
    """The law of one release.

    Attributes:
        epsilon: sensitivity over noise scale.
        rate: the probability that the unit is sampled.
        with_unit: whether the data with the unit comes first.
    """

    quick: ClassVar[bool] = True

    epsilon: float
    rate: float
    with_unit: bool

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is one such release."""
        if len(total.losses) != 1:
            return None
        (loss,) = total.losses
        if not isinstance(loss, SampledLaplaceLoss) or loss.count.tolist() != [1.0]:
            return None
        return cls(float(loss.epsilon[0]), float(loss.rate[0]), float(loss.with_unit[0]) == 1)

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """The formula with every rounding on the safe side of either end."""
        end = self._with if self.with_unit else self._without
        return LogInterval(end(epsilon, -1), end(epsilon, 1), "a formula")

    def _with(self, epsilon: Floats, side: int) -> Floats:
        """The first formula."""
        log_rate = math.log(self.rate)
        near = np.log1p(np.expm1(np.minimum(epsilon, FAR)) / self.rate)
        rest = np.log1p(-(1 - self.rate) * np.exp(-np.maximum(epsilon, FAR)))
        inner = np.where(epsilon < FAR, near, (epsilon - log_rate) + rest)
        return self._profile(inner * (1 - side * 12 * EPS), side) + log_rate * (1 - side * 4 * EPS)

    def _without(self, epsilon: Floats, side: int) -> Floats:
        """The second one, with A = rate (1 - u)."""
        u = (1 - self.rate) / self.rate * np.expm1(np.minimum(epsilon, 700.0))
        u = u * (1 - side * 12 * EPS)
        inside = u < 1
        log_rest = np.log1p(-np.where(inside, u, 0.0))
        size = epsilon - log_rest
        found = self._profile(size * (1 - side * 8 * EPS), side) + log_rest
        log_rate = math.log(self.rate)
        found = found + log_rate + side * 8 * EPS * (size - log_rate + 1)
        return np.where(inside, found, -np.inf)

    def _profile(self, inner: Floats, side: int) -> Floats:
        """log delta_L, rounded up or down."""
        room = np.maximum(self.epsilon - inner, 0.0) / 2
        with np.errstate(divide="ignore"):
            value = np.log(-np.expm1(-room))
        off = 8 * EPS * (1 + np.abs(np.where(room > 0, value, 0.0)))
        return np.asarray(value + side * off)
