"""The transform of sampled Laplace noise of one kind on a vertical line, by quadrature in x.

With s = log r, E_Q[exp(p s)] has two atoms and a density part, p = 1 + z or -z. While t s makes few
turns all are summed along the real axis; beyond, the path from 0 to epsilon goes up first, then
level, then down, since r^(it) only decays there. For p = -z the conjugate is computed.
"""

from __future__ import annotations

import math
from functools import cached_property, lru_cache

import numpy as np

from tightrope.loss.contour.octaves import Octaves
from tightrope.loss.contour.tails import Tails, by_variation, followed
from tightrope.loss.loss import Transform
from tightrope.loss.octave_line import OctaveLine, StraightRule
from tightrope.loss.spliced.half_ratio import HalfRatio, admitted
from tightrope.num import panels
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.logspace import log_mixture
from tightrope.num.panels import Boxes
from tightrope.num.rounding import EPS

NEGLIGIBLE = 1e-18
"""Quadrature error that is aimed at, relative to M."""

TURNS = 60.0
"""Radians that t s makes, from the least s to the greatest, before the path is turned."""

WIDEST = 0.5
"""Width of a panel at first: the first zero of r is pi/2 off the axis."""

PHASE = 12.0
"""Radians that t s makes in a panel at first."""


@lru_cache(maxsize=64)
def unit_points(epsilon: float, rate: float) -> tuple[Floats, Floats]:
    """Points and weights of s under Q, to some digits."""
    edges = np.linspace(0, min(epsilon, 80.0), math.ceil(min(epsilon, 80.0) / 2) + 1)
    points, weights = np.polynomial.legendre.leggauss(16)
    half = np.diff(edges)[:, None] / 2
    x = (edges[:-1, None] + half * (points + 1)).ravel()
    inner = np.concatenate([[-epsilon], 2 * x - epsilon, [epsilon]])
    dense = (half * weights).ravel() * np.exp(-x) / 2
    weight = np.concatenate([[0.5], dense, [math.exp(-epsilon) / 2]])
    return log_mixture(inner, rate), weight


class LaplaceLine(OctaveLine):
    """log M of one release along the line through c, and bounds on its decay.

    Attributes:
        epsilon: sensitivity over noise scale.
        ratio: r as a function of v = x - epsilon/2.
        power: the real part of p: 1 + c with the unit first, else -c.
        lean: what it is at c = 0.
    """

    def __init__(self, epsilon: float, rate: float, with_unit: bool, c: float):
        self.epsilon, self.ratio = epsilon, HalfRatio(2.0, rate)
        self.with_unit, self.power = with_unit, 1 + c if with_unit else -c
        self.lean = 1.0 if with_unit else 0.0
        ends = log_mixture(np.array([-epsilon, epsilon]), rate)
        self.ends, self.log_atoms = ends, np.array([-math.log(2), -math.log(2) - epsilon])
        self.scale = max(float((self.power * ends + self.log_atoms).max()), 0.0)
        self.first = _Straight(self, TURNS / float(ends[1] - ends[0]))
        self.octaves = Octaves(self.first, self.first.most, self._turned, self.scale)

    def transform(self, tau: Floats) -> Transform:
        """Values and errors for tau >= 0."""
        value, error = super().transform(tau)
        return Transform(value if self.with_unit else np.conj(value), error)

    def _turned(self, most: float) -> _Turned:
        return _Turned(self, most)

    @cached_property
    def tails(self) -> Tails:
        """Bounds on |M(c + it)|/M(c), computed for small t, by the variation of a density beyond.

        The density of s, exp(-x) r^(1 + p)/(4 rate exp(2 x - epsilon)), has no peak inside.
        """
        one = math.exp(-self.scale)
        whole = (self.first.level - self.first.level_error + one) * (1 - 32 * EPS)
        if not whole > 0:
            return by_variation(1.0, 1.0)  # which says nothing
        atoms = float(np.exp(self.power * self.ends + self.log_atoms - self.scale).sum())
        x = np.array([0.0, self.epsilon])
        logs = self.epsilon - 3 * x + (1 + self.power) * self.ends - self.scale
        variation = 2 * float(np.exp(np.minimum(logs, 700.0)).sum()) / (4 * self.ratio.rate)
        far = by_variation(atoms / whole * (1 + 64 * EPS), variation / whole)
        return followed(self._size, self.first.variance(whole), far)


class _Straight(StraightRule):
    """The rule along the real axis, for 0 <= t <= most; the atoms are two more nodes."""

    def __init__(self, line: LaplaceLine, most: float):
        self.most = most
        power, scale = line.power, line.scale
        rule = _straight_rule(line, most)
        x = rule.nodes.real
        s = line.ratio.log(x - line.epsilon / 2)
        logs = np.concatenate([line.log_atoms, np.log(rule.weights.real / 2) - x]) - scale
        self.s = np.concatenate([line.ends, s])
        self.size = len(self.s)
        self.even = self.odd = np.exp(power * self.s + logs)
        # under the first law, E[r^z - 1] vanishes with z; so the digits of a small z are kept
        plain, rise = np.exp(line.lean * self.s + logs), (power - line.lean) * self.s
        small = np.abs(rise) < 1
        level = np.where(small, plain * np.expm1(np.where(small, rise, 0)), self.even - plain)
        place = np.concatenate([np.full(2, line.epsilon), x])
        size = np.abs(self.s)
        each = EPS * (30 + place + abs(power) * (6 * size + 2 * place))
        self.level = math.fsum(level)
        moved = abs(power - line.lean) * self.even + line.lean * np.abs(level)
        self.level_error = rule.error + EPS * abs(self.level) + float(moved @ (6 * EPS * size))
        self.level_error += float(np.where(small, np.abs(level), self.even + plain) @ each)
        self._count_errors(each + EPS * self.size, 9)


class _Turned:
    """The rule along the turned path, for t from half of ``most`` to ``most``."""

    def __init__(self, line: LaplaceLine, most: float):
        power, scale, least = line.power, line.scale, most / 2
        height = min(math.pi / 8, least / (4 * (1 + abs(power))))
        rule = _turned_rule(line, most, height)
        x = rule.nodes
        s = line.ratio.log_complex(x - line.epsilon / 2)
        dense = rule.weights / 2 * np.exp(power * s - x - scale)
        self.s = np.concatenate([line.ends, s])
        self.sum = np.concatenate([np.exp(power * line.ends + line.log_atoms - scale), dense])
        self.size, self.one = len(self.s), math.exp(-scale)
        place = np.concatenate([np.full(2, line.epsilon), np.abs(x)])
        doubt = 60 + self.size + place + (abs(power) + most) * (8 * np.abs(self.s) + 2 * place)
        size = np.exp(-least * np.maximum(self.s.imag, 0)) * np.abs(self.sum)
        self.error = EPS * (float(size @ doubt) + 4 * self.one) + rule.error

    def sums(self, tau: Floats) -> tuple[Complexes, Floats]:
        """M - 1 and its error, in units of exp(scale)."""
        value = np.exp(1j * tau[:, None] * self.s) @ self.sum - self.one
        return value, np.full(len(tau), self.error)


def _log_peak(line: LaplaceLine, boxes: Boxes, widest: Floats) -> Floats:
    """log of exp(-x) |r|^power/2 at its largest: at an end, log r being convex and rising."""
    left, right = boxes.left - line.epsilon / 2, boxes.right - line.epsilon / 2
    if line.power < 0:
        return line.power * line.ratio.log_least(left, widest) - boxes.left - math.log(2)
    at_left = line.power * line.ratio.log(left) - boxes.left
    at_right = line.power * line.ratio.log(right) - boxes.right
    return np.maximum(at_left, at_right) - math.log(2)


def _straight_rule(line: LaplaceLine, most: float) -> panels.Rule:
    ratio = line.ratio

    def log_sup(boxes: Boxes) -> Floats:
        theta = 2 * np.maximum(np.abs(boxes.low), np.abs(boxes.high))
        angle = admitted(theta)
        turned = most * ratio.most_turned(boxes.right - line.epsilon / 2, angle)
        # |r| <= 1 + |r^p| with the unit first
        one = -boxes.left - math.log(2)
        peak = _log_peak(line, boxes, angle) + turned + line.lean * math.log(2)
        sup = np.logaddexp(peak, one) - line.scale
        return np.where(theta < 3.1, sup, np.inf)

    width = line.epsilon / max(1, math.ceil(line.epsilon / WIDEST))
    coarse = np.arange(0.0, line.epsilon + width / 2, width)
    s = ratio.log(coarse - line.epsilon / 2)
    work = coarse / width + most * (s - s[0]) / PHASE
    marks = np.linspace(0, work[-1], math.ceil(work[-1]) + 1)
    edges = np.interp(marks, work, coarse).astype(complex)
    return panels.rule(edges[:-1], edges[1:], log_sup, NEGLIGIBLE)


def _turned_rule(line: LaplaceLine, most: float, height: float) -> panels.Rule:
    ratio, least = line.ratio, most / 2

    def log_sup(boxes: Boxes) -> Floats:
        theta = 2 * np.stack([boxes.low, boxes.high])
        angle = admitted(np.abs(theta))
        left = boxes.left - line.epsilon / 2
        above = np.minimum(*(ratio.argument(left, side) for side in angle))
        below = ratio.most_turned(boxes.right - line.epsilon / 2, angle[0])
        damping = np.where(boxes.low >= 0, -least * above, most * below)
        sup = _log_peak(line, boxes, angle.max(axis=0)) + damping - line.scale
        return np.where(np.abs(theta).max(axis=0) < 3.1, sup, np.inf)

    rise = 1j * height * np.linspace(0, 1, 5)
    level = 1j * height + np.linspace(0, line.epsilon, 2 + int(2 * line.epsilon / WIDEST))
    path = np.concatenate([rise, level[1:], line.epsilon + rise[-2::-1]])
    return panels.rule(path[:-1], path[1:], log_sup, NEGLIGIBLE)
