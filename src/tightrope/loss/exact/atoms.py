"""Few sums: where a composition has few atoms, the law of its loss is written down.

The profile is a sum of positive terms p (1 - exp(e - l)) over the sums l > e. Sums are kept in
blocks; with b the lowest sum of a block and e < b, the block adds

    sum of p (1 - exp(b - l)) + (1 - exp(e - b)) sum of p exp(b - l),

positive terms again, so that an epsilon costs a thousand operations and not a million.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.loss.exact.multinomial import NOTHING, Doubt, RunSums, how_many, sums
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.loss import Lattice
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp, logsumexp
from tightrope.num.rounding import EPS

MOST_SUMS = 1 << 20
"""Sums that are enumerated, before equal ones are merged."""

MOST_ON_LATTICE = 1 << 17
"""The same on a lattice, where a contour does as well."""

MOST_COPIES = 1 << 25
"""Numbers that are copied to enumerate the runs of one row: for every sum one a pair of atoms."""

NEGLIGIBLE = 60.0
"""Terms below exp(-60) of the result, a million at most, do not matter."""

Row = tuple[Rows, int]


@dataclass(frozen=True, eq=False)
class ExactSum(Law):
    """The law of a sum of losses.

    Attributes:
        sums: the finite values, rising.
        rest: what rounding took from them.
        log_mass: log of their probabilities, given that the sum is finite.
        escape: -log of the probability that the sum is finite.
        doubt: how far log_mass may be off.
        shift: how far sums may be off.
        drift: how far sums with their rests may be off.
    """

    sums: Floats
    rest: Floats
    log_mass: Floats
    escape: float
    doubt: Doubt
    shift: float
    drift: float

    @classmethod
    def of(cls, total: Total) -> ExactSum | None:
        """The law, or None if there are too many sums or a part has a density."""
        columns = [loss for loss in total.losses if isinstance(loss, FiniteLoss)]
        blocks = [rows for column in columns for rows in column.blocks]
        every = [(rows, row) for rows in blocks for row in range(len(rows.count))]
        most = MOST_SUMS if total.lattice is None else MOST_ON_LATTICE
        if len(columns) < len(total.losses) or total.escape == math.inf or not _few(every, most):
            return None
        whole = NOTHING
        for rows, row in every:
            whole = whole.plus(sums(rows, row, int(rows.count[row])))
        drift = _drift(blocks, len(every))
        value, rest, log_mass = _merged(whole, total.lattice)
        shift = drift + float(np.abs(rest).max())
        return cls(value, rest, log_mass, total.escape, whole.doubt, shift, drift)

    @property
    def quick(self) -> bool:
        """An epsilon always costs less than a contour."""
        return True

    @property
    def method(self) -> str:
        """For a derivation."""
        return f"exact sums of {len(self.sums):,} atom{'s' * (len(self.sums) > 1)}"

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite sums add to delta."""
        above, below = (self._log_sum(epsilon, way) - self.escape for way in (-1, 1))
        return LogInterval(above - self.error(above), below + self.error(below), self.method)

    # --- the profile -----------------------------------------------------------------------

    def error(self, log_value: Floats) -> Floats:
        """An error of log delta: terms that matter are not much less likely than delta."""
        size = np.where(log_value > -math.inf, -log_value, 0.0) + NEGLIGIBLE
        return self.doubt.at(size) + 16 * EPS * (size + 4)

    @cached_property
    def _blocks(self) -> tuple[Floats, Floats, Floats]:
        """Sums, rests, masses, block after block, the last filled up with impossible sums."""
        width = math.isqrt(len(self.sums)) + 1
        missing = -len(self.sums) % width
        last = (self.sums[-1], self.rest[-1], -np.inf)
        value, rest, log_mass = (
            np.pad(part, (0, missing), constant_values=end).reshape(-1, width)
            for part, end in zip((self.sums, self.rest, self.log_mass), last, strict=True)
        )
        return value, rest, log_mass

    @cached_property
    def _above_base(self) -> tuple[Floats, Floats]:
        """log of sum p (1 - exp(b - l)) and of sum p exp(b - l), of each block."""
        value, rest, log_mass = self._blocks
        over = np.maximum((value - value[:, :1]) + (rest - rest[:, :1]), 0)
        return logsumexp(log_mass + log1mexp(over), 1), logsumexp(log_mass - over, 1)

    def _log_sum(self, epsilon: Floats, way: int) -> Floats:
        """log of the sum of p (1 - exp(e - l)) over l > e, all sums having drifted one way.

        The block that is looked through holds every sum that may lie on either side of e.
        """
        value, rest, log_mass = self._blocks
        edge = np.nextafter(epsilon - way * self.shift, -way * np.inf)
        block = np.maximum(np.searchsorted(value[:, 0], edge, side="right") - 1, 0)
        own = (value[block] - epsilon[:, None]) + (rest[block] + way * self.drift)
        over = (value[:, 0] - epsilon[:, None]) + (rest[:, 0] + way * self.drift)
        excess, tail = self._above_base
        later = np.logaddexp(excess, tail + log1mexp(np.maximum(over, 0)))
        later[np.arange(len(value)) <= block[:, None]] = -np.inf
        near = log_mass[block] + log1mexp(np.maximum(own, 0))
        return np.asarray(logsumexp(np.concatenate([near, later], axis=1), 1))


def _few(rows: Iterable[Row], most: int) -> bool:
    many = 1
    for block, row in rows:
        ways = how_many(block, row)
        many *= ways
        if many > most or (block.count[row] > 1 and ways * block.atoms**2 > 2 * MOST_COPIES):
            return False
    return True


def _drift(blocks: Iterable[Rows], rows: int) -> float:
    """The losses' own doubts, twice, since equal sums count as one; and what is left of rests."""
    parts = [(block, block.count * block.size.max(axis=1)) for block in blocks]
    own = math.fsum(float(2 * block.loss_doubt @ size) for block, size in parts)
    steps = 2 * rows + sum(block.atoms for block, _ in parts) + 8
    return own + (steps * EPS) ** 2 * math.fsum(float(size.sum()) for _, size in parts)


def _merged(whole: RunSums, lattice: Lattice | None) -> tuple[Floats, Floats, Floats]:
    """Rising sums, equal ones (on a lattice: but for rounding) made one."""
    order = np.argsort(whole.value)
    value, rest, log_mass = (part[order] for part in whole[:3])
    place = value if lattice is None else np.rint((value - lattice.origin) / lattice.step)
    first = np.flatnonzero(np.append(True, np.diff(place) > 0))
    if len(first) == len(value):
        return value, rest, log_mass
    top = np.maximum.reduceat(log_mass, first)
    scaled = np.exp(log_mass - np.repeat(top, np.diff(np.append(first, len(value)))))
    return value[first], rest[first], top + np.log(np.add.reduceat(scaled, first))
