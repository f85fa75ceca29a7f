"""The least epsilon at a delta: searched for by what is likely, proved by what is certain."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.loss.contour import laying, modulus, rare, saddle
from tightrope.loss.profile import OrderProfile
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS

OUTWARD = np.array([0.0, 0.5, 1.0, 2.0, 4.0])
"""Points that are tried on either side of a root, in units of what is in doubt."""

GROWTH = 16.0
"""How much farther the next points lie."""

MOST_ROUNDS = 8
"""Rounds of such points, after which the ends that are known otherwise have to do."""

MOST_STEPS = 40
"""Steps of a search by secants or by halving."""

FEW_STEPS, CLOSE, NEARER = 2, 1.0, 1e-4
"""Secants that should have come so close, in log delta; else steps are factors, down to NEARER."""

MARGIN = 0.1
"""How much less log delta should be for a bound by the size of M alone to prove it."""

ROUNDED = 32 * EPS
"""How much larger log delta may be, relative to 1 - log delta, without harm to the lower end: by
some units in the last place, which whoever asks may have lost in rounding."""

BESIDE = 1e-6
"""How far above the probability of infinite losses delta is surely more, in logarithms."""

SHARP = 1e-8
"""Relative width of an interval that ends the search."""


class Start(NamedTuple):
    """The best Chernoff bound: where its line crosses the axis, and its epsilon."""

    c: float
    epsilon: float


NO_START = Start(1.0, math.inf)


class _Root(NamedTuple):
    """An epsilon near the root, the slope of log delta there, and how wide its bounds are."""

    epsilon: float
    slope: float
    doubt: float


class Inverse:
    """The least epsilon >= 0 of one order of the neighbours at one log delta.

    The upper end holds at that log delta, the lower one also at one that is ``ROUNDED`` larger.

    Args:
        profile: of that order.
        log_delta: at most 0.
        near: a c that may be close to that of the best Chernoff bound.
    """

    def __init__(self, profile: OrderProfile, log_delta: float, near: float | None = None):
        self.profile, self.total, self.log_delta = profile, profile.total, log_delta
        self.raised = log_delta + ROUNDED * (1 - log_delta)
        lost = float(log1mexp(self.total.escape)) if self.total.escape else -math.inf
        self.escaped = log_delta <= lost
        self.finite = log_delta + _log_rest(lost - log_delta)
        asked = log_delta < 0 and not self.escaped
        found = saddle.for_delta(self.total, self.finite, near) if asked else NO_START
        self.start = Start(*found)

    def at_most(self, epsilon: float) -> bool:
        """Whether delta is proved to be small enough at that epsilon."""
        if epsilon == math.inf:
            return True
        plain = not self.total.escape and self.total.law is None
        if plain and 0 < epsilon < self.total.highest:
            return (
                self._chernoff(epsilon) or self._by_modulus(epsilon) or self._on_own_line(epsilon)
            )
        return bool(self.profile.log_delta(np.array([epsilon])).upper[0] <= self.log_delta)

    def _chernoff(self, epsilon: float) -> bool:
        """Whether Chernoff's bound alone proves it, where that is likely."""
        if not self.start.epsilon < epsilon:
            return False
        return self._by_chernoff() * (1 + 4 * EPS) <= epsilon

    def _by_modulus(self, epsilon: float) -> bool:
        """Whether the size of M along a line proves it, where that is likely."""
        c = self.start.c
        likely = saddle.shape(self.total, c).log_delta(epsilon)
        if likely > self.log_delta - MARGIN:
            return False
        return bool(modulus.log_delta_most(self.total.line(c), c, epsilon) <= self.log_delta)

    def _on_own_line(self, epsilon: float) -> bool:
        """Whether a contour proves it that is laid for the root of this order."""
        contour = laying.through(self.total, self.start.c, epsilon)
        return bool(contour.sums(np.array([epsilon])).log_upper[0] <= self.log_delta)

    def bounds(self) -> tuple[float, float]:
        """Bounds on the least epsilon."""
        if self.log_delta >= 0:
            return 0.0, 0.0
        if self.escaped:
            return self._never()
        guess = self._guess()
        if guess is not None:
            below, above = self._around(guess, 2)
            if above < math.inf and above - below <= SHARP * above:
                return below, above
        below, above = self._around(self._root(guess), MOST_ROUNDS)
        return self._halved(max(below, 0.0), min(above, self._by_chernoff()))

    def _by_chernoff(self) -> float:
        """An epsilon that Chernoff's bound proves, on the line of the start."""
        if self.total.escape or not math.isfinite(self.start.epsilon):
            return math.inf
        c = self.start.c
        log_m, log_kappa = self.total.log_most(c), float(saddle.log_kappa(np.array(c)))
        size = abs(log_m) + abs(log_kappa) + abs(self.log_delta)
        found = max((log_m + log_kappa - self.log_delta + 8 * EPS * size) / c, 0.0)
        return found if math.isfinite(found) else math.inf

    def _halved(self, below: float, above: float) -> tuple[float, float]:
        """Ends that lie far apart, halved as long as one of them is proved anew."""
        for _ in range(MOST_STEPS):
            middle = (below + above) / 2
            if not SHARP * above < above - below < math.inf or not below < middle < above:
                break
            found = self.profile.log_delta(np.array([middle]))
            if found.upper[0] <= self.log_delta:
                above = middle
            elif found.lower[0] >= self.raised:
                below = middle
            else:
                break
        return below, above

    def _never(self) -> tuple[float, float]:
        """Infinite losses alone exceed delta; rounding may hide by how little.

        At a delta that is a little larger, the least epsilon is no larger.
        """
        lost = float(log1mexp(self.total.escape))
        if self.raised < lost - 1e-13:
            return math.inf, math.inf
        return Inverse(self.profile, min(lost + BESIDE, 0.0)).bounds()[0], math.inf

    # --- the search ------------------------------------------------------------------------

    def _guess(self) -> _Root | None:
        """The root on one contour, if the law is not known outright."""
        c, high = self.start.c, min(self.start.epsilon, self.total.highest)
        law = self.total.law
        if high <= 0 or (law is not None and law.quick):
            return None
        kept = next((k for k in self.profile.kept if abs(k.contour.c / c - 1) < 0.2), None)
        if kept is None:
            at = high * (1 - 1e-12)
            fresh = laying.through(self.total, c, at)
            if law is not None and law.preferred_to(fresh):
                return self._guess_without_rare()
            kept = self.profile.keep(fresh, c, at)
        epsilon, slope = kept.contour.guess(self.finite, high)
        if not 0 < epsilon < min(2 * high + 1, self.total.highest):
            return None
        return _Root(epsilon, slope, kept.width)

    def _guess_without_rare(self) -> _Root | None:
        """The same on a contour of what is left if rare results are left out."""
        rest = rare.left_out(self.total, self.log_delta)
        guess = Inverse(rest.profile, self.log_delta)._guess() if rest is not None else None
        if guess is not None:
            self._value(guess.epsilon)  # the profile remembers what answers there
        return guess

    def _root(self, guess: _Root | None) -> _Root:
        """By the secant rule and halving."""
        high = max(min(self.start.epsilon, self.total.highest), 0.0)
        low, at, slope = -1.0, high * (1 - 1e-12), -self.start.c
        high = min(2 * high + 1, self.total.highest)  # Chernoff's is good to a few digits only
        if guess is not None:
            at, slope = guess.epsilon, guess.slope
        value, doubt = self._value(at)
        for step in range(MOST_STEPS):
            miss = value - self.log_delta
            if abs(miss) < max(1e-14, doubt / 4):
                break
            low, high = (at, high) if miss > 0 else (low, at)
            if high == 0:
                break
            after = max(at - miss / slope, 0.0)
            if step >= FEW_STEPS and abs(miss) > CLOSE:
                after = math.sqrt(max(low, NEARER * high) * high)
            if not low < after < high:
                after = (max(low, 0.0) + high) / 2
            if after == at:
                break
            before, (value, doubt) = value, self._value(after)
            if value != before:
                slope = min((value - before) / (after - at), -1e-300)
            at = after
        return _Root(at, slope, doubt)

    def _value(self, epsilon: float) -> tuple[float, float]:
        """log delta and how wide its interval is; for search only."""
        bounds = self.profile.log_delta(np.array([epsilon]))
        lower, upper = float(bounds.lower[0]), float(bounds.upper[0])
        if math.isfinite(lower):
            return (lower + upper) / 2, upper - lower
        return max(upper, -1e308), 1e-3

    # --- the proof -------------------------------------------------------------------------

    def _around(self, root: _Root, tries: int) -> tuple[float, float]:
        """Outward from the root until both ends are proved, or all tries are used up."""
        at = root.epsilon
        # a slope next to the largest loss may mean nothing, and steps grow fast
        step = min(root.doubt / -root.slope, 1e-7 * at) if at else 1e-9 / -root.slope
        step = max(step, 4e-16 * at, 1e-300)
        below, above = -math.inf, math.inf
        for _ in range(tries):
            points = at + step * np.concatenate([-OUTWARD[::-1], OUTWARD])
            points = np.clip(points, 0.0, self.total.highest)
            found = self.profile.log_delta(points)
            enough = points[found.upper <= self.log_delta]
            lacking = points[(found.lower >= self.raised) | (points == 0)]
            above = min(above, float(enough.min(initial=math.inf)))
            below = max(below, float(lacking.max(initial=-math.inf)))
            if above < math.inf and below > -math.inf:
                break
            step *= GROWTH
        return below, above


def _log_rest(log_ratio: float) -> float:
    """log of 1 - exp(log_ratio): what infinite losses leave for finite ones."""
    return math.log(max(-math.expm1(log_ratio), 1e-300)) if log_ratio < 0 else -math.inf
