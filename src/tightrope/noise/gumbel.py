"""Gumbel keys in integers: who is ahead, to as many digits as it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from tightrope.noise.entropy import Entropy
from tightrope.noise.fixed import fixed, logarithm
from tightrope.noise.refine import STEP

__all__ = ["contest"]

Entrant = tuple[int, Fraction, int, int]
"""A candidate's number, its gap, how many it stands for, and the bits of its uniform number U that
are known, as one integer; its key is -log(-log(U)/many) - gap, the largest key of so many."""

Key = tuple[int, float, float]
"""A candidate's number and an interval for its key: integers, or infinities."""


def contest(entrants: Sequence[Entrant], bits: int, count: int, entropy: Entropy) -> list[int]:
    """The numbers of the `count` candidates with the largest keys, largest first.

    Args:
        entrants: all candidates that can be among them.
        bits: how many bits of their uniform numbers are known.
        count: how many are wanted.
        entropy: where further bits come from.
    """
    while True:
        keys = sorted((_key(*entrant, bits) for entrant in entrants), key=lambda k: -k[1])
        if _decided(keys, count):
            return [key[0] for key in keys[:count]]
        entrants = [(i, gap, n, u << STEP | entropy.bits(STEP)) for i, gap, n, u in entrants]
        bits += STEP


def _decided(keys: Sequence[Key], count: int) -> bool:
    """Whether each of the first `count` keys lies above all that follow."""
    highest = -math.inf
    for place in range(len(keys) - 1, -1, -1):
        _, low, high = keys[place]
        if place < count and low < highest:
            return False
        highest = max(highest, high)
    return True


def _key(number: int, gap: Fraction, many: int, u: int, bits: int) -> Key:
    """The interval of the key to `bits + 32` bits after the point, U in [u, u + 1]/2**bits."""
    work = bits + 32
    gap_low, gap_high = fixed(gap, work)
    low = -math.inf if u == 0 else _from_below(Fraction(u, 1 << bits), many, work) - gap_high
    above = logarithm(Fraction(u + 1, 1 << bits), work)[1]
    if above >= 0:
        return number, low, math.inf
    return number, low, -logarithm(Fraction(-above, many << work), work)[0] - gap_low


def _from_below(u: Fraction, many: int, bits: int) -> int:
    """-log(-log(u)/many) to `bits` bits, rounded down, for 0 < u < 1."""
    below = logarithm(u, bits)[0]
    return -logarithm(Fraction(-below, many << bits), bits)[1]
