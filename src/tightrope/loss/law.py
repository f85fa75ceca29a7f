"""The law of a sum of losses where it is known outright: what takes the place of a contour."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tightrope.loss.interval import LogInterval
from tightrope.num.arrays import Floats

if TYPE_CHECKING:
    from tightrope.loss.contour.contour import Contour


class Law(ABC):
    """The law of a sum of losses."""

    @property
    @abstractmethod
    def quick(self) -> bool:
        """Whether it is to be preferred to a contour that closes."""

    @abstractmethod
    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite losses add to delta, at every epsilon >= 0."""

    @property
    def terms(self) -> int:
        """Terms of a sum for one epsilon, as far as they are worth counting."""
        return 1

    def preferred_to(self, contour: Contour) -> bool:
        """Whether it is to be asked instead of a contour that was laid."""
        return contour.eta > 0

    def is_sharp(self, epsilon: Floats, width: float) -> bool:
        """Whether its own bounds at these epsilons leave less than ``width`` open."""
        found = self.log_delta(epsilon)
        return bool((found.upper - found.lower < width).all())

    def narrowed(self, epsilon: Floats, interval: LogInterval) -> LogInterval:
        """Bounds on log delta as given, or narrower ones."""
        return interval


def in_blocks(bounds: Callable[[Floats], Floats], epsilon: Floats, width: int) -> Floats:
    """Lower and upper ends at every epsilon, some at a time, so that tables stay small."""
    parts = [bounds(epsilon[i : i + width]) for i in range(0, len(epsilon), width)]
    return np.concatenate(parts, axis=1) if parts else np.zeros((2, 0))
