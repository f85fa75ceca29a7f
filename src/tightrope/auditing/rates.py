"""Exact bounds on the rates of two events that were counted, and what a claim makes of them.

A bound holds for every number of trials: nothing here is a normal approximation, but the one
function that says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.auditing.claim import Claim
from tightrope.num.arrays import Floats

__all__ = ["NINE_IN_TEN", "Hits", "at_least", "at_most", "detectable", "p_value"]

_OUTWARD = 1e-9
"""Relative error of an inverted incomplete beta function, covered a thousand times."""

_LEVELS = 10.0 ** -np.linspace(0.0, 60.0, 241)
"""Levels at which the bounds of a p-value are tried; none is told apart below the last."""

NINE_IN_TEN = 1.2816
"""The normal quantile of 90 %."""


@dataclass(frozen=True)
class Hits:
    """How often an event came up in samples of either input.

    Attributes:
        first: hits under the input that makes the event likelier.
        first_trials: samples of that input.
        second: hits under the other input.
        second_trials: samples of the other input.
    """

    first: int
    first_trials: int
    second: int
    second_trials: int

    @property
    def trials(self) -> tuple[int, int]:
        """How many samples of either input there are."""
        return self.first_trials, self.second_trials


def at_least(hits: Floats | float, trials: float, miss: Floats | float) -> Floats:
    """A lower bound on a rate, which is wrong with probability at most ``miss``.

    Source: Clopper and Pearson (1934).

    >>> round(float(at_least(10, 10, 0.05)), 4)  # 0.05 ** (1/10)
    0.7411
    """
    from scipy import special

    some = np.maximum(hits, 1e-300)
    rate = special.betaincinv(some, trials - some + 1, miss) * (1 - _OUTWARD)
    return np.where(np.asarray(hits) > 0, rate, 0.0)


def at_most(hits: Floats | float, trials: float, miss: Floats | float) -> Floats:
    """An upper bound on a rate, which is wrong with probability at most ``miss``.

    >>> round(float(at_most(0, 10, 0.05)), 4)  # 1 - 0.05 ** (1/10)
    0.2589
    """
    from scipy import special

    rest = np.maximum(trials - np.asarray(hits, dtype=float), 1e-300)
    rate = special.betainccinv(trials - rest + 1, rest, miss) * (1 + _OUTWARD)
    return np.where(np.asarray(hits) < trials, np.minimum(rate, 1.0), 1.0)


def p_value(claim: Claim, hits: Hits) -> float:
    """How likely counts that speak so clearly against the claim are at most, if it is true.

    For any number q: either the event's rate under the second input is above q, and so few hits
    there are unlikely; or the claim bounds the rate under the first by ``claim.most(q)``, and so
    many hits there are unlikely. Twice the larger of the two probabilities is the level of the
    Clopper-Pearson bounds that meet at q. So every q gives a valid p-value; the least is theirs.
    """
    coarse = at_most(hits.second, hits.second_trials, _LEVELS / 2)
    best = int(np.argmin(_doubled(claim, hits, coarse)))
    ends = coarse[[max(best - 1, 0), min(best + 1, len(coarse) - 1)]]
    fine = np.linspace(ends[0], ends[1], 65)
    return float(min(1.0, _doubled(claim, hits, np.concatenate([coarse, fine])).min()))


def _doubled(claim: Claim, hits: Hits, q: Floats) -> Floats:
    few = _probability_of_at_most(hits.second, hits.second_trials, q)
    many = _probability_of_at_least(hits.first, hits.first_trials, claim.most(q))
    return 2 * np.maximum(few, many) * (1 + 1e-6)


def _probability_of_at_most(hits: int, trials: int, rate: Floats) -> Floats:
    from scipy import special

    if hits >= trials:
        return np.ones_like(rate)
    return np.asarray(special.betaincc(hits + 1, trials - hits, rate))


def _probability_of_at_least(hits: int, trials: int, rate: Floats) -> Floats:
    from scipy import special

    if hits <= 0:
        return np.ones_like(rate)
    return np.asarray(special.betainc(hits, trials - hits + 1, rate))


def detectable(claim: Claim, trials: tuple[int, int], level: float) -> float:
    """The least loss, over the claimed one, that would have been refuted nine times in ten, about.

    It is that of the event at which the least excess is enough; infinite if so few samples refute
    nothing. An approximation.
    """
    q = np.concatenate([np.logspace(-7, -1, 61), np.linspace(0.1, 0.99, 90)])
    hits = np.minimum(q + NINE_IN_TEN * _deviation(q, trials[1]), 1.0) * trials[1]
    allowed = claim.most(at_most(hits, trials[1], level / 2))
    seen = at_most(allowed * trials[0], trials[0], level / 2)
    p = seen + NINE_IN_TEN * _deviation(seen, trials[0])
    known = (p < 1) & (claim.most(q) > q)
    shown, claimed = claim.loss(p[known], q[known]), claim.loss(claim.most(q[known]), q[known])
    some = claimed > 0  # a tiny claim is lost in the rounding of its rates
    return float((shown[some] / claimed[some]).min(initial=np.inf))


def _deviation(rate: Floats, trials: int) -> Floats:
    return np.sqrt(rate * (1 - rate) / trials)
