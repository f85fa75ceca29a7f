"""A table of a trade-off curve: knots that lie close together wherever they are asked for."""

from __future__ import annotations

import numpy as np

from tightrope.loss.curve.chords import Level
from tightrope.loss.curve.knots import Knots, Order
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats

CLOSE = 0.1
"""Distance of neighbouring tests, in the units of ``spread``."""

FIRST = 33
"""Knots to begin with."""

FINEST = 1e-5
"""Distance of knots that is not divided any further, as a part of the table's range."""

ROUNDS = 8
"""How often knots are inserted."""

_PAD = np.array([0.5, 1.0])
"""Tests of a table that no alpha asks for, on both ends: a stencil has two knots on each side."""

_C = 2.0 ** np.arange(-12.0, 3.0)
"""Exponents c of Chernoff's bound to begin with; doubled on while the best is the last."""

MOST_EXPONENTS = 60
"""How many are tried at most: the last is beyond 1e14."""


def tabulate(order: Order, level: Level) -> Knots:
    """Knots of which the tests at these alphas lie between two of the inner ones."""
    knots = order.at(np.zeros(1))
    low, high = _reach(order, level)
    even = np.linspace(low, high, min(FIRST, 8 + order.room() // 4))
    step = even[1] - even[0]
    padded = np.concatenate([even[0] - step * _PAD[::-1], even, even[-1] + step * _PAD])
    first = snapped(order.total, padded)
    knots = knots.merged(order.at(apart(first, knots.epsilon)))
    asked = spread(level.log_alpha - level.log_rest)
    least, most = asked.min() - 3 * CLOSE, asked.max() + 3 * CLOSE
    for _ in range(ROUNDS):
        fresh = _between(order, knots, least, most)
        if not len(fresh):
            break
        knots = knots.merged(order.at(fresh))
    return knots


def spread(log_odds: Floats) -> Floats:
    """Log-odds on a scale on which a trade-off curve is about as smooth everywhere."""
    return np.asarray(np.sign(log_odds) * (np.sqrt(1 + 2 * np.abs(log_odds)) - 1))


def snapped(total: Total, epsilon: Floats) -> Floats:
    """The nearest corners of the profile, where they are known to lie on a lattice."""
    lattice = total.lattice
    if lattice is None:
        return epsilon
    place = np.rint((epsilon - lattice.origin) / lattice.step)
    return np.asarray(lattice.origin + lattice.step * place)


def farthest(total: Total, log_alpha: float) -> float:
    """The largest epsilon that can be best for a test of that type I error."""
    return _least(total, log_alpha, 1.0)


def _reach(order: Order, level: Level) -> tuple[float, float]:
    """Epsilons beyond which no test of these alphas is best, by Chernoff's bound."""
    ahead, back = order.total, order.back
    high = farthest(ahead, float(level.log_alpha.min()))
    low = -_least(back, float(level.log_rest.min()), 0.0)
    high, low = min(max(high, 0.0), ahead.highest), max(min(low, 0.0), -back.highest)
    step = ahead.lattice.step if ahead.lattice is not None else 0.0
    margin = max(3 * step, 1e-3 * (high - low), 1e-6)
    return low - margin, high + margin


def _between(order: Order, knots: Knots, least: float, most: float) -> Floats:
    """New epsilons where neighbouring tests lie far apart."""
    middle, odds = knots.log_odds()
    at = spread(odds)
    finest = FINEST * (knots.epsilon[-1] - knots.epsilon[0])
    asked = (at[1:] < most) & (at[:-1] > least) & (np.diff(middle) > finest)
    parts = np.where(asked, np.clip(np.ceil(-np.diff(at) / CLOSE), 1, 12), 1).astype(int)
    if (parts - 1).sum() > order.room():
        return np.zeros(0)
    inner = np.repeat(np.arange(len(parts)), parts - 1)
    place = np.arange(len(inner)) - np.repeat(np.cumsum(parts - 1) - (parts - 1), parts - 1) + 1
    fresh = middle[inner] + np.diff(middle)[inner] * place / parts[inner]
    return apart(snapped(order.total, fresh), knots.epsilon)


def apart(fresh: Floats, known: Floats) -> Floats:
    """Those that are no duplicates, but for rounding; both rise."""
    if not len(fresh):
        return fresh
    nearest = np.rint(np.interp(fresh, known, np.arange(len(known)))).astype(int)
    distance = np.abs(known[nearest] - fresh)
    distance[1:] = np.minimum(distance[1:], np.diff(fresh))
    return np.asarray(fresh[distance > 1e-9 * (1 + np.abs(fresh))])


def _least(total: Total, log_probability: float, more: float) -> float:
    """The least (log M(c) - log_probability)/(c + more), about."""
    c, bound = _C, np.zeros(0)
    while True:
        with np.errstate(all="ignore"):
            value = (total.estimate(c.astype(complex)).real - log_probability) / (c + more)
        bound = np.append(bound, np.where(np.isfinite(value), value, np.inf))
        if int(np.argmin(bound)) < len(bound) - 1 or len(bound) > MOST_EXPONENTS:
            return float(bound.min())
        c = c[-1:] * 2
