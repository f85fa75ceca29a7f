"""Where a contour crosses the real axis: guesses in ordinary numbers that nothing rests on."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from tightrope.verify.exact.laws import Runs

ROUNDS = 24
REMEMBERED = 512
LEAST, LARGEST = 1e-3, 14.0
"""The least c, and the log of the largest."""


def log_moment(runs: Runs, c: float) -> float:
    """log M(c) of all losses, nearly."""
    return sum(law.log_moment(c) * count for law, count in runs)


@lru_cache(maxsize=REMEMBERED)
def saddle(runs: Runs, epsilon: Fraction) -> Fraction:
    """Where the integrand is least on the real axis, nearly, found by golden sections."""
    shrink = (math.sqrt(5) - 1) / 2

    def at(x: float) -> float:
        return height(runs, epsilon, math.exp(x))

    low, high = math.log(LEAST), math.log(LEAST) + 2
    while at(high) < at(high - 1) and high < LARGEST:
        high += 1
    low = high - 2
    for _ in range(ROUNDS):
        a, b = high - shrink * (high - low), low + shrink * (high - low)
        low, high = (low, b) if at(a) < at(b) else (a, high)
    return short(math.exp((low + high) / 2))


def height(runs: Runs, epsilon: Fraction, c: float) -> float:
    """The log of the integrand at a point of the real axis."""
    return log_moment(runs, c) - c * float(epsilon) - math.log(c) - math.log1p(c)


def beside(runs: Runs, epsilon: Fraction, c: float, depth: float) -> tuple[float, float]:
    """A point above c, and the least 2 pi/step for which Chernoff's bound there is as deep."""
    found = []
    for n in range(10):
        s = c + (c + 1) * 0.75**n
        found.append(((depth + chernoff(runs, epsilon, s)) / (s - c), s))
    turn, s = min(found)
    return s, turn


def chernoff(runs: Runs, epsilon: Fraction, s: float) -> float:
    """The log of Chernoff's bound on delta."""
    most = s * math.log(s) - (1 + s) * math.log1p(s) - s * float(epsilon)
    return log_moment(runs, s) + most


def short(value: float) -> Fraction:
    """Three digits of a number, so that points next to one another have their nodes in common."""
    return Fraction(f"{value:.2e}")
