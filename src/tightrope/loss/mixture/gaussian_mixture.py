"""The loss between two Gaussian mixtures: sampled Gaussian noise, for one unit or for a group.

A group of k units, i of them only in the first data set and k - i only in the second: whatever
else was sampled moves both laws alike (and D(P||Q) is jointly convex, so it may be given). What
is left is P = sum of w_S N(v_S, I) against Q = sum of w_T N(u_T, I), S and T running over the
sampled subsets and each unit moving the centre by at most mu: |v_S| <= |S| mu, |u_T| <= |T| mu.

*It is dominated by the same weights on a line, at |S| mu and -|T| mu.* For a set A of results let
A' be the half-line x > theta with N(0, 1)(A') = N(0, I)(A). A shift by v changes the probability
of A to no more than N(|v|, 1)(A') and to no less than N(-|v|, 1)(A') (Neyman and Pearson: of all
sets with that probability, half-spaces across the shift are the extremes), and both are monotone
in |v|. So P(A) - g Q(A) <= P'(A') - g Q'(A') for every A and every g >= 0, where P' and Q' are
the laws on the line. Dominating pairs compose, also adaptively. The bound is attained by units
that point in opposite directions. A unit that is in neither data set is one with v = 0, so the
pair also covers smaller groups.

Sources: Zhu, Dong and Wang (2022), Theorem 10 (composition of dominating pairs) and Section 4
(sampling, both orders); Ganesh (2024), "Tight group-level DP guarantees for DP-SGD with sampling
via mixture of Gaussians mechanisms" (additions only, removals only); Schuchardt, Stoian, Kosmala
and Guennemann (2024), "Unified mechanism-specific amplification by subsampling and group privacy
amplification" (groups with insertions and deletions).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from tightrope.loss.loss import Line, Loss
from tightrope.loss.mixture.column import Column
from tightrope.loss.mixture.pair import MixturePair, Side
from tightrope.loss.mixture.stack import FEWEST_KINDS
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import up

SHARED = 0.25
"""Of several kinds, rare results are left out beyond multiples of this: some have one end then."""


@dataclass(frozen=True, eq=False)
class GaussianMixtureLoss(Loss):
    """A mixture of Gaussians against another one that lies to one side of it.

    Attributes:
        pairs: the different kinds of release.
        count: how often each is run.
    """

    pairs: tuple[MixturePair, ...]
    count: Floats

    @classmethod
    def one(
        cls,
        p_weights: Sequence[float],
        p_shifts: Sequence[float],
        q_weights: Sequence[float],
        q_shifts: Sequence[float],
    ) -> Self:
        """One release of the sum of p_i N(s_i, 1) against the sum of q_j N(t_j, 1).

        Args:
            p_weights: positive, their sum being 1.
            p_shifts: the centres s_i, in units of the noise scale.
            q_weights: like p_weights.
            q_shifts: the centres t_j; none lies between two of the s_i, nor the reverse.

        Raises:
            ValueError: the two mixtures do not lie on two sides of a point.
        """
        p, q = _by_shift(p_weights, p_shifts), _by_shift(q_weights, q_shifts)
        if max(p) <= min(q):
            p, q = ({-shift: mix[shift] for shift in mix} for mix in (p, q))
        inner = max(q)
        if min(p) < inner:
            raise ValueError("Gaussian mixtures must lie on two sides of a point")
        right = {shift - inner: weight for shift, weight in p.items()}
        left = {inner - shift: weight for shift, weight in q.items()}
        return cls((_apart(right, left),), np.ones(1))

    @classmethod
    def sampled(cls, mu: float, rate: float) -> tuple[Self, Self]:
        """A unit sampled with a probability: losses without it against with it, and the reverse.

        Args:
            mu: sensitivity over noise scale, at least 0.
            rate: the probability, in [0, 1].

        >>> without, with_ = GaussianMixtureLoss.sampled(1.0, 0.01)
        >>> without.highest, with_.highest
        (0.010050335853501482, inf)
        """
        still, moved = {0.0: 1.0}, _by_shift([1 - rate, rate], [0.0, mu])
        one = np.ones(1)
        return cls((_apart(still, moved),), one), cls((_apart(moved, still),), one)

    @classmethod
    def sampled_group(cls, mu: float, rate: float, size: int) -> tuple[Self, ...]:
        """A group whose units are sampled independently: losses by the number of removals.

        The one with i removals is the mixture of N(a mu, 1), a ~ Binomial(i, rate), against that
        of N(-b mu, 1), b ~ Binomial(size - i, rate). Weights and offsets are rounded to the nearest
        double, which the errors of the transform include.

        Args:
            mu: what one unit can shift, over the noise scale; at least 0.
            rate: the probability, in [0, 1].
            size: the number of units in the group, at least 1.
        """
        sides = [_binomial(n, mu, rate) for n in range(size + 1)]
        return tuple(cls((_apart(sides[i], sides[size - i]),), np.ones(1)) for i in range(size + 1))

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)(self.pairs, self.count * count)

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Columns are joined, equal pairs as one."""
        counts: dict[MixturePair, float] = {}
        for loss in losses:
            for pair, count in zip(loss.pairs, loss.count, strict=True):
                counts[pair] = counts.get(pair, 0.0) + float(count)
        return cls(tuple(counts), np.array(list(counts.values())))

    @property
    def has_rare(self) -> bool:
        """Those far out in the tail of P."""
        return True

    def without_rare(self, log_probability: float) -> Self:
        """The same, results in the far tail of P being left out.

        Args:
            log_probability: log of a bound on the probability that any release has such a result.
        """
        kinds = len(self.pairs)
        spread = np.sqrt(2 * (np.log(np.maximum(self.count * kinds / 2, 1)) - log_probability))
        ends = [pair.reach + float(up(t, 8)) for pair, t in zip(self.pairs, spread, strict=True)]
        if kinds >= FEWEST_KINDS:
            ends = [SHARED * math.ceil(end / SHARED) for end in ends]
        pairs = tuple(
            replace(pair, furthest=min(pair.furthest, end))
            for pair, end in zip(self.pairs, ends, strict=True)
        )
        return type(self)(pairs, self.count)

    @property
    def cost(self) -> float:
        """Most nodes in x are taken together; a wide pair needs a fine step over a long range."""
        return math.fsum(max(100.0, 5 * pair.width * pair.reach) for pair in self.pairs)

    @property
    def highest(self) -> float:
        """Finite only if P is the inner component alone."""
        if any(pair.reach for pair in self.pairs):
            return math.inf
        highest = [pair.left.log_still for pair in self.pairs]
        return up(float(-self.count @ highest), 16 + len(highest)) if any(highest) else 0.0

    @cached_property
    def column(self) -> Column:
        """The pairs with their counts, alike ones stacked."""
        return Column(self.pairs, self.count)

    def estimate(self, z: Complexes) -> Complexes:
        """The sum of the pairs' own."""
        return self.column.estimate(z)

    def log_most(self, s: float) -> float:
        """By finite sums, where there are such at s, and else along the real axis."""
        return self.column.log_most(s)

    def line(self, c: float) -> Line:
        """One line for every pair, or stack of pairs."""
        return self.column.line(c)


def _by_shift(weights: Sequence[float], shifts: Sequence[float]) -> dict[float, float]:
    """Weights of equal shifts added up, those that are 0 left out."""
    mix: dict[float, float] = {}
    for weight, shift in zip(weights, shifts, strict=True):
        if weight:
            mix[shift] = mix.get(shift, 0.0) + weight
    total = math.fsum(mix.values())
    if not (mix and min(mix.values()) > 0 and abs(total - 1) < 1e-15 * (8 + len(weights))):
        raise ValueError("the weights of a mixture must be positive and add up to 1")
    return mix


def _binomial(trials: int, mu: float, rate: float) -> dict[float, float]:
    """Weights by shift, each the double nearest to the truth."""
    success, failure = Fraction(rate), 1 - Fraction(rate)
    numbers = range(trials + 1)
    weights = [float(math.comb(trials, k) * success**k * failure ** (trials - k)) for k in numbers]
    return _by_shift(weights, [k * mu for k in numbers])


def _apart(right: dict[float, float], left: dict[float, float]) -> MixturePair:
    """The pair with P at these distances to the right of a point, and Q to the left of it."""
    return MixturePair(min(right) + min(left), _side(right), _side(left))


def _side(mix: dict[float, float]) -> Side:
    inner = min(mix)
    others = sorted(shift for shift in mix if shift > inner)
    return Side(
        mix[inner],
        tuple(mix[shift] for shift in others),
        tuple(shift - inner for shift in others),
    )
