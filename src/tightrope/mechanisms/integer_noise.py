"""What normal noise on integers shares, whatever its law: on one of them, and on a vector."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from tightrope._check import COUNT, Domain, Real, declared, validated
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.mechanisms.additive import NormalNoise
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.neighbors import Neighbors, add_or_remove


class IntegerNoise(NormalNoise):
    """Base of normal noise that is added to integers as they are."""

    whole: ClassVar[bool] = True
    scales: ClassVar[Domain] = Domain(
        "a number from 1e-100 to 1e100", lambda x: 1e-100 <= x <= 1e100
    )

    @property
    @abstractmethod
    def largest_change(self) -> tuple[int, int]:
        """The square of its L2 norm, and its L1 norm."""

    @property
    @abstractmethod
    def _law(self) -> NoiseLaw:
        """What is drawn from."""


class OneInteger(IntegerNoise):
    """Base of normal noise on one integer."""

    norm: ClassVar[str] = "L1"

    @property
    @abstractmethod
    def _vector(self) -> type[IntegerVector]:
        """The same noise on several integers."""

    @property
    def largest_change(self) -> tuple[int, int]:
        """The square of the sensitivity, and the sensitivity."""
        return int(self.sensitivity) ** 2, int(self.sensitivity)

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Itself for one entry; for several, the sensitivity is taken for the L2 norm."""
        if coordinates == 1:
            return self, self._law, 0
        event = self._vector(
            self.noise_scale,
            self.sensitivity,
            coordinates,
            variance=self.variance if self.noise_scale is None else None,
            neighbors=self.neighbors,
        )
        return event, self._law, 0


@dataclass(frozen=True, repr=False, eq=False, init=False)
class IntegerVector(IntegerNoise):
    """Base of independent normal noise of one law on each of several integers."""

    dimension: Real = declared("d", "d", COUNT, (1, 1000), "number of integers", default=None)

    def __init__(
        self,
        noise_scale: Real | None = None,
        sensitivity: Real = 1,
        dimension: Real | None = None,
        *,
        variance: Real | None = None,
        neighbors: Neighbors = add_or_remove,
    ):
        super().__init__(noise_scale, sensitivity, variance=variance, neighbors=neighbors)
        cells = validated(dimension, COUNT, f"{type(self).__name__}: dimension")
        object.__setattr__(self, "dimension", cells)

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """Itself.

        Raises:
            InvalidArgument: a unit can touch more entries than there are.
        """
        if coordinates > self.dimension:
            raise InvalidArgument(
                f"{type(self).__name__}.release: a unit can touch {coordinates} entries, and "
                f"dimension={self.dimension}; pass coordinates= if it touches fewer"
            )
        return self, self._law, 0

    def _key(self) -> tuple[Any, ...]:
        return type(self), self.variance, self.largest_change, self.dimension, self.neighbors
