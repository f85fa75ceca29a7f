"""The transform of many different pairs of Gaussian mixtures along one line, added up.

The quadrature is that of ``line``, the bounds on the decay are those of ``envelope``, for a stack
of pairs at once. What the digits of one kind are worth is judged by all runs of the composition.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from tightrope.loss.loss import Line, Transform
from tightrope.loss.mixture.line import DIGITS, HEIGHTS, HIGHEST, SHARP
from tightrope.loss.mixture.pair import MixturePair
from tightrope.loss.mixture.stack import Cells, PairStack, Strips
from tightrope.loss.mixture.stack_envelope import StackEnvelope
from tightrope.loss.mixture.stack_series import StackSeries
from tightrope.loss.mixture.strip_quadrature import CANCELLED, MARGIN, STEEPEST, even
from tightrope.num.arrays import Floats
from tightrope.num.complexes import log1p
from tightrope.num.rounding import EPS

KNOTS = 2.0 ** np.arange(-6.0, 30.0)
"""Values of tau over c where E is computed, beside 0."""

LARGEST = 650.0
"""A bound on log r^c at all nodes, beyond which each kind is seen alone. Below, no double is too
large; and a p too small for one counts for nothing: p r^c is below exp(-58), M at least 1."""


class StackLine(Line):
    """log M of all releases of a stack along the line through c, and bounds on its decay.

    Args:
        stack: the pairs.
        c: where the line crosses the real axis, positive.
        count: how often each is run.
        runs: releases of the whole composition.
    """

    def __init__(self, stack: PairStack, c: float, count: Floats, runs: float):
        self.stack, self.c, self.count, self.runs = stack, c, count, runs

    @cached_property
    def _cells(self) -> tuple[Strips, Cells]:
        high = self.stack.strips(self.c, HIGHEST, DIGITS)
        depth = DIGITS + 4 + float(high.gain(high.height / 2).max())
        return high, self.stack.cells(self.c, high.lift, depth)

    @cached_property
    def rule(self) -> StackRule:
        """The nodes for values."""
        return StackRule(self.stack, self.c, *self._cells)

    @property
    def ordinary(self) -> bool:
        """Whether r^c is known to be no larger than a double at all nodes.

        On a line |S_right(u)| is at most exp(width u), or 1, and |S_left(u)| at least the weight
        at offset 0, times the cosine in ``strip_quadrature.Strip`` or with u moved.
        """
        return max(self._log_most_power(pair) for pair in self.stack.pairs) < LARGEST

    def _log_most_power(self, pair: MixturePair) -> float:
        reach, c = pair.reach + pair.left.width, self.c
        return c * (reach * ((c + 1) * reach + MARGIN + 1) + CANCELLED - pair.left.log_still)

    @cached_property
    def envelope(self) -> StackEnvelope:
        """Bounds on the decay."""
        y, tallest = self._heights
        need = max(40 / self.runs + 2, math.log(self.runs) + 7) + 3
        return self._envelope(y, tallest, need, np.append(0.0, self.c * KNOTS))

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """Bounds on log M(c) of every kind, by the real axis alone if that is sharp enough."""
        axis = self._envelope(np.zeros(1), self._heights[1], math.log(self.runs) + 28, np.zeros(1))
        return self._if_sharp(axis)

    @cached_property
    def _beside(self) -> tuple[Floats, Floats]:
        """The same, as they come with bounds on the decay."""
        return self._if_sharp(self.envelope)

    def _if_sharp(self, found: StackEnvelope) -> tuple[Floats, Floats]:
        if self.runs * float((found.upper - found.lower).max()) < SHARP:
            return found.lower, found.upper
        at = self.rule.transform(np.zeros(1))
        value, error = at.value.real[:, 0], at.error[:, 0]
        return value - error, value + error

    def _envelope(self, y: Floats, tallest: float, need: float, knots: Floats) -> StackEnvelope:
        """E along the lines at heights y, the first of which is 0: see ``MixtureLine``."""
        need = min(need, DIGITS)
        high, cells = self._cells
        cells, gain = cells.above(need + 5), high.gain(tallest)
        total = need + float((gain + cells.log_mass - cells.log_peak).max())
        step = even(2 * math.pi * (tallest - y[-1]) / total)
        room = np.minimum(tallest - y, 2 * math.pi / step)[:, None]
        growth = gain - ((tallest**2 - y**2) / 2)[:, None]
        error = np.logaddexp(
            growth + room**2 / 2 + cells.log_mass + math.log(2.02) - 2 * math.pi * room / step,
            np.logaddexp(growth + cells.log_lost, gain + cells.log_end + math.log(2 * tallest + 1)),
        )
        at = self.stack.on_line(np.asarray(cells.nodes(step) + 1j * y[:, None, None]))
        return StackEnvelope(at, self.c, step, knots, error)

    @property
    def _heights(self) -> tuple[Floats, float]:
        """The y, and a height that y + a must not pass."""
        best = math.sqrt(80 / self.runs)
        high, _ = self._cells
        tallest = min(1.5 * (1 + best), high.height if np.any(high.lift) else math.inf)
        if self.stack.width:
            tallest = min(tallest, STEEPEST / self.stack.width)
        top = min(1.5 * best, 0.6 * tallest)
        low = min(0.2 * best, top / 4)
        return np.append(0.0, low * (top / low) ** HEIGHTS), tallest

    def transform(self, tau: Floats) -> Transform:
        """The sum of all kinds at tau >= 0."""
        value, error = self.rule.transform(tau)
        size = np.abs(value)
        rounding = (2 + len(size)) * EPS * (self.count @ size)
        return Transform(self.count @ value, self.count @ error + rounding)

    def decay(self, tau: Floats) -> Floats:
        """The sum of the least E_y over M(c) of every kind."""
        each = np.minimum(self.envelope.log_bound(tau) - self._beside[0][:, None], 0)
        return np.asarray(self.count @ each * (1 - 8 * EPS * len(each)))

    def log_most(self) -> float:
        """What the envelope has of M(c)."""
        return self._sum(self._beside[1])

    def log_most_on_axis(self) -> float:
        """A bound on log M(c) where nothing else is asked of this line."""
        return self._sum(self.ends[1])

    def _sum(self, bounds: Floats) -> float:
        parts = self.count * bounds
        return math.fsum(parts) + 4 * EPS * math.fsum(np.abs(parts))

    def screen(self, tau: Floats) -> Floats:
        """The same as ``decay``: it is cheap."""
        return self.decay(tau)


class StackRule:
    """The nodes for one c, good for every tau >= 0: see ``line.Rule``."""

    def __init__(self, stack: PairStack, c: float, high: Strips, cells: Cells):
        self.c = c
        least = DIGITS + float((cells.log_mass - cells.log_peak).max())
        total = 2 * least + float(high.gain(high.height).max())
        step = even(2 * math.pi * high.height / total)
        y = step * least / (2 * math.pi)
        at = stack.on_line(np.asarray(cells.nodes(step) + 1j * y)[None])
        self.series = StackSeries(at, c, step)
        self.floor = self._floor(high, cells, step, y)[:, None]

    def _floor(self, high: Strips, cells: Cells, step: float, y: float) -> Floats:
        """The error of the rule, for each kind."""
        gain = high.gain(high.height)
        logs = (
            cells.log_mass - 2 * math.pi * y / step,
            cells.log_mass + gain - 2 * math.pi * (high.height - y) / step,
            cells.log_lost + high.gain(y),
            cells.log_end + gain + math.log(2 * high.height + 1),
        )
        return np.asarray(1.01 * sum(np.exp(np.minimum(log, 700.0)) for log in logs))

    def transform(self, tau: Floats) -> Transform:
        """Values and errors of log M, a row for each kind."""
        z = np.asarray(self.c + 1j * tau)
        total, error = self.series.sums(z)
        error = error + self.floor * (1 + np.abs(z))
        size = np.abs(total + 1)
        lost = ~(error < size / 2)
        total = np.where(lost, error - 1, total)
        value = log1p(total)
        size = np.where(lost, 1.0, size)
        least = 26 * np.minimum(np.abs(total), 1) / np.minimum(size, 1)
        relative = np.where(lost, 0.8, error / size)
        return Transform(value, EPS * (least + 4 * np.abs(value)) - np.log1p(-relative))
