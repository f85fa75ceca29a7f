"""Many runs of atoms most of which hardly ever occur: a contour takes those that may matter.

Noise that is listed down to the least double has three times as many atoms as a delta of 1e-20 can
tell of. Of n runs with what is rarer than exp(-depth) left out,

    delta_left(e) <= delta(e) <= delta_left(e) + n P(left out),

and if that is not sharp, less is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tightrope.loss.exact.unrelated_atoms import unrelated_atoms
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import logsumexp
from tightrope.num.rounding import EPS

DEPTHS = (80.0, 200.0)
"""-log of the probability below which an atom is left out, one after the other."""

FAINT = 32.0
"""What is left out is below exp(-32) of delta."""

WORTH = 0.75
"""At most this part of the atoms is taken at first; else it does not pay."""


class ByContour(Total):
    """A composition whose law is not asked for."""

    @property
    def law(self) -> None:
        """None."""
        return


class _Kept(NamedTuple):
    """A composition without its rare atoms, and log of the probability of those."""

    profile: OrderProfile
    log_left_out: float


@dataclass(frozen=True, eq=False)
class LikelyAtoms(Law):
    """The law of a sum of losses of finite pairs.

    Attributes:
        loss: the column.
    """

    quick: ClassVar[bool] = True

    loss: FiniteLoss

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if the losses have a lattice, or few atoms are rare."""
        loss = unrelated_atoms(total)
        if loss is None:
            return None
        logs = [block.log_probabilities for block in loss.blocks]
        likely = sum(int((log_p >= -DEPTHS[0]).sum()) for log_p in logs)
        return cls(loss) if likely <= WORTH * sum(log_p.size for log_p in logs) else None

    @cached_property
    def _levels(self) -> tuple[_Kept, ...]:
        return (
            *(_kept(self.loss, depth) for depth in DEPTHS),
            _Kept(OrderProfile(ByContour((self.loss,))), -math.inf),
        )

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite losses add to delta, at every epsilon >= 0."""
        lower, upper = np.empty((2, len(epsilon)))
        waiting, method = np.arange(len(epsilon)), ""
        for profile, left_out in self._levels:
            if not len(waiting):
                break
            found = profile.by_contours(epsilon[waiting])
            lower[waiting], method = found.lower, found.method
            upper[waiting] = np.logaddexp(found.upper, left_out) + EPS
            waiting = waiting[left_out > found.lower - FAINT]
        return LogInterval(lower, upper, method)


def _kept(loss: FiniteLoss, depth: float) -> _Kept:
    rows = [block.take(np.array([i])) for block in loss.blocks for i in range(len(block.count))]
    rare = [row.log_probabilities[0] < -depth for row in rows]
    lost = [
        logsumexp(row.log_probabilities[0][out], weights=np.full(out.sum(), float(row.count[0])))
        for row, out in zip(rows, rare, strict=True)
        if out.any()
    ]
    left_out = float(logsumexp(np.array(lost))) + 1e-9 if lost else -math.inf
    column = FiniteLoss(tuple(_without(row, out) for row, out in zip(rows, rare, strict=True)))
    return _Kept(OrderProfile(ByContour((column,))), left_out)


def _without(row: Rows, out: np.ndarray) -> Rows:
    """One row whose rare atoms count as infinite losses."""
    log_p = row.log_probabilities[:, ~out]
    kept = np.asarray(logsumexp(log_p, 1))
    return replace(
        row,
        losses=row.losses[:, ~out],
        log_probabilities=log_p - kept[:, None],
        escape=np.maximum(row.escape - kept, 0.0),
        mass_doubt=row.mass_doubt + 8 * EPS,
    )
