"""The least mu of a few strong releases, whose delta is next to 1 wherever tests matter.

The proof is that of ``tight_mu``: no test of a chord may be worth more than mu. Where delta is near
1, its chords are taken between values of 1 - delta, which have their digits; the largest loss is
an end of the last chord, so that nothing lies beyond.
"""

from __future__ import annotations

import numpy as np

from tightrope.loss.exact.strong_sum import StrongSum
from tightrope.loss.mu.worth import Worth, mu_below, mu_missing, worth_by_rests
from tightrope.num.arrays import Floats

EXACT = 1e-9
"""Relative width that is not worth narrowing."""

FIRST = 65
"""Knots to begin with, evenly; as many again lie ever closer to the largest loss."""

ROUNDS = 24
"""How often chords that are worth too much are divided, and into how many at most."""

PARTS = 8

MOST_KNOTS = 1 << 13

EVEN = -0.7
"""log delta below which delta is known better than what it leaves of 1."""


def strong_bounds(law: StrongSum) -> tuple[float, float]:
    """Bounds on the least mu."""
    top = law.top[0]
    near = top * -np.expm1(-np.arange(1.0, FIRST) / 2)
    epsilon = np.unique(np.concatenate([np.linspace(0, top, FIRST), near]))
    lower = 0.0
    for _ in range(ROUNDS):
        worth = _worth(law, epsilon)
        lower = max(lower, _attained(law, epsilon, worth))
        fresh = _between(epsilon, worth, lower)
        if not len(fresh):
            break
        epsilon = np.unique(np.append(epsilon, fresh))
    return lower, float(_worth(law, epsilon).max())


def _worth(law: StrongSum, epsilon: Floats) -> Floats:
    """What the chords are worth at most, by whichever of the two values says less."""
    by_delta = Worth.of_chords(epsilon, law.log_delta(epsilon).upper).at_most()
    by_rest = worth_by_rests(epsilon, law.log_missed(epsilon).lower)
    return np.minimum(by_delta, by_rest)


def _attained(law: StrongSum, epsilon: Floats, worth: Floats) -> float:
    """The largest mu that is too small for an end of one of the best chords."""
    best = np.argsort(worth)[-4:]
    at = epsilon[np.unique(np.append(best, best + 1))]
    delta, rest = law.log_delta(at).lower, law.log_missed(at).upper
    rare = delta < EVEN
    found = np.append(mu_missing(at[~rare], rest[~rare]), mu_below(at[rare], delta[rare]))
    return float(found.max())


def _between(epsilon: Floats, worth: Floats, lower: float) -> Floats:
    """New knots inside the chords that are worth more than anything attained."""
    over = np.flatnonzero(worth > lower * (1 + EXACT))
    over = over[np.argsort(-worth[over])[: (MOST_KNOTS - len(epsilon)) // PARTS]]
    shares = np.arange(1, PARTS) / PARTS
    fresh = (epsilon[over, None] + np.diff(epsilon)[over, None] * shares).ravel()
    return np.setdiff1d(fresh, epsilon)
