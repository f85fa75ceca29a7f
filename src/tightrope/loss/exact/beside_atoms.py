"""A few atoms beside losses whose law is known: a mixture of that law's profile, moved.

With A the sum of the finite pairs and L the rest, delta(e) = sum over a of P(A = a) delta_L(e - a),
positive terms only, and

    delta_L(-y) = 1 - exp(-y) + exp(-y) delta'_L(y),   y > 0,

delta'_L being that of the exchanged data sets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.exact.corner_sums import CornerSum
from tightrope.loss.exact.one_sampled_laplace import OneSampledLaplace
from tightrope.loss.exact.two_sampled_laplace import TwoSampledLaplace
from tightrope.loss.exact.uniform_sums import FewUniform
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law, in_blocks
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp, logsumexp
from tightrope.num.rounding import EPS

MOST_TERMS = 1 << 19
"""Terms of an epsilon."""

ENTRIES = 1 << 14
"""Moved epsilons that are looked at at once."""


@dataclass(frozen=True, eq=False)
class BesideAtoms(Law):
    """The law of a sum of finite losses and of others.

    Attributes:
        atoms: the law of the finite ones.
        others: that of the rest.
        swapped: the same of the exchanged data sets.
    """

    atoms: ExactSum
    others: Law
    swapped: Law

    @classmethod
    def of(cls, total: Total) -> BesideAtoms | None:
        """The law, or None if either part has none, or there is too much to add up."""
        finite = tuple(loss for loss in total.losses if isinstance(loss, FiniteLoss))
        rest = Total(tuple(loss for loss in total.losses if not isinstance(loss, FiniteLoss)))
        if not finite or not rest.losses:
            return None
        both = _both_orders(rest)
        if both is None or not both[0].quick:
            return None
        atoms = ExactSum.of(Total(finite))
        if atoms is None or len(atoms.sums) * both[0].terms > MOST_TERMS:
            return None
        return cls(atoms, *both)

    @property
    def quick(self) -> bool:
        """No contour closes as soon."""
        return True

    @property
    def terms(self) -> int:
        """Those of the others, for every atom."""
        return len(self.atoms.sums) * self.others.terms

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log of what finite losses add to delta, at every epsilon >= 0."""
        width = max(1, ENTRIES // len(self.atoms.sums))
        lower, upper = in_blocks(self._bounds, epsilon, width)
        method = f"{self.atoms.method}, beside them {self.others.log_delta(np.zeros(1)).method}"
        return LogInterval(lower, upper, method)

    def _bounds(self, epsilon: Floats) -> Floats:
        """The lower and the upper ends."""
        atoms = self.atoms
        moved = (epsilon[:, None] - atoms.sums) - atoms.rest
        off = atoms.drift + EPS * (np.abs(moved) + np.abs(atoms.rest))
        lower = logsumexp(atoms.log_mass + self._others(moved + off)[0], 1) - atoms.escape
        upper = logsumexp(atoms.log_mass + self._others(moved - off)[1], 1) - atoms.escape
        rounding = 4 * EPS * len(atoms.sums)
        return np.stack(
            [lower - atoms.error(lower) - rounding, upper + atoms.error(upper) + rounding]
        )

    def _others(self, epsilon: Floats) -> Floats:
        """Both ends of the others' log delta at epsilons of any sign."""
        found, below = np.empty((2, *epsilon.shape)), epsilon < 0
        if not below.all():
            found[:, ~below] = self.others.log_delta(epsilon[~below])[:2]
        if below.any():
            size = -epsilon[below]
            swapped = np.array(self.swapped.log_delta(size)[:2])
            ends = np.logaddexp(np.asarray(log1mexp(size)), swapped - size)
            found[:, below] = ends + np.array([[-1.0], [1.0]]) * 8 * EPS * (1 + np.abs(ends))
        return found


def _both_orders(total: Total) -> tuple[Law, Law] | None:
    """The law of a total without atoms and that of the exchanged data sets."""
    symmetric = CornerSum.of(total) or FewUniform.of(total)
    if symmetric is not None:
        return symmetric, symmetric
    sampled = OneSampledLaplace.of(total) or TwoSampledLaplace.of(total)
    if sampled is None:
        return None
    return sampled, replace(sampled, with_unit=not sampled.with_unit)
