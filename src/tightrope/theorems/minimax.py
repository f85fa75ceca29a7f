"""The minimax sandwich: what zCDP costs a statistician lies between two levels of GDP."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tightrope._check import NONNEGATIVE, Real, validated
from tightrope.num.rounding import down, float_down, float_up, up
from tightrope.theorems.constants import mu_zcdp


@dataclass(frozen=True)
class Sandwich:
    """Three GDP parameters around the class of rho-zCDP mechanisms.

    Attributes:
        inner: sqrt(2 rho), rounded down: every mechanism of this class is rho-zCDP.
        outer: mu_zCDP(rho), rounded up: every rho-zCDP mechanism is in this class.
        simple: sqrt(8 rho), rounded up: an elementary class around both.
    """

    inner: float
    outer: float
    simple: float


def minimax_sandwich(rho: Real) -> Sandwich:
    """GDP classes inside and around rho-zCDP.

    For every loss, model and sample size the minimax risks satisfy R_GDP(simple) <=
    R_GDP(outer) <= R_zCDP(rho) <= R_GDP(inner), because the classes of mechanisms are nested the
    other way round.

    Args:
        rho: the zCDP parameter, at least 0.

    Raises:
        InvalidArgument: rho is negative, infinite or not a number.

    Source: Chen, Pandey and Awan (2026), Corollary 8 and Appendix E.

    Examples:
        >>> s = minimax_sandwich(0.5)
        >>> round(s.inner, 4), round(s.outer, 4), round(s.simple, 4)
        (1.0, 1.2839, 2.0)
    """
    exact = validated(rho, NONNEGATIVE, "minimax_sandwich: rho")
    if exact == 0:
        return Sandwich(0.0, 0.0, 0.0)
    low, high = float_down(exact), float_up(exact)
    return Sandwich(
        max(down(math.sqrt(2 * low), 1), 0.0),
        up(float(mu_zcdp(high)), 4),
        up(math.sqrt(8 * high), 1),
    )
