"""A few alike Poisson samples of Gaussian noise, the mixture first, where contours are long.

With G of ``cut_profile``, delta(e) = G_n(exp(e) - (1 - rate)^n): set up once, every epsilon is a
polynomial. Far out, where G is not tabulated yet, the hyperbola answers; or, where it does not, a
longer table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from tightrope.loss.bent.few import kinds_of
from tightrope.loss.bent.law import FewSampledLaw
from tightrope.loss.contour import laying, saddle
from tightrope.loss.exact.cut_profile import CutProfile, Kind
from tightrope.loss.exact.cut_runs import cut_profile, far, is_short, near
from tightrope.loss.interval import LogInterval
from tightrope.loss.kept import WIDE
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

if TYPE_CHECKING:
    from tightrope.loss.contour.contour import Contour

MOST_RUNS, FEWEST = 6, 4
"""Of more, errors and the time to set up would grow too large; of more than four, the table is what
is asked last."""

LARGEST_MU = 3.0
"""Of a larger shift the table is long."""

LONG = 1 << 12
"""Nodes of a contour that takes as long as the table."""

PROBE, SHIFTS = 0.1, 4.0
"""An epsilon at which a contour is laid to see that, or so many times mu rate if that is less."""

HANDY_RUNS, HANDY = 3, 40.0
"""Runs, and panels of more runs, up to which a table takes no longer than others do."""

NARROW = 1e-9
"""Width of an interval that is good enough."""


@dataclass(frozen=True, eq=False)
class FewSampledGaussian(Law):
    """The law of a few alike releases.

    Attributes:
        kind: of release.
        runs: how many.
        beyond: what answers where no table does.
        long: whether contours are, and a table is quicker.
    """

    kind: Kind
    runs: int
    beyond: Law
    long: bool

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if the total is of another sort, or its table long."""
        kinds = kinds_of(total)
        if len(kinds) != 1 or not kinds[0].density.mixed or not 1 < kinds[0].count <= MOST_RUNS:
            return None
        runs, beyond = int(kinds[0].count), FewSampledLaw.of(total)
        kind = Kind(kinds[0].density.mu, kinds[0].density.rate)
        if kind.mu > LARGEST_MU or not is_short(kind, runs) or beyond is None:
            return None
        at = min(PROBE, SHIFTS * kind.mu * kind.rate)
        probed = laying.through(total, saddle.for_epsilon(total, at), at)
        long = probed.eta > 0 or probed.nodes > LONG
        return cls(kind, runs, beyond, long and _handy(kind, runs))

    @property
    def quick(self) -> bool:
        """Whether contours are long."""
        return self.long

    def preferred_to(self, contour: Contour) -> bool:
        """As it is beside a hyperbola."""
        return self.beyond.preferred_to(contour)

    def narrowed(self, epsilon: Floats, interval: LogInterval) -> LogInterval:
        """The interval, narrower where a short contour left it wide and the epsilon is possible."""
        lower, upper = interval.lower.copy(), interval.upper.copy()
        with np.errstate(invalid="ignore"):
            wide = ~(upper - lower <= WIDE)
        if wide.any():
            found = self.log_delta(epsilon[wide])
            lower[wide] = np.fmax(lower[wide], found.lower)
            upper[wide] = np.fmin(upper[wide], found.upper)
        return interval._replace(lower=lower, upper=upper)

    @property
    def profile(self) -> CutProfile:
        """The table for ordinary losses."""
        return cut_profile(self.kind, self.runs, near(self.kind, self.runs))

    @property
    def terms(self) -> int:
        """Of a polynomial."""
        return int(self.profile.values.shape[1])

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        lower, upper, method = np.full(len(epsilon), -np.inf), np.zeros(len(epsilon)), ""
        sources = [self.beyond.log_delta, self._by_longer_table]
        if self.runs <= FEWEST and _handy(self.kind, self.runs):
            sources.insert(0, self._by_table)
        for source in sources:
            wide = ~(upper - lower < NARROW)
            if not wide.any():
                break
            found = source(epsilon[wide])
            lower[wide] = np.fmax(lower[wide], found.lower)
            upper[wide] = np.fmin(upper[wide], found.upper)
            method = method or found.method
        return LogInterval(lower, upper, method)

    def _by_table(self, epsilon: Floats) -> LogInterval:
        return _tabulated(self.profile, epsilon)

    def _by_longer_table(self, epsilon: Floats) -> LogInterval:
        return _tabulated(cut_profile(self.kind, self.runs, far(self.kind, self.runs)), epsilon)


def _handy(kind: Kind, runs: int) -> bool:
    return runs <= HANDY_RUNS or is_short(kind, runs, HANDY)


def _tabulated(profile: CutProfile, epsilon: Floats) -> LogInterval:
    """Bounds on log delta by one table; beyond its end nothing but that delta falls."""
    runs, end = profile.runs, profile.end
    log_x = np.log(np.expm1(np.minimum(epsilon, 700.0)) + profile.kind.room(runs))
    off = EPS * (8 + 4 * runs + 2 * epsilon + np.abs(log_x))
    log, error = profile.at(np.minimum(log_x, end), off)
    error = np.minimum(error + 4 * EPS, 0.5)
    rounding = 4 * EPS * (1 + np.abs(log))
    lower = np.where(log_x < end, log + np.log1p(-error) - rounding, -np.inf)
    upper = np.minimum(log + np.log1p(error) + rounding, 0)
    return LogInterval(lower, upper, f"polynomials in {len(profile.tilt)} panels of log x")
