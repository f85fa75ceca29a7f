"""The loss of a release whose kind is drawn at random and told: a union of pairs.

With probability w_j the pair is (P_j, Q_j), the same w_j under both laws, so M is the sum of
w_j M_j. What the weights lack of 1 is an infinite loss, as far as it is declared, and else a loss
of 0. By joint convexity such a union covers a mixture whose kind is not told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from tightrope.loss.lines import WeightedLines
from tightrope.loss.loss import Line, Loss, Transform
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1_parts, log1p
from tightrope.num.rounding import EPS, up

WEIGHT_DOUBT = 2e-14
"""Relative error of binomial weights."""


@dataclass(frozen=True, eq=False)
class Union:
    """One release of a kind that is drawn at random.

    Attributes:
        parts: the losses of one release each.
        weights: their probabilities.
        infinite: the probability of an infinite loss beside them.
        count: how often the release is run.
    """

    parts: tuple[Loss, ...]
    weights: Floats
    infinite: float
    count: float

    @cached_property
    def escape(self) -> float:
        """-log of the probability that the loss is finite."""
        lost = (float(w) * -math.expm1(-p.escape) for w, p in self.pairs)
        total = self.infinite + math.fsum(lost)
        return -math.log1p(-min(up(total, 8), 1 - EPS)) if total else 0.0

    @property
    def pairs(self) -> list[tuple[float, Loss]]:
        """Weights with their losses."""
        return list(zip(self.weights.tolist(), self.parts, strict=True))

    @property
    def highest(self) -> float:
        """The largest loss of one release."""
        return max(0.0, *(part.highest for part in self.parts))


@dataclass(frozen=True, eq=False)
class UnionLoss(Loss):
    """Releases of kinds that are drawn at random and told.

    Attributes:
        unions: one for each kind of release.
    """

    unions: tuple[Union, ...]

    @classmethod
    def one(cls, parts: Sequence[Loss], weights: Sequence[float], infinite: float = 0.0) -> Self:
        """One release: the parts with these weights, infinite with that probability, else 0."""
        return cls((Union(tuple(parts), np.array(weights), infinite, 1.0),))

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)(tuple(replace(u, count=u.count * count) for u in self.unions))

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Side by side."""
        return cls(tuple(union for loss in losses for union in loss.unions))

    @property
    def cost(self) -> float:
        """That of all parts."""
        return math.fsum(part.cost for union in self.unions for part in union.parts)

    @property
    def escape(self) -> float:
        """Of all releases."""
        return math.fsum(union.escape * union.count for union in self.unions)

    @property
    def highest(self) -> float:
        """Of all releases."""
        return up(math.fsum(union.highest * union.count for union in self.unions), 8)

    def estimate(self, z: Complexes) -> Complexes:
        """log of the sum of w exp(log M)."""
        total = np.zeros(z.shape, dtype=complex)
        for union in self.unions:
            values = [(w, part.estimate(z)) for w, part in union.pairs]
            total += union.count * _mixed(values, union.infinite)
        return total

    def line(self, c: float) -> Line:
        """Every part along the line through c."""
        return _UnionLine(c, self.unions)


class _UnionLine(WeightedLines):
    def __init__(self, c: float, unions: Sequence[Union]):
        self.ones = [_OneLine(union, c) for union in unions]
        super().__init__(c, self.ones, np.array([union.count for union in unions]))

    def screen(self, tau: Floats) -> Floats:
        parts = [n * one.screen(tau) for one, n in zip(self.ones, self.count, strict=True)]
        return np.asarray(np.sum(parts, axis=0))


class _OneLine:
    """log M of one union along a line."""

    def __init__(self, union: Union, c: float):
        self.union = union
        self.lines = [part.line(c) for part in union.parts]

    def transform(self, tau: Floats) -> Transform:
        """The mixture, and what the errors of the parts and of the weights do to it."""
        weights = self.union.weights
        parts = [line.transform(tau) for line in self.lines]
        values = list(zip(weights.tolist(), (part.value for part in parts), strict=True))
        value = _mixed(values, self.union.infinite)
        top = np.maximum(np.max([part.value.real for part in parts], axis=0), 0)
        error = np.full(tau.shape, 4 * EPS * self.union.infinite)
        for (weight, at), part in zip(values, parts, strict=True):
            size = np.exp(at.real - top)
            gain = np.abs(np.exp(at - top) - np.exp(-top)) * WEIGHT_DOUBT
            error += weight * (size * np.expm1(np.minimum(part.error, 700.0)) + gain)
        relative = error * np.exp(top - value.real)
        relative += EPS * (16 + 4 * np.abs(value)) * np.minimum(np.abs(value), 1)
        return Transform(value, np.log1p(relative) - np.log1p(-np.minimum(relative, 0.5)))

    @cached_property
    def at_zero(self) -> tuple[Floats, float]:
        """Bounds above log M_j(c), and one below log M(c)."""
        zero = np.zeros(1)
        parts = [line.transform(zero) for line in self.lines]
        whole = self.transform(zero)
        above = np.array([float(part.value.real[0] + part.error[0]) for part in parts])
        return above, float(whole.value.real[0] - whole.error[0])

    def decay(self, tau: Floats) -> Floats:
        """See ``Line.decay``."""
        return self._bound([line.decay(tau) for line in self.lines])

    def screen(self, tau: Floats) -> Floats:
        """See ``Line.screen``."""
        return self._bound([line.screen(tau) for line in self.lines])

    def _bound(self, parts: Sequence[Floats]) -> Floats:
        """|M| is at most the sum of w |M_j|, and of the mass at 0; from bounds on the parts."""
        above, below = self.at_zero
        rest = max(1 - float(self.union.weights.sum()) - self.union.infinite, 0.0) + 4 * EPS
        terms = [np.full(parts[0].shape, math.log(rest))]
        for weight, part, log_m in zip(self.union.weights, parts, above, strict=True):
            terms.append(math.log(weight) + log_m + part)
        total = np.logaddexp.reduce(np.array(terms), axis=0)
        return np.asarray(np.minimum(total - below + 8 * EPS, 0))


def _mixed(values: Sequence[tuple[float, Complexes]], infinite: float) -> Complexes:
    """log(1 - infinite + sum of w (exp(K) - 1))."""
    top = np.maximum(np.max([value.real for _, value in values], axis=0), 0)
    near: Complexes = np.full(top.shape, -infinite, dtype=complex)
    far = np.zeros(top.shape, dtype=complex)
    rest = 1 - infinite - math.fsum(weight for weight, _ in values)
    for weight, value in values:
        real, imag, _ = expm1_parts(np.minimum(value.real, 1.0), value.imag)
        near.real += weight * real
        near.imag += weight * imag
        far += weight * np.exp(value - top)
    far = top + np.log(far + max(rest, 0.0) * np.exp(-top))
    return np.asarray(np.where(top < 0.5, log1p(near), far))
