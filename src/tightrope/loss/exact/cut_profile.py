"""What few Poisson samples of Gaussian noise leak, as a function that is analytic but for a cut.

Let R be the product of m ratios r = 1 - rate + rate exp(v), v ~ N(-mu^2/2, mu^2), and R_m its least
value, (1 - rate)^m. G_m(X) = E[(R - R_m - X)_+] is analytic off the negative axis, and for a theta
below pi |G_m(X)| <= A_m G_m(|X|) where |arg X| <= theta, with an A_m that ``Kind.log_growth``
states (docs/engine.md). So it is a polynomial in log X, panel by panel, up to proved errors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.chebyshev import Places
from tightrope.num.rounding import EPS

RADIUS = 5.0
"""Of the ellipses around panels."""

LIFT = 600.0
"""G is tabulated times exp(600): far out it would be no double."""

FAR = 9.5
"""Standard deviations beyond which a Gaussian is 1e-20."""

ROWS = 1 << 15
"""Terms that are computed at once."""

SPARE = 1
"""Panels beyond the last that is used: its ellipse reaches no farther."""

BACK = (1, 2, 4)
"""Nodes between those whose values bound a slope: few where it is steep, more where it is not."""


class Kind(NamedTuple):
    """One release."""

    mu: float
    rate: float

    @property
    def log_rest(self) -> float:
        """log(1 - rate)."""
        return math.log1p(-self.rate)

    def least(self, m: int) -> float:
        """R_m."""
        return math.exp(m * self.log_rest)

    def room(self, m: int) -> float:
        """1 - R_m."""
        return -math.expm1(m * self.log_rest)

    def log_growth(self, m: int, theta: float) -> float:
        """log A_m."""
        turned, short = theta**2 / (2 * self.mu**2), -math.log(math.cos(theta / 2))
        return turned + (m - 1) * (turned + 2 * short + math.log(2) + short * FAR / self.mu)


@dataclass(frozen=True, eq=False)
class CutProfile:
    """G_m between two places.

    Attributes:
        kind: of release.
        runs: m.
        half: half the width of a panel in log X.
        start: log X where the first panel begins.
        values: lifted G_m times exp(tilt (log X - left end)), a row for each panel.
        tilt: of each panel.
        error: relative, of each panel, at a place that is known exactly.
        slope: a bound on the size of the slope of log G_m in log X.
    """

    kind: Kind
    runs: int
    half: float
    start: float
    values: Floats
    tilt: Floats
    error: Floats
    slope: Floats

    @property
    def end(self) -> float:
        """log X where the last panel ends."""
        return self.start + 2 * self.half * len(self.tilt)

    def at(self, log_x: Floats, off: Floats) -> tuple[Floats, Floats]:
        """Lifted G_m and its relative error up to the end; log X, flat, is off by as much."""
        low = log_x < self.start
        value = self.kind.room(self.runs) - np.exp(np.minimum(log_x, self.start))
        value *= math.exp(LIFT)
        error = np.where(low, 8 * EPS * (1 + self.runs) + off, 0.0)
        rest = np.flatnonzero(~low)
        for begin in range(0, len(rest), ROWS):
            here = rest[begin : begin + ROWS]
            value[here], error[here] = self._interpolated(log_x[here], off[here])
        return value, error

    def _interpolated(self, log_x: Floats, off: Floats) -> tuple[Floats, Floats]:
        away, width = log_x - self.start, 2 * self.half
        panel = np.clip((away / width).astype(int), 0, len(self.tilt) - 1)
        away = away - width * panel
        place = np.clip(away / width, 0, 1)
        rows = chebyshev.interpolation(self.values.shape[1], Places(place, 1 - place))
        found = np.einsum("ij,ij->i", rows, self.values[panel])
        moved = off + 4 * EPS * (np.abs(log_x) + abs(self.start) + 1)
        value = found * np.exp(-self.tilt[panel] * away)
        return value, self.error[panel] + 1.1 * self.slope[panel] * moved


class Table(NamedTuple):
    """Places, a row for each panel, lifted G_m there, and its relative errors."""

    log_x: Floats
    value: Floats
    error: Floats


def height(half: float) -> float:
    """Of the ellipses around panels."""
    return half * (RADIUS - 1 / RADIUS) / 2


def fitted(kind: Kind, m: int, half: float, start: float, table: Table) -> CutProfile:
    """Interpolants in all panels but the spare ones, which bound what ellipses reach."""
    log_x, value, error = table
    panels, nodes = log_x.shape
    used, left = panels - SPARE, (start + 2 * half * np.arange(panels))[:, None]
    logs = np.log(value)
    tilt = (logs[:, :1] - logs[:, -1:]) / (log_x[:, -1:] - log_x[:, :1])
    raised = np.exp(tilt * (log_x - left))
    ends = (value * (1 - error)).ravel(), (value * (1 + error)).ravel()
    flat = _Flat(half, log_x.ravel(), *ends)
    slope = flat.slope(panels)
    most = np.append(kind.room(m) * math.exp(LIFT), flat.high)
    sup, least = np.empty((2, used))
    for k in range(used):
        sup[k] = flat.most(left[k, 0], float(tilt[k, 0]), most)
        least[k] = flat.least(left[k, 0], float(tilt[k, 0]))
    off = chebyshev.truncation(sup * math.exp(kind.log_growth(m, height(half))), RADIUS, nodes)
    moved = 8 * EPS * (np.abs(log_x).max() + 1) * slope
    once = error.max(axis=1) + moved + chebyshev.rounding(nodes)
    values = (value * raised)[:used]
    lost = chebyshev.lebesgue(nodes) * once[:used] * values.max(axis=1)
    errors = (off + lost) / least + 8 * EPS
    return CutProfile(kind, m, half, start, values, tilt[:used, 0], errors, slope[:used])


class _Flat(NamedTuple):
    """A falling function at rising places: bounds on it, in panels of some half width."""

    half: float
    log_x: Floats
    low: Floats
    high: Floats

    def slope(self, panels: int) -> Floats:
        """Bounds on the slope of its logarithm in each panel: it is convex in X."""
        slope = np.min([self._chord(back) for back in BACK], axis=0)
        gain = np.exp(np.diff(self.log_x)) * self.high[:-1] / self.low[1:]
        steep = (slope * np.append(gain, 1.0)).reshape(panels, -1).max(axis=1)
        return np.asarray(np.maximum(steep, np.append(steep[0], steep[:-1])))

    def _chord(self, back: int) -> Floats:
        """Bounds on the slope at every place by the chord from an earlier one."""
        apart = self.log_x[back:] - self.log_x[:-back]
        slope = (self.high[:-back] / self.low[back:] - 1) / -np.expm1(-apart)
        return np.append(np.ones(back), slope)  # at first next to nothing has changed

    def most(self, left: float, tilt: float, most: Floats) -> float:
        """Of it times exp(tilt (log X - left)) as far as the ellipse of a panel reaches."""
        middle, reach = left + self.half, self.half * (RADIUS + 1 / RADIUS) / 2
        first = int(np.searchsorted(self.log_x, middle - reach))
        last = int(np.searchsorted(self.log_x, middle + reach)) + 1
        return float((most[first:last] * np.exp(tilt * (self.log_x[first:last] - left))).max())

    def least(self, left: float, tilt: float) -> float:
        """Of the same within the panel."""
        first = int(np.searchsorted(self.log_x, left))
        last = int(np.searchsorted(self.log_x, left + 2 * self.half))
        places = np.append(left, self.log_x[first:last])
        return float((self.low[first : last + 1] * np.exp(tilt * (places - left))).min())
