"""Two quadrature rules for the transform of a spliced loss: along the axis, and turned away."""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.octave_line import StraightRule
from tightrope.loss.spliced.half_ratio import HalfRatio, admitted
from tightrope.num import panels
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.panels import Boxes
from tightrope.num.rounding import EPS

NEGLIGIBLE = 1e-18
"""Quadrature error that is aimed at, relative to M(c) - 1 or to SMALL."""

SMALL = 1e-3
"""M(c) - 1 beside which a smaller one need not be sharper."""

TURNS = 60.0
"""Radians that t s may make where it matters before the path is turned."""

PHASE = 16.0
"""Radians that t s makes in a panel, at most and at first."""

WIDEST = 2.0
"""Width of a panel, likewise."""

FEW = 16.0
"""Panels of a stretch in which little matters; those that do are halved."""

HIGHEST = 1.5
"""Largest height of the path: exp(y^2/2) is lost in rounding."""

LARGEST = 700.0
"""Exponents are cut off here: exp of it is still a double, with room for a factor."""


class Coarse:
    """The integrand on the axis at some points: how large it is, and where.

    Attributes:
        v: the points, cells of a tenth that cover all but far tails.
        s: log r there.
        scale: log of the unit in which M is summed.
        gain: M(c) - 1 in that unit, roughly.
        end: the v beyond which nothing matters.
        last: the log r up to which the integrand does.
    """

    def __init__(self, ratio: HalfRatio, c: float):
        edges = _coarse_edges(ratio, c)
        self.v = (edges[1:] + edges[:-1]) / 2
        self.s = ratio.log(self.v)
        density = ratio.log_density(self.v)
        size = density + (1 + c) * self.s
        self.scale = max(float(size.max()), 0.0)
        logs = density + np.log(np.diff(edges)) - self.scale
        rise = np.exp(np.minimum((1 + c) * self.s + logs, LARGEST)) - np.exp(logs)
        self.gain = max(float(rise @ -np.expm1(-c * self.s)), 1e-300)
        need = -math.log(NEGLIGIBLE * self.gain) + 4
        self.end = (1 + c) * ratio.mu + math.sqrt(2 * max(need, 8.0))
        self.last = float(self.s[np.flatnonzero(size > size.max() - 36)[-1]])


class Straight(StraightRule):
    """The rule along the real axis, for 0 <= t <= most.

    Attributes:
        coarse: the integrand, roughly.
        most: the largest t.
        size: the number of nodes.
    """

    def __init__(self, ratio: HalfRatio, c: float):
        self.coarse = Coarse(ratio, c)
        self.most = TURNS / self.coarse.last
        rule = _straight_rule(ratio, c, self.coarse, self.most)
        v, weight = rule.nodes.real, rule.weights.real
        self.size, self.s = len(v), ratio.log(v)
        logs = ratio.log_density(v) - self.coarse.scale
        rise, both = (1 + c) * self.s, (1 + 2 * c) * self.s
        plain = weight * np.exp(logs)
        up = weight * np.exp(np.minimum(rise + logs, LARGEST))
        down = plain * np.exp(-c * self.s)
        near, far = np.expm1(np.minimum(rise, 1.0)), np.expm1(np.minimum(both, 1.0))
        level = np.where(rise < 1, plain * near, up - plain) * -np.expm1(-c * self.s)
        self.even, self.odd = up + down, np.where(both < 1, down * far, up - down)
        x = ratio.mu / 2 + v
        doubt = EPS * (30 + self.size + 2 * x * x + (1 + c) * (6 * self.s + ratio.mu * v))
        self.level = float(level.sum())
        self.level_error = float(level @ doubt) + rule.error + _beyond(ratio, c, self.coarse, 0.0)
        self._count_errors(doubt, 5)


class Turned:
    """The rule along the turned path, for t from half of ``most`` to ``most``.

    Attributes:
        size: the number of nodes.
    """

    def __init__(self, ratio: HalfRatio, c: float, coarse: Coarse, most: float, still: float):
        mu, least = ratio.mu, most / 2
        height = min(HIGHEST, math.pi / (4 * mu), least / (2 * (1 + c) * mu))
        rule = _turned_rule(ratio, c, coarse, most, height)
        v = rule.nodes
        self.size, self.s = len(v), ratio.log_complex(v)
        logs = ratio.log_density(v) - coarse.scale
        self.up = rule.weights * np.exp(logs + (1 + c) * self.s)
        self.down = rule.weights * np.exp(logs - c * self.s)
        one = math.exp(-coarse.scale)
        self.still = (still - 1) * one
        x, s = np.abs(mu / 2 + v), np.abs(self.s)
        doubt = 60 + self.size + 2 * x * x + (1 + c + most) * (8 * s + mu * np.abs(v))
        size = np.exp(-least * self.s.imag) * (np.abs(self.up) + np.abs(self.down))
        rounding = EPS * (float(size @ doubt) + 4 * one)
        self.error = rounding + rule.error + _beyond(ratio, c, coarse, height)

    def sums(self, tau: Floats) -> tuple[Complexes, Floats]:
        """M - 1 and its error, in units of exp(scale)."""
        turned = np.exp(1j * tau[:, None] * self.s)
        value = self.still + turned @ self.up + np.conj(turned @ self.down)
        return value, np.full(len(tau), self.error)


def _straight_rule(ratio: HalfRatio, c: float, coarse: Coarse, most: float) -> panels.Rule:
    log_z, log_z1 = math.log(math.hypot(c, most)), math.log(math.hypot(c + 1, most))

    def log_sup(boxes: Boxes) -> Floats:
        height = np.maximum(np.abs(boxes.low), np.abs(boxes.high))
        theta = ratio.mu * height
        angle = admitted(theta)
        turned = most * ratio.most_turned(boxes.right, angle)
        size = ratio.log_size(boxes, angle)
        fall = -c * ratio.log_least(boxes.left, angle)
        product = log_z1 + log_z + 2 * size + turned + np.maximum(fall + turned, 0)
        powers = np.minimum(product, math.log(4) + turned + np.maximum(fall, 0))
        peak = ratio.log_peak(boxes.left, boxes.right, 1 + c)
        return np.where(theta < 3.1, peak + height**2 / 2 + powers - coarse.scale, np.inf)

    edges = _edges(ratio, coarse, most)
    return panels.rule(edges[:-1], edges[1:], log_sup, NEGLIGIBLE * (coarse.gain + SMALL))


def _turned_rule(
    ratio: HalfRatio, c: float, coarse: Coarse, most: float, height: float
) -> panels.Rule:
    least = most / 2

    def log_sup(boxes: Boxes) -> Floats:
        theta = ratio.mu * np.stack([boxes.low, boxes.high])
        angle = admitted(np.abs(theta))
        widest = angle.max(axis=0)
        above = np.minimum(*(ratio.argument(boxes.left, side) for side in angle))
        below = ratio.most_turned(boxes.right, angle[0])
        damping = np.where(boxes.low >= 0, -least * above, most * below)
        lift = np.maximum(boxes.low**2, boxes.high**2) / 2
        fall = -c * ratio.log_least(boxes.left, widest)
        up = ratio.log_peak(boxes.left, boxes.right, 1 + c)
        down = ratio.log_peak(boxes.left, boxes.right, 0.0) + fall
        sup = np.logaddexp(up, down) + lift + damping - coarse.scale
        return np.where(np.abs(theta).max(axis=0) < 3.1, sup, np.inf)

    rise = height * (1 + 1j)
    parts = np.linspace(0, 1, 5)
    level = _edges(ratio, coarse, 0.0).real
    edges = height * 1j + np.append(height, level[level > 1.01 * height])
    start, end = np.append(rise * parts[:-1], edges[:-1]), np.append(rise * parts[1:], edges[1:])
    return panels.rule(start, end, log_sup, NEGLIGIBLE * (1 + coarse.gain))


def _edges(ratio: HalfRatio, coarse: Coarse, most: float) -> Complexes:
    """Panels of a bounded width in which t s makes a bounded phase; few where nothing matters."""
    width = min(WIDEST, 2 / ratio.mu)
    v = np.concatenate([[0.0], coarse.v, [coarse.end]])
    s = np.concatenate([[0.0], coarse.s, ratio.log(np.array([coarse.end]))])
    steps = np.diff(v) / width + most * np.diff(np.minimum(s, coarse.last)) / PHASE
    steps = np.where(np.diff(v) > 1, np.minimum(steps, FEW), steps)
    work = np.append(0.0, np.cumsum(steps))
    marks = np.linspace(0, work[-1], math.ceil(work[-1]) + 1)
    return np.asarray(np.interp(marks, work, v), dtype=complex)


def _beyond(ratio: HalfRatio, c: float, coarse: Coarse, height: float) -> float:
    """The integral beyond the end, at a height: at most 4 phi exp((1 + c) s + y^2/2)."""
    v = np.array([coarse.end])
    fall = -c * ratio.log_least(v, np.array([ratio.mu * height]))
    log_size = ratio.log_density(v) + (1 + c) * ratio.log(v) + np.maximum(fall, 0) - coarse.scale
    steep = ratio.mu / 2 + coarse.end - (1 + c) * ratio.mu
    return 4 * math.exp(float(log_size[0]) + height**2 / 2) / steep


def _coarse_edges(ratio: HalfRatio, c: float) -> Floats:
    """Cells near 0, and about the last point where log phi + (1 + c) log r is stationary."""
    peak = (1 + c) * ratio.mu
    for _ in range(64):
        share = ratio.rate * math.exp(min(ratio.mu * peak, LARGEST))
        lower = (1 + c) * ratio.mu * share / (1 - ratio.rate + share) - ratio.mu / 2
        if lower <= 0 or peak - lower < 0.1:
            break
        peak = lower
    edges = np.arange(0.0, 12.0, 0.1)
    if lower > 0 and peak > 3:
        edges = np.union1d(edges, np.arange(max(peak - 12, 0.0), peak + 12, 0.1))
    return edges
