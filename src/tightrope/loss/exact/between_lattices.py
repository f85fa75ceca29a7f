"""Many unrelated atoms, run several times: bounds from two lattices, one above and one below.

The transform of hundreds of losses without a common step does not die down, and every node of a
contour takes them all. On a lattice the contour ends after half a period. So each kind of release
is moved up to a lattice (``laid``, which dominates) and down to it (``below``, which is dominated);
delta of the composition lies between theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tightrope.loss.exact.unrelated_atoms import unrelated_atoms
from tightrope.loss.finite.below import below
from tightrope.loss.finite.laid import coarser_far_out, laid_on
from tightrope.loss.finite.pairs import Rows
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats

LEAST_ATOMS = 3072
"""Up to so many atoms in every row are taken as they are."""

LEAST_RUNS = 2
"""One release is summed outright."""

MOST_STEPS = 1 << 20
"""Steps of the lattice between the least and the largest loss."""

FINEST, COARSEST = 256.0, 16.0
"""Steps of the lattice in a standard deviation of one release, at most and at least."""

WORK = 1e5
"""What their square times the root of the number of runs should be: the contour's work."""


@dataclass(frozen=True, eq=False)
class BetweenLattices(Law):
    """The law of a sum of losses of finite pairs with many atoms.

    Attributes:
        rows: one kind of release each, run so often.
    """

    rows: tuple[tuple[Rows, int], ...]

    @classmethod
    def of(cls, total: Total) -> BetweenLattices | None:
        """The law, or None if the losses are few, or have a lattice of their own."""
        loss = unrelated_atoms(total)
        if loss is None:
            return None
        rows = tuple(
            (block.take(np.array([i])), int(count))
            for block in loss.blocks
            for i, count in enumerate(block.count.tolist())
        )
        many = any(row.atoms > LEAST_ATOMS for row, _ in rows)
        runs = sum(count for _, count in rows)
        found = cls(rows)
        return found if many and runs >= LEAST_RUNS and found._step is not None else None

    @property
    def quick(self) -> bool:
        """Contours of lattices close."""
        return True

    @cached_property
    def _step(self) -> float | None:
        """The step for both lattices; None if some losses are too far apart for it."""
        moments = [_moments(row) for row, _ in self.rows]
        runs = sum(count for _, count in self.rows)
        square = sum(n * v for (_, n), (v, _) in zip(self.rows, moments, strict=True)) / runs
        reach = max(reach for _, reach in moments)
        fineness = min(max(math.sqrt(WORK / math.sqrt(runs)), COARSEST), FINEST)
        step = max(math.sqrt(square) / fineness, reach / MOST_STEPS)
        return step if 0 < COARSEST * step <= math.sqrt(square) else None

    @cached_property
    def ends(self) -> tuple[OrderProfile, OrderProfile]:
        """The composition on the lattice below, and on that above."""
        step = self._step
        assert step is not None
        downward = Total.of((below(row, step), count) for row, count in self.rows)
        upward = Total.of((laid_on(row, step, coarser_far_out), n) for row, n in self.rows)
        return OrderProfile(downward), OrderProfile(upward)

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite losses add to delta, at every epsilon >= 0."""
        (low, high) = (end.by_contours(epsilon) for end in self.ends)
        return LogInterval(low.lower, high.upper, f"between two lattices, {high.method}")


def _moments(row: Rows) -> tuple[float, float]:
    """About the variance of a loss, and the distance of the least from the largest."""
    losses, masses = row.losses[0], np.exp(row.log_probabilities[0])
    mean = float(losses @ masses)
    return float((losses - mean) ** 2 @ masses), float(losses[-1] - losses[0])
