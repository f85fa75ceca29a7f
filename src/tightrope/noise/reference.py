"""The samplers of Canonne, Kamath and Steinke (2020), in Python integers: the readable reference.

One sample at a time, fair bits in, an exact sample out, rationals as parameters and integers of any
size as results.  The time that a call takes depends on the sample.

Numbers of algorithms refer to the paper's section 5.
"""

from __future__ import annotations

import math
from fractions import Fraction

from tightrope.noise.entropy import Entropy

__all__ = [
    "below",
    "bernoulli",
    "bernoulli_exp",
    "discrete_gaussian",
    "discrete_laplace",
    "geometric",
]


def below(limit: int, entropy: Entropy) -> int:
    """An integer uniform below `limit`: just enough bits, drawn again while too large."""
    bits = (limit - 1).bit_length()
    while (value := entropy.bits(bits)) >= limit:
        pass
    return value


def bernoulli(probability: Fraction, entropy: Entropy) -> bool:
    """True with a rational probability in [0, 1]."""
    return below(probability.denominator, entropy) < probability.numerator


def bernoulli_exp(x: Fraction, entropy: Entropy) -> bool:
    """True with probability exp(-x), for rational x >= 0 (Algorithm 1)."""
    while x > 1:
        if not _bernoulli_exp_below_one(Fraction(1), entropy):
            return False
        x -= 1
    return _bernoulli_exp_below_one(x, entropy)


def _bernoulli_exp_below_one(x: Fraction, entropy: Entropy) -> bool:
    """Von Neumann: the first k at which Bernoulli(x/k) fails is odd with probability exp(-x)."""
    k = 1
    while bernoulli(x / k, entropy):
        k += 1
    return k % 2 == 1


def geometric(scale: Fraction, entropy: Entropy) -> int:
    """g >= 0 with probability proportional to exp(-g/scale) (Algorithm 2, before the sign)."""
    t, s = scale.numerator, scale.denominator
    while True:
        rest = below(t, entropy)
        if bernoulli_exp(Fraction(rest, t), entropy):
            break
    whole = 0
    while bernoulli_exp(Fraction(1), entropy):
        whole += 1
    return (rest + t * whole) // s


def discrete_laplace(scale: Fraction, entropy: Entropy) -> int:
    """y with probability proportional to exp(-|y|/scale) (Algorithm 2)."""
    while True:
        negative = entropy.bits(1)
        size = geometric(scale, entropy)
        if not (negative and size == 0):
            return -size if negative else size


def discrete_gaussian(variance: Fraction, entropy: Entropy) -> int:
    """y with probability proportional to exp(-y**2/(2 variance)) (Algorithm 3)."""
    scale = math.isqrt(math.floor(variance)) + 1
    while True:
        y = discrete_laplace(Fraction(scale), entropy)
        if bernoulli_exp((abs(y) - variance / scale) ** 2 / (2 * variance), entropy):
            return y
