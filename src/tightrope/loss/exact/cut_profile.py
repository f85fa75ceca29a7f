"""What few Poisson samples of Gaussian noise leak, as a function that is analytic but for a cut.

Let R be the product of m ratios r = 1 - rate + rate exp(v), v ~ N(-mu^2/2, mu^2), and R_m its least
value, (1 - rate)^m. G_m(X) = E[(R - R_m - X)_+] is analytic off the negative axis, and for a theta
below pi |G_m(X)| <= A_m G_m(|X|) where |arg X| <= theta, with an A_m that ``Kind.log_growth``
states (docs/engine.md). So it is a polynomial in log X, panel by panel, up to proved errors.
Far out G is no double: each panel has a unit of its own, and what goes in and out are logarithms.
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

FAR = 9.5
"""Standard deviations beyond which a Gaussian is 1e-20."""

SMALLEST = 1e-300
"""Beside values of about 1, what stands for an interpolant that is lost in its error."""

ROWS = 1 << 15
"""Terms that are computed at once."""

GRID = 40
"""Bits after the point of where panels begin: with the twelve before it, they fill a double."""

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
        half: half the width of a panel in log X, as ``grid`` has it.
        start: log X where the first panel begins, likewise.
        values: G_m times exp(tilt (log X - left end) - unit), a row for each panel.
        tilt: of each panel.
        unit: of each panel.
        error: relative, of each panel, at a place that is known exactly.
        slope: a bound on the size of the slope of log G_m in log X.
    """

    kind: Kind
    runs: int
    half: float
    start: float
    values: Floats
    tilt: Floats
    unit: Floats
    error: Floats
    slope: Floats

    @property
    def end(self) -> float:
        """log X where the last panel ends."""
        return self.start + 2 * self.half * len(self.tilt)

    def at(self, log_x: Floats, off: Floats) -> tuple[Floats, Floats]:
        """log G_m and the relative error of G_m up to the end; log X, flat, is off by as much."""
        low = log_x < self.start
        room = self.kind.room(self.runs)
        log = np.log(room - np.exp(np.minimum(log_x, self.start)))
        error = np.where(low, 8 * EPS * (1 + self.runs) + off, 0.0) + 2 * EPS * np.abs(log)
        rest = np.flatnonzero(~low)
        for begin in range(0, len(rest), ROWS):
            here = rest[begin : begin + ROWS]
            log[here], error[here] = self._interpolated(log_x[here], off[here])
        return log, error

    def _interpolated(self, log_x: Floats, off: Floats) -> tuple[Floats, Floats]:
        away, width = log_x - self.start, 2 * self.half
        panel = np.clip((away / width).astype(int), 0, len(self.tilt) - 1)
        away = away - width * panel
        place = np.clip(away / width, 0, 1)
        rows = chebyshev.interpolation(self.values.shape[1], Places(place, 1 - place))
        found = np.einsum("ij,ij->i", rows, self.values[panel])
        moved = off + 8 * EPS * self.half
        lean = self.tilt[panel] * away
        log = np.log(np.maximum(found, SMALLEST)) - lean + self.unit[panel]
        rounding = 4 * EPS * (np.abs(lean) + np.abs(self.unit[panel]) + 1)
        return log, self.error[panel] + 1.1 * self.slope[panel] * moved + rounding


class Table(NamedTuple):
    """Places, a row for each panel, log G_m there, and the relative errors of G_m."""

    log_x: Floats
    log: Floats
    error: Floats


def grid(x: float) -> float:
    """A number next below of which all multiples that matter, and their sums, are exact."""
    return math.ldexp(math.floor(math.ldexp(x, GRID)), -GRID)


def height(half: float) -> float:
    """Of the ellipses around panels."""
    return half * (RADIUS - 1 / RADIUS) / 2


def fitted(kind: Kind, m: int, half: float, start: float, table: Table) -> CutProfile:
    """Interpolants in all panels but the spare ones, which bound what ellipses reach."""
    log_x, log, error = table
    panels, nodes = log_x.shape
    used, left = panels - SPARE, start + 2 * half * np.arange(panels)
    tilt = (log[:, 0] - log[:, -1]) / (log_x[:, -1] - log_x[:, 0])
    unit = np.rint(log[:, 0])
    flat = _Flat(half, log_x.ravel(), (log + _log1m(error)).ravel(), (log + error).ravel())
    most = np.append(math.log(kind.room(m)), flat.high)
    rows = zip(left[:used].tolist(), tilt[:used].tolist(), unit[:used].tolist(), strict=True)
    sup = np.array([flat.most(*row, most) for row in rows])
    off = chebyshev.truncation(sup * math.exp(kind.log_growth(m, height(half))), RADIUS, nodes)
    raised = tilt[:, None] * (log_x - left[:, None])
    misplaced = EPS * (np.abs(log_x).max(axis=1) + 8 * half)
    rounding = 4 * EPS * (np.abs(log).max(axis=1) + raised.max(axis=1) + 1)
    once = error.max(axis=1) + rounding + chebyshev.rounding(nodes)
    values = np.exp(log + raised - unit[:, None])[:used]
    tilt, unit = tilt[:used], unit[:used]
    seen = _Interpolants(values, off, once[:used], misplaced[:used])
    slope = np.abs(tilt) + seen.slope(flat.slope(panels)[:used]) / half
    slope = np.maximum(slope, np.append(slope[0], slope[:-1]))
    errors = seen.error(slope) + 8 * EPS
    return CutProfile(kind, m, half, start, values, tilt, unit, errors, slope)


class _Interpolants(NamedTuple):
    """Polynomials on [-1, 1], and how far they are from the functions that they stand for.

    Attributes:
        values: at the nodes, a row for each polynomial.
        off: by how much functions differ from what interpolates them.
        once: relative errors of the values.
        misplaced: by how much the nodes may be off, in the unit of a slope.
    """

    values: Floats
    off: Floats
    once: Floats
    misplaced: Floats

    def astray(self, slope: Floats) -> Floats:
        """How far they are, by any bounds on the slopes of the functions' logarithms."""
        lost = chebyshev.lebesgue(self.values.shape[1]) * (self.once + slope * self.misplaced)
        return np.asarray(self.off + lost * self.values.max(axis=1))

    def least(self, slope: Floats) -> Floats:
        """Bounds on the functions from below: a T_k is at most 1 in size."""
        size = np.abs(chebyshev.coefficients(self.values))
        least = size[:, 0] - size[:, 1:].sum(axis=1) - self.astray(slope)
        return np.asarray(np.maximum(least, SMALLEST))

    def error(self, slope: Floats) -> Floats:
        """The same relatively."""
        return np.asarray(self.astray(slope) / self.least(slope))

    def slope(self, slope: Floats) -> Floats:
        """Better bounds on the slopes: that of a T_k is at most k^2."""
        size, k = np.abs(chebyshev.coefficients(self.values)), np.arange(self.values.shape[1])
        steep = size @ k**2 + 2 * len(k) ** 2 * self.astray(slope)
        return np.asarray(steep / self.least(slope))


def _log1m(error: Floats) -> Floats:
    """log of 1 - error, and of next to nothing where the error is no less than all."""
    return np.log1p(-np.minimum(error, 1 - EPS))


class _Flat(NamedTuple):
    """A falling function at rising places: bounds on its logarithm, in panels of a half width."""

    half: float
    log_x: Floats
    low: Floats
    high: Floats

    def slope(self, panels: int) -> Floats:
        """Bounds on the slope of its logarithm in each panel: it is convex in X."""
        slope = np.min([self._chord(back) for back in BACK], axis=0)
        gain = np.exp(np.diff(self.log_x) + self.high[:-1] - self.low[1:])
        steep = (slope * np.append(gain, 1.0)).reshape(panels, -1).max(axis=1)
        return np.asarray(np.maximum(steep, np.append(steep[0], steep[:-1])))

    def _chord(self, back: int) -> Floats:
        """Bounds on the slope at every place by the chord from an earlier one."""
        apart = self.log_x[back:] - self.log_x[:-back]
        slope = np.expm1(self.high[:-back] - self.low[back:]) / -np.expm1(-apart)
        return np.append(np.ones(back), slope)  # at first next to nothing has changed

    def most(self, left: float, tilt: float, unit: float, most: Floats) -> float:
        """Of it times exp(tilt (log X - left) - unit) as far as the ellipse of a panel reaches."""
        middle, reach = left + self.half, self.half * (RADIUS + 1 / RADIUS) / 2
        first = int(np.searchsorted(self.log_x, middle - reach))
        last = int(np.searchsorted(self.log_x, middle + reach)) + 1
        raised = tilt * (self.log_x[first:last] - left) - unit
        return math.exp(float((most[first:last] + raised).max()))
