"""The probability that any of several releases fails, which guarantees leave out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from tightrope.num.arrays import Floats
from tightrope.num.rounding import float_up, up
from tightrope.plan.portfolio.portfolio import Portfolio

MOST_FAILING = 16
"""Runs that may fail, up to which the probability that any does is kept exactly."""


def any_failure(children: Sequence[tuple[Portfolio, list[int]]]) -> Floats:
    """1 - prod (1 - delta_i)^n_i, rounded up; exactly that of a few, so that one alone is kept."""
    failing = [
        (float(delta), count)
        for child, counts in children
        for delta, count in zip(child.failure, counts, strict=True)
        if delta
    ]
    if not failing:
        return np.zeros(1)
    if sum(count for _, count in failing) <= MOST_FAILING:
        rest = math.prod((1 - Fraction(delta)) ** count for delta, count in failing)
        return np.array([float_up(1 - rest)])
    if any(delta == 1 for delta, _ in failing):
        return np.ones(1)
    log_rest = math.fsum(count * math.log1p(-delta) for delta, count in failing)
    return np.array([min(1.0, up(-math.expm1(log_rest), 8))])
