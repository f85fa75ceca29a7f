"""Transforms by quadrature: one rule for small t, and one for every octave beyond."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from tightrope.loss.loss import Transform
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import log1p
from tightrope.num.rounding import EPS

BLOCK = 1 << 18
"""Values that are held in an array at once."""


class Rule(Protocol):
    """A rule for some range of t."""

    size: int

    def sums(self, tau: Floats) -> tuple[Complexes, Floats]:
        """M - 1 and its error, in units of exp(scale)."""


class Octaves:
    """log M for all t >= 0.

    Args:
        first: the rule for t up to ``most``.
        most: where its range ends.
        build: makes the rule for t from half of its argument to its argument.
        scale: log of the unit in which the rules count.
    """

    def __init__(self, first: Rule, most: float, build: Callable[[float], Rule], scale: float):
        self.most, self.build, self.scale = most, build, scale
        self.rules = {0: first}

    def transform(self, tau: Floats) -> Transform:
        """Values and errors."""
        if not len(tau) or tau.max() <= self.most:
            return self._by(0, tau)
        octave = np.ceil(np.log2(np.maximum(tau, self.most) / self.most)).astype(int)
        value, error = np.empty(tau.shape, dtype=complex), np.empty(tau.shape)
        for number in np.unique(octave).tolist():
            here = octave == number
            value[here], error[here] = self._by(number, tau[here])
        return Transform(value, error)

    def _by(self, number: int, tau: Floats) -> Transform:
        if number not in self.rules:
            self.rules[number] = self.build(self.most * 2.0**number)
        rule = self.rules[number]
        width = BLOCK // max(1, rule.size)
        parts = [rule.sums(tau[i : i + width]) for i in range(0, max(len(tau), 1), width)]
        gain, error = (np.concatenate(side) for side in zip(*parts, strict=True))
        return logarithm(gain, error, self.scale)


def logarithm(gain: Complexes, error: Floats, scale: float) -> Transform:
    """log M from M - 1 and its error in units of exp(scale); where M is lost, a bound on |M|."""
    one = math.exp(-scale)
    whole = gain + one
    whole = np.where(whole == 0, 1e-300, whole)
    value = log1p(gain) if scale == 0 else scale + np.log(whole)
    relative = error / np.abs(whole)
    rounding = EPS * np.minimum(24 * np.abs(gain), 12 + 4 * np.abs(value))
    lost = ~(relative < 0.5)
    return Transform(
        np.where(lost, scale + np.log(error + 1e-300), value),
        np.where(lost, math.log(5), -np.log1p(-np.where(lost, 0, relative)) + rounding),
    )
