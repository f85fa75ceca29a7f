"""The quadrature in x for one vertical line: nodes, the sum over them, and how far it may be off.

Accuracy: a composition may count a release 100,000 times, and then log M of one release has to be
right to some 1e-17. So what is summed is p (r^z - 1), whose integral is M - 1, as the integral of
p is 1 along every line.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.loss import Transform
from tightrope.loss.mixture.pair import MixturePair, OnLine
from tightrope.loss.mixture.series import Series
from tightrope.loss.mixture.strip_quadrature import Strip, Window, even
from tightrope.num.arrays import Complexes, Flags, Floats
from tightrope.num.complexes import log1p
from tightrope.num.precision import real_format, ulp

BLOCK = 1 << 16
"""Values that are held in an array at once."""


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
        """Values and errors of log M."""
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
        return logarithm(total, error, self.scale)


def logarithm(total: Complexes, error: Floats, scale: float = 0.0) -> Transform:
    """log M, where M is exp(scale) [total + exp(-scale)], and its error.

    Where M is lost in the errors, a value and an error of the right size are made up.
    """
    small = np.exp(-error.dtype.type(scale))
    size = np.abs(total + small)
    lost = ~(error < size / 2)
    total = np.where(lost, error - small, total)
    value: Complexes = np.asarray(log1p(total) if scale == 0 else scale + np.log(total + small))
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
