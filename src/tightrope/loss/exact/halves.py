"""A few runs of many unrelated atoms: the sums of one half of the runs beside those of the other.

The sums of three releases of some hundred atoms are millions, those of two ten thousands. So the
runs are divided in two, and with the sums a of the one half and the profile of the other

    delta(e) = sum over a of p_a delta_other(e - a),

positive terms, each read off a table (``steps_down``) at a loss of any sign.

Losses of atoms may be off by a part of their size. A sum of losses that exceeds epsilon >= 0 has
negative losses of at most the size of its positive ones, so all of them together are at most twice
the largest sum in size: by a part of that is epsilon moved, either way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.exact.multisets import Choices, Runs, choices, how_many
from tightrope.loss.exact.steps_down import StepsDown
from tightrope.loss.exact.unrelated_atoms import unrelated_atoms
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import logsumexp
from tightrope.num.rounding import EPS

MOST_RUNS = 64
"""Runs that are divided between the halves."""

MOST_LISTED = 1 << 22
"""Sums of the larger half."""

MOST_READ = 1 << 19
"""Sums of the smaller half, at each of which the table is read for an epsilon."""

BLOCK = 1 << 17
"""Sums that are looked at together."""

FAINT = 50.0
"""Terms that add up to exp(-50) of the result at most are left out."""

NEGLIGIBLE = 90.0
"""Terms below exp(-90) of the result, 2^41 at most, do not matter."""


@dataclass(frozen=True, eq=False)
class Halves(Law):
    """The law of a sum of losses of finite pairs.

    Attributes:
        fewer: the half with fewer sums.
        more: the other.
        escape: -log of the probability that the sum is finite.
    """

    quick: ClassVar[bool] = True

    fewer: tuple[Runs, ...]
    more: tuple[Runs, ...]
    escape: float

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if there are too many sums, or losses on a lattice or with a density."""
        loss = unrelated_atoms(total)
        if loss is None:
            return None
        runs = sum(float(block.count.sum()) for block in loss.blocks)
        if not 1 < runs <= MOST_RUNS:
            return None
        halves = _divided(loss)
        sizes = [how_many(half) for half in halves]
        if max(sizes) > MOST_LISTED or min(sizes) > MOST_READ:
            return None
        fewer, more = halves if sizes[0] <= sizes[1] else reversed(halves)
        return cls(tuple(fewer), tuple(more), total.escape)

    @property
    def method(self) -> str:
        """For a derivation."""
        sizes = how_many(self.fewer), how_many(self.more)
        return f"exact sums of {sizes[0]:,} atoms and {sizes[1]:,} others"

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite sums add to delta, at every epsilon >= 0."""
        off = self._moved
        ends = [[self._sum(float(at), way * off) for at in epsilon] for way in (1, -1)]
        lower, upper = (np.array(end) - self.escape for end in ends)
        return LogInterval(lower - self._error(lower), upper + self._error(upper), self.method)

    # --- the two halves --------------------------------------------------------------------

    @cached_property
    def _sums(self) -> Choices:
        return choices(self.fewer).rising()

    @cached_property
    def _table(self) -> StepsDown:
        return StepsDown.of(choices(self.more).rising())

    def _sum(self, epsilon: float, moved: float) -> float:
        """log of the sum, the losses of the table being smaller by ``moved``."""
        parts = [
            self._block(start, epsilon, moved) for start in range(0, len(self._sums.value), BLOCK)
        ]
        return float(logsumexp(np.array(parts)))

    def _block(self, start: int, epsilon: float, moved: float) -> float:
        """The part of some sums, without those whose terms are faint beside the largest."""
        value, log_mass = (part[start : start + BLOCK] for part in self._sums)
        t = (epsilon - value) + moved
        place = self._table.place(t)
        least = log_mass + self._table.log_g[place]
        most = log_mass + np.where(place > 0, self._table.log_g[place - 1], 0.0)
        heavy = most >= least.max() - FAINT - math.log(BLOCK)
        return float(logsumexp(log_mass[heavy] + self._table.read(t[heavy], place[heavy])))

    # --- what may be off ---------------------------------------------------------------------

    @cached_property
    def _runs(self) -> tuple[Runs, ...]:
        return (*self.fewer, *self.more)

    @cached_property
    def _moved(self) -> float:
        """How far a sum above epsilon, or its distance from epsilon, may be off."""
        steps = 4 * EPS * (sum(count for _, count in self._runs) + 4)
        largest = math.fsum(count * max(float(row.losses[0, -1]), 0) for row, count in self._runs)
        doubt = max(float(row.loss_doubt[0]) for row, _ in self._runs)
        return (2 * doubt + steps) * largest

    def _error(self, log_value: Floats) -> Floats:
        """An error of log delta: atoms of terms that matter are not much less likely than delta.

        A choice of n atoms is at most n! times as likely as any of them.
        """
        runs = sum(count for _, count in self._runs)
        size = np.where(log_value > -math.inf, -log_value, 0.0) + NEGLIGIBLE + math.lgamma(runs + 1)
        masses = math.fsum(count * float(row.mass_doubt[0]) for row, count in self._runs)
        far = math.fsum(count * float(row.size[0].max()) for row, count in self._runs)
        rounded = EPS * ((2 * runs + 16) * (size + 4) + 4 * far + 64)
        return np.asarray(masses * (1 + size) + rounded + self._table.doubt)


def _divided(loss: FiniteLoss) -> tuple[list[Runs], list[Runs]]:
    """Run after run, those with the most atoms first, to the half that has fewer sums."""
    rows = [
        (block.take(np.array([i])), int(n))
        for block in loss.blocks
        for i, n in enumerate(block.count)
    ]
    halves: tuple[list[Runs], list[Runs]] = ([], [])
    for row, count in sorted(rows, key=lambda run: -run[0].atoms):
        taken = [0, 0]
        for _ in range(count):
            sizes = [how_many([*half, (row, n)]) for half, n in zip(halves, taken, strict=True)]
            taken[sizes[1] < sizes[0]] += 1
        for half, n in zip(halves, taken, strict=True):
            if n:
                half.append((row, n))
    return halves
