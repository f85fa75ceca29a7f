"""The law of a sum of losses where it is known outright: what takes the place of a contour."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

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

    def narrowed(self, epsilon: Floats, interval: LogInterval) -> LogInterval:
        """Bounds on log delta as given, or narrower ones."""
        return interval
