"""The transform of a pair of Gaussian mixtures on a vertical line, by quadrature in x.

Accuracy: a composition may count a release 100,000 times, and then log M of one release has to be
right to some 1e-17. So what is summed is p (r^z - 1), whose integral is M - 1, as the integral of
p is 1 along every line. Bounds on the decay come from lines above the axis: see ``envelope``.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from tightrope.loss.loss import Line, Transform
from tightrope.loss.mixture.envelope import Envelope
from tightrope.loss.mixture.pair import MixturePair, OnLine
from tightrope.loss.mixture.series import Series
from tightrope.loss.mixture.strip_quadrature import STEEPEST, Strip, Window, even, strip, window
from tightrope.num.arrays import Complexes, Flags, Floats
from tightrope.num.complexes import log1p
from tightrope.num.precision import real_format, ulp

DIGITS, MORE_DIGITS = 42.0, 56.0
"""-log of the quadrature error that is aimed at, with doubles and beyond them."""

HIGHEST = 2.6
"""The largest height of a strip: exp(y^2/2), y about half of it, is lost in rounding."""

BLOCK = 1 << 16
"""Values that are held in an array at once."""

FEW = 1 << 12
"""Nodes of a line, fewer than which all lines are computed at once."""

SHARP = 1e-2
"""What a bound on log M(c) of all runs may leave open where it only bounds something else."""

HEIGHTS = np.linspace(0, 1, 4)
"""Lines that are tried for a bound on the decay, between the lowest and the highest."""


class MixtureLine(Line):
    """log M of one release of a pair along the line through c, and bounds on its decay.

    Args:
        pair: the two mixtures.
        c: where the line crosses the real axis, positive.
        count: how often the release will be run, which decides how far the decay is followed.
    """

    def __init__(self, pair: MixturePair, c: float, count: float):
        self.pair, self.c, self.count = pair, c, count

    def refined(self) -> MixtureLine | None:
        """The same with values beyond doubles, if the pair is known so well."""
        finer = self.pair.refined()
        return None if finer is None else _FinerLine(self, finer)

    @cached_property
    def _cells(self) -> tuple[Strip, Window]:
        return _cells(self.pair, self.c, DIGITS)

    @cached_property
    def rule(self) -> Rule:
        """The nodes for values."""
        return Rule(self.pair, self.c, DIGITS, *self._cells)

    @cached_property
    def envelope(self) -> Envelope:
        """The nodes for bounds on the decay."""
        y, tallest = self._heights
        need = max(40 / self.count + 2, math.log(self.count) + 7) + 3
        knots = np.append(0.0, self.c * 2.0 ** np.arange(-6.0, 30.0))
        return self._envelope(y, tallest, need, knots)

    @cached_property
    def log_ends(self) -> tuple[float, float]:
        """Bounds on log M(c), from the real axis alone where that is sharp enough."""
        if self.pair.hopeless(self.c):
            return -math.inf, math.inf
        tallest, need = self._heights[1], math.log(self.count) + 28
        axis = self._envelope(np.zeros(1), tallest, need, np.zeros(1))
        return self._if_sharp(axis.log_ends)

    def _if_sharp(self, ends: tuple[float, float]) -> tuple[float, float]:
        """The ends, or those of the rule if they leave something open."""
        if self.count * (ends[1] - ends[0]) < SHARP:
            return ends
        value, error = self.rule.transform(np.zeros(1))
        return float(value.real[0] - error[0]), float(value.real[0] + error[0])

    def _envelope(self, y: Floats, tallest: float, need: float, knots: Floats) -> Envelope:
        """E along the lines at heights y, the first of which is 0, by what is below another.

        An error of exp(-need), relative to M, is aimed at.
        """
        need = min(need, DIGITS)
        high, cells = self._cells
        cells, gain = cells.above(need + 5), high.gain(tallest)
        total = need + gain + cells.log_mass - cells.log_peak
        step = even(2 * math.pi * (tallest - y[-1]) / total)
        room = np.minimum(tallest - y, 2 * math.pi / step)
        growth = gain - (tallest**2 - y**2) / 2
        error = np.logaddexp(
            growth + room**2 / 2 + cells.log_mass + math.log(2.02) - 2 * math.pi * room / step,
            np.logaddexp(growth + cells.log_lost, gain + cells.log_end + math.log(2 * tallest + 1)),
        )
        x = cells.nodes(step)
        some = len(y) if len(x) < FEW else 1
        parts = [slice(i, i + some) for i in range(0, len(y), some)]
        lines = (self.pair.on_line(x + 1j * y[part, None]) for part in parts)
        errors = (error[part] for part in parts)
        return Envelope(self.c, step, knots, zip(lines, errors, strict=True))

    @property
    def _heights(self) -> tuple[Floats, float]:
        """The y, and a height that y + a must not pass."""
        best = math.sqrt(80 / self.count)  # if |M|^count falls to 1e-17 as a Gaussian
        high, _ = self._cells
        tallest = min(1.5 * (1 + best), high.height if high.lift or high.order else math.inf)
        if self.pair.width:
            tallest = min(tallest, STEEPEST / self.pair.width)
        top = min(1.5 * best, 0.6 * tallest)
        low = min(0.2 * best, top / 4)
        return np.append(0.0, low * (top / low) ** HEIGHTS), tallest

    @cached_property
    def _beside(self) -> tuple[float, float]:
        """Bounds on log M(c) that come with those on the decay."""
        return self._if_sharp(self.envelope.log_ends)

    def transform(self, tau: Floats) -> Transform:
        """Values and errors for tau >= 0."""
        if self.pair.hopeless(self.c) or not len(tau):
            return Transform(np.zeros(tau.shape, dtype=complex), np.full(tau.shape, np.inf))
        return self.rule.transform(tau)

    def decay(self, tau: Floats) -> Floats:
        """The least E_y over M(c)."""
        if self.pair.hopeless(self.c):
            return np.zeros_like(tau)
        return np.minimum(self.envelope.log_bound(tau) - self._beside[0], 0)

    def log_most(self) -> float:
        """What the envelope has of M(c)."""
        return math.inf if self.pair.hopeless(self.c) else self._beside[1]

    def screen(self, tau: Floats) -> Floats:
        """The same: it is cheap."""
        return self.decay(tau)


class _FinerLine(MixtureLine):
    """A line whose bounds on the decay are kept, and whose values are found anew."""

    def __init__(self, line: MixtureLine, finer: MixturePair):
        super().__init__(line.pair, line.c, line.count)
        self.envelope, self.finer = line.envelope, finer

    @cached_property
    def rule(self) -> Rule:
        """The nodes for values beyond doubles."""
        return Rule(self.finer, self.c, MORE_DIGITS, *_cells(self.pair, self.c, MORE_DIGITS))


def _cells(pair: MixturePair, c: float, digits: float) -> tuple[Strip, Window]:
    """How high the nodes may lie, and where the integrand matters."""
    high = strip(pair, c, HIGHEST, digits)
    return high, window(pair, c, high.lift, digits + 4 + high.gain(high.height / 2))


class Rule:
    """The nodes for one c, good for every tau >= 0.

    M is exp(scale) [sum over the nodes + exp(-scale)]. Far out p is too small and r^c too large
    for a double; there the sum is over p r^z, its logarithm being taken first.
    """

    def __init__(self, pair: MixturePair, c: float, digits: float, high: Strip, cells: Window):
        self.c = c
        least = digits + cells.log_mass - cells.log_peak
        total = 2 * least + high.gain(high.height)
        step = even(2 * math.pi * high.height / total)
        y = step * least / (2 * math.pi)
        at = pair.on_line(np.asarray(cells.nodes(step) + 1j * y))
        log_p, log_r = at.density.value.real, at.loss.value.real
        self.format = log_r.dtype
        near = (c * log_r < 300) & (np.maximum(log_p, log_p - log_r) > -300)
        top = float((log_p + c * log_r).max())
        self.scale = top if top > 300 else 0.0
        self.near = Series(at, near, c, step)
        self.far = None if near.all() else _Far(at, ~near, c, step, self.scale)
        self.floor = self._floor(high, cells, step, y)
        self.block = max(1, BLOCK // len(near))

    def _floor(self, high: Strip, cells: Window, step: float, y: float) -> float:
        """The error of the rule, over exp(scale)."""
        gain = high.gain(high.height)
        logs = (
            cells.log_mass - 2 * math.pi * y / step,
            cells.log_mass + gain - 2 * math.pi * (high.height - y) / step,
            cells.log_lost + high.gain(y),
            cells.log_end + gain + math.log(2 * high.height + 1),
        )
        return 1.01 * sum(math.exp(min(log - self.scale, 700.0)) for log in logs)

    def transform(self, tau: Floats) -> Transform:
        """Values and errors of log M.

        Where M is lost in the errors, a value and an error of the right size are made up.
        """
        if len(tau) <= self.block:
            return self._block(tau)
        starts = range(self.block, len(tau), self.block)
        parts = [self._block(part) for part in np.split(tau, starts)]
        return Transform(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _block(self, tau: Floats) -> Transform:
        tau = np.asarray(tau, dtype=self.format)
        z: Complexes = np.asarray(self.c + 1j * tau)
        small = np.exp(-self.format.type(self.scale))
        total, error = self.near.sums(z)
        total, error = total * small, error * small + self.floor * (1 + np.abs(z))
        if self.far is not None:
            more, doubt = self.far.sums(tau)
            total, error = total + more, error + doubt
        size = np.abs(total + small)
        lost = ~(error < size / 2)
        total = np.where(lost, error - small, total)
        plain = self.scale == 0
        value: Complexes = np.asarray(log1p(total) if plain else self.scale + np.log(total + small))
        size = np.where(lost, 1.0, size)
        least = 26 * np.minimum(np.abs(total), 1) / np.minimum(size, 1)
        relative = np.where(lost, 0.8, error / size)
        return Transform(value, ulp(value) * (least + 4 * np.abs(value)) - np.log1p(-relative))


class _Far:
    """The sum of p r^z over exp(scale)."""

    def __init__(self, at: OnLine, here: Flags, c: float, step: float, scale: float):
        self.c, self.loss = c, at.loss.value[here]
        self.start = at.density.value[here] + c * self.loss
        self.start += np.log(real_format(self.loss).type(step)) - scale
        unit = ulp(self.loss)
        self.doubt = at.density.error[here] + unit * (56 + np.log2(len(here)))
        self.turn = at.loss.error[here] + 3 * unit * np.abs(self.loss)

    def sums(self, tau: Floats) -> tuple[Complexes, Floats]:
        """The sum and its error."""
        exponent = self.start + 1j * tau[:, None] * self.loss
        size = np.exp(exponent.real)
        error = size @ self.doubt + np.hypot(self.c, tau) * (size @ self.turn)
        return np.exp(exponent).sum(axis=1), 1.01 * error
