"""Points of trade-off curves, proved: the least type II error at a false positive rate.

A trade-off curve is the envelope of the lines that (epsilon, delta)-DP draws, so one of them, at
the best epsilon, says all that there is to say about one rate.
"""

from __future__ import annotations

import math
from decimal import localcontext
from fractions import Fraction

import numpy as np

from tightrope.certifying.points import best_delta, prove_delta
from tightrope.certifying.profiles import DIGITS, decimal
from tightrope.certifying.proof import Proof
from tightrope.certifying.wire import exact
from tightrope.events import Event
from tightrope.notions import PureDP, TradeOff
from tightrope.num.elementwise import FloatArray
from tightrope.num.rounding import float_down
from tightrope.plan.parts import fixed_parts
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.registry import named

ROUNDS = 9
POINTS = 9
"""Rounds, and points a round, in which the best line through a trade-off curve is looked for."""


def prove_power(proof: Proof, event: Event, rate: float) -> tuple[str, float]:
    """The step that proves the least type II error at a false positive rate, and that error."""
    prove_delta(proof, event, 0.0)  # refused at once, where points of the profile are
    epsilon, reversed_line = _best_line(event, rate)
    source, delta = prove_delta(proof, event, epsilon)
    room = (1 - Fraction(delta)) - Fraction(rate) if reversed_line else 1 - Fraction(delta)
    with localcontext() as context:
        context.prec = DIGITS
        power = decimal(epsilon).exp()
        error = decimal(room) / power if reversed_line else decimal(room) - decimal(rate) * power
    beta = max(0.0, float_down(Fraction(error) * (1 - Fraction(1, 10**40))))
    rule = named("approx_tradeoff")
    values = {"alpha": exact(rate), "beta": exact(beta)}
    return proof.enter_named(event, rule, [(source, 1)], TradeOff, values), beta


def _best_line(event: Event, rate: float) -> tuple[float, bool]:
    """The epsilon of the line that is highest at a rate, and whether it is the mirrored one.

    If the curve is not steeper than -1 there, the mirrored lines are the higher ones.
    """
    plain = _highest(event, rate, mirrored=False)
    mirrored = not plain > 0
    best = _highest(event, rate, mirrored=True) if mirrored else plain
    numbers = portfolio_of(event).numbers(PureDP)
    if numbers is None:
        return best, mirrored
    corner = float(numbers[0])  # of the profile, which grids meet nearly only
    deltas = [_delta_of_parts(event, epsilon) for epsilon in (best, corner)]
    heights = _heights(np.array([best, corner]), np.array(deltas), rate, mirrored=mirrored)
    return (corner if heights[1] > heights[0] else best), mirrored


def _heights(
    epsilons: FloatArray, deltas: FloatArray, rate: float, *, mirrored: bool
) -> FloatArray:
    """Of the lines of (epsilon, delta)-DP at a rate."""
    rest = 1 - deltas
    return np.exp(-epsilons) * (rest - rate) if mirrored else rest - np.exp(epsilons) * rate


def _highest(event: Event, rate: float, *, mirrored: bool) -> float:
    """By ever finer grids, after the first on the route that was best there."""
    low, high = 0.0, max(1.0, -math.log(rate))
    route, best = None, 0.0
    for _ in range(ROUNDS):
        epsilons = np.linspace(low, high, POINTS)
        if route is None:
            deltas = np.asarray([_delta_of_parts(event, float(e)) for e in epsilons])
        else:
            deltas = np.exp(np.asarray(route.curve(epsilons), dtype=float))
        place = int(np.argmax(_heights(epsilons, deltas, rate, mirrored=mirrored)))
        best = float(epsilons[place])
        low, high = epsilons[max(place - 1, 0)], epsilons[min(place + 1, POINTS - 1)]
        if route is None:
            route = best_delta(_worst_part(event, best), best)[1]
    return best


def _delta_of_parts(event: Event, epsilon: float) -> float:
    return max(best_delta(part, epsilon)[0] for part in fixed_parts(event) or (event,))


def _worst_part(event: Event, epsilon: float) -> Event:
    return max(fixed_parts(event) or (event,), key=lambda part: best_delta(part, epsilon)[0])
