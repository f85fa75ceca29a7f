"""Kinds of pairs of Gaussian mixtures side by side: few one by one, many alike ones in stacks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tightrope.loss.lines import refined
from tightrope.loss.loss import Line, Transform
from tightrope.loss.mixture import whole_orders
from tightrope.loss.mixture.estimate import estimate
from tightrope.loss.mixture.line import MixtureLine
from tightrope.loss.mixture.pair import MixturePair
from tightrope.loss.mixture.stack import FEWEST_KINDS, PairStack, stacks
from tightrope.loss.mixture.stack_estimate import ColumnEstimate
from tightrope.loss.mixture.stack_line import StackLine
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import ulp
from tightrope.num.rounding import EPS


class Column:
    """Pairs, and how often each is run."""

    def __init__(self, pairs: Sequence[MixturePair], count: Floats):
        self.pairs, self.count = pairs, count

    @cached_property
    def stacks(self) -> list[tuple[PairStack, Floats]]:
        """Those that are alike, with their counts."""
        if len(self.pairs) < FEWEST_KINDS:
            return []
        found = []
        for part in stacks(self.pairs):
            stack = PairStack([self.pairs[i] for i in part])
            found.append((stack, self.count[part]))
        return found

    @cached_property
    def singles(self) -> list[tuple[MixturePair, float]]:
        """Those that are in no stack."""
        alike = {pair for stack, _ in self.stacks for pair in stack.pairs}
        rows = zip(self.pairs, self.count.tolist(), strict=True)
        return [row for row in rows if row[0] not in alike]

    @cached_property
    def runs(self) -> float:
        """All releases."""
        return math.fsum(self.count)

    @cached_property
    def _estimates(self) -> ColumnEstimate:
        return ColumnEstimate(self.pairs, self.count)

    def estimate(self, z: Complexes) -> Complexes:
        """The sum of the pairs' own."""
        if len(self.pairs) >= FEWEST_KINDS:
            return self._estimates(z)
        value = np.zeros(z.shape, dtype=complex)
        for pair, count in zip(self.pairs, self.count, strict=True):
            value += count * estimate(pair, z)
        return value

    def log_most(self, s: float) -> float:
        """By finite sums, where there are such at s, and else along the real axis."""
        rows = list(self.singles)
        parts: list[float] = []
        for stack, counts in self.stacks:
            known = whole_orders.log_most_of(stack.pairs, s)
            line = StackLine(stack, s, counts, self.runs)
            if known is not None:
                parts += (counts * known).tolist()
            elif line.ordinary:
                parts.append(line.log_most_on_axis())
            else:
                rows += zip(stack.pairs, counts.tolist(), strict=True)
        parts += [count * _log_most(pair, s, count) for pair, count in rows]
        return math.fsum(parts) + 4 * EPS * math.fsum(map(abs, parts))

    def line(self, c: float) -> Line:
        """One line for every pair, or stack of pairs."""
        lines: list[Line] = []
        times: list[float] = []
        rows = list(self.singles)
        for stack, counts in self.stacks:
            line = StackLine(stack, c, counts, self.runs)
            if line.ordinary:
                lines.append(line)
                times.append(1.0)
            else:
                rows += zip(stack.pairs, counts.tolist(), strict=True)
        lines += [MixtureLine(pair, c, count) for pair, count in rows]
        return _ColumnLine(c, np.array(times + [count for _, count in rows]), lines)


class _ColumnLine(Line):
    def __init__(self, c: float, count: Floats, lines: Sequence[Line]):
        self.c, self.count, self.lines = c, count, lines

    def refined(self) -> Line | None:
        finer = refined(self.lines)
        return None if finer is None else _ColumnLine(self.c, self.count, finer)

    def transform(self, tau: Floats) -> Transform:
        value: Complexes = np.zeros(tau.shape, dtype=complex)
        error = np.zeros(tau.shape)
        for count, line in zip(self.count.tolist(), self.lines, strict=True):
            part = line.transform(tau)
            value = value + count * part.value
            error += count * (part.error + ulp(part.value) * np.abs(part.value))
            error += ulp(value) * np.abs(value)
        return Transform(value, error)

    def log_most(self) -> float:
        parts = [
            count * line.log_most() for count, line in zip(self.count, self.lines, strict=True)
        ]
        return math.fsum(parts) + 4 * EPS * math.fsum(map(abs, parts))

    def decay(self, tau: Floats) -> Floats:
        return self._sum([line.decay(tau) for line in self.lines])

    def screen(self, tau: Floats) -> Floats:
        return self._sum([line.screen(tau) for line in self.lines])

    def _sum(self, bounds: Sequence[Floats]) -> Floats:
        """A sum of negative numbers, rounded towards 0."""
        return np.asarray(self.count @ np.array(bounds) * (1 - 8 * EPS * len(bounds)))


def _log_most(pair: MixturePair, s: float, count: float) -> float:
    """Of one release."""
    known = whole_orders.log_most(pair, s)
    return MixtureLine(pair, s, count).log_ends[1] if known is None else known
