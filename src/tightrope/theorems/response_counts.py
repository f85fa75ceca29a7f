"""How many people hold a value, by how many said so under randomised response.

With m of n people holding category j, the number C who answer j is a sum of independent coins: m of
probability p, n - m of probability q < p. A number m is ruled out if C is at most as probable as
half of the allowed miss, by either of two proved bounds on its tail:

* Hoeffding (1956), Theorem 4: for c >= mean + 1, P(C >= c) is at most that of a binomial of the
  same mean, so the Clopper-Pearson bound holds for the mean, if kept below c - 1;
* Chernoff: P(C >= c) <= (1 + p (e^s - 1))^m (1 + q (e^s - 1))^(n - m) e^(-s c) for every s > 0,
  which is linear in m in the exponent, so every s rules out all m below some number.

Which m are ruled out depends on c alone. For the true m these c have C >= their least one, or
C <= their largest: so the miss is at most its half on either side.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["counts_between", "rates"]

Floats = NDArray[np.float64]
Rates = tuple[float, float, float]
"""(p, q, p - q): of the truth, of any single other answer, and their difference."""

_SLACK = 1e-10
"""What the ends are moved outward by, as a part of n/(p - q): far above all that floats lose."""

_STEPS = 256
"""Values of s that are tried; the best of them is within a few per cent of the best of all."""


def rates(epsilon: float, categories: int) -> Rates:
    """p, q and p - q for k-ary randomised response, epsilon > 0."""
    odds = math.exp(-epsilon)
    total = 1 + (categories - 1) * odds
    return 1 / total, odds / total, -math.expm1(-epsilon) / total


def counts_between(counts: NDArray[np.int64], known: Rates, miss: float) -> tuple[Floats, Floats]:
    """Ends of intervals, each of which holds the true count but for a chance of ``miss``."""
    people = int(counts.sum())
    if people == 0:
        return np.zeros(len(counts)), np.zeros(len(counts))
    seen = counts.astype(np.float64)
    _, other, gap = known
    least = (_mean_above(seen, people, miss / 2) - people * other) / gap
    most = people - _mean_above(people - seen, people, miss / 2)
    most = (most - people * other) / gap
    widest = math.log(3e3 * math.sqrt(people))
    for s in np.exp(np.linspace(math.log(30) - widest, math.log(30), _STEPS)).tolist():
        least = np.maximum(least, _ruled_out(seen, people, known, miss / 2, s))
        most = np.minimum(most, _ruled_out(seen, people, known, miss / 2, -s))
    slack = _SLACK * people / gap
    return (
        np.clip(np.ceil(least - slack), 0, people),
        np.clip(np.floor(most + slack), 0, people),
    )


def _mean_above(seen: Floats, people: int, miss: float) -> Floats:
    """A lower bound on the mean of a sum of coins of which so many came up."""
    from scipy import special

    rate = special.betaincinv(np.maximum(seen, 1), people - seen + 1, miss)
    return np.where(seen > 0, np.minimum(people * rate, seen - 1), 0.0)


def _ruled_out(seen: Floats, people: int, known: Rates, miss: float, s: float) -> Floats:
    """The m at which the Chernoff bound for this s equals ``miss``."""
    _, other, gap = known
    grown = math.expm1(s)
    base = math.log1p(other * grown)
    more = math.log1p(gap * grown / (1 + other * grown))
    return np.asarray((s * seen + math.log(miss) - people * base) / more)
