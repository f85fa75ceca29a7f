"""The least mu of a composition: how much it leaks against a Gaussian release, from both sides.

mu-GDP says that delta(e) <= delta_mu(e) at every real e and in both orders of the neighbours. As
delta(-e) follows from the exchanged data sets, e >= 0 is enough if both orders are looked at. A
proof goes piece by piece:

* Between two knots delta is below its chord, 1 - b - a x with x = exp(e). If a test of type I
  error a and type II error b is worth no more than mu (``closing``), then b >= G_mu(a),
  and 1 - b - a x <= 1 - G_mu(a) - a x <= delta_mu(e). So the tests of the chords decide.
* Far out, delta is below exp(A - c e) for many c (``far_chain``), while log delta_mu is concave in
  e: it is the convolution of a normal tail and an exponential density, both log-concave
  (Prekopa, 1973). So it lies above such a line between two points if it does at both.
* Beyond, no test is worth more than the tail says.

From below, delta_mu(e) >= delta(e) at every single knot bounds mu.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.loss.curve.chords import Level
from tightrope.loss.curve.corners import Corners
from tightrope.loss.curve.knots import Knots, Order
from tightrope.loss.curve.table import apart, farthest, snapped, tabulate
from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.exact.strong_sum import StrongSum
from tightrope.loss.mu.closing import Tail
from tightrope.loss.mu.far_chain import far_chain
from tightrope.loss.mu.strong_mu import strong_bounds
from tightrope.loss.mu.worth import Worth, mu_below
from tightrope.loss.pair_profile import PairProfile
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log_expm1
from tightrope.num.rounding import EPS

EXACT = 1e-9
"""Relative width that is not worth narrowing."""

NEARLY = 3e-5
"""The same where it takes a long tail."""

SHALLOW, DEEP, DEEPEST = -34.0, -300.0, -3000.0
"""log alpha of the smallest type I errors for which knots are laid: at first, mostly at most, and
where a lattice has few points."""

MOST_KNOTS = 4000
"""Knots of a chain."""

ENOUGH = 300
"""Epsilons that must be affordable for a proof to be worth trying."""

CANDIDATES = 6
"""Chords at the ends of which a lower bound is sought."""


MOST_CORNERS = 400
"""Points of a lattice at all of which knots are laid."""

ROUNDS = 14
"""How often knots are inserted."""


class MuInterval(NamedTuple):
    """Proved bounds on the least mu."""

    lower: float
    upper: float


def gdp_interval(
    profile: PairProfile, rho: float = math.inf, xi: float = 0.0, least: float = 0.0
) -> MuInterval:
    """Bounds on the least mu such that the profile is that of mu-GDP, or less.

    Args:
        profile: of the composition.
        rho: such that Renyi divergences of every order are at most xi + rho order, if known; where
            the pairs only cover an event, it may be the event's own, and so is the upper end.
        xi: the offset of that line.
        least: no smaller mu is asked for; saves work.
    """
    found = [_of_order(Order(*both), rho, xi, least) for both in profile.orders]
    return MuInterval(max(one.lower for one in found), max(one.upper for one in found))


def _of_order(order: Order, rho: float, xi: float, least: float) -> MuInterval:
    total = order.total
    if total.escape:
        return MuInterval(math.inf, math.inf)
    if not total.losses:
        return MuInterval(0.0, 0.0)
    tail = Tail(total.highest, rho, xi)
    if isinstance(total.law, ExactSum):
        return _of_corners(Corners.of(total.law))
    if isinstance(total.law, StrongSum):
        return MuInterval(*strong_bounds(total.law))
    at_zero = order.at(np.zeros(1))
    if order.room() < ENOUGH:
        return MuInterval(max(least, float(mu_below(*at_zero.columns[:2])[0])), math.inf)
    return _Chain(order, tail, least).bounds()


def _of_corners(corners: Corners) -> MuInterval:
    """A polygon is above a convex curve if its corners are.

    The last corner, where nothing is missed, is none of a mechanism without infinite losses.
    """
    steep = slice(1, min(corners.steep, len(corners.alpha) - 1))
    columns = corners.log_alpha, corners.log_power, corners.missed, corners.doubt
    log_alpha, log_power, missed, doubt = (column[steep] for column in columns)
    rounding = EPS * (8 - (2 + len(log_alpha) * (log_alpha < -690)) * log_alpha)
    tests = Worth(log_alpha, log_power, missed, doubt + rounding, doubt + 8 * EPS)
    up = tests.at_most()
    low = 2 * tests.about()[np.isfinite(up)] - up[np.isfinite(up)]
    return MuInterval(float(low.max(initial=0.0)), float(up.max(initial=0.0)))


class _Chain:
    """Knots at epsilons from 0 on, and what the chords between them are worth."""

    def __init__(self, order: Order, tail: Tail, least: float):
        self.order, self.tail = order, tail
        self.knots = _from_zero(self._table(SHALLOW))
        self.lower = max(least, self._attained())

    def bounds(self) -> MuInterval:
        """The tail first, then knots where chords are worth more than it, or than any knot."""
        far = self._beyond()
        for _ in range(ROUNDS):
            fresh = self._between(max(self.lower * (1 + EXACT), far))
            if not len(fresh):
                break
            self.knots = self.knots.merged(self.order.at(fresh))
            self.lower = max(self.lower, self._attained())
        return MuInterval(self.lower, max(float(self._worth().max()), far))

    def _worth(self) -> Floats:
        return Worth.of_chords(self.knots.epsilon, self.knots.upper).at_most()

    def _table(self, log_alpha: float) -> Knots:
        ends = np.array([log_alpha, math.log(0.4)])
        return tabulate(self.order, Level(ends, np.log1p(-np.exp(ends))))

    def _attained(self) -> float:
        """The largest mu that is too small for some knot, of those that may need the most."""
        chords = np.argsort(self._worth())[-CANDIDATES:]
        knots = np.unique(np.append(chords, chords + 1))
        found = mu_below(self.knots.epsilon[knots], self.knots.lower[knots])
        return float(found.max())

    # --- the tail --------------------------------------------------------------------------

    def _beyond(self) -> float:
        """A mu that covers every epsilon behind the last knot; lays more knots for that."""
        if self.knots.upper[-1] == -np.inf:
            return 0.0
        close = self.tail.closes_at(self.lower * (1 + EXACT))
        if close < DEEP and not self._few_corners(close):
            return self._far()
        self._lay(1.02 * close)
        return self.tail.worth(self._last_log_alpha())

    def _few_corners(self, log_alpha: float) -> bool:
        """Whether a lattice has so few points up to there that knots are laid at all of them."""
        total = self.order.total
        if total.lattice is None or log_alpha < DEEPEST:
            return False
        return farthest(total, log_alpha) / total.lattice.step < MOST_CORNERS

    def _lay(self, log_alpha: float) -> None:
        """Knots as far as tests of that type I error."""
        if log_alpha < SHALLOW:
            self.knots = self.knots.merged(_from_zero(self._table(log_alpha)))

    def _far(self) -> float:
        """A chain of exponents from where knots get too many."""
        slope = math.sqrt(2 * self.tail.rho) if self.tail.rho < math.inf else math.inf
        close = self.tail.closes_at(max(self.lower, slope) * (1 + NEARLY))
        if close == -math.inf:
            return math.inf
        self._lay(DEEP)
        if self.knots.upper[-1] == -np.inf:
            return 0.0
        before, last = self.knots.epsilon[-2:]
        first, second = self.knots.value[-2:]
        exponent = float(first - second) / float(last - before)
        far = far_chain(self.order.total, float(last), exponent, close)
        return max(far.mu, self.tail.worth(far.log_alpha))

    def _last_log_alpha(self) -> float:
        """No best test behind the last knot has a larger type I error: by the last chord."""
        before, last = self.knots.epsilon[-2:]
        log_width = float(log_expm1(float(last - before))) + float(before)
        return float(self.knots.upper[-2]) - log_width + 8 * EPS * abs(log_width)

    # --- more knots ------------------------------------------------------------------------

    def _between(self, goal: float) -> Floats:
        """New epsilons inside the chords that are worth the most."""
        value, epsilon = self._worth(), self.knots.epsilon
        excess = np.clip(value / max(self.lower, 1e-300) - 1, 0, 1e3)
        aim = max(goal / max(self.lower, 1e-300) - 1, float(excess.max()) / 40, EXACT)
        parts = np.where(value > goal, np.clip(np.ceil(np.sqrt(excess / aim)), 2, 8), 1).astype(int)
        room = min(MOST_KNOTS - len(epsilon), self.order.room())
        rank = np.argsort(-value)
        fits = np.cumsum((parts - 1)[rank]) <= room
        parts[rank[~fits]] = 1
        chord = np.repeat(np.arange(len(parts)), parts - 1)
        place = np.arange(len(chord)) - np.repeat(np.cumsum(parts - 1) - parts + 1, parts - 1) + 1
        fresh = epsilon[chord] + np.diff(epsilon)[chord] * place / parts[chord]
        return apart(snapped(self.order.total, fresh), epsilon)


def _from_zero(knots: Knots) -> Knots:
    kept = knots.epsilon >= 0
    return Knots(*(column[kept] for column in knots.columns))
