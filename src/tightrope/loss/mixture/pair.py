"""A pair of Gaussian mixtures that lie on two sides of a point, and its loss off the real axis.

Turned and moved so that P is the right one, the pair is a mixture of N(gap + d, 1), d >= 0,
against one of N(-e, 1), e >= 0, the least d and e being 0. With phi the standard normal density,

    p(x) = phi(x) exp(gap x - gap^2/2) S_right(x - gap),    q(x) = phi(x) S_left(-x),
    S(u) = sum of w exp(d u - d^2/2).

At height y above the real axis the terms of S turn by at most width y, the width being its
largest d. So S has no zero below height pi/width and is nowhere larger there than on the axis.
Up to there, the argument of p/q lies between 0 and (gap + both widths) y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1_parts, log1p
from tightrope.num.normal import half_log_2pi
from tightrope.num.precision import EXTENDED, ulp

BLOCK = 1 << 17
"""Exponentials that are held at once."""


class Doubtful(NamedTuple):
    """Complex values, and how far each may be from the truth."""

    value: Complexes
    error: Floats


class OnLine(NamedTuple):
    """log p and log p/q at some points of the complex plane."""

    density: Doubtful
    loss: Doubtful


class Mixture(Protocol):
    """One of the mixtures, or one of each of many pairs."""

    def log_sum(self, u: Complexes) -> Doubtful:
        """log S(u), where it is small by way of S(u) - 1."""

    def tilted(self, u: Floats) -> tuple[Floats, Floats]:
        """log S on the real axis and its slope, the mean offset; good to some 1e-14."""


@dataclass(frozen=True)
class Side:
    """One of the mixtures, seen from its inner end.

    Attributes:
        still: the weight at offset 0, positive.
        weights: the other weights.
        offsets: where these are, positive and in units of the noise.
    """

    still: float
    weights: tuple[float, ...] = ()
    offsets: tuple[float, ...] = ()

    @cached_property
    def width(self) -> float:
        """The largest offset."""
        return max(self.offsets, default=0.0)

    def refined(self) -> Side | None:
        """The same numbers beyond doubles; None unless the one at rest is told by one other."""
        if not self.weights:
            return self
        (weight, *others) = self.weights
        if others or self.still != 1 - weight:
            return None
        finer = EXTENDED(weight), EXTENDED(self.offsets[0])
        return Side(1 - finer[0], (finer[0],), (finer[1],))

    @property
    def log_still(self) -> float:
        """log of the weight at offset 0, to full relative accuracy."""
        others = math.fsum(self.weights)
        return math.log1p(-others) if others < 0.5 else math.log(self.still)

    @cached_property
    def moved(self) -> tuple[Floats, Floats]:
        """The other weights and their offsets."""
        return np.array(self.weights), np.array(self.offsets)

    @cached_property
    def whole(self) -> tuple[Floats, Floats]:
        """The factors w exp(-d^2/2), as logarithms, and the d: all of them."""
        weights, offsets = self.moved
        logs = np.log(np.append(self.still, weights))
        offsets = np.append(0.0, offsets)
        return logs - offsets**2 / 2, offsets

    def log_sum(self, u: Complexes) -> Doubtful:
        """log S(u), where it is small by way of S(u) - 1."""
        weights, offsets = self.moved
        if not len(weights):
            return Doubtful(np.zeros(u.shape, dtype=complex), np.zeros(u.shape))
        return log_sum(self.still, weights, offsets, u)

    def tilted(self, u: Floats) -> tuple[Floats, Floats]:
        """log S on the real axis and its slope, the mean offset; good to some 1e-14."""
        logs, offsets = self.whole
        if len(offsets) == 1:
            return np.zeros_like(u), np.zeros_like(u)
        exponent = u[..., None] * offsets + logs
        top = exponent.max(axis=-1)
        terms = np.exp(exponent - top[..., None])
        total = terms.sum(axis=-1)
        return top + np.log(total), (terms @ offsets) / total


@dataclass(frozen=True)
class MixturePair:
    """A mixture of N(gap + d, 1) against one of N(-e, 1).

    Attributes:
        gap: the distance between the inner ends, at least 0.
        right: weights and offsets d of the first.
        left: weights and offsets e of the second.
        furthest: results beyond this one, from where Q ends, are left out; infinity if none is.
    """

    gap: float
    right: Side
    left: Side
    furthest: float = math.inf

    @property
    def reach(self) -> float:
        """The largest shift of P; those of Q are at most 0."""
        return self.gap + self.right.width

    @property
    def width(self) -> float:
        """The greater of the widths."""
        return max(self.right.width, self.left.width)

    def refined(self) -> MixturePair | None:
        """The same pair, known to more digits than doubles have; None if it is not."""
        right, left = self.right.refined(), self.left.refined()
        if right is None or left is None or EXTENDED is np.float64:
            return None
        return MixturePair(EXTENDED(self.gap), right, left, self.furthest)

    def hopeless(self, c: float) -> bool:
        """Whether log M(c) is so large that a double leaves it open by a tenth."""
        most = c * (c + 1) * (self.reach + self.left.width) ** 2 / 2
        if not self.reach:
            most = min(most, -c * self.left.log_still)
        return most > 1e14

    def on_line(self, x: Complexes) -> OnLine:
        """log p and the loss at complex points."""
        most = max(1, BLOCK // (1 + len(self.right.offsets) + len(self.left.offsets)))
        if x.size <= most:
            return on_line(self.gap, self.right, self.left, x)
        parts = [
            on_line(self.gap, self.right, self.left, part)
            for part in np.split(x.ravel(), range(most, x.size, most))
        ]
        return OnLine(*(_joined(half, x.shape) for half in zip(*parts, strict=True)))

    def upper(self, x: Floats) -> tuple[Floats, Floats]:
        """log p/phi on the real axis and its slope, which rises."""
        value, slope = self.right.tilted(x - self.gap)
        return value + self.gap * x - self.gap**2 / 2, slope + self.gap

    def lower(self, x: Floats) -> tuple[Floats, Floats]:
        """log q/phi on the real axis and its slope, which rises."""
        value, slope = self.left.tilted(-x)
        return value, -slope


def log_sum(still: float | Floats, weights: Floats, offsets: Floats, u: Complexes) -> Doubtful:
    """log S(u) of one mixture, or of one in each row, whose weights and offsets come last."""
    exponent = u[..., None] * offsets - offsets**2 / 2
    rounding = 2 * (np.abs(u)[..., None] * offsets + offsets**2)
    real, imag, growth = expm1_parts(np.minimum(exponent.real, 300.0), exponent.imag)
    gains = weights * (real + 1j * imag)
    gain = gains.sum(axis=-1)
    far = np.abs(gain) >= 0.5
    gain[far] = 0
    error = (40 * np.abs(gains) + weights * (growth + 1) * rounding).sum(axis=-1)
    error = (error + 18 * np.abs(gain)) / np.abs(1 + gain)
    value = log1p(gain)
    if far.any():
        if weights.ndim > 1:
            still = np.broadcast_to(still, far.shape)[far]
            weights = np.broadcast_to(weights, exponent.shape)[far]
        value[far], error[far] = _log_far(still, weights, exponent[far], rounding[far])
    return Doubtful(value, ulp(value) * error)


def _log_far(
    still: float | Floats, weights: Floats, exponent: Complexes, rounding: Floats
) -> tuple[Complexes, Floats]:
    """log S, where it is not small, and its error in ulps."""
    top = np.maximum(exponent.real.max(axis=-1), 0)
    terms = weights * np.exp(exponent - top[:, None])
    total = still * np.exp(-top) + terms.sum(axis=-1)
    value = top + np.log(total)
    misplaced = (np.abs(terms) * rounding).sum(axis=-1) / np.abs(total)
    return value, 16 + 4 * np.abs(value) + misplaced


def on_line(gap: float | Floats, p: Mixture, q: Mixture, x: Complexes) -> OnLine:
    """log p and the loss at complex points, given the gap and both mixtures, in their format."""
    x = np.asarray(x, dtype=np.result_type(x, gap))
    right, left = p.log_sum(x - gap), q.log_sum(-x)
    linear = gap * x - gap**2 / 2
    unit = 2 * ulp(x)
    slack = unit * (gap * np.abs(x) + gap**2 + np.abs(right.value))
    loss = linear + (right.value - left.value)
    density = loss + left.value - x * x / 2 - half_log_2pi(x)
    error = right.error + slack
    return OnLine(
        Doubtful(density, error + unit * (1 + np.abs(x) ** 2 + np.abs(loss))),
        Doubtful(loss, error + left.error + unit * np.abs(left.value)),
    )


def _joined(parts: Sequence[Doubtful], shape: tuple[int, ...]) -> Doubtful:
    columns = zip(*parts, strict=True)
    return Doubtful(*(np.concatenate(column).reshape(shape) for column in columns))
