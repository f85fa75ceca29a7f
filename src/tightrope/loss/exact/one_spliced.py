"""One release of the cover of a fixed-size Gaussian sample: its profile is a formula."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.interval import LogInterval
from tightrope.loss.loss import Floats
from tightrope.loss.spliced.spliced import SplicedLoss
from tightrope.loss.total import Total
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.rounding import EPS


@dataclass(frozen=True)
class OneSpliced:
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
        ends = [
            np.asarray(gaussian_log_delta(self.mu, inner * (1 + side * 6 * EPS)))
            for side in (1, -1)
        ]
        log_rate = math.log(self.rate)
        errors = [
            np.asarray(gaussian_log_delta_error(end)) + 4 * EPS * (1 + np.abs(end) - log_rate)
            for end in ends
        ]
        return LogInterval(
            ends[0] + log_rate - errors[0], ends[1] + log_rate + errors[1], "a formula"
        )
