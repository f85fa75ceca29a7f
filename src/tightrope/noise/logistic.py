"""Discrete logistic noise: a logistic variable rounded to the nearest integer, exactly.

P(Y > m) = 1/(1 + exp((m + 1/2)/s)).  For integers v, v + Y is v + X rounded, X logistic:
post-processing of the continuous mechanism.  Up to s = 64 a table of the cumulative probabilities
is inverted; above, a table of blocks (see `stepped`).  With q = exp(-|y|/s) and h = 1/(2 s),

    P(y) = 2 sinh(h) q/((1 + q exp(h)) (1 + q exp(-h))),

which is logarithmically concave: 1/P(y) is a constant plus a multiple of cosh(y/s).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from tightrope._check import Real
from tightrope.noise.entropy import Entropy
from tightrope.noise.falling import FallingLaw
from tightrope.noise.fixed import Interval, coarser, divide, exp_minus, logistic_tail, multiply
from tightrope.noise.inversion import Inversion
from tightrope.noise.refine import Probability, rising
from tightrope.noise.scales import noise_scale
from tightrope.noise.shape import Size, sampled
from tightrope.noise.stepped import Stepped, block_bits
from tightrope.num.arrays import Floats

__all__ = ["discrete_logistic", "logistic_sampler"]

_WIDEST_TABLE = 64
_HALF = Fraction(1, 2)


def discrete_logistic(
    scale: Real, size: Size, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Integers, independent: logistic variables of that scale rounded to nearest, exactly.

    Args:
        scale: s in the density exp(-x/s)/(s (1 + exp(-x/s))**2), above 0 and at most 2**60, taken
            as precisely the number that it is.
        size: how many, or the shape of the array.
        entropy: the source of random bits; the operating system by default.

    Returns:
        int64; what lies beyond +-2**62 is returned as +-2**62 (see `saturating_add`).

    Raises:
        InvalidArgument: scale or size is not admissible.

    Source: the cumulative probabilities are those of the logistic law by definition.

    >>> from tightrope.noise import InsecureEntropy
    >>> discrete_logistic(3, 4, entropy=InsecureEntropy(1)).shape
    (4,)
    """
    caller = "discrete_logistic"
    return sampled(logistic_sampler(noise_scale(scale, caller)), size, entropy, caller)


@lru_cache(maxsize=64)
def logistic_sampler(scale: Fraction) -> Inversion | Stepped:
    """The sampler of that scale; its tables are kept."""
    if scale <= _WIDEST_TABLE:
        return Inversion(partial(_cuts, scale))
    return Stepped(_Logistic(scale), block_bits(float(scale)))


def _cuts(scale: Fraction, bits: int) -> list[Interval]:
    """1 - P(Y > m - 1) - P(Y > m) once -m is counted, 1 - 2 P(Y > m) once m is, too."""
    work = bits + 16
    one = 1 << work
    found, m, before = [], 0, (0, 0)
    while m == 0 or before[1] >> (work - bits):
        tail = logistic_tail((m + _HALF) / scale, work)
        if m:
            found.append((one - before[1] - tail[1], one - before[0] - tail[0]))
        found.append((one - 2 * tail[1], one - 2 * tail[0]))
        m, before = m + 1, tail
    return rising([coarser(cut, work - bits) for cut in found])


@dataclass(frozen=True)
class _Logistic(FallingLaw):
    """f(g) = 4 q/((1 + q exp(h)) (1 + q exp(-h))), q = exp(-g/scale), h = 1/(2 scale) < 1/128."""

    scale: Fraction

    def weights(self, step: int, bits: int) -> Iterator[Interval]:
        """4 q e/((1 + q e) (e + q)) with e = exp(-h), the powers q one from the other."""
        each, (low, high) = exp_minus(step / self.scale, bits), exp_minus(_HALF / self.scale, bits)
        one, q = 1 << bits, (1 << bits, 1 << bits)
        while True:
            product = multiply(q, (low, high), bits)
            first, second = (one + product[0], one + product[1]), (low + q[0], high + q[1])
            over = 4 * product[0], 4 * product[1]
            yield divide(over, multiply(first, second, bits), bits)
            q = multiply(q, each, bits)

    def ratio(self, start: int, offset: int) -> Probability:
        """exp(-offset/scale), and a quotient of numbers that lie between 1/5 and 1."""

        def probability(bits: int) -> Interval:
            work = bits + 8
            falls = exp_minus(offset / self.scale, work)
            bends = divide(self._bend(start + offset, work), self._bend(start, work), work)
            return coarser(multiply(falls, bends, work), 8)

        return probability

    def _bend(self, size: int, bits: int) -> Interval:
        """1/((1 + q exp(h)) (1 + q exp(-h)))."""
        near = logistic_tail((_HALF - size) / self.scale, bits)
        far = logistic_tail((-_HALF - size) / self.scale, bits)
        return multiply(near, far, bits)

    def drop(self, starts: Floats, offsets: Floats | float) -> Floats:
        """(1 - d) (1 - Q**2 d)/((1 + Q d exp(h)) (1 + Q d exp(-h))), Q and d from start and offset.

        The relative errors of its factors, whose exponents are correct to three roundings, add up.
        """
        scale = float(self.scale)
        falls = np.expm1(-offsets / scale) * np.expm1(-(2 * starts + offsets) / scale)
        near = 1 + np.exp((0.5 - starts - offsets) / scale)
        far = 1 + np.exp((-0.5 - starts - offsets) / scale)
        return np.asarray(falls / (near * far))
