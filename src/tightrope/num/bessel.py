"""Modified Bessel functions of whole orders as integer intervals: the weights of Skellam noise.

With x > 0 and r_g = I_{g+1}(x)/I_g(x), the recurrence I_g - I_{g+2} = (2 (g + 1)/x) I_{g+1} says

    r_g = 1/(2 (g + 1)/x + r_{g+1}),        0 < r_g < 1,

and the r_g fall (Amos, 1974: the I_g(x) are logarithmically concave in g). Walked downward from
r in [0, 1] somewhere far out, every step shrinks what is open by the factor r_g r_{g+1}, so the
bounds close by themselves; each step rounds them outward, in Python integers. The weights
I_g(x)/I_0(x) are products of ratios. No float decides anything: floats only guess how far to walk.
"""

from __future__ import annotations

import math
from fractions import Fraction

Interval = tuple[int, int]
"""``(low, high)``: integers around a real number times a power of two that the context names."""

LOG_2 = math.log(2)


def ratios(x: Fraction, count: int, bits: int) -> list[Interval]:
    """I_{g+1}(x)/I_g(x) for g = 0, ..., count - 1, to ``bits`` bits; a few units wide."""
    last = farther(x, count, bits // 2 + 16)
    one, (above, below) = 1 << bits, (x.denominator << (bits + 1), x.numerator)
    square, low, high = 1 << 2 * bits, 0, one
    found: list[Interval] = []
    for g in range(last, 0, -1):
        term = above * g // below
        low, high = square // (term + 1 + high), -(-square // (term + low))
        if g <= count:
            found.append((low, min(high, one)))
    return found[::-1]


def weights(x: Fraction, count: int, bits: int, ratio_bits: int) -> list[Interval]:
    """I_g(x)/I_0(x) for g = 0, ..., count - 1, to ``bits`` bits.

    Args:
        x: above 0.
        count: how many.
        bits: of the weights.
        ratio_bits: of the ratios that they are products of.
    """
    low = high = 1 << bits
    found = [(low, high)]
    for small, large in ratios(x, count - 1, ratio_bits):
        low, high = low * small >> ratio_bits, -(-high * large >> ratio_bits)
        found.append((low, high))
    return found


def reach(x: Fraction, bits: int) -> int:
    """A g such that the I_j(x), j > g, add up to at most 2**-bits I_0(x).

    About the least: a few steps are added to a guess, which is then checked. The ratios fall, so
    what follows I_g adds up to at most I_g r_g/(1 - r_g).
    """
    guess = farther(x, 0, bits + 8)
    while not _suffices(x, guess, bits):
        guess += guess // 16 + 1
    return guess


def _suffices(x: Fraction, g: int, bits: int) -> bool:
    work = bits + 64
    guard = 64 + max(0, math.floor(2 * g / x).bit_length())
    steps = ratios(x, g + 1, guard)
    top, one = 1 << work, 1 << guard
    for _, high in steps[:-1]:
        top = -(-top * high >> guard)
    last = steps[-1][1]
    return last < one and top * last <= (one - last) << (work - bits)


def depth(x: Fraction, g: int) -> int:
    """A guess of -log2(I_g(x)/I_0(x)), rounded up."""
    return math.ceil(_fall(float(x), g) / LOG_2)


def farther(x: Fraction, start: int, bits: int) -> int:
    """A guess of the order at which I_g(x) is about 2**-bits of what it is at ``start``.

    By log I_g(x) = sqrt(g^2 + x^2) - g asinh(g/x), to leading order.
    """
    size = float(x)
    wanted = bits * LOG_2 + _fall(size, start)
    step = 1
    while _fall(size, start + step) < wanted:
        step *= 2
    low, high = step // 2, step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _fall(size, start + middle) >= wanted else (middle, high)
    return start + high


def _fall(x: float, g: int) -> float:
    """g asinh(g/x) - sqrt(g^2 + x^2) + x, without cancellation."""
    u = g / x
    return g * math.asinh(u) - g * u / (1 + math.hypot(1, u))
