"""The transform of discrete Gaussian losses, as a theta function of whichever side is short.

A release of law N_Z(0, s^2) under a shift of D has the loss D (2 X + D)/(2 s^2), so that, with
w = z D, q = D^2/s^2 and T = 2 pi s^2/D,

    M(z) = exp(z q/2) * sum over integers x of exp(-x^2/(2 s^2) + x w/s^2)/theta,   and also
    M(z) = exp(z q/2) * sum over integers k of exp((z + i k T)^2 q/2)/theta',

the second by Poisson summation. The first is short for a small variance, the second for a large
one. In both the largest term is taken out (x next to Re w, k next to -Im z/T), and the rest is
one plus the sum over k >= 1 of (exp(-a k^2 + k v) - exp(-a k^2 - k v))^2/(1 + 2 sum exp(-2 a k^2)),
which vanishes with v, so that log M keeps its digits near z = 0. There |Re v| <= a, and a is at
least pi/2: four terms are enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tightrope.loss.loss import Transform
from tightrope.num.arrays import Complexes, Flags, Floats
from tightrope.num.complexes import log1p
from tightrope.num.rounding import EPS

SELF_DUAL = 1 / (2 * math.pi)
"""The variance at which both sums are alike."""

_TERMS = np.arange(1.0, 5.0)
"""The k whose terms count: a is at least pi/2, and exp(-25 pi) is below exp(-60)."""
_NEGLIGIBLE = 60.0
"""What is exp(-60) of the largest term is left out; it changes log M by at most _LEFT_OUT."""

_LEFT_OUT = 1e-24
"""More than a hundred times exp(-60)."""
_DRIFT = 6 * EPS
"""How far the distance to the next revival may be off, relative to tau: three roundings of the
period and its multiple, and a node that is itself two ulps away from where it should be."""

_MOST_PERIODS = 2.0**44
"""Beyond so many revivals a double does not tell where the next one is."""

_BLOCK = 1 << 17
"""Rows times nodes that are held in memory at once."""


class _Tilt(NamedTuple):
    """What depends on c alone: nodes (or one) by rows, and the first two summed over rows."""

    constant: Floats
    constant_size: Floats
    centre: Floats
    fraction: Floats


@dataclass(frozen=True, eq=False)
class ThetaRows:
    """Kinds of release as rows; all attributes are arrays over them.

    Attributes:
        variance: s^2.
        shift: D.
        count: how often each is run.
    """

    variance: Floats
    shift: Floats
    count: Floats

    def where(self, kept: Flags | slice) -> ThetaRows:
        """Some of the rows."""
        return ThetaRows(self.variance[kept], self.shift[kept], self.count[kept])

    @cached_property
    def slope(self) -> Floats:
        """D/s^2, the step of the loss."""
        return self.shift / self.variance

    @cached_property
    def square(self) -> Floats:
        """q = D^2/s^2, the mu^2 of the continuous Gaussian."""
        return self.shift * self.slope

    @cached_property
    def period(self) -> Floats:
        """T: |M(c + it)| is periodic in t."""
        return 2 * math.pi / self.slope

    @cached_property
    def dual(self) -> Floats:
        """1 where Poisson summation is used, else 0."""
        return (self.variance >= SELF_DUAL).astype(float)

    @cached_property
    def width(self) -> Floats:
        """The a of the sums."""
        return np.where(self.dual, math.pi**2 * self.variance, 1 / (4 * self.variance))

    @cached_property
    def excess(self) -> Floats:
        """theta - 1, of whichever sum is used."""
        return np.asarray(2 * np.exp(-2 * self.width[:, None] * _TERMS**2).sum(axis=-1))

    @cached_property
    def beat(self) -> Floats:
        """What v moves by along t, up to a factor of i."""
        return np.where(self.dual, math.pi * self.shift, self.slope / 2)

    @cached_property
    def lean(self) -> Floats:
        """What v moves by with Re w, likewise."""
        return np.where(self.dual, math.pi, 1 / (2 * self.variance))

    def transform(self, c: Floats, tau: Floats) -> Transform:
        """log M of all rows together at c + i tau; c has one entry, or as many as tau."""
        block = max(1, _BLOCK // len(self.count))
        value = np.empty(len(tau), dtype=complex)
        error = np.empty(len(tau))
        for start in range(0, len(tau), block):
            part = slice(start, start + block)
            here = c if len(c) == 1 else c[part]
            value[part], error[part] = self._block(self._tilt(here), tau[part])
        return Transform(value, error)

    def _tilt(self, c: Floats) -> _Tilt:
        w = c[:, None] * self.shift
        nearest = np.rint(w)
        centre = np.where(self.dual, w, nearest)
        mean = c[:, None] * self.square
        slant = centre / self.variance
        lost = np.where(self.dual, 0, 2 * slant * centre)  # what the difference below cancels
        constant = mean + slant * (2 * w - centre)
        return _Tilt(
            (self.count * constant).sum(axis=-1) / 2,
            (self.count * (constant + lost)).sum(axis=-1) / 2,
            centre,
            w - nearest,
        )

    def _block(self, tilt: _Tilt, tau: Floats) -> Transform:
        t = tau[:, None]
        d = t - np.rint(t / self.period) * self.period
        lever = self.count * self.slope * tilt.centre
        bend = self.count * self.square * self.dual * d
        turn = lever * d
        curl = (bend * d).sum(axis=-1) / 2
        mean = np.abs(tau) * (float((self.count * self.square).sum()) / 2)
        value = tilt.constant - curl + 1j * (np.sign(tau) * mean + turn.sum(axis=-1))
        size = tilt.constant_size + curl + mean + np.abs(turn).sum(axis=-1)
        reach = (lever + np.abs(bend)).sum(axis=-1)
        error = EPS * (6 + min(len(self.count), 40) / 2) * size + _DRIFT * np.abs(tau) * reach
        error += _LEFT_OUT * float(self.count.sum())
        error[np.abs(tau) > _MOST_PERIODS * float(self.period.min())] = np.inf
        self._add_fluctuation(value, error, tilt, tau, d)
        return Transform(value, error)

    # --- what one term does not say --------------------------------------------------------

    def _add_fluctuation(
        self, value: Complexes, error: Floats, tilt: _Tilt, tau: Floats, d: Floats
    ) -> None:
        """Add log of the sums of all terms relative to the largest, where it is not nought."""
        spread = self.dual * self.beat * np.abs(d)
        spread += (1 - self.dual) * self.lean * np.abs(tilt.fraction)
        node, row = np.nonzero(spread > self.width - _NEGLIGIBLE / 2)
        if not len(node):
            return
        tilted = node if len(tilt.fraction) > 1 else np.zeros_like(node)
        beat, lean = self.beat[row], self.lean[row]
        moving, still = beat * d[node, row], lean * tilt.fraction[tilted, row]
        v = np.where(self.dual[row], -moving + 1j * still, still + 1j * moving)
        doubt = beat * _DRIFT * np.abs(tau[node]) + 2 * EPS * lean * tilt.centre[tilted, row]
        found, slack = _fluctuation(self.width[row], self.excess[row], v, doubt)
        count = self.count[row]
        value += np.bincount(node, count * found.real, len(tau))
        value += 1j * np.bincount(node, count * found.imag, len(tau))
        error += np.bincount(node, count * slack, len(tau))


def _fluctuation(
    width: Floats, excess: Floats, v: Complexes, doubt: Floats
) -> tuple[Complexes, Floats]:
    """log(1 + sum over k of (exp(-a k^2 + k v) - exp(-a k^2 - k v))^2/(1 + excess)), its error.

    A sum that cancels to nothing is given a size of a few errors; the error is such that M is off
    by at most a factor of expm1(error), which is all that is ever asked of so small a number.
    """
    total = np.zeros(len(v), dtype=complex)
    slack = np.full(len(v), _LEFT_OUT)
    left = np.arange(len(v))
    for k in _TERMS:
        left = left[k * np.abs(v.real[left]) > k**2 * width[left] - _NEGLIGIBLE / 2]
        if not len(left):
            break
        term, each = _term(k, width[left], v[left], doubt[left])
        total[left] += term
        slack[left] += each
    total, slack = total / (1 + excess), slack / (1 + excess)
    lost = np.abs(1 + total) < 4 * slack
    total = np.where(lost, 4 * slack - 1, total)
    size = np.abs(1 + total)
    relative = np.where(lost, 3.0, slack / size)
    return log1p(total), relative * (1 + relative) + 24 * EPS * np.abs(total) / size


def _term(k: float, width: Floats, v: Complexes, doubt: Floats) -> tuple[Complexes, Floats]:
    """One square of the sum, and its error."""
    up, down = np.exp(-width * k**2 + k * v), np.exp(-width * k**2 - k * v)
    gap, size = up - down, np.abs(up) + np.abs(down)
    each = EPS * (8 + 3 * (width * k**2 + k * np.abs(v))) + k * doubt
    away = size * np.expm1(np.minimum(each, 300.0))
    return gap**2, (2 * np.abs(gap) + away) * away
