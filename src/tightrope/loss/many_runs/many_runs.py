"""The least epsilon of one composition, run many different numbers of times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.loss.contour import modulus, saddle
from tightrope.loss.many_runs.shared_line import Asked, nodes, placed
from tightrope.loss.many_runs.sheet import Sheet
from tightrope.loss.total import Total
from tightrope.num.arrays import Flags, Floats, Indices
from tightrope.num.rounding import EPS, up

LOST = 4.0
"""Powers of e by which a line may be off the saddle."""

DOUBT = 1e-8
"""The largest relative error of epsilon with which an answer counts."""

GAINED = 3.0
"""By how much a bound by sizes along a line may be better than Chernoff's, in logarithms."""

MOST_NODES = 1 << 15
"""Nodes of a line; what needs more is left unanswered."""

MOST_ENTRIES = 1 << 18
"""Complex numbers that one step of a computation holds at once."""


@dataclass(frozen=True)
class ManyRuns:
    """Compositions of one total, in one order of the neighbours, and what is asked of them.

    Attributes:
        release: what is run; its losses are finite.
        runs: how often, for every question; positive.
        log_delta: negative, for every question.
    """

    release: Total
    runs: Floats
    log_delta: Floats

    def epsilon(self) -> Floats:
        """Upper bounds on the least epsilon >= 0; not a number where a line gives no sharp one."""
        found = np.full(self.runs.shape, np.nan)
        with np.errstate(all="ignore"):
            c, start = self.saddles
            for s in np.unique(c[start == 0]):
                cell = np.flatnonzero((c == s) & (start == 0))
                found[cell] = self.part(cell)._none(float(s))
            for cell in self._cells(c, np.flatnonzero(np.isnan(found))):
                part, middle = self.part(cell), math.sqrt(c[cell[0]] * c[cell[-1]])
                found[cell] = part._on_one_line(middle, start[cell])
        return np.asarray(np.minimum(found, up(self.runs * self.release.highest, 2)))

    def part(self, places: Indices) -> ManyRuns:
        """Some of the questions."""
        return ManyRuns(self.release, self.runs[places], self.log_delta[places])

    def at_most(self, epsilon: Floats) -> Flags:
        """Where the size of M along lines alone proves an epsilon >= 0, tried if that is likely."""
        proved = np.zeros(epsilon.shape, dtype=bool)
        with np.errstate(all="ignore"):
            c, start = self.saddles
            likely = c * (start - epsilon) < GAINED
            for cell in self._cells(c, np.flatnonzero(likely)):
                part, middle = self.part(cell), math.sqrt(c[cell[0]] * c[cell[-1]])
                line = self.release.times(part._typical).line(middle)
                runs = part.runs / part._typical
                most = modulus.log_delta_most(line, middle, epsilon[cell], runs)
                proved[cell] = most <= part.log_delta
        return proved

    @property
    def _typical(self) -> int:
        return int(2 ** round(np.log2(self.runs).mean()))

    @cached_property
    def saddles(self) -> tuple[Floats, Floats]:
        """For every question the c of the best Chernoff bound, and its epsilon; by a table."""
        extremes = {
            (int(self.runs.min()), float(self.log_delta.min())),
            (int(self.runs.max()), float(self.log_delta.max())),
        }
        ends = [saddle.for_delta(self.release.times(n), log)[0] for n, log in extremes]
        low, high = 0.9 * min(ends), 1.1 * max(ends)
        c = np.geomspace(low, high, 4 + int(8 * math.log2(high / low)))
        log_m = self.release.estimate(c.astype(complex)).real
        table = self.runs[:, None] * log_m + saddle.log_kappa(c) - self.log_delta[:, None]
        table = np.where(np.isnan(table), np.inf, table / c)
        best = table.argmin(axis=1)
        return c[best], np.maximum(table[np.arange(len(best)), best], 0.0)

    def _none(self, c: float) -> Floats:
        """0 where Chernoff's bound proves that no epsilon is needed."""
        value, error = self.release.line(c).transform(np.zeros(1))
        most = self.runs * (float(value.real[0]) + float(error[0])) * (1 + 4 * EPS)
        proved = most + float(saddle.log_kappa(np.array(c))) + 64 * EPS <= self.log_delta
        return np.where(proved, 0.0, np.nan)

    def _cells(self, c: Floats, waiting: Indices) -> Iterator[Indices]:
        """Questions whose saddles lie close enough together, by rising c.

        Near the saddle s, log |M(c) exp(-c e)| rises by about -log delta (c/s - 1)^2.
        """
        ratio = (1 + math.sqrt(LOST / max(-float(self.log_delta.min()), 1.0))) ** 2
        waiting = waiting[np.argsort(c[waiting])]
        while len(waiting):
            near = c[waiting] <= c[waiting[0]] * ratio
            yield waiting[near]
            waiting = waiting[~near]

    def _on_one_line(self, c: float, start: Floats) -> Floats:
        asked = Asked(self.runs, start, self.log_delta)
        place, typical = placed(self.release, asked, c), self._typical
        line = self.release.times(typical).line(place.c)
        count = nodes(self.release, asked, place, line, typical)
        if count > MOST_NODES:
            return np.full(self.runs.shape, np.nan)
        sheet, width = Sheet.on(line, place.step, int(count)), max(1, MOST_ENTRIES // int(count))
        columns = self.runs / typical, start, self.log_delta
        starts = range(width, len(start), width)
        parts = zip(*(np.split(column, starts) for column in columns), strict=True)
        return np.concatenate([_least(sheet, *part) for part in parts])


def _least(sheet: Sheet, runs: Floats, start: Floats, log_delta: Floats) -> Floats:
    """Newton's method, which a Chernoff bound begins on the right; then outward until proved.

    Beyond that bound there would be aliases, not delta.
    """
    epsilon, bounds = start, sheet.bounds(runs, start)
    for _ in range(12):
        miss = bounds.log_upper - log_delta
        epsilon = np.maximum(epsilon - miss / bounds.slope, 0.0)
        bounds = sheet.bounds(runs, epsilon)
        if (np.abs(miss) < 1e-6).all():
            break
    miss = np.abs(bounds.log_upper - log_delta)
    margin = np.where(epsilon > 0, miss / -bounds.slope + 4e-16 * epsilon, 0.0)
    found = np.full(runs.shape, np.nan)
    for growth in (1.0, 8.0, 64.0, 512.0):
        at = epsilon + growth * margin
        bounds = sheet.bounds(runs, at)
        sharp = (bounds.doubt <= DOUBT * np.minimum(-bounds.slope * at, 1.0)) & (at <= start)
        proved = (bounds.log_upper <= log_delta) & (sharp | (at == 0))
        found = np.where(np.isnan(found) & proved, at, found)
        if not np.isnan(found).any():
            break
    return found
