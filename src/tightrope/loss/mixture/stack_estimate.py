"""A quick log M of many pairs of Gaussian mixtures, to search with; nothing is proved of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tightrope.loss.mixture.estimate import (
    CUT,
    FURTHEST,
    HOPELESS,
    MARGIN,
    MIDDLE,
    estimate,
    far,
    step_for,
)
from tightrope.loss.mixture.pair import MixturePair, Side
from tightrope.loss.mixture.stack import PairStack, stacks
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1, log1p

NEAREST = 40.0
"""Where the first nodes end; they are laid twice as far whenever that does not suffice."""

GRAIN = 0.02
"""Pairs whose numbers differ by no more, relatively, are searched with as if they were one."""


class ColumnEstimate:
    """The sum of log M of many pairs.

    Args:
        pairs: the kinds.
        count: how often each is run.
    """

    def __init__(self, pairs: Sequence[MixturePair], count: Floats):
        self.pairs, self.count = _thinned(pairs, count)
        parts = stacks(self.pairs)
        self.stacks = [(p, StackEstimate(PairStack([self.pairs[i] for i in p]))) for p in parts]
        self.singles = set(range(len(self.pairs))).difference(*parts)

    def __call__(self, z: Complexes) -> Complexes:
        """At any points with a positive real part, to a few digits."""
        value = np.zeros(z.shape, dtype=complex)
        for i in self.singles:
            value += self.count[i] * estimate(self.pairs[i], z)
        for part, stack in self.stacks:
            value += self.count[part] @ stack(z)
        return value


def _thinned(pairs: Sequence[MixturePair], count: Floats) -> tuple[list[MixturePair], Floats]:
    """Pairs that are almost alike, as one with their means."""
    cells: dict[tuple[float, ...], list[int]] = {}
    for i, pair in enumerate(pairs):
        numbers = (pair.gap, *pair.right.offsets, *pair.left.offsets)
        numbers += pair.right.weights + pair.left.weights
        cell = tuple(round(math.log(number) / GRAIN) if number else math.inf for number in numbers)
        cells.setdefault((pair.furthest, len(pair.right.offsets), *cell), []).append(i)
    means = [_mean([pairs[i] for i in cell], count[cell]) for cell in cells.values()]
    return means, np.array([count[cell].sum() for cell in cells.values()])


def _mean(pairs: Sequence[MixturePair], count: Floats) -> MixturePair:
    if len(pairs) == 1:
        return pairs[0]
    share = count / count.sum()
    right, left = (
        Side(
            float(share @ [side.still for side in sides]),
            tuple((share @ np.array([side.weights for side in sides])).tolist()),
            tuple((share @ np.array([side.offsets for side in sides])).tolist()),
        )
        for sides in ([pair.right for pair in pairs], [pair.left for pair in pairs])
    )
    return MixturePair(float(share @ [p.gap for p in pairs]), right, left, pairs[0].furthest)


class StackEstimate:
    """log M of every kind of a stack, by nodes that are laid as far as they were needed."""

    def __init__(self, stack: PairStack):
        self.stack, self.step, self.end = stack, step_for(stack.width), 0.0
        self.reach = np.array([pair.reach for pair in stack.pairs])
        self.left = stack.left.widths

    def __call__(self, z: Complexes) -> Complexes:
        """log M at any points with a positive real part, to a few digits: kinds x points."""
        c, furthest = float(z.real.max()), self.stack.pairs[0].furthest
        end = min(float(((c + 1) * self.reach + c * self.left).max()) + MARGIN, furthest)
        self._lay(min(end, FURTHEST))
        used = int(np.searchsorted(self.x, end)) + 1
        loss, log_weight = self.loss[:, :used], self.log_weight[:, :used]
        with np.errstate(over="ignore", invalid="ignore"):
            value = _log_sum(z, loss, log_weight, self.weight[:, :used])
            last = log_weight[:, -1:] + z.real * loss[:, -1:]
            if end == furthest:
                value[last > value.real - CUT] = HOPELESS
            if end >= FURTHEST:
                ends = (z.real + 1) * self.reach[:, None] > FURTHEST - MARGIN
                for k, i in zip(*np.nonzero(ends | (last > value.real - 20)), strict=True):
                    value[k, i] = far(self.stack.pairs[k], complex(z[i]))
        return value

    def _lay(self, end: float) -> None:
        """Nodes up to there."""
        if end <= self.end:
            return
        self.end = max(NEAREST, self.end)
        while self.end < end:
            self.end *= 2
        self.x = np.arange(-MARGIN, self.end, self.step)
        at = self.stack.on_line(self.x[None].astype(complex))
        self.loss: Floats = at.loss.value.real
        self.log_weight: Floats = at.density.value.real + np.log(self.step)
        middle = self.x < self.reach.max() + MIDDLE
        self.weight = np.exp(self.log_weight[:, middle])


def _log_sum(z: Complexes, loss: Floats, log_weight: Floats, weight: Floats) -> Complexes:
    """log of 1 plus the sum of w (exp(z l) - 1), wholly by logarithms where it is large."""
    middle = weight.shape[1]
    power: Any = z if z.imag.any() else z.real
    change: Any = expm1 if z.imag.any() else np.expm1
    exponent = power[:, None] * loss[:, None]
    total = (change(exponent[..., :middle]) @ weight[..., None])[..., 0] + 0j
    if middle < loss.shape[1]:
        total += np.exp(exponent[..., middle:] + log_weight[:, None, middle:]).sum(axis=-1)
    large = ~(np.abs(total) < 1e100)
    value = log1p(np.where(large, 0, total))
    if large.any():
        kind, _ = np.nonzero(large)
        terms = exponent[large] + log_weight[kind]
        top = terms.real.max(axis=-1)
        value[large] = top + np.log(np.exp(terms - top[:, None]).sum(axis=-1))
    return value
