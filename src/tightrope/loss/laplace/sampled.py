"""The loss of Laplace noise on a Poisson sample, in either order of the neighbours.

Let P = Laplace(epsilon, 1), Q = Laplace(0, 1), mix = (1 - rate) Q + rate P and r = mix/Q. With the
unit against without it the loss is log r under mix, M(z) = E_Q[r^(1 + z)]; in the other order it
is -log r under Q, M(z) = E_Q[r^(-z)]. Under Q the likelihood ratio P/Q is exp(-epsilon) with
probability 1/2, exp(epsilon) with probability exp(-epsilon)/2, and exp(2 x - epsilon) with
density exp(-x)/2 for 0 < x < epsilon.

Sources: Zhu, Dong and Wang (2022), Theorem 11 (both orders of the sampled pair); Dong, Roth and Su
(2022), Proposition A.6 (the Laplace pair).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from tightrope.loss.laplace.sampled_line import LaplaceLine, unit_points
from tightrope.loss.lines import WeightedLines
from tightrope.loss.loss import Line, Loss
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.logspace import log_mixture
from tightrope.num.rounding import up

LARGEST = 1e4
"""The largest epsilon: beyond it a rule would need too many nodes."""


@dataclass(frozen=True, eq=False)
class SampledLaplaceLoss(Loss):
    """Releases of Laplace noise on Poisson samples.

    Attributes:
        epsilon: of every kind of release, sensitivity over noise scale, in (0, 1e4].
        rate: the probability that a unit is sampled, in (0, 1).
        with_unit: 1 where the data with the unit comes first, else 0.
        count: how often each kind is run.
    """

    epsilon: Floats
    rate: Floats
    with_unit: Floats
    count: Floats

    @classmethod
    def sampled(cls, epsilon: float, rate: float) -> tuple[Self, Self]:
        """One release: losses without the unit against with it, and the reverse.

        Raises:
            ValueError: epsilon or the rate is outside its range.

        >>> without, with_ = SampledLaplaceLoss.sampled(1.0, 0.1)
        >>> f"{without.highest:.6f}, {with_.highest:.6f}"
        '0.065298, 0.158565'
        """
        if not (0 < epsilon <= LARGEST and 0 < rate < 1):
            raise ValueError(f"sampled Laplace: got epsilon = {epsilon!r}, rate = {rate!r}")
        one = np.ones(1)
        without, with_ = (cls(epsilon * one, rate * one, way * one, one) for way in (0, 1))
        return without, with_

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)(self.epsilon, self.rate, self.with_unit, self.count * count)

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Kinds side by side; equal ones are merged."""
        names = ("epsilon", "rate", "with_unit")
        kinds = np.stack([np.concatenate([getattr(loss, n) for loss in losses]) for n in names])
        distinct, index = np.unique(kinds, axis=1, return_inverse=True)
        counts = np.concatenate([loss.count for loss in losses])
        epsilon, rate, way = distinct
        total = np.asarray(np.bincount(index.ravel(), weights=counts), dtype=float)
        return cls(epsilon, rate, way, total)

    @property
    def cost(self) -> float:
        """Nodes of a rule in x, roughly."""
        return 100.0 * len(self.count)

    @property
    def highest(self) -> float:
        """log(1 + rate (exp(epsilon) - 1)), or -log(1 - rate (1 - exp(-epsilon)))."""
        top = log_mixture(self.epsilon, self.rate)
        low = -np.log1p(self.rate * np.expm1(-self.epsilon))
        each = np.where(self.with_unit == 1, top, low)
        return up(float(each @ self.count), 16 + len(self.count))

    def estimate(self, z: Complexes) -> Complexes:
        """A coarse quadrature."""
        total = np.zeros(z.shape, dtype=complex)
        for epsilon, rate, way, count in self._kinds():
            s, weight = unit_points(epsilon, rate)
            exponent = (1 + z if way else -z)[..., None] * s
            top = exponent.real.max(axis=-1)
            total += count * (top + np.log(np.exp(exponent - top[..., None]) @ weight))
        return total

    def line(self, c: float) -> Line:
        """Each kind along the line through c."""
        kinds = [LaplaceLine(epsilon, rate, way == 1, c) for epsilon, rate, way, _ in self._kinds()]
        return WeightedLines(c, kinds, self.count)

    def _kinds(self) -> list[tuple[float, float, float, float]]:
        columns = (self.epsilon, self.rate, self.with_unit, self.count)
        return list(zip(*(column.tolist() for column in columns), strict=True))
