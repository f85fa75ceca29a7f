"""Lazy refinement: a uniform number meets a boundary, and is read only as far as it must be.

A uniform U is read bit by bit: after `bits` bits it is known to lie in [u, u + 1)/2**bits.  A
boundary is known as an integer interval to as many bits.  As soon as the two do not overlap the
comparison is decided, as it would be for the infinite expansions, so the law of the outcome is
exactly the one that the boundaries describe: no truncation, no total variation.  Each further bit
halves the chance of having to go on, so the end comes with probability 1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from tightrope.noise.entropy import Entropy
from tightrope.noise.fixed import Interval

__all__ = ["STEP", "Cuts", "Probability", "coin", "decide", "rising", "settle"]

STEP = 64
"""How many bits are added when those at hand do not decide."""

Probability = Callable[[int], Interval]
"""A probability to as many bits as are asked for."""

Cuts = Callable[[int], Sequence[Interval]]
"""The cumulative probabilities of outcomes 0, 1, 2, ... to as many bits as are asked for.

Lower ends and upper ends both rise.  The sequence stops where at most about `2**-bits` is left;
that of a law with finitely many outcomes ends with 1.
"""

SLACK = 2.0**-40
"""How far a float probability may be from the true one, see `decide`."""


def rising(cuts: Sequence[Interval]) -> list[Interval]:
    """The same cumulative probabilities, their ends made to rise as the probabilities do."""
    lows = accumulate((low for low, _ in cuts), max)
    highs = accumulate((high for _, high in reversed(cuts)), min)
    return list(zip(lows, reversed(list(highs)), strict=True))


def coin(u: int, bits: int, probability: Probability, entropy: Entropy) -> bool:
    """Whether U is less than a probability, for a U whose first `bits` bits are the integer u."""
    while True:
        low, high = probability(bits)
        if u < low:
            return True
        if u >= high:
            return False
        u = u << STEP | entropy.bits(STEP)
        bits += STEP


def settle(u: int, bits: int, cuts: Cuts, entropy: Entropy) -> int:
    """The outcome whose stretch of the unit interval holds U, its first `bits` bits being u."""
    while True:
        known = cuts(bits)
        outcome = bisect_right(known, u, key=lambda cut: cut[0])
        if outcome < len(known) and (outcome == 0 or known[outcome - 1][1] <= u):
            return outcome
        u = u << STEP | entropy.bits(STEP)
        bits += STEP


def decide(
    estimate: NDArray[np.float64],
    exact: Callable[[int], Probability],
    entropy: Entropy,
) -> NDArray[np.bool_]:
    """Flip one exact coin for each lane of a vector.

    A lane is decided by its first 16 bits if its float estimate is farther than 2**-40 from the
    stretch in which these place U; all other lanes, one in about 65,000, by integers.

    Args:
        estimate: the probabilities, each at most 2**-40 from the true one.
        exact: from the number of a lane to its true probability.
        entropy: the source of the bits.
    """
    halves = entropy.words(len(estimate), np.uint16)
    scaled = estimate * 2.0**16
    slack = 2.0**16 * SLACK
    heads = halves + 1.0 <= scaled - slack
    unclear = np.flatnonzero(~heads & (halves < scaled + slack))
    for lane in unclear.tolist():
        heads[lane] = coin(int(halves[lane]), 16, exact(lane), entropy)
    return heads
