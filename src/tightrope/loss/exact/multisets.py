"""Sums of a few runs of one finite loss: every choice of atoms once, whatever their order.

Counting classes of atoms (``multinomial``) suits many runs of few atoms; here are few runs of
hundreds, so a choice is a rising list of atoms, and grows by the last atom or one after it. Its
probability is the product of those of its atoms times n! over the factorials of repetitions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from tightrope.loss.finite.pairs import Rows
from tightrope.num.arrays import Floats

Runs = tuple[Rows, int]
"""One row, and how often it is run."""


class Choices(NamedTuple):
    """Sums of losses.

    Attributes:
        value: the sums.
        log_mass: log of their probabilities.
    """

    value: Floats
    log_mass: Floats

    def plus(self, other: Choices) -> Choices:
        """Independent sums added up."""
        parts = zip(self, other, strict=True)
        return Choices(*(np.add.outer(one, more).ravel() for one, more in parts))

    def rising(self) -> Choices:
        """The same from the least sum to the largest."""
        order = np.argsort(self.value)
        return Choices(self.value[order], self.log_mass[order])


def how_many(runs: Iterable[Runs]) -> int:
    """How many choices there are for all the runs together."""
    return math.prod(math.comb(row.atoms + count - 1, count) for row, count in runs)


def choices(runs: Iterable[Runs]) -> Choices:
    """All choices for all the runs together."""
    whole = Choices(np.zeros(1), np.zeros(1))
    for row, count in runs:
        if count:
            whole = whole.plus(_of_one(row, count))
    return whole


def _of_one(row: Rows, count: int) -> Choices:
    """Rising lists of ``count`` atoms, each grown from a shorter one."""
    losses, log_p = row.losses[0], row.log_probabilities[0]
    last, repeated = np.arange(row.atoms), np.ones(row.atoms)
    value, log_mass = losses, log_p
    for size in range(2, count + 1):
        ways = row.atoms - last
        first = np.cumsum(ways) - ways
        grown = np.repeat(np.arange(len(last)), ways)
        added = np.arange(len(grown)) - first[grown]
        repeated = np.where(added == 0, repeated[grown] + 1, 1.0)
        last = last[grown] + added
        value = value[grown] + losses[last]
        log_mass = log_mass[grown] + (log_p[last] + np.log(size / repeated))
    return Choices(value, log_mass)
