"""Randomised responses: the truth or one of the other categories, by one exact coin each."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tightrope._check import CATEGORIES, NONNEGATIVE, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.fixed import Interval, exp_minus
from tightrope.noise.refine import decide
from tightrope.noise.uniform import uniform_below

__all__ = ["categorical_response"]


def categorical_response(
    truths: NDArray[np.int64], epsilon: Real, categories: int, *, entropy: Entropy | None = None
) -> NDArray[np.int64]:
    """Keep each truth with probability e^epsilon/(e^epsilon + k - 1), else any other one.

    The coin and the other category are drawn whether or not they are needed.

    Args:
        truths: integers from 0 to ``categories`` - 1.
        epsilon: at least 0, taken as precisely the number that it is.
        categories: k, at least 2.
        entropy: the source of random bits; the operating system by default.

    Raises:
        InvalidArgument: an argument is not admissible.

    Source: Kairouz, Oh and Viswanath (2016), Section 4.

    >>> categorical_response(np.array([0, 4, 2]), 900, 5).tolist()
    [0, 4, 2]
    """
    exact = Fraction(validated(epsilon, NONNEGATIVE, "categorical_response: epsilon"))
    many = int(validated(categories, CATEGORIES, "categorical_response: categories"))
    if truths.dtype != np.int64 or np.any((truths < 0) | (truths >= many)):
        raise InvalidArgument(f"categorical_response: truths must be int64 from 0 to {many - 1}")
    source = entropy or SystemEntropy()
    flat = truths.reshape(-1)
    estimate = 1 / (1 + (many - 1) * math.exp(-float(exact)))
    kept = decide(
        np.full(flat.size, estimate), lambda _: lambda bits: _truth(exact, many, bits), source
    )
    others = uniform_below(many - 1, flat.size, entropy=source)
    others += others >= flat
    return np.where(kept, flat, others).reshape(truths.shape)


def _truth(epsilon: Fraction, categories: int, bits: int) -> Interval:
    """1/(1 + (k - 1) exp(-epsilon)) to `bits` bits."""
    work = bits + categories.bit_length()
    one = 1 << work
    low, high = exp_minus(epsilon, work)
    least, most = one + (categories - 1) * low, one + (categories - 1) * high
    return (one << bits) // most, -((-one << bits) // least)
