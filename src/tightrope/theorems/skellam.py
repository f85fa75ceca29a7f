"""Renyi divergences of Skellam noise under whole-number shifts, in closed form.

Agarwal, Kairouz and Liu (2021), Theorem 3.5, for noise of variance v, a shift D and every whole
order a > 1:

    D_a <= a D^2/(2 v) + min(((2 a - 1) D^2 + 6 D)/(4 v^2), 3 D/(2 v)).

Divergences of independent cells add up, so for a vector the same holds with the squared L2 norm in
place of D^2 and the L1 norm in place of D (their statement for vectors). Between whole orders k
and k + 1 the chord of (a - 1) D_a holds, as that is convex in a (van Erven and Harremoes, 2014,
Corollary 2) and 0 at order 1: D_a is at most (1 - s) D_k + s D_(k+1) with s = (a - k) k/(a - 1),
and below order 2 at most D_2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope.num.rounding import EPS
from tightrope.theorems.outward import above

ULPS = 64
"""Roundings of sums and products of positive numbers, with room; chords lose a little more."""

LAST = 2.0**52
"""Orders beyond are whole."""


def renyi(order: Any, variance: Any, square: Any, l1: Any) -> Any:
    """A bound on D_order, for every real order above 1.

    Args:
        order: above 1.
        variance: of the noise, rounded down.
        square: the squared L2 norm of the shift, rounded up.
        l1: its L1 norm, rounded up.
    """
    order = np.asarray(order, dtype=float)
    whole = np.where(order < LAST, np.floor(order), order)
    low, high = (_at_whole(a, variance, square, l1) for a in (np.maximum(whole, 2.0), whole + 1))
    with np.errstate(invalid="ignore"):
        above_whole = np.where(order < LAST, order - whole, 0.0)
        share = above_whole * (whole / np.maximum(order - 1, EPS))
        chord = np.where(order <= 2, low, (1 - share) * low + share * high)
        found = np.where(above_whole > 0, chord, low)
    return above(np.where(np.isnan(found), np.inf, found), ULPS, square)


def line(variance: Any, square: Any, l1: Any) -> tuple[Any, Any]:
    """rho and xi with D_a <= xi + rho a for every real order a > 1.

    At whole orders the theorem is A a + B, with A = D^2/(2 v) + D^2/(2 v^2) and
    B = (6 D - D^2)/(4 v^2), or with A = D^2/(2 v) and B = 3 D/(2 v). Between whole orders k and
    k + 1 a chord of (a - 1) (A a + B) lies at most A/4 above it, which is A/(4 (a - 1)) of D_a; on
    (1, 2] D_a is at most D_2 = 2 A + B, which is at most (A + B) + A a. So xi = A + max(B, 0).
    """
    variance, square, l1 = (np.asarray(x, dtype=float) for x in (variance, square, l1))
    plain = square / (2 * variance)
    fine = plain + square / (2 * variance) / variance
    rest = np.maximum(6 * l1 - square, 0) / (4 * variance) / variance
    coarse = 3 * l1 / (2 * variance)
    better = fine + fine + rest <= plain + plain + coarse
    rho, offset = np.where(better, fine, plain), np.where(better, rest, coarse)
    return above(rho, ULPS, square), above(rho + offset, ULPS, square)


def _at_whole(order: Any, variance: Any, square: Any, l1: Any) -> Any:
    """The theorem at a whole order."""
    with np.errstate(over="ignore", invalid="ignore"):
        fine = ((2 * order - 1) * square + 6 * l1) / (4 * variance) / variance
        return order * (square / (2 * variance)) + np.minimum(fine, 3 * l1 / (2 * variance))
