"""Laws on the integers that fall away from 0: what it takes to draw from them.

P(y) is proportional to f(|y|), where f(0) is from 1/2 to 1 and f falls ever faster: the ratios
f(g + 1)/f(g) do not grow, so f is logarithmically concave.  Such a law is known by f alone, and
its sum is known from where f vanishes:  if M steps take f below 2**-bits, every later step takes it
down by at least the mean factor of those M, at most 2**-((bits - 1)/M).  So what follows adds up to
at most the first weight left out, times 1/(1 - 2**-x) <= 1 + 1.4427/x with x = (bits - 1)/M.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import chain, takewhile

from tightrope.noise.fixed import Interval, coarser, divide
from tightrope.noise.refine import Probability, rising
from tightrope.num.arrays import Floats

__all__ = ["GUARD", "FallingLaw", "shares"]

_LEFT = 40
"""Weights are left out once they are this many bits below what is asked for, ..."""

GUARD = 2 * _LEFT
"""... and computed to twice as many: what they and their sum are off by is out of sight."""


class FallingLaw(ABC):
    """A symmetric law on the integers, by its weight f as a function of the size."""

    @abstractmethod
    def weights(self, step: int, bits: int) -> Iterator[Interval]:
        """f(0), f(step), f(2 step), ... without end; the n-th to 4 (n + 1)**2 units of 2**-bits.

        That is the width of each interval, which holds f: those before 2**15 to 2**32 units.
        """

    @abstractmethod
    def ratio(self, start: int, offset: int) -> Probability:
        """f(start + offset)/f(start)."""

    @abstractmethod
    def drop(self, starts: Floats, offsets: Floats | float) -> Floats:
        """1 - f(start + offset)/f(start) in floats, relatively correct to 2**-44.

        Starts and offsets are whole, and rounded to nearest where they exceed 2**53.
        """

    def cuts(self, bits: int) -> list[Interval]:
        """Cumulative probabilities in the order 0, -1, 1, -2, 2, ..."""
        known, beyond = self._known(1, bits)
        first, *rest = known
        return shares(chain([first], *([each, each] for each in rest)), beyond, bits)

    def cuts_of_blocks(self, size: int, bits: int) -> list[Interval]:
        """Cumulative probabilities of the parts of blocks, see `stepped`.

        Block m of either sign has the weight f(m size), of which f((m + 1) size) is its even part.
        """
        known, beyond = self._known(size, bits)
        parts: list[Interval] = []
        for here, after in zip(known, [*known[1:], (0, 1)], strict=True):
            both = after, (max(here[0] - after[1], 0), here[1] - after[0])
            parts += [*both, *both]
        return shares(parts, beyond, bits)

    def _known(self, step: int, bits: int) -> tuple[list[Interval], int]:
        """The weights down to 2**-(bits + 40), and a bound on all others of both signs."""
        weights = self.weights(step, bits + GUARD)
        known = list(takewhile(lambda weight: weight[1] >> _LEFT, weights))
        return known, 2 * (2 + 2 * len(known) // (bits + _LEFT - 1)) << _LEFT


def shares(masses: Iterable[Interval], beyond: int, bits: int) -> list[Interval]:
    """Partial sums over the whole sum, to `bits` bits; the masses are known to `GUARD` more.

    Args:
        masses: in the order of the outcomes.
        beyond: a bound on what follows them, in the units of the masses.
        bits: of the result.
    """
    low = high = 0
    sums = []
    for mass in masses:
        low, high = low + mass[0], high + mass[1]
        sums.append((low, high))
    work = bits + GUARD
    total = low, high + beyond
    shares = (divide(each, total, work) for each in sums)
    return rising([coarser((low, min(high, 1 << work)), GUARD) for low, high in shares])
