"""Sampled Gaussian noise that is small: a result all but tells whether the unit was sampled.

Let q be the rate, g ~ N(mu^2/2, mu^2) the Gaussian loss, and w = q/(1 - q) exp(mu x - mu^2/2). The
loss of the mixture against the base law is log(1 - q) + log(1 + w), and also log q + (mu x -
mu^2/2) + log(1 + 1/w). Leaving out log(1 + w) if the unit was not sampled and log(1 + 1/w) if it
was makes losses smaller, but by no more than exp(-D) a run, except if w > exp(-D) without it or
w < exp(D) with it: events whose probabilities add up to some b. With k ~ Binomial(n, q) sampled,

    D(e) <= delta(e) <= D(e - n exp(-D)) + b,
    D(e) = sum over k > 0 of Pr[k] delta_{mu sqrt k}(e - k log q - (n - k) log(1 - q)).

Of the base law against the mixture every loss is at most -log(1 - q), and at least that less
exp(-D) unless w > exp(-D).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.bent.density import SampledDensity
from tightrope.loss.bent.few import kinds_of
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.binomial import log_binomial, log_binomial_error
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.logspace import logsumexp
from tightrope.num.normal import log_cdf
from tightrope.num.rounding import EPS

LEAST_MU = 18.0
"""For a smaller mu the probability that is added is not small enough."""

MOST_RUNS = 1 << 12
"""Runs of which every number that was sampled is looked at."""

DEPTHS = np.linspace(15.0, 60.0, 10)
"""Values of D that are tried."""

METHOD = "a sum over how often the unit was sampled"


@dataclass(frozen=True)
class FarApart(Law):
    """Releases with a large mu."""

    quick: ClassVar[bool] = True

    density: SampledDensity
    runs: int

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is such releases of one kind."""
        kinds = kinds_of(total)
        if len(kinds) != 1 or kinds[0].density.mu <= LEAST_MU or kinds[0].count > MOST_RUNS:
            return None
        return cls(kinds[0].density, int(kinds[0].count))

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Both ends, for either order."""
        logs = self._log_bad(DEPTHS)
        best = int(np.argmin(np.maximum(logs, -DEPTHS)))
        moved, log_bad = self.runs * math.exp(-DEPTHS[best]), float(logs[best])
        if not self.density.mixed:
            return self._reverse(epsilon, moved, log_bad)
        lower = np.array([self._told(float(at), 1) for at in epsilon])
        upper = np.array([self._told(max(float(at) - moved, 0.0), -1) for at in epsilon])
        return LogInterval(lower, np.minimum(np.logaddexp(upper, log_bad), 0), METHOD)

    def _reverse(self, epsilon: Floats, moved: float, log_bad: float) -> LogInterval:
        """The base law against the mixture."""
        highest = -self.runs * self.density.log_least
        slack, room = 4 * EPS * (epsilon + highest), highest - epsilon
        kept = math.log1p(-math.exp(min(log_bad, -1e-9))) - 4 * EPS
        return LogInterval(_full(room - slack - moved) + kept, _full(room + slack), METHOD)

    def _log_bad(self, depth: Floats) -> Floats:
        """log of b, rounded up."""
        mu, rate = self.density.mu, self.density.rate
        odds = math.log(rate) - self.density.log_least
        without = np.asarray(log_cdf(-mu / 2 + (depth + odds) / mu + 1e-12))
        within = np.asarray(log_cdf(-mu / 2 + (depth - odds) / mu + 1e-12)) + math.log(rate)
        both = np.logaddexp(without, within) if self.density.mixed else without
        return np.minimum(math.log(self.runs) + both + 1e-12, 0)

    def _told(self, epsilon: float, side: int) -> float:
        """log D, rounded down for side 1 and up for -1."""
        rate, runs = self.density.rate, self.runs
        k = np.arange(1.0, runs + 1)
        log_p = np.asarray(log_binomial(runs, rate, 1 - rate))[1:]
        inner = epsilon - k * math.log(rate) - (runs - k) * self.density.log_least
        mu = self.density.mu * np.sqrt(k)
        inner, mu = inner * (1 + side * 8 * EPS), mu * (1 - side * 2 * EPS)
        value = np.asarray(gaussian_log_delta(mu, inner))
        error = np.asarray(gaussian_log_delta_error(value)) + log_binomial_error(runs, log_p)
        return float(logsumexp(log_p + value - side * error)) - side * EPS * (runs + 4)


def _full(room: Floats) -> Floats:
    """log(1 - exp(-room)), and -inf where nothing is left."""
    possible = room > 0
    log = np.log(-np.expm1(-np.where(possible, room, 1.0)))
    return np.where(possible, log, -np.inf)
