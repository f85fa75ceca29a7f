"""The trapezoid rule along a line above the real axis: how high, how far and how fine.

Wanted are integrals over x of p r^z, r = p/q and z = c + i tau, for one c and every tau >= 0. The
integrand is analytic, so x may run along any line x + iy below the first zero of p or q. There
|r^z| = |r|^c exp(-tau arg r), and arg r >= 0: what oscillates on the real axis only decays above
it. The rule with step h along height y errs by at most

    N(0)/(exp(2 pi y/h) - 1) + N(Y)/(exp(2 pi (Y - y)/h) - 1),

N(y) being the integral of |p r^z| at height y (Poisson summation, the contour moved down to the
axis or up to Y; see Trefethen and Weideman, 2014, "The exponentially convergent trapezoidal
rule"). At height Y, |exp(-(x + iY)^2/2)| = exp(Y^2/2) exp(-x^2/2), and the sums S compare with
those on the axis as

    |S(u + iY)| <= S(u),   |S(u + iY)| >= cos(width Y/2) S(u),
    |S(u + iY)| >= S(u - lift),   lift = -log(cos(width Y))/width.

(In the last one, cos(d Y) >= cos(width Y)^(d/width), because log cos is concave.) So N is bounded
by real integrals, whatever tau is. These are bounded over small cells, in which the slope of the
logarithm lies between two numbers; the same bounds tell which cells can be left out.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np

from tightrope.loss.mixture.pair import MixturePair
from tightrope.num.arrays import Floats
from tightrope.num.normal import HALF_LOG_2PI

MARGIN = 10.0
"""Standard deviations by which the range passes the outermost shift of a tilted mixture."""

FINEST = 0.4
"""Width of a cell that is divided no further."""

MOST_AT_ONCE, FIRST = 128, 64
"""The most cells of that width that are seen at once; of more, so many wider ones come first."""

COARSEST = 0.4
"""The largest step."""

CANCELLED = 3.0
"""log of what cancellation along a line may cost."""

ROUNDING = 1e-14
"""Of levels on the real axis, relative to the highest."""

STEEPEST = 0.45 * math.pi
"""Where cosines in a lift end."""


class Strip(NamedTuple):
    """From the real axis up to a height, and what |p r^c| may gain there.

    Attributes:
        height: the upper end Y.
        lift: how far q is moved to bound it from below, or 0.
        order: c, if q is bounded by a cosine instead.
        width: the width of q.
    """

    height: float
    lift: float
    order: float
    width: float

    def gain(self, y: float) -> float:
        """log of what |p r^c| at height y may be over p r^c on the axis, q lifted."""
        if self.lift:
            return y**2 / 2
        return y**2 / 2 - self.order * math.log(math.cos(self.width * y / 2))


class Window(NamedTuple):
    """The cells where an integrand matters.

    Attributes:
        left: their left ends.
        top: log of a bound on the integrand in each.
        width: their common width.
        log_mass: log of a bound on the integral over the real axis, q lifted.
        log_lost: the same of what lies outside the cells, also as a sum over nodes.
        log_peak: log of the largest p r^c, roughly; 0 if that is negative.
        log_end: log of a bound on the integrand where the range is cut off.
    """

    left: Floats
    top: Floats
    width: float
    log_mass: float
    log_lost: float
    log_peak: float
    log_end: float

    def nodes(self, step: float) -> Floats:
        """The multiples of a step inside the cells."""
        return nodes(self.left, self.width, step)

    def above(self, depth: float) -> Window:
        """Only the cells that may exceed exp(-depth) times the integral."""
        keep = self.top > self.log_peak - depth
        lost = _log_sum(self.log_lost, self.top[~keep] + math.log(self.width + COARSEST))
        return self._replace(left=self.left[keep], top=self.top[keep], log_lost=lost)


def nodes(left: Floats, width: float, step: float) -> Floats:
    """The multiples of a step inside cells of some width with these left ends."""
    breaks = np.flatnonzero(left[1:] - left[:-1] > 1.5 * width)
    starts, ends = left[[0, *(breaks + 1)]], left[[*breaks, -1]] + width
    pieces = zip(np.ceil(starts / step), np.ceil(ends / step), strict=True)
    return step * np.concatenate([np.arange(*piece) for piece in pieces])


def even(step: float) -> float:
    """A step that is no larger, short enough in binary for its multiples to be exact."""
    return math.ldexp(math.floor(math.ldexp(min(step, COARSEST), 30)), -30)


def strip(pair: MixturePair, c: float, most: float, need: float) -> Strip:
    """The strip that allows the largest step, if exp(-need) is the error wanted.

    Half way up, where the nodes will lie, |p r^c| may exceed p r^c by exp(CANCELLED) besides: c is
    the order of a cosine, and a lift costs lift * x where the mass ends at the rise of q, at x.
    """
    right, width = pair.right.width, pair.left.width
    high = min(most, 0.95 * math.pi / right) if right else most
    if not width:
        return Strip(high, 0.0, 0.0, 0.0)
    rise = min(c * width, (math.log1p(c) - pair.left.log_still) / width)
    turn = min(high * width, 0.9 * math.pi, math.sqrt(32 * CANCELLED / c))
    low = min(high, STEEPEST / width, math.sqrt(8 * CANCELLED / (width * (rise + 1))))
    lift = -math.log(math.cos(width * low)) / width
    turned = Strip(turn / width, 0.0, c, width)
    if turned.height / (2 * need + turned.gain(turned.height)) > low / (2 * need + lift * rise):
        return turned
    return Strip(low, lift, 0.0, width)


def window(pair: MixturePair, c: float, lift: float, depth: float) -> Window:
    """Where p r^c + p + q may exceed exp(-depth) times its integral, q lifted in the first."""
    low = -MARGIN - pair.left.width
    high = min((c + 1) * pair.reach + c * pair.left.width + MARGIN, pair.furthest)
    count = math.ceil((high - low) / FINEST)
    if count > MOST_AT_ONCE:
        count = FIRST
    width = (high - low) / count
    left = low + width * np.arange(float(count))
    around = np.append(left, [low - COARSEST, high - COARSEST])
    widths = np.append(np.full(count, width), [2 * COARSEST, 2 * COARSEST])
    first, levels = tops(pair, c, lift, around, widths)
    ends, top, true = first[count:], first[:count], levels[:, :count]
    lost, end = _log_sum(-math.inf, ends), float(ends[1]) if high == pair.furthest else -math.inf
    peak = 0.0
    while True:
        peak = max(peak, float(true.max()))
        keep = top > (1 - ROUNDING) * peak - depth
        lost = _log_sum(lost, top[~keep] + math.log(width + COARSEST))
        left, top = left[keep], top[keep]
        if width <= FINEST:
            mass = _log_sum(lost, top + math.log(width)) + ROUNDING * peak
            return Window(left, top, width, mass, lost + ROUNDING * peak, peak, end)
        width /= 4
        left = (left[:, None] + width * np.arange(4.0)).ravel()
        top, true = tops(pair, c, lift, left, width)


class OnAxis(Protocol):
    """A pair on the real axis, or many pairs, each of which adds a row."""

    def upper(self, x: Floats) -> tuple[Floats, Floats]:
        """log p/phi and its slope, which rises."""

    def lower(self, x: Floats) -> tuple[Floats, Floats]:
        """log q/phi and its slope, which rises."""


def tops(
    pair: OnAxis, c: float, lift: float | Floats, left: Floats, width: float | Floats
) -> tuple[Floats, Floats]:
    """log of the largest sum in each cell, rounded up, and log p r^c at the ends of all.

    Each term is p r^order, of which the logarithm has the slope -x + (order + 1) rise - order
    fall, where rise and fall, the slopes of log p/phi and log q/phi, both rise.
    """
    x = np.stack([left, left + width])
    upper, rise = pair.upper(x)
    lower, fall = pair.lower(x)
    base = upper - x * x / 2 - HALF_LOG_2PI
    true = base + c * (upper - lower)
    value, slope = true, fall
    if np.any(lift):
        raised, slope = pair.lower(x + lift)
        value = base + c * (upper - raised)
    terms = (
        _top(value, (c + 1) * rise[1] - c * slope[0], (c + 1) * rise[0] - c * slope[1], x),
        _top(base, rise[1], rise[0], x),
        _top(base + lower - upper, fall[1], fall[0], x),
    )
    return np.logaddexp(np.logaddexp(terms[0], terms[1]), terms[2]), true


def _top(value: Floats, steepest: Floats, flattest: Floats, x: Floats) -> Floats:
    """The largest value in a cell, given the values at its ends and bounds on the slope but -x."""
    width = x[1] - x[0]
    from_left = value[0] + np.maximum(steepest - x[0], 0) * width
    from_right = value[1] + np.maximum(x[1] - flattest, 0) * width
    return np.asarray(np.minimum(from_left, from_right))


def _log_sum(log_first: float, logs: Floats) -> float:
    return float(np.logaddexp.reduce(logs, initial=log_first))
