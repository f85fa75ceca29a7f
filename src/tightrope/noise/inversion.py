"""Integers by inversion alone: a table in the order 0, -1, 1, -2, 2, ..."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tightrope.noise.blocks import signed
from tightrope.noise.entropy import Entropy
from tightrope.noise.refine import Cuts
from tightrope.noise.table import MARK, Table

__all__ = ["Inversion"]


class Inversion:
    """Sampler of a narrow law on the integers; outcome 2m + s of its cuts is the integer m ^ -s."""

    def __init__(self, cuts: Cuts):
        self.table = Table(cuts, signed)

    def draw(self, count: int, entropy: Entropy) -> NDArray[np.int64]:
        """`count` samples."""
        halves = entropy.words(count, np.uint16)
        codes = self.table.look_up(halves)
        values = codes.astype(np.int64)
        lanes = np.flatnonzero(codes == MARK)
        values[lanes] = signed(self.table.outcomes(halves[lanes], entropy))
        return values
