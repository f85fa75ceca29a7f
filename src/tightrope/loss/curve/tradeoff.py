"""The trade-off curve of a composition: for every alpha the best epsilon, and what it proves.

Each order of the neighbours has a curve of its own; of their least errors the least one counts.
A table of knots shows about where the best epsilon of an alpha lies; a stencil of five knots
around it proves how far from the best it can be, and is moved until that is next to nothing.
A composition of few atoms has a polygon, and one Laplace or logistic release a formula.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.curve import one_release
from tightrope.loss.curve.chords import Level, Stencil, TypeTwoBounds, errors
from tightrope.loss.curve.corners import Corners
from tightrope.loss.curve.knots import Knots, Order
from tightrope.loss.curve.strong_curve import by_rests
from tightrope.loss.curve.table import apart, snapped, spread, tabulate
from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.exact.strong_sum import StrongSum
from tightrope.loss.pair_profile import PairProfile
from tightrope.num.arrays import Floats, Indices
from tightrope.num.rounding import EPS

SHARP = 2e-12
"""Width of an interval of type II errors that is not worth narrowing."""

FAINT = 1e-6
"""The same, relative to errors that are smaller themselves."""

ROUNDS = 20
"""How often a stencil is moved, and how often by Newton's step."""

NEWTON = 4

_PLACES = np.arange(-2, 3)


def tradeoff(profile: PairProfile, alpha: Floats) -> TypeTwoBounds:
    """Bounds on the least type II error at every alpha in [0, 1] of a flat array."""
    found = [_of_order(Order(*both), alpha) for both in profile.orders]
    return TypeTwoBounds(
        np.min([one.lower for one in found], axis=0),
        np.min([one.upper for one in found], axis=0),
        np.max([one.power for one in found], axis=0),
    )


def _of_order(order: Order, alpha: Floats) -> TypeTwoBounds:
    escape = order.total.escape
    found = TypeTwoBounds(np.zeros(len(alpha)), np.zeros(len(alpha)), np.ones(len(alpha)))
    if escape == math.inf:
        return found
    finite, at_zero = math.exp(-escape), alpha == 0
    found.lower[at_zero] = finite * (1 - 4 * EPS) if escape else 1.0
    found.upper[at_zero] = min(finite * (1 + 1e-13), 1.0)
    found.power[at_zero] = -math.expm1(-escape)
    inside = (alpha > 0) & (alpha < 1)
    if not order.total.losses:
        found.lower[inside] = found.upper[inside] = 1 - alpha[inside]
        found.power[inside] = alpha[inside]
    elif inside.any():
        for end, value in zip(found, _inside(order, alpha[inside]), strict=True):
            end[inside] = value
    return found


def _inside(order: Order, alpha: Floats) -> TypeTwoBounds:
    law = order.total.law
    if isinstance(law, ExactSum):
        return Corners.of(law).errors(alpha)
    level = Level.of(alpha)
    alone = one_release.one_release(order.total)
    if alone is not None:
        return one_release.errors(alone, level)
    search = _Search(order, tabulate(order, level), level)
    if len(_PLACES) * len(alpha) > order.room():
        search = _Search(order, search.finer(), level)
    found = search.errors()
    if isinstance(law, StrongSum):
        _improve(found, np.arange(len(alpha)), by_rests(law, level))
    return found


class _Search:
    """Stencils around the best epsilons of many alphas, moved until they prove themselves.

    Attributes:
        at: where the stencils are centred.
        arm: the distance of their knots.
        low: no best epsilon is less, as far as is known.
        high: likewise.
    """

    def __init__(self, order: Order, table: Knots, level: Level):
        self.order, self.table, self.level = order, table, level
        self.total = order.total
        self.middle, self.odds = table.log_odds()
        self.rising = -spread(self.odds) + 1e-13 * np.arange(len(self.odds))
        self.asked = level.log_alpha - level.log_rest
        best = np.searchsorted(self.rising, -spread(self.asked))
        self.best = np.clip(best, 2, len(table.epsilon) - 3)
        self.low, self.high = table.epsilon[self.best - 1], table.epsilon[self.best + 1]
        self.fall = self._slope_of_odds()
        self.at, self.shortest = self._predicted(), self._shortest()
        self.arm = self.shortest.copy()

    def errors(self) -> TypeTwoBounds:
        """By the table alone, then by stencils, for as many alphas as can be afforded."""
        index = self.best[:, None] + _PLACES
        knots = Knots(*(column[index] for column in self.table.columns))
        stencil = Stencil.of(knots, self.level)
        found = errors(stencil)
        waiting = _unsettled(np.arange(len(index)), found, stencil)
        for turn in range(ROUNDS):
            waiting = waiting[np.argsort(found.lower[waiting] - found.upper[waiting])]
            waiting = waiting[: self.order.room() // len(_PLACES)]
            if not len(waiting):
                break
            stencil = Stencil.of(self._around(waiting), self.level.where(waiting))
            fresh = errors(stencil)
            _improve(found, waiting, fresh)
            self._move(waiting, stencil, turn)
            waiting = _unsettled(waiting, fresh, stencil)
        return found

    def finer(self) -> Knots:
        """The table with the likely best epsilon of every alpha, where stencils cost too much."""
        likely = np.unique(self.at)
        most = self.order.room() // 2
        chosen = likely[:: -(-len(likely) // max(most, 1))] if most else likely[:0]
        return self.table.merged(self.order.at(apart(chosen, self.table.epsilon)))

    # --- where to look ---------------------------------------------------------------------

    def _slope_of_odds(self) -> Floats:
        """How fast log-odds of the best test fall with epsilon, near each alpha."""
        rise = self.odds[self.best - 1] - self.odds[self.best]
        return (rise + 1e-300) / (self.middle[self.best] - self.middle[self.best - 1])

    def _predicted(self) -> Floats:
        """The cubic through four neighbouring tests of the table."""
        near = np.clip(self.best[:, None] + _PLACES[:4], 0, len(self.middle) - 1)
        x, y = self.rising[near], self.middle[near]
        away = -spread(self.asked)[:, None] - x
        with np.errstate(all="ignore"):
            gaps = x[:, :, None] - x[:, None, :] + np.eye(4)
            others = np.where(np.eye(4, dtype=bool), 1.0, away[:, None, :])
            value = (y * np.prod(others, axis=2) / np.prod(gaps, axis=2)).sum(axis=1)
        value = np.where(np.isfinite(value), value, (self.low + self.high) / 2)
        return np.clip(value, self.low, self.high)

    def _shortest(self) -> Floats:
        """As short as the chords of a stencil should be, given the errors of its values."""
        value, upper = self.table.value[self.best], self.table.upper[self.best]
        with np.errstate(all="ignore"):
            width = upper - self.table.lower[self.best] + 16 * EPS * (1 + np.abs(value))
            bend = self.table.epsilon[self.best] + self.level.log_alpha + self.level.log_rest
            arm = np.exp((np.log(8 * width / self.fall) + value - bend) / 2)
        room = (self.high - self.low) / 8
        return np.where(np.isfinite(arm), np.clip(arm, 1e-9 * room, room), room)

    def _around(self, waiting: Indices) -> Knots:
        """Stencils; on a lattice, where the profile is a polygon, half-way knots lie between."""
        lattice = self.total.lattice
        finest = lattice.step / 2 if lattice is not None else 0.0
        self.at[waiting] = snapped(self.total, self.at[waiting])
        self.arm[waiting] = np.maximum(self.arm[waiting], finest)
        return self.order.at(self.at[waiting, None] + self.arm[waiting, None] * _PLACES)

    def _move(self, waiting: Indices, stencil: Stencil, turn: int) -> None:
        """To where the outer chords say that the best epsilon is: to a side, or between them."""
        first, last = stencil.turns()
        at, arm = self.at[waiting], self.arm[waiting]
        left, right = first > 0, last < 0
        low = np.where(right, at + arm, np.where(left, self.low[waiting], at - 2 * arm))
        high = np.where(left, at - arm, np.where(right, self.high[waiting], at + 2 * arm))
        aside, shortest = left | right, self.shortest[waiting]
        crossing = at + np.nan_to_num(stencil.crossing(), nan=0.0, posinf=0.0, neginf=0.0)
        step = stencil.excess_odds() / self.fall[waiting]
        newton = aside & (turn < NEWTON) & (at + step > low) & (at + step < high)
        target = np.where(newton, at + step, np.where(aside, (low + high) / 2, crossing))
        wide = np.where(newton, np.abs(step) / 16, (high - low) / 16)
        self.arm[waiting] = np.where(aside, np.maximum(wide, shortest), arm / 8)
        self.at[waiting] = np.clip(target, low, high)
        self.low[waiting], self.high[waiting] = low, high


def _unsettled(waiting: Indices, found: TypeTwoBounds, stencil: Stencil) -> Indices:
    """Those whose interval is wider than the errors of the values."""
    unit = np.exp(np.minimum(stencil.log_scale, 0))
    with np.errstate(invalid="ignore", over="ignore"):
        noise = np.nan_to_num(16 * (stencil.upper - stencil.lower).max(axis=1) * unit)
    fine = np.minimum(SHARP, FAINT * found.upper)
    return np.asarray(waiting[found.upper - found.lower > fine + noise])


def _improve(found: TypeTwoBounds, index: Indices, fresh: TypeTwoBounds) -> None:
    found.lower[index] = np.maximum(found.lower[index], fresh.lower)
    found.upper[index] = np.minimum(found.upper[index], fresh.upper)
    found.power[index] = np.minimum(found.power[index], fresh.power)
