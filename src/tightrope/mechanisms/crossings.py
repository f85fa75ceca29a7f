"""Which queries exceeded a threshold: what a sparse vector gives out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tightrope.mechanisms.released import Released


@dataclass(frozen=True, eq=False, repr=False)
class Crossings(Released):
    """Answers above (True) or below (False) a noisy threshold, in the order of the queries.

    Attributes:
        value: one boolean for each query that was answered.
        event: what was run, for accounting; it is paid for whether or not anything was above.
        secure: whether all randomness came from the operating system.
        halted: whether it stopped at its last allowed answer above; further queries, if there are
            any, were not answered.
    """

    halted: bool = field(kw_only=True)

    @property
    def indices(self) -> NDArray[np.int64]:
        """The numbers of the queries that were above."""
        return np.flatnonzero(self.value)

    def __repr__(self) -> str:
        above = self.indices.tolist()
        return f"Crossings({above} of {len(self.value)}, by {self.event!r}{self._warning})"
