"""Losses of which one epsilon says all: a column of epsilons, with counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tightrope.loss.loss import ClosedForm
from tightrope.num.arrays import Floats
from tightrope.num.rounding import up

SMALLEST, LARGEST = 1e-8, 1e4
"""The epsilons of what is ordinary."""


@dataclass(frozen=True, eq=False)
class EpsilonLoss(ClosedForm):
    """Releases of one family, no loss of which exceeds its epsilon; both orders are alike.

    Attributes:
        epsilon: of every kind of release, rounded up.
        count: how often each is run.
    """

    epsilon: Floats
    count: Floats

    @classmethod
    def one(cls, epsilon: float) -> Self:
        """One release."""
        return cls(np.array([epsilon]), np.ones(1))

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)(self.epsilon, self.count * count)

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Columns are joined."""
        return cls(
            np.concatenate([loss.epsilon for loss in losses]),
            np.concatenate([loss.count for loss in losses]),
        )

    @property
    def nothing(self) -> bool:
        """Every epsilon is 0."""
        return not bool(self.epsilon.any())

    @property
    def ordinary(self) -> bool:
        """Between what no test can see and what no noise hides."""
        return all(e == 0 or SMALLEST <= e <= LARGEST for e in self.epsilon.tolist())

    def raised(self) -> Self:
        """Larger epsilons leak more."""
        felt = np.where(self.epsilon > 0, np.maximum(self.epsilon, SMALLEST), 0.0)
        return type(self)(felt, self.count)

    @property
    def cost(self) -> float:
        """One a kind."""
        return float(len(self.count))

    @property
    def highest(self) -> float:
        """The sum of all epsilons."""
        largest = float(self.epsilon @ self.count)
        return up(largest, 4 + len(self.count)) if largest else 0.0
