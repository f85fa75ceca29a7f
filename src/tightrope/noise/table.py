"""Inversion by table: sixteen random bits, one look-up, and the exact law all the same.

The unit interval is cut into stretches, one an outcome, and into 65,536 cells.  A cell inside one
stretch holds the code of that outcome; a cell that a cut goes through is marked, and the lanes that
fall into it read 48 bits more and are located among the cuts to 64 bits.  Those that are still not
decided, because their 64 bits agree with those of a cut, go to `refine.settle`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.noise.entropy import Entropy
from tightrope.noise.fixed import coarser
from tightrope.noise.refine import Cuts, settle

__all__ = ["MARK", "Codes", "Indices", "Table"]

MARK = -(2**15)
"""The code of a cell, or of an outcome, that takes more than a look-up."""

Indices = NDArray[np.int64]
Codes = NDArray[np.int16]

CELLS = 1 << 16
WORD = 64
FINER = 128


class Table:
    """Sampler of the outcomes 0, 1, 2, ... of a law that is known by its cuts.

    Args:
        cuts: the law.
        encode: from the numbers of outcomes to their codes, `MARK` for one that needs more work.
    """

    def __init__(self, cuts: Cuts, encode: Callable[[Indices], NDArray[np.int64]]):
        self.cuts = cuts
        known = [coarser(cut, FINER - WORD) for cut in cuts(FINER)]
        kept = [cut for cut in known if cut[0] < 1 << WORD]
        self.low = np.array([low for low, _ in kept], dtype=np.uint64)
        self.last = np.array([high - 1 for _, high in kept], dtype=np.uint64)
        self.codes = self._cells(encode)

    def _cells(self, encode: Callable[[Indices], NDArray[np.int64]]) -> Codes:
        """The code of each cell; one is decided if no cut lies in it, nor the end of one before."""
        first = np.arange(CELLS, dtype=np.uint64) << np.uint64(WORD - 16)
        last = first | np.uint64((1 << (WORD - 16)) - 1)
        outcome, clear = self._locate(first)
        decided = clear & (outcome == self._locate(last)[0])
        return np.where(decided, encode(outcome), MARK).astype(np.int16)

    def _locate(self, words: NDArray[np.uint64]) -> tuple[Indices, NDArray[np.bool_]]:
        """The outcomes at 64 bits, and which are certain: short of the next cut, past the last.

        A word after all cuts is certain only if the law has no further outcome: otherwise the last
        of the cuts, within about 2**-128 of 1, reaches up to the last word.
        """
        outcome = np.searchsorted(self.low, words, side="right")
        return outcome, (outcome == 0) | (words > self.last[outcome - 1])

    def look_up(self, halves: NDArray[np.unsignedinteger[Any]]) -> Codes:
        """The codes for sixteen bits each."""
        return self.codes.take(halves)

    def outcomes(self, halves: NDArray[np.unsignedinteger[Any]], entropy: Entropy) -> Indices:
        """The outcomes of marked lanes, from their sixteen bits and as many more as it takes."""
        more = entropy.words(len(halves)) >> np.uint64(16)
        words = halves.astype(np.uint64) << np.uint64(WORD - 16) | more
        outcome, clear = self._locate(words)
        for lane in np.flatnonzero(~clear).tolist():
            outcome[lane] = settle(int(words[lane]), WORD, self.cuts, entropy)
        return outcome
