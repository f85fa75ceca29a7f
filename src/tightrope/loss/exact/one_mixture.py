"""One release of Gaussian noise on a Poisson sample: its profile is a formula in both orders.

With q the rate and delta_mu the profile of the Gaussian mechanism, for e >= 0,

    mixture against base law:  delta(e) = q delta_mu(log(1 + (exp(e) - 1)/q)),
    base law against mixture:  delta(e) = w delta_mu(e + log(q/w)),   w = 1 - exp(e) (1 - q),

and 0 where w <= 0 (Balle, Barthe and Gaboardi, 2018, Theorem 2; that is an equality here, and both
follow from the ratio of the laws being 1 - q + q exp(l), l the Gaussian loss).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tightrope.loss.bent.few import kinds_of
from tightrope.loss.exact.one_spliced import OneSpliced
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.hockey_stick import gaussian_log_delta_bound
from tightrope.num.precision import EXTENDED, ulp
from tightrope.num.rounding import EPS


def one_mixture(total: Total) -> OneSpliced | OneBase | None:
    """The law, if the total is one such release."""
    kinds = kinds_of(total)
    if [kind.count for kind in kinds] != [1.0]:
        return None
    density = kinds[0].density
    return (OneSpliced if density.mixed else OneBase)(density.mu, density.rate)


@dataclass(frozen=True)
class OneBase(Law):
    """The base law against the mixture."""

    quick: ClassVar[bool] = True

    mu: float
    rate: float

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """The formula at ends of w and of the inner epsilon."""
        largest = -np.log1p(-EXTENDED(self.rate))
        room: Floats = np.asarray(largest - epsilon, dtype=float)
        doubt = EPS * np.abs(room) + 5 * ulp(largest) * (float(largest) + epsilon)
        lower, upper = (self._end(epsilon, room + side * doubt, side) for side in (-1, 1))
        return LogInterval(lower, upper, "a formula")

    def _end(self, epsilon: Floats, room: Floats, side: int) -> Floats:
        """Of log delta, w being 1 - exp(-room); the error of the formula is added to that side."""
        possible = room > 0
        log_w = np.log(-np.expm1(-np.where(possible, room, 1.0)))
        inner, doubt = self._inner(epsilon, log_w)
        value = gaussian_log_delta_bound(self.mu, inner - side * doubt, side)
        ends = np.minimum(log_w + value + side * 8 * EPS * (1 + np.abs(log_w)), 0)
        return np.where(possible, ends, -np.inf)

    def _inner(self, epsilon: Floats, log_w: Floats) -> tuple[Floats, Floats]:
        """e + log(q/w), which falls in w, and how far it may be off for that w."""
        log_rate = math.log(self.rate)
        ratio = np.expm1(-epsilon) / self.rate  # 1 + ratio is w exp(-e)/q
        near = -np.log1p(np.maximum(ratio, -0.5))
        far = epsilon + log_rate - log_w
        rounding = 4 * EPS * (epsilon + abs(log_rate) + np.abs(log_w))
        return (
            np.where(ratio > -0.5, near, far),
            np.where(ratio > -0.5, 14 * EPS * np.abs(near), rounding),
        )
