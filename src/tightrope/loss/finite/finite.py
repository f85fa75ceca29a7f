"""The loss of finite pairs: responses, discrete noise, and whatever a user can list."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from tightrope.loss.finite.line import ESCAPE_ULPS, FiniteLine
from tightrope.loss.finite.pairs import Rows, Scalars
from tightrope.loss.loss import Lattice, Line, Loss
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import EPS, up


@dataclass(frozen=True, eq=False)
class FiniteLoss(Loss):
    """Releases whose losses take finitely many values; M(z) = sum of p exp(z L).

    Attributes:
        blocks: the pairs, those with equally many atoms together.
    """

    blocks: tuple[Rows, ...]

    # --- one release -----------------------------------------------------------------------

    @classmethod
    def one(
        cls,
        losses: ArrayLike,
        probabilities: ArrayLike,
        infinite: float = 0.0,
        absent: float = 0.0,
    ) -> Self:
        """A loss with these values; ``infinite`` and ``absent`` are P where Q is 0, and vice versa.

        The probabilities and ``infinite`` add up to 1 but for rounding.
        """
        masses = np.asarray(probabilities, dtype=float)
        return cls((_row(np.asarray(losses, dtype=float), masses, infinite, absent),))

    @classmethod
    def randomized_response(cls, epsilon: float) -> Self:
        """The truth with probability s(epsilon), else the lie; the worst pair of pure DP.

        Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3 (it dominates all pure-DP pairs).
        """
        return cls.approx(epsilon, 0.0)

    @classmethod
    def approx(cls, epsilon: float, delta: float) -> Self:
        """The worst pair of (epsilon, delta)-DP: an infinite loss, or randomized response.

        Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3.
        """
        truth = -math.log1p(math.exp(-epsilon))
        escape = -math.log1p(-delta) if delta < 1 else math.inf
        return cls(
            (
                Rows.one(
                    np.array([-epsilon, epsilon]),
                    np.array([truth - epsilon, truth]),
                    Scalars(escape, delta, 2 * epsilon),
                ),
            )
        )

    @classmethod
    def categorical_response(cls, epsilon: float, k: int) -> Self:
        """The truth among k answers, exp(epsilon) times as likely as each of the others.

        Source: Kairouz, Bonawitz and Ramage (2016), Section 2 (k-ary randomized response).
        """
        if k == 2:
            return cls.randomized_response(epsilon)
        truth = -math.log1p((k - 1) * math.exp(-epsilon))
        others = -math.log1p((math.exp(min(epsilon, 709.0)) + 1) / (k - 2))
        masses = np.array([truth - epsilon, others, truth])
        return cls((Rows.one(np.array([-epsilon, 0.0, epsilon]), masses, Scalars(step=epsilon)),))

    @classmethod
    def discrete_laplace(cls, epsilon_per_unit: float, shift: int) -> Self:
        """Masses proportional to exp(-epsilon_per_unit |z|) on the integers, against a shift.

        The loss is epsilon_per_unit (shift - 2 z), cut off at both ends.

        Source: Ghosh, Roughgarden and Sundararajan (2012), the geometric mechanism.
        """
        e = epsilon_per_unit
        z = np.arange(shift + 1.0)
        inside = math.log(-math.expm1(-e)) if e else -math.inf
        masses = np.full(shift + 1, inside)
        masses[[0, -1]] = 0.0
        masses -= z * e + math.log1p(math.exp(-e))
        known = Scalars(step=2 * e, loss_doubt=EPS / 2 if shift > 2 else 0.0)
        return cls((Rows.one(e * (shift - 2 * z), masses, known),))

    @property
    def alone(self) -> bool:
        """Whether this is one release."""
        return len(self.blocks) == 1 and self.blocks[0].count.tolist() == [1.0]

    # --- releases derived from one ----------------------------------------------------------

    def reversed(self) -> Self:
        """The loss of Q against P."""
        return type(self)(tuple(rows.reversed() for rows in self.blocks))

    def sampled(self, rate: float) -> tuple[Self, Self]:
        """Poisson sampling of one release: Q against (1 - rate) Q + rate P, and vice versa.

        Source: Zhu, Dong and Wang (2022), Section 3 (both orders have to be accounted).

        Raises:
            ValueError: this is not one release; several releases are not sampled together by this.
        """
        if not self.alone:
            raise ValueError("sampled: takes one release, not a column of several")
        if rate == 1:
            return self.reversed(), self
        mixed = self.blocks[0].mixture(rate)
        return type(self)((mixed.reversed(),)), type(self)((mixed,))

    # --- a column --------------------------------------------------------------------------

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)(tuple(rows.times(count) for rows in self.blocks))

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Columns are joined; rows that are alike become one."""
        kinds: dict[int, list[Rows]] = {}
        for rows in _blocks(losses):
            kinds.setdefault(rows.atoms, []).append(rows)
        return cls(tuple(Rows.join(kinds[atoms]) for atoms in sorted(kinds)))

    @property
    def nothing(self) -> bool:
        """Every loss is 0."""
        return not (any(rows.losses.any() for rows in self.blocks) or self.escape)

    @property
    def cost(self) -> float:
        """Exponentials a node: one of them only shifts the phase."""
        return float(sum(len(rows.count) * max(rows.atoms - 1, 0.5) for rows in self.blocks))

    @cached_property
    def _escape(self) -> float:
        return math.fsum(float(rows.escape @ rows.count) for rows in self.blocks)

    @property
    def escape(self) -> float:
        """The rows' own, added up."""
        return up(self._escape, ESCAPE_ULPS) if self._escape else 0.0

    @cached_property
    def highest(self) -> float:
        """Every loss is its row's largest; the lowest number if none is finite."""
        if self.escape == math.inf:
            return -math.inf
        total = math.fsum(float(rows.losses[:, -1] @ rows.count) for rows in self.blocks)
        return total + self._doubt() + 1e-300

    def _doubt(self) -> float:
        """How far a sum of losses may be from the truth."""
        return math.fsum(
            float((np.abs(rows.losses).max(axis=1) * (rows.loss_doubt + 16 * EPS)) @ rows.count)
            for rows in self.blocks
        )

    @cached_property
    def lattice(self) -> Lattice | None:
        """All rows with more than one atom have the same step."""
        steps = {step for rows in self.blocks if rows.atoms > 1 for step in rows.step.tolist()}
        if len(steps) != 1 or 0.0 in steps:
            return None
        origin = math.fsum(float(rows.losses[:, 0] @ rows.count) for rows in self.blocks)
        doubt = max(float(rows.loss_doubt.max()) for rows in self.blocks)
        return Lattice(origin, steps.pop(), 3 * doubt)

    def estimate(self, z: Complexes) -> Complexes:
        """log-sum-exp of every row."""
        value = np.full(z.shape, complex(-self._escape))
        for rows in self.blocks:
            exponent = rows.log_probabilities + z[..., None, None] * rows.losses
            top = exponent.real.max(axis=-1)
            sums = np.exp(exponent - top[..., None]).sum(axis=-1)
            value += (top + np.log(sums)) @ rows.count
        return value

    def line(self, c: float) -> Line:
        """Tilted probabilities, and how their phases spread."""
        return FiniteLine(self.blocks, self._escape, self.lattice, c)


def _blocks(losses: Iterable[FiniteLoss]) -> Iterable[Rows]:
    return (rows for loss in losses for rows in loss.blocks)


def _row(losses: Floats, masses: Floats, infinite: float, absent: float) -> Rows:
    finite = math.fsum(masses)
    if finite <= 0:
        return Rows.one(np.zeros(1), np.zeros(1), Scalars(math.inf, absent))
    escape = -math.log1p(-infinite) if infinite < 0.5 else -math.log(finite)
    with np.errstate(divide="ignore"):
        log_masses = np.log(masses / finite)
    return Rows.one(losses, log_masses, Scalars(escape, absent))
