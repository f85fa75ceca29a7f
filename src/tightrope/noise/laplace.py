"""Discrete Laplace noise: exact, a table look-up a sample, in a time that the noise does not show.

The law is P(y) = (1 - a)/(1 + a) a**|y| with a = exp(-1/t), over all integers y (Ghosh, Roughgarden
and Sundararajan, 2012).  With s the sign bit and g = y for y >= 0, g = -y - 1 for y < 0, the law
factorises: P(s, g) = a**s/(1 + a) * (1 - a) a**g.  So g is geometric whatever the sign, and with
g = m 2**k + l, a**g = (a**(2**k))**m a**l factorises again: m is geometric, l is independent of it.

For small t, k = 0.  Else 2**k is between t/64 and t/32, and l is nearly uniform: its law is the
mixture of the uniform one, of weight 2**k r (1 - a)/(1 - r) with r = a**(2**k), and of a rest
proportional to a**l - r, drawn by rejection.  The table decides (s, m) and the part of the mixture
in one look-up.  Nothing is drawn again because of its value, unlike in the usual signed geometric
that rejects a negative zero.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.blocks import assemble, low_bits, mirrored, signed
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.fixed import Interval, coarser, complement, divide, exp_minus, multiply
from tightrope.noise.refine import Probability, decide, rising
from tightrope.noise.rejection import Proposals, first_kept
from tightrope.noise.scales import noise_scale
from tightrope.noise.shape import Size, in_blocks, shape_of
from tightrope.noise.table import MARK, Indices, Table

__all__ = ["discrete_laplace", "geometric", "laplace_sampler"]

_WIDEST = 32
"""A block is at most a 32nd of the scale: 3 % of the lanes need more than the look-up."""


def discrete_laplace(
    scale: Real, size: Size, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Integers y, independent, with probability proportional to exp(-|y|/scale), exactly.

    Args:
        scale: above 0 and at most 2**60, taken as precisely the number that it is.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Returns:
        int64; what lies beyond +-2**62 is returned as +-2**62 (see `saturating_add`).

    Raises:
        InvalidArgument: scale or size is not admissible.

    Source: Ghosh, Roughgarden and Sundararajan (2012), the geometric mechanism.

    >>> from tightrope.noise import InsecureEntropy
    >>> discrete_laplace(3, 6, entropy=InsecureEntropy(1)).shape
    (6,)
    """
    sampler = laplace_sampler(noise_scale(scale, "discrete_laplace"))
    source = entropy or SystemEntropy()
    shape = shape_of(size, "discrete_laplace")
    return in_blocks(shape, lambda count: sampler.draw(count, source))


def geometric(scale: Real, size: Size, *, entropy: Entropy | None = None) -> NDArray[np.int64]:
    """Integers g >= 0, independent, with probability (1 - a) a**g, a = exp(-1/scale), exactly.

    This is a discrete Laplace sample with its sign bit taken off, which is independent of the rest:
    one-sided exponential noise rounded down to the grid.  Arguments, limits and errors are those of
    `discrete_laplace`.

    >>> bool((geometric(3, 100) >= 0).all())
    True
    """
    sampler = laplace_sampler(noise_scale(scale, "geometric"))
    source = entropy or SystemEntropy()
    signed = in_blocks(shape_of(size, "geometric"), lambda count: sampler.draw(count, source))
    return signed ^ (signed >> 63)


@lru_cache(maxsize=64)
def laplace_sampler(scale: Fraction) -> LaplaceSampler:
    """The sampler of that scale; its tables are kept."""
    return LaplaceSampler(scale)


class LaplaceSampler:
    """Discrete Laplace at one scale t, in blocks of 2**k integers."""

    def __init__(self, scale: Fraction):
        self.scale = scale
        self.bits = max(0, int(scale / _WIDEST).bit_length() - 1)
        self._float_scale = float(scale)
        self._float_gap = math.expm1(-(2.0**self.bits) / self._float_scale)
        encode = signed if self.bits == 0 else self._encode
        self.table = Table(self.cuts, encode)

    def draw(self, count: int, entropy: Entropy) -> NDArray[np.int64]:
        """`count` samples, saturated at +-2**62."""
        halves = entropy.words(count, np.uint16)
        blocks = self.table.look_up(halves)
        places = low_bits(count, self.bits, entropy)
        values = assemble(blocks, places, self.bits)
        lanes = np.flatnonzero(blocks == MARK)
        outcomes = self.table.outcomes(halves[lanes], entropy)
        values[lanes] = self.finish(outcomes, places[lanes], entropy)
        return values

    def finish(self, outcomes: Indices, places: Indices, entropy: Entropy) -> NDArray[np.int64]:
        """The samples that a look-up did not give: from the outcomes, and places already drawn."""
        if self.bits == 0:
            return assemble(signed(outcomes), places, 0)
        rest = np.flatnonzero(outcomes & 1)
        signs = outcomes[rest] >> 1 & 1
        places[rest] = mirrored(self._rest(len(rest), entropy), signs, self.bits)
        return assemble(signed(outcomes >> 1), places, self.bits)

    def _encode(self, outcomes: Indices) -> Indices:
        """Outcome 4m + 2s is the uniform part of a block, 4m + 2s + 1 the rest of it."""
        return np.where(outcomes & 1, MARK, signed(outcomes >> 1))

    def _rest(self, count: int, entropy: Entropy) -> Indices:
        """Places by the rest of the mixture."""
        return first_kept(count, 0.5, lambda proposals: self.propose_rest(proposals, entropy))

    def propose_rest(self, count: int, entropy: Entropy) -> Proposals:
        """Uniform places, kept with chance (a**l - r)/(1 - r)."""
        places = low_bits(count, self.bits, entropy)
        # expm1 and the quotients lose a few of 53 bits; `decide` asks for 40
        chance = 1 - np.expm1(-places / self._float_scale) / self._float_gap
        return places, decide(chance, lambda lane: self._acceptance(int(places[lane])), entropy)

    def _acceptance(self, place: int) -> Probability:
        def probability(bits: int) -> Interval:
            work = bits + 16  # 1 - r is above 1/65
            low, high = exp_minus(place / self.scale, work)
            ratio = self._ratio(work)
            above = max(0, low - ratio[1]), high - ratio[0]
            return coarser(divide(above, complement(ratio, work), work), 16)

        return probability

    def _ratio(self, bits: int) -> Interval:
        return exp_minus((1 << self.bits) / self.scale, bits)

    def cuts(self, bits: int) -> list[Interval]:
        """Cumulative probabilities: 1 - r**m g, with g what is left after each part of a block."""
        work = bits + 2 * int(self.scale).bit_length() + 40
        parts, ratio = self._parts(work), self._ratio(work)
        tail = 1 << work, 1 << work
        found = []
        while tail[1] >> (work - bits):
            beyond = (multiply(tail, part, work) for part in parts)
            found += [coarser(complement(each, work), work - bits) for each in beyond]
            tail = multiply(tail, ratio, work)
        return rising(found)

    def _parts(self, bits: int) -> list[Interval]:
        """1 - (1 - r) q for the cumulative shares q of the outcomes of one block."""
        one = 1 << bits
        base = exp_minus(1 / self.scale, bits)
        gap = complement(self._ratio(bits), bits)
        plus = divide((one, one), (one + base[0], one + base[1]), bits)
        shares = [plus, (one, one)]
        if self.bits:
            each = multiply(self._ratio(bits), complement(base, bits), bits)
            uniform = divide((each[0] << self.bits, each[1] << self.bits), gap, bits)
            minus = multiply(uniform, complement(plus, bits), bits)
            upto = plus[0] + minus[0], plus[1] + minus[1]
            shares = [multiply(uniform, plus, bits), plus, upto, (one, one)]
        return [complement(multiply(gap, share, bits), bits) for share in shares]
