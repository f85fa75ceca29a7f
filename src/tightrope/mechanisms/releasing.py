"""Releasing values with additive noise: rounded to a grid, noise in integers, and scaled back."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tightrope import _upward
from tightrope._check import COUNT, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.aggregates import BoundedRowSum, BoundedSum
from tightrope.events import Event
from tightrope.grid import Bounds, Column, from_points, read, step_of, to_points
from tightrope.mechanisms.mechanism import Mechanism
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.noisy_value import NoisyValue
from tightrope.mechanisms.relation import relation_of
from tightrope.mechanisms.source import source_of
from tightrope.neighbors import Neighbors
from tightrope.noise.entropy import Entropy
from tightrope.noise.saturation import RANGE, saturating_add
from tightrope.notions import Guarantee

LEAST, MOST = 2.0**-20, 2.0**28
"""Scales over sensitivity among which ``for_`` looks; the grid is that of the sensitivity."""


class AdditiveNoise(Mechanism):
    """Base of the mechanisms that add noise to a query's value."""

    whole: ClassVar[bool] = False
    """Whether noise is added to whole numbers as they are."""

    norm: ClassVar[str]
    """The norm in which ``sensitivity`` is measured."""

    sensitivity: Real

    def release(
        self,
        values: Any,
        *,
        entropy: Entropy | None = None,
        bounds: Bounds | tuple[Real, Real] | None = None,
        coordinates: int | None = None,
    ) -> NoisyValue:
        """Add noise to one value or to an array of them, exactly by the law that is accounted for.

        Real values are rounded half to even to a grid of step ``2^k``, where k comes from the noise
        scale, the sensitivity and ``coordinates`` alone; integer noise is drawn exactly and added
        to integers; the sum is scaled back. The event is the discrete mechanism on that grid, its
        sensitivity grown by what rounding may add. Discrete mechanisms add integers to integers.

        Whatever lies beyond +-2^61 steps is released as +-2^61 steps (``saturated`` tells so, from
        the noisy value). That the sensitivity holds for ``values`` is your statement; for a
        ``tr.bounded_sum`` it is checked.

        Args:
            values: a number, an array of any shape and layout, a column or frame of pandas, polars
                or Arrow (the same kind comes back, with its index and names), or a bounded sum.
                Booleans count as 0 and 1. How many there are is public.
            entropy: where random bits come from, the operating system by default;
                ``tr.InsecureEntropy(seed)`` repeats itself, and marks the release.
            bounds: values are clipped to these before noise is added, infinite ones too.
            coordinates: the most entries that one unit can change (between neighbours); all by
                default. 1 for a histogram to which a unit adds one record.

        Returns:
            The noisy value, with ``value``, ``event``, ``interval()`` and ``why()``.

        Raises:
            InvalidArgument: a value is not a number (its place is told), or infinite without
                bounds, or of a type that has no exact reading; or an argument is not admissible.
            NeighborsMismatch: a sum and this mechanism speak of different neighbours.

        Examples:
            >>> import tightrope as tr
            >>> import numpy as np
            >>> noisy = tr.Laplace(noise_scale=2.0).release(np.array([10.5, 20.25]), coordinates=1)
            >>> noisy.value.shape, noisy.secure
            ((2,), True)
            >>> noisy.to(tr.PureDP)
            PureDP(epsilon=0.5001)
        """
        caller = f"{type(self).__name__}.release"
        source = source_of(entropy, caller)
        column, unit = self._read(values)
        event, law, exponent = self._on_grid(self._touched(values, column, coordinates))
        limits = None if bounds is None else Bounds.of(bounds, caller).points(exponent)
        noisy = _noisy(column, law, (exponent, unit), limits, source)
        found = noisy if self.whole else from_points(noisy, exponent)
        return NoisyValue(
            column.remade(found),
            event,
            source.secure,
            noise=law,
            exponent=exponent,
            rounded=not self.whole,
        )

    def as_released(self, coordinates: int = 1) -> Event:
        """The event that accounts for a release in which a unit can touch so many entries.

        Examples:
            >>> import tightrope as tr
            >>> tr.Gaussian(noise_scale=4.0).as_released()
            DiscreteGaussian(noise_scale=67108864, sensitivity=16777217)
        """
        return self._on_grid(self._count(coordinates))[0]

    def grid_step(self, coordinates: int = 1) -> Fraction:
        """The step of the grid on which values are released."""
        return step_of(self._on_grid(self._count(coordinates))[2])

    @classmethod
    def for_(
        cls,
        target: Guarantee,
        sensitivity: Real = 1,
        *,
        neighbors: Neighbors | None = None,
        coordinates: int = 1,
    ) -> Self:
        """The mechanism of the least noise whose *release* meets the target.

        What is held against the target is the discrete event that a release is accounted by,
        rounding included, so the scale is a little larger than that of the ideal mechanism.

        Args:
            target: a guarantee, such as ``tr.ApproxDP(1.0, 1e-6)`` or ``tr.GDP(0.5)``.
            sensitivity: as for the mechanism, above 0.
            neighbors: the relation that the sensitivity refers to; that of the target by default,
                and never another one. For replacing a unit, state the target for it:
                ``tr.GDP(0.5, neighbors=tr.replace_one)``.
            coordinates: the most entries that one unit can change, as for ``release``.

        Raises:
            InvalidArgument: the sensitivity is 0, or an argument is not admissible.
            NeighborsMismatch: the target speaks of other neighbours.
            NotReachable: no noise meets the target.

        Examples:
            >>> import tightrope as tr
            >>> tr.Laplace.for_(tr.PureDP(0.5)).noise_scale >= 2
            True
            >>> tr.Laplace.for_(tr.PureDP(0.5, neighbors=tr.replace_one), sensitivity=1).neighbors
            replace_one
        """
        if not isinstance(target, Guarantee):
            raise InvalidArgument(
                f"{cls.__name__}.for_: target must be a guarantee, such as tr.ApproxDP(1.0, 1e-6) "
                f"or tr.GDP(0.5); you passed {target!r}"
            )
        relation = relation_of(target, neighbors, f"{cls.__name__}.for_")
        constructor: Callable[..., Self] = cls
        size = float(constructor(1, sensitivity, neighbors=relation).sensitivity)
        if size == 0:
            raise InvalidArgument(
                f"{cls.__name__}.for_: sensitivity must be above 0; you passed {sensitivity!r}: "
                "what does not depend on the data needs no noise"
            )

        def released(scale: float) -> Event:
            noise = constructor(scale, sensitivity, neighbors=relation)
            return noise.as_released(coordinates)

        ends = (LEAST * size, MOST * size)
        scale = _upward.planner().calibrate(released, target, bounds=ends)
        return constructor(scale, sensitivity, neighbors=relation)

    # --- what each mechanism says -----------------------------------------------------------

    def _on_grid(self, coordinates: int) -> tuple[Event, NoiseLaw, int]:
        """The event of a release, the law of its noise in steps, and the step's exponent."""
        raise NotImplementedError  # pragma: no cover

    # --- reading ----------------------------------------------------------------------------

    def _read(self, values: Any) -> tuple[Column, int]:
        """The values as a column, and the exponent of what its integers count."""
        caller = f"{type(self).__name__}.release"
        if isinstance(values, BoundedSum | BoundedRowSum):
            self._check_sum(values, caller)
            unit, points = values.exponent, values.points
        else:
            unit, points = 0, values
        column = read(points, caller)
        if self.whole and not (column.whole and unit == 0):
            raise InvalidArgument(
                f"{caller}: values must be whole numbers by type, as the noise is; use the "
                "continuous mechanism, whose release rounds to a fine grid, or convert them to "
                "integers; of whole records declare step=1 for a sum"
            )
        return column, unit

    def _check_sum(self, total: BoundedSum | BoundedRowSum, caller: str) -> None:
        self.neighbors.merged(total.neighbors)
        needed = total.sensitivity_in(self.norm)
        if self.sensitivity < needed:
            raise InvalidArgument(
                f"{caller}: sensitivity={self.sensitivity!r} is less than that of the sum, "
                f"{needed!r}"
            )

    def _touched(self, values: Any, column: Column, coordinates: int | None) -> int:
        """How many entries one unit can change."""
        size = max(column.flat.size, 1)
        touched = size if coordinates is None else min(self._count(coordinates), size)
        if isinstance(values, BoundedRowSum) and touched < column.flat.size:
            raise InvalidArgument(
                f"{type(self).__name__}.release: a row touches every column of its sum, so "
                f"coordinates must be {size}, or left out; you passed {coordinates!r}"
            )
        return touched

    def _count(self, coordinates: Any) -> int:
        return int(validated(coordinates, COUNT, f"{type(self).__name__}: coordinates"))


def _noisy(
    column: Column,
    law: NoiseLaw,
    exponents: tuple[int, int],
    limits: tuple[int, int] | None,
    source: Entropy,
) -> NDArray[np.int64]:
    """The column in steps, clipped, with noise, block by block."""
    exponent, unit = exponents
    low, high = (-RANGE, RANGE) if limits is None else (_inside(end) for end in limits)
    noisy = np.empty(column.flat.size, dtype=np.int64)
    blocks = column.finite_blocks() if limits is None else column.blocks()
    for part, block in blocks:
        points = np.clip(to_points(block, exponent, unit), low, high)
        noisy[part] = saturating_add(points, law.draw(len(points), source))
    return noisy


def _inside(point: int) -> int:
    return max(-RANGE, min(RANGE, point))
