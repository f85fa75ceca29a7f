"""Many pairs of Gaussian mixtures of one shape, as arrays with an axis of kinds.

A noise scale that decays gives a composition of a thousand releases, no two of them alike. What
is a number of one pair is here a column, so that all kinds are computed at the same nodes. The
formulas are those of ``pair`` and ``strip_quadrature``; a strip, cells and nodes that are fit for
the widest pair are fit for all, and every bound is still one kind's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tightrope.loss.mixture.pair import Doubtful, MixturePair, OnLine, Side, log_sum, on_line
from tightrope.loss.mixture.strip_quadrature import (
    COARSEST,
    FINEST,
    MARGIN,
    ROUNDING,
    nodes,
    strip,
    tops,
)
from tightrope.num.arrays import Complexes, Floats

MOST_KINDS = 32
"""Kinds of a stack."""

FEWEST_KINDS = 4
"""A smaller stack is not worth its while."""

WIDER = 1.25
"""How much wider the widest pair of a stack may be than the narrowest: all get its nodes."""


@dataclass(frozen=True, eq=False)
class SideStack:
    """One of the mixtures of every kind: the numbers of ``Side``, with an axis of kinds first.

    Attributes:
        sides: the mixtures, all of the same number of components.
    """

    sides: Sequence[Side]

    @cached_property
    def still(self) -> Floats:
        """The weights at offset 0."""
        return np.array([[side.still] for side in self.sides])

    @cached_property
    def moved(self) -> tuple[Floats, Floats]:
        """The other weights and their offsets: kinds x nothing x components."""
        weights = np.array([[side.weights] for side in self.sides])
        return weights, np.array([[side.offsets] for side in self.sides])

    @cached_property
    def widths(self) -> Floats:
        """The largest offsets."""
        return np.array([side.width for side in self.sides])

    def log_sum(self, u: Complexes) -> Doubtful:
        """log S(u), where it is small by way of S(u) - 1."""
        weights, offsets = self.moved
        if not weights.size:
            shape = np.broadcast_shapes(u.shape, self.still.shape)
            return Doubtful(np.zeros(shape, dtype=complex), np.zeros(shape))
        return log_sum(self.still, weights, offsets, u)

    def tilted(self, u: Floats) -> tuple[Floats, Floats]:
        """log S on the real axis and its slope, the mean offset; good to some 1e-14."""
        weights, moved = self.moved
        shape = np.broadcast_shapes(u.shape, self.still.shape)
        if not weights.size:
            return np.zeros(shape), np.zeros(shape)
        exponent = u[..., None] * moved + (np.log(weights) - moved**2 / 2)
        still = np.log(self.still)
        top = np.maximum(exponent.max(axis=-1), still)
        terms = np.exp(exponent - top[..., None])
        total = np.exp(still - top) + terms.sum(axis=-1)
        return top + np.log(total), (terms * moved).sum(axis=-1) / total


class Strips(NamedTuple):
    """From the real axis up to a height, and what |p r^c| of each kind may gain there.

    Attributes:
        height: the upper end, of all.
        lift: how far each q is moved to bound it from below, a column; or 0.
        order: c, if q is bounded by a cosine instead.
        widths: of the q.
    """

    height: float
    lift: float | Floats
    order: float
    widths: Floats

    def gain(self, y: float) -> Floats:
        """log of what |p r^c| at height y may be over p r^c on the axis, q lifted."""
        if np.any(self.lift):
            return np.full(self.widths.shape, y**2 / 2)
        return np.asarray(y**2 / 2 - self.order * np.log(np.cos(self.widths * y / 2)))


class Cells(NamedTuple):
    """The cells where an integrand of some kind matters: see ``strip_quadrature.Window``.

    Bounds on integrals are one for each kind, ``top`` has a row for each.
    """

    left: Floats
    top: Floats
    width: float
    log_mass: Floats
    log_lost: Floats
    log_peak: Floats
    log_end: Floats

    def nodes(self, step: float) -> Floats:
        """The multiples of a step inside the cells."""
        return nodes(self.left, self.width, step)

    def above(self, depth: float) -> Cells:
        """Only the cells where some kind may exceed exp(-depth) times its integral."""
        keep = (self.top > self.log_peak[:, None] - depth).any(axis=0)
        lost = _log_sum(self.log_lost, self.top[:, ~keep] + math.log(self.width + COARSEST))
        return self._replace(left=self.left[keep], top=self.top[:, keep], log_lost=lost)


@dataclass(frozen=True, eq=False)
class PairStack:
    """Pairs of one shape, of which none has more components than another.

    Attributes:
        pairs: each of one kind; results beyond one common end are left out of all.
    """

    pairs: Sequence[MixturePair]

    @cached_property
    def gap(self) -> Floats:
        """The distances between inner ends, a column."""
        return np.array([[pair.gap] for pair in self.pairs])

    @cached_property
    def right(self) -> SideStack:
        """The P."""
        return SideStack([pair.right for pair in self.pairs])

    @cached_property
    def left(self) -> SideStack:
        """The Q."""
        return SideStack([pair.left for pair in self.pairs])

    @property
    def width(self) -> float:
        """The greatest of all widths."""
        return max(pair.width for pair in self.pairs)

    def on_line(self, x: Complexes) -> OnLine:
        """log p and the losses at complex points, the last axis but one being that of kinds."""
        return on_line(self.gap, self.right, self.left, x)

    def upper(self, x: Floats) -> tuple[Floats, Floats]:
        """log p/phi on the real axis and its slope, which rises."""
        value, slope = self.right.tilted(x - self.gap)
        return value + self.gap * x - self.gap**2 / 2, slope + self.gap

    def lower(self, x: Floats) -> tuple[Floats, Floats]:
        """log q/phi on the real axis and its slope, which rises."""
        value, slope = self.left.tilted(-x)
        return value, -slope

    def strips(self, c: float, most: float, need: float) -> Strips:
        """A strip that suits the widest pair; what forbids more depends on widths alone."""
        widest = max(self.pairs, key=lambda pair: pair.left.width + pair.right.width)
        one = strip(widest, c, most, need)
        most_right, most_left = self.right.widths.max(), self.left.widths.max()
        height = one.height * min(
            1.0,
            widest.right.width / most_right if most_right else 1.0,
            widest.left.width / most_left if most_left else 1.0,
        )
        if not one.lift:
            return Strips(height, 0.0, one.order, self.left.widths)
        widths = self.left.widths
        lift = -np.log(np.cos(widths * height)) / widths
        return Strips(height, lift[:, None], 0.0, widths)

    def cells(self, c: float, lift: float | Floats, depth: float) -> Cells:
        """Where p r^c + p + q of some kind may exceed exp(-depth) times its integral."""
        furthest = self.pairs[0].furthest
        low = -MARGIN - float(self.left.widths.max())
        reach = max((c + 1) * pair.reach + c * pair.left.width for pair in self.pairs)
        high = min(reach + MARGIN, furthest)
        ends, _ = tops(self, c, lift, np.array([[low, high]]) - COARSEST, 2 * COARSEST)
        count = math.ceil((high - low) / FINEST)
        width = (high - low) / count
        left = low + width * np.arange(float(count))
        top, true = tops(self, c, lift, left[None], width)
        peak = np.maximum(true.max(axis=(0, 2)), 0.0)
        keep = (top > ((1 - ROUNDING) * peak - depth)[:, None]).any(axis=0)
        lost = np.logaddexp.reduce(ends, axis=1)
        lost = _log_sum(lost, top[:, ~keep] + math.log(width + COARSEST))
        left, top = left[keep], top[:, keep]
        doubt = ROUNDING * peak
        mass = _log_sum(lost, top + math.log(width)) + doubt
        end = ends[:, 1] if high == furthest else np.full(len(peak), -math.inf)
        return Cells(left, top, width, mass, lost + doubt, peak, end)


def _log_sum(log_first: Floats, logs: Floats) -> Floats:
    return np.asarray(np.logaddexp(log_first, np.logaddexp.reduce(logs, axis=1, initial=-math.inf)))


def stacks(pairs: Sequence[MixturePair]) -> list[list[int]]:
    """Which pairs, by number, to stack; those in none are better seen one by one."""
    shapes: dict[tuple[int, int, float], list[int]] = {}
    for i, pair in enumerate(pairs):
        shape = len(pair.right.offsets), len(pair.left.offsets), pair.furthest
        shapes.setdefault(shape, []).append(i)
    parts = (part for alike in shapes.values() for part in _of_like_size(pairs, alike))
    return [part for part in parts if len(part) >= FEWEST_KINDS]


def _of_like_size(pairs: Sequence[MixturePair], alike: list[int]) -> list[list[int]]:
    size = {i: pairs[i].reach + pairs[i].left.width for i in alike}
    parts: list[list[int]] = []
    for i in sorted(alike, key=size.__getitem__):
        if not parts or len(parts[-1]) == MOST_KINDS or size[i] > WIDER * size[parts[-1][0]]:
            parts.append([])
        parts[-1].append(i)
    return parts
