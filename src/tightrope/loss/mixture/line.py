"""The transform of a pair of Gaussian mixtures on a vertical line, and bounds on its decay.

Values come from a quadrature in x: see ``rule``. Bounds on the decay come from moments, where these
say enough (see ``spread``), and from lines above the axis where they do not (see ``envelope``).
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from tightrope.loss.loss import Line, Transform
from tightrope.loss.mixture import axis_rule
from tightrope.loss.mixture.envelope import Envelope
from tightrope.loss.mixture.one_moved import OneMoved
from tightrope.loss.mixture.pair import MixturePair
from tightrope.loss.mixture.rule import Rule
from tightrope.loss.mixture.spread import Spread, spread
from tightrope.loss.mixture.strip_quadrature import STEEPEST, Strip, Window, even, strip, window
from tightrope.num.arrays import Floats

DIGITS, MORE_DIGITS = 42.0, 56.0
"""-log of the quadrature error that is aimed at, with doubles and beyond them."""

HIGHEST = 2.6
"""The largest height of a strip: exp(y^2/2), y about half of it, is lost in rounding."""

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
    def moved(self) -> OneMoved | None:
        """The integrand, if it is so plain that there are quicker ways."""
        return OneMoved.of(self.pair, self.c)

    @cached_property
    def spread(self) -> Spread | None:
        """What moments tell, if they do."""
        return spread(self.moved) if self.moved else None

    @cached_property
    def close(self) -> Spread | None:
        """The same, where it tells enough of the decay of all runs."""
        return self.spread if self.spread and self.spread.serves(self.count) else None

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
        if self.spread:
            return self._if_sharp(self.spread.log_ends)
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
        return self._if_sharp((self.close or self.envelope).log_ends)

    def transform(self, tau: Floats) -> Transform:
        """Values and errors for tau >= 0."""
        if self.pair.hopeless(self.c) or not len(tau):
            return Transform(np.zeros(tau.shape, dtype=complex), np.full(tau.shape, np.inf))
        quick = axis_rule.transform(self.moved, tau, self.count) if self.moved else None
        return quick or self.rule.transform(tau)

    def decay(self, tau: Floats) -> Floats:
        """By moments, or the least E_y over M(c)."""
        if self.pair.hopeless(self.c):
            return np.zeros_like(tau)
        if self.close:
            return self.close.log_bound(tau)
        return np.minimum(self.envelope.log_bound(tau) - self._beside[0], 0)

    def log_most(self) -> float:
        """What the bounds on the decay have of M(c)."""
        return math.inf if self.pair.hopeless(self.c) else self._beside[1]

    def screen(self, tau: Floats) -> Floats:
        """The same: it is cheap."""
        return self.decay(tau)


class _FinerLine(MixtureLine):
    """A line whose bounds on the decay are kept, and whose values are found anew."""

    def __init__(self, line: MixtureLine, finer: MixturePair):
        super().__init__(line.pair, line.c, line.count)
        self.line, self.finer = line, finer

    moved = None

    @property
    def spread(self) -> Spread | None:
        """The same as before."""
        return self.line.spread

    @property
    def envelope(self) -> Envelope:
        """The same as before."""
        return self.line.envelope

    @cached_property
    def rule(self) -> Rule:
        """The nodes for values beyond doubles."""
        return Rule(self.finer, self.c, MORE_DIGITS, *_cells(self.pair, self.c, MORE_DIGITS))


def _cells(pair: MixturePair, c: float, digits: float) -> tuple[Strip, Window]:
    """How high the nodes may lie, and where the integrand matters."""
    high = strip(pair, c, HIGHEST, digits)
    return high, window(pair, c, high.lift, digits + 4 + high.gain(high.height / 2))
