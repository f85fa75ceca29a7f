"""Wide laws on the integers: a block from a table, a place in it from bits, seldom a second look.

Write y = m B + l for y >= 0 and y = -(m B + l) - 1 for y < 0, with 0 <= l < B = 2**k.  In block m
of either sign the weight f(|y|) is at least f((m + 1) B), and at most f(m B).  So y may be proposed
as a fair sign, a block in proportion to f(m B), a uniform l, and kept with probability
f(|y|)/f(m B).  That coin has an even part: with probability f((m + 1) B)/f(m B) it comes up
whatever l is; otherwise it does with probability

    (f(|y|) - f((m + 1) B))/(f(m B) - f((m + 1) B)).

The table decides sign, block, and part in one look-up: outcome 4m + 2s is the even part of block m
with sign bit s, outcome 4m + 2s + 1 the rest.  With B from a 64th to a 32nd of the scale the rest
is 1 % to 3 % of the lanes, and every second one of it is refused; only these need a coin.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from tightrope.noise.blocks import assemble, low_bits, signed
from tightrope.noise.entropy import Entropy
from tightrope.noise.falling import FallingLaw
from tightrope.noise.fixed import Interval, coarser, complement, divide
from tightrope.noise.refine import Probability, decide
from tightrope.noise.rejection import Proposals, first_kept
from tightrope.noise.table import MARK, Indices, Table

__all__ = ["Stepped", "block_bits"]

_WIDEST = 32
"""A block is at most a 32nd of the scale."""

_KEPT = 0.98
"""The share of proposals that is kept, or a little less."""

_GUARD = 24
"""1 - f(B)/f(0) is above 2**-15 for a B of at least a 64th of the scale; further out f falls
faster."""


def block_bits(scale: float) -> int:
    """k for a law of that scale: 2**k is at most a 32nd of it, and more than a 64th, or is 1."""
    return max(0, int(scale / _WIDEST).bit_length() - 1)


@dataclass(frozen=True)
class Stepped:
    """Sampler of a wide law, in blocks of 2**bits integers."""

    law: FallingLaw
    bits: int

    @cached_property
    def table(self) -> Table:
        """Of the blocks, even parts first."""
        return Table(partial(self.law.cuts_of_blocks, 1 << self.bits), _encode)

    def draw(self, count: int, entropy: Entropy) -> NDArray[np.int64]:
        """`count` samples, saturated at +-2**62."""
        return first_kept(count, _KEPT, lambda proposals: self.propose(proposals, entropy))

    def propose(self, count: int, entropy: Entropy) -> Proposals:
        """Proposals, saturated, and which of them are kept."""
        halves = entropy.words(count, np.uint16)
        blocks = self.table.look_up(halves)
        places = low_bits(count, self.bits, entropy)
        values = assemble(blocks, places, self.bits)
        lanes = np.flatnonzero(blocks == MARK)
        outcomes = self.table.outcomes(halves[lanes], entropy)
        values[lanes] = assemble(signed(outcomes >> 1), places[lanes], self.bits)
        rest = np.flatnonzero(outcomes & 1)
        kept = np.ones(count, dtype=np.bool_)
        kept[lanes[rest]] = self.keeps(outcomes[rest], places[lanes[rest]], entropy)
        return values, kept

    def keeps(self, outcomes: Indices, places: Indices, entropy: Entropy) -> NDArray[np.bool_]:
        """Which proposals of the rest are kept; a place counts upward, from below."""
        size = 1 << self.bits
        blocks = outcomes >> 2
        offsets = np.where(outcomes & 2, size - places, places)  # |y| - m B
        starts = blocks.astype(np.float64) * size
        far = offsets.astype(np.float64)
        # relatively correct to 2**-43, and at most 1, where `decide` asks for 2**-40
        chance = 1 - self.law.drop(starts, far) / self.law.drop(starts, float(size))

        def exact(lane: int) -> Probability:
            return self.chance(int(blocks[lane]), int(offsets[lane]))

        return decide(chance, exact, entropy)

    def chance(self, block: int, offset: int) -> Probability:
        """The probability that the rest of a block keeps the size m B + offset."""
        start, size = block << self.bits, 1 << self.bits
        here, end = self.law.ratio(start, offset), self.law.ratio(start, size)

        def probability(bits: int) -> Interval:
            work = bits + _GUARD
            near, far = here(work), end(work)
            above = max(0, near[0] - far[1]), near[1] - far[0]
            return coarser(divide(above, complement(far, work), work), _GUARD)

        return probability


def _encode(outcomes: Indices) -> Indices:
    return np.where(outcomes & 1, MARK, signed(outcomes >> 1))
