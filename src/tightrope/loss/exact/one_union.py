"""One release of a kind that is drawn at random and told: its profile is the mean of the kinds'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law
from tightrope.loss.mixture.union import WEIGHT_DOUBT, UnionLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS


@dataclass(frozen=True, eq=False)
class OneUnion(Law):
    """delta(e) is the sum of w_j delta_j(e) over the kinds, as the kind is told.

    Attributes:
        laws: of one release of each kind.
        log_weights: logarithms of their probabilities.
    """

    quick: ClassVar[bool] = True

    laws: tuple[Law, ...]
    log_weights: Floats

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is one such release, and every kind has a formula."""
        if len(total.losses) != 1 or not isinstance(total.losses[0], UnionLoss):
            return None
        (union, *others) = total.losses[0].unions
        if others or union.count != 1:
            return None
        laws = [Total((part,)).law for part in union.parts]
        known = tuple(law for law in laws if law is not None and law.quick)
        return cls(known, np.log(union.weights)) if len(known) == len(laws) else None

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """The sum of positive terms, moved outward by the rounding of sums and weights."""
        found = [law.log_delta(epsilon) for law in self.laws]
        ends = []
        for side, bounds in ((-1, [one.lower for one in found]), (1, [one.upper for one in found])):
            terms = np.array(bounds) + self.log_weights[:, None]
            total = np.logaddexp.reduce(terms, axis=0)
            size = np.where(np.isfinite(total), 1 + np.abs(total), 0)
            ends.append(total + side * (WEIGHT_DOUBT + 4 * EPS * (len(terms) + 1) * size))
        return LogInterval(ends[0], ends[1], f"formulas for {len(self.laws)} kinds")
