"""A few alike Poisson samples of Gaussian noise, the mixture first, where contours are long.

With G of ``cut_profile``, delta(e) = G_n(exp(e) - (1 - rate)^n): set up once, every epsilon is a
polynomial. Far out, where G is not tabulated, the hyperbola answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.bent.few import kinds_of
from tightrope.loss.bent.law import FewSampledLaw
from tightrope.loss.contour import laying, saddle
from tightrope.loss.exact.cut_profile import CutProfile, Kind
from tightrope.loss.exact.cut_runs import cut_profile
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

MOST_RUNS = 4
"""Of more, errors and the time to set up would grow too large."""

LEAST_MU, LARGEST_MU = 0.5, 3.0
"""Of a smaller shift contours are short; of a larger one the table is long."""

LONG = 1 << 12
"""Nodes of a contour that takes as long as the table."""

PROBE = 0.1
"""An epsilon at which a contour is laid to see that."""

NARROW = 1e-8
"""Width of an interval that is good enough."""


@dataclass(frozen=True, eq=False)
class FewSampledGaussian(Law):
    """The law of a few alike releases.

    Attributes:
        profile: G.
        beyond: for larger losses than those of the table.
    """

    quick: ClassVar[bool] = True

    profile: CutProfile
    beyond: Law

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if the total is of another sort or its contours are short."""
        kinds = kinds_of(total)
        if len(kinds) != 1 or not kinds[0].density.mixed or not 1 < kinds[0].count <= MOST_RUNS:
            return None
        density = kinds[0].density
        beyond = FewSampledLaw.of(total)
        if not LEAST_MU <= density.mu <= LARGEST_MU or beyond is None:
            return None
        probed = laying.through(total, saddle.for_epsilon(total, PROBE), PROBE)
        if not probed.eta and probed.nodes <= LONG:
            return None
        return cls(cut_profile(Kind(density.mu, density.rate), int(kinds[0].count)), beyond)

    @property
    def terms(self) -> int:
        """Of a polynomial."""
        return int(self.profile.values.shape[1])

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        kind, runs = self.profile.kind, self.profile.runs
        room = kind.room(runs)
        log_x = np.log(np.expm1(np.minimum(epsilon, 700.0)) + room)
        known = log_x < self.profile.end
        off = EPS * (8 + 4 * runs + 2 * epsilon)
        value, error = self.profile.at(np.minimum(log_x, self.profile.end), off)
        error = np.minimum(error + 4 * EPS, 0.5)
        log = np.log(value)
        rounding = 4 * EPS * (1 + np.abs(log))
        lower = np.where(known, log + np.log1p(-error) - rounding, -np.inf)
        upper = np.minimum(log + np.log1p(error) + rounding, 0)
        wide = ~(known & (upper - lower < NARROW))
        if wide.any():
            found = self.beyond.log_delta(epsilon[wide])
            lower[wide] = np.fmax(lower[wide], found.lower)
            upper[wide] = np.fmin(upper[wide], found.upper)
        method = f"polynomials in {len(self.profile.tilt)} panels of log x"
        return LogInterval(lower, upper, method)
