"""Skellam noise as a finite pair: its losses have no common step, and no transform of their own.

Y has P(Y = y) = exp(-v) I_|y|(v); shifted by D it leaks L(y) = log I_|y|(v) - log I_|y-D|(v), which
falls in y, as the I_g(v) are logarithmically concave (Amos, 1974). The values from -K to K + D are
kept, each as the logarithm of a quotient of two integers. Where P has what is left, its loss counts
as infinite, and where Q has it, as impossible: the true pair is a post-processing of that one,
which draws the value that was left out. K is so far out that what is left is a delta of 2^-1048.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.listed import ListedPair
from tightrope.num import bessel

LEFT = 1050
"""-log2 of the mass of either tail, over that of 0, is at least this."""

CERTAIN = 100
"""Bits to which every weight is known, at least; losses are above 2^-25 of it, or 0."""

LARGEST = 1 << 22
"""The largest variance of which values are listed ..."""

MOST_LISTED = 200_000
"""... and how many of them at most."""

MOST_BITS = 1 << 31
"""Bits of all weights together: of a shift far beyond the noise they would take minutes."""


@lru_cache(maxsize=64)
def skellam(variance: Fraction, shift: int) -> Dominating | None:
    """One release; None if it is too wide to be listed."""
    if variance > LARGEST:
        return None
    reach = bessel.reach(variance, LEFT)
    count = reach + shift + 1
    if 2 * reach + shift >= MOST_LISTED or bessel.depth(variance, count) * count > MOST_BITS:
        return None
    weights, bits = _weights(variance, count)
    p = [weights[abs(y)] for y in range(-reach, reach + shift + 1)]
    tails = 2 << (bits - LEFT)
    pair = ListedPair((tails, *p, 0), (0, *reversed(p), tails), sum(p) + tails)
    return Dominating.symmetric(pair.loss())


def _weights(variance: Fraction, count: int) -> tuple[list[int], int]:
    """I_g/I_0 as integers that are relatively correct to 2**-CERTAIN, and their bits."""
    steepness = int(2 * count / variance).bit_length()
    extra = CERTAIN + 40 + count.bit_length()
    while True:
        bits = max(bessel.depth(variance, count), LEFT) + extra
        found = bessel.weights(variance, count, bits, extra + steepness)
        if all((high - low) << CERTAIN <= low for low, high in found):
            return [low for low, _ in found], bits
        extra *= 2
