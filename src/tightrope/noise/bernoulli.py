"""Coins: of any rational probability, and of probability exp(-x), exactly.

A float is a rational number like any other: `bernoulli(0.1)` is true with probability
0.1000000000000000055511151231257827..., which is the number that was passed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._check import CLOSED_PROBABILITY, NONNEGATIVE, Domain, Real, validated
from tightrope.noise.entropy import Entropy, SystemEntropy
from tightrope.noise.fixed import exp_minus, fixed
from tightrope.noise.refine import Probability, decide
from tightrope.noise.shape import Size, shape_of

__all__ = ["Reals", "bernoulli", "bernoulli_exp"]

Reals = Real | NDArray[Any] | Sequence[Real]
"""A number or an array of numbers: floats, integers or fractions, each of its exact value."""


def bernoulli(
    probability: Reals, size: Size | None = None, *, entropy: Entropy | None = None
) -> NDArray[np.bool_]:
    """Independent coins that are true with the given probabilities, exactly.

    Args:
        probability: in [0, 1], each taken as precisely the number that it is.
        size: a shape that the probabilities broadcast to; their own by default.
        entropy: the source of random bits; the operating system by default.

    Raises:
        InvalidArgument: a probability is not admissible.

    >>> bernoulli([0, 1, Fraction(1)]).tolist()
    [False, True, True]
    """
    exact = _exact(probability, CLOSED_PROBABILITY, "bernoulli: probability")
    lanes = _lanes(exact, size, "bernoulli")
    return _coins(lanes, lambda p: p, lambda p: partial(fixed, p), entropy)


def bernoulli_exp(
    x: Reals, size: Size | None = None, *, entropy: Entropy | None = None
) -> NDArray[np.bool_]:
    """Independent coins that are true with probability exp(-x), exactly.

    Args:
        x: at least 0, each taken as precisely the number that it is.
        size: a shape that the numbers broadcast to; their own by default.
        entropy: the source of random bits; the operating system by default.

    Raises:
        InvalidArgument: a number is not admissible.

    >>> bernoulli_exp(0, 3).tolist()
    [True, True, True]
    """
    exact = _exact(x, NONNEGATIVE, "bernoulli_exp: x")
    lanes = _lanes(exact, size, "bernoulli_exp")
    return _coins(lanes, lambda v: np.exp(-v), lambda v: partial(exp_minus, v), entropy)


def _exact(values: Reals, domain: Domain, what: str) -> NDArray[Any]:
    """Float64 as it is, anything else as an array of exact numbers; all of them checked."""
    floats = np.asarray(values)
    if floats.dtype == np.float64:
        for extreme in (floats.min(initial=0.5), floats.max(initial=0.5)):
            validated(float(extreme), domain, what)
        return floats
    exact = np.asarray(values, dtype=object)
    for index, value in np.ndenumerate(exact):
        exact[index] = validated(value, domain, what)
    return exact


def _lanes(exact: NDArray[Any], size: Size | None, caller: str) -> NDArray[Any]:
    return exact if size is None else np.broadcast_to(exact, shape_of(size, caller))


def _coins(
    lanes: NDArray[Any],
    chance: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    law: Callable[[Fraction], Probability],
    entropy: Entropy | None,
) -> NDArray[np.bool_]:
    flat = lanes.reshape(-1)
    estimates = chance(flat.astype(np.float64))
    heads = decide(estimates, lambda lane: law(Fraction(flat[lane])), entropy or SystemEntropy())
    return heads.reshape(lanes.shape)
