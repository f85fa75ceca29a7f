"""One release of the cover of a fixed-size Gaussian sample: its profile is a formula."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.spliced.spliced import SplicedLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.hockey_stick import LEAST, gaussian_log_delta_bound
from tightrope.num.rounding import EPS


@dataclass(frozen=True)
class OneSpliced(Law):
    """delta(log(1 + rate (e^e - 1))) = rate delta_mu(e), at e >= 0."""

    quick: ClassVar[bool] = True

    mu: float
    rate: float

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is one such release."""
        if len(total.losses) != 1:
            return None
        (loss,) = total.losses
        if not isinstance(loss, SplicedLoss) or loss.count.tolist() != [1.0]:
            return None
        return cls(float(loss.mu[0]), float(loss.rate[0]))

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """The formula at an inner epsilon that is moved by its rounding."""
        with np.errstate(over="ignore"):
            near = np.log1p(np.expm1(np.minimum(epsilon, 30.0)) / self.rate)
        inner = np.where(epsilon < 30, near, epsilon - math.log(self.rate))
        log_rate = math.log(self.rate)
        lower, upper = (self._end(inner * (1 + side * 6 * EPS), -side) for side in (1, -1))
        return LogInterval(lower + log_rate, upper + log_rate, "a formula")

    def _end(self, inner: Floats, side: int) -> Floats:
        """The formula, moved up or down by its errors."""
        value = gaussian_log_delta_bound(self.mu, inner, side)
        size = 1 - np.maximum(value, LEAST) - math.log(self.rate)
        return np.asarray(value + side * 4 * EPS * size)
