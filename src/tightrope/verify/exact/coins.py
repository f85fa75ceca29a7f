"""Pairs of coins that satisfy truncated concentrated DP: they refute what is claimed of all pairs.

Renyi divergences grow with the order, so on [a, b] it is enough that D(b) <= rho a. Orders are cut
into such pieces, near enough to one another that little is lost.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from flint import arb

from tightrope.verify.numbers import ball

PIECES = 64
"""Pieces of the orders from 1 to omega."""

HALVINGS = 40
"""How often the gap between coins that satisfy the notion and coins that may not is halved."""


def delta_of_coins(
    rho: Fraction, omega: Fraction, epsilon: Fraction, coins: tuple[arb, arb]
) -> arb:
    """A delta that (rho, omega)-tCDP cannot beat: that of coins next to these which satisfy it.

    One coin is kept, the other moved towards it until every order is fine.
    """
    p, q = coins
    low, high = arb(0), arb(1)
    for _ in range(HALVINGS):
        middle = ((low + high) / 2).mid()
        fine = _satisfy(rho, omega, p, p + (q - p) * middle)
        low, high = (middle, high) if fine else (low, middle)
    return p + (q - p) * low - ball(epsilon).exp() * p


def _satisfy(rho: Fraction, omega: Fraction, p: arb, q: arb) -> bool:
    """Whether these coins satisfy the notion for certain, either way round."""
    ends = [1 + (omega - 1) * n / PIECES for n in range(PIECES + 1)]
    return all(
        _divergence(ball(b), first, second) <= ball(rho * a)
        for a, b in pairwise(ends)
        for first, second in ((q, p), (p, q))
    )


def _divergence(order: arb, p: arb, q: arb) -> arb:
    heads = (order * p.log() + (1 - order) * q.log()).exp()
    tails = (order * (1 - p).log() + (1 - order) * (1 - q).log()).exp()
    return (heads + tails).log() / (order - 1)
