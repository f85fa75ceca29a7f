"""What the sparse vector techniques share: how queries are read, compared and answered."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from tightrope._check import Real, require_flag
from tightrope.mechanisms.crossings import Crossings
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.noisy_threshold import Points, QueryGrid, Stream, crossings
from tightrope.mechanisms.source import source_of
from tightrope.noise.entropy import Entropy


class NoisyThreshold(Mechanism):
    """Base of the mechanisms that tell which queries are above a noisy threshold."""

    monotone: bool
    """Whether one unit moves all queries in one direction."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require_flag(self.monotone, f"{type(self).__name__}: monotone")

    @property
    @abstractmethod
    def most_above(self) -> int:
        """After how many answers above the threshold it stops."""

    @abstractmethod
    def laws(self, moved: int, caller: str) -> tuple[NoiseLaw, NoiseLaw]:
        """The noise of the threshold, and of a query, in steps of which a query moves so many."""

    def _limited(self, points: Points | Stream, caller: str) -> Points | Stream:
        """The queries, if there may be so many."""
        return points

    def _answered(
        self, queries: Any, threshold: Real, sensitivity: Real, entropy: Entropy | None
    ) -> Crossings:
        caller = f"{type(self).__name__}.release"
        source = source_of(entropy, caller)
        grid = QueryGrid.of(sensitivity, caller)
        line = grid.point(threshold, caller)
        laws = self.laws(grid.moved, caller)
        points = self._limited(grid.read(queries, caller), caller)
        value = crossings(points, line, laws, self.most_above, source)
        halted = int(value.sum()) == self.most_above
        return Crossings(value, self, source.secure, halted=halted)
