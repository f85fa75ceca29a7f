"""The wide samplers, and their weights as mpmath sees them."""

from fractions import Fraction

import mpmath as mp
from noise_laws import number

from tightrope.noise.gaussian import gaussian_sampler
from tightrope.noise.laplace import laplace_sampler
from tightrope.noise.logistic import logistic_sampler


def laplace_weight(scale):
    return lambda size: mp.exp(-mp.mpf(size) / number(scale))


def gaussian_weight(variance):
    return lambda size: mp.exp(-(mp.mpf(size) ** 2) / (2 * number(variance)))


def logistic_weight(scale):
    """sinh(h)/P(y) is cosh(h) + cosh(y/s)."""
    h = 1 / (2 * number(scale))
    return lambda size: 2 / (mp.cosh(h) + mp.cosh(mp.mpf(size) / number(scale)))


WIDE = {
    "laplace 64": (laplace_sampler(Fraction(64)), laplace_weight(64)),
    "laplace 1000": (laplace_sampler(Fraction(1000)), laplace_weight(1000)),
    "laplace 2^60": (laplace_sampler(Fraction(2**60)), laplace_weight(2**60)),
    "gaussian 257": (gaussian_sampler(Fraction(257**2)), gaussian_weight(257**2)),
    "gaussian 10^7/3": (gaussian_sampler(Fraction(10**7, 3)), gaussian_weight(Fraction(10**7, 3))),
    "gaussian 2^119/3": (
        gaussian_sampler(Fraction(2**119, 3)),
        gaussian_weight(Fraction(2**119, 3)),
    ),
    "logistic 65": (logistic_sampler(Fraction(65)), logistic_weight(65)),
    "logistic 1000/3": (logistic_sampler(Fraction(1000, 3)), logistic_weight(Fraction(1000, 3))),
    "logistic 2^60/7": (logistic_sampler(Fraction(2**60, 7)), logistic_weight(Fraction(2**60, 7))),
}
"""Samplers, and their weights by the definition of the law, but for a factor."""
