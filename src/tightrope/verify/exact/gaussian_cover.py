"""Whether composed losses leak no more than one Gaussian release of some mu, at every epsilon.

mu-GDP says that delta(e) <= delta_mu(e) for all e >= 0, in both orders of the neighbours.

* delta is convex in x = exp(e), so between two epsilons it lies below its chord 1 - b - a x. If the
  test with the errors a and b is worth no more than mu, then 1 - b - a x <= delta_mu(e) for all e.
* Far out delta lies below lines (``far_lines``), and log delta_mu is concave in e, the convolution
  of a normal tail and an exponential density (Prekopa, 1973): so each line is compared at its ends.
* Under rho-zCDP, with u = sqrt(2 rho), a type I error exp(-s^2/2) leaves a type II error of at
  least 1 - exp(-(s - u)^2/2), and what such tests are worth falls with s. For e >= u s - u^2/2 no
  test of a larger type I error is the best one. So from there on nothing is left to compare.
* Where losses end, delta is 0 beyond.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import pairwise
from statistics import NormalDist

from flint import arb

from tightrope.verify.exact import contour, normal
from tightrope.verify.exact.edges import Ramp
from tightrope.verify.exact.far_lines import FarLines
from tightrope.verify.exact.lattices import Lattice
from tightrope.verify.exact.laws import Runs
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.numbers import Bounds, ball
from tightrope.verify.outcome import NotChecked

Deltas = Callable[[Fraction], arb]
"""An upper bound on delta by epsilon."""

Test = tuple[arb, arb]
"""The score of a type I error, and the power of a test with it."""

FIRST_STEP = Fraction(1, 4)
SHORTEST = Fraction(1, 2**34)
"""The lengths of the longest and the shortest chord, in epsilon."""

MOST_CHORDS = 4000
"""Chords that are looked at before the proof is given up."""

CLEARLY = Fraction(1, 10**7)
"""How far above its bound a delta is that no shorter chord will mend."""

LEAST_RATIO, MOST_RATIO = 1.003, 1.1
"""Of the slopes of neighbouring lines."""

FIRST_SLOPE = Fraction(1, 2)
"""Of the first line. Flatter ones touch the profile where chords do better."""

FARTHEST_SCORE = 1e4
"""Of a type I error beyond which no end of the lines is looked for: mu is next to u there."""

BLOCK = 3
"""Along how many mu of epsilons one contour serves."""

STANDARD = NormalDist()


def unproved(
    runs: Runs, mu: Fraction, bounds: Callable[[Runs, Fraction], Bounds]
) -> Fraction | None:
    """None if the losses are proved to leak no more than a Gaussian release of this mu.

    Else an epsilon at which mu may be seen to be too small.
    """
    bounded = [(law, count) for law, count in runs if isinstance(law, Lattice | Ramp)]
    if len(bounded) == len(runs):
        end = sum((law.largest * count for law, count in bounded), Fraction(0))
        return _Chords(mu, lambda epsilon: bounds(runs, epsilon)[1], end).fail(end)
    try:
        return _Chords(mu, _in_blocks(runs, mu), None).fail(_end_of_chords(runs, mu))
    except _NoProof:
        return Fraction(0)


def _in_blocks(runs: Runs, mu: Fraction) -> Deltas:
    """Upper bounds along one contour for all epsilons of a block."""
    width = mu * BLOCK

    @cache
    def ends(block: int) -> Deltas:
        return contour.upper_ends(runs, width * (2 * block + 1) / 2)

    return lambda epsilon: ends(math.floor(epsilon / width))(epsilon)


class _NoProof(Exception):
    """The lines are not low enough."""


# --- chords ------------------------------------------------------------------------------------


@dataclass
class _Chords:
    """Chords of the profile, halved where they are worth more than mu."""

    mu: Fraction
    deltas: Deltas
    end: Fraction | None
    known: dict[Fraction, arb] = field(default_factory=dict)

    def fail(self, end: Fraction) -> Fraction | None:
        """Where delta may be above that of mu, as a chord that is short enough is worth more."""
        count = math.ceil(end / FIRST_STEP)
        knots = [end * n / count for n in range(count + 1)]
        waiting, taken = list(pairwise(knots)), 0
        while waiting:
            low, high = waiting.pop()
            taken += 1
            test = self._test(low, high)
            if self._is_fine(test):
                continue
            middle = (low + high) / 2
            place, least = self._seen(low, high, test) or (middle, self._delta(middle))
            hopeless = self._exceeds(place, least) or high - low < SHORTEST
            if hopeless or taken > MOST_CHORDS:
                return place
            waiting += [(low, middle), (middle, high)]
        return None

    def _delta(self, epsilon: Fraction) -> arb:
        if epsilon == self.end:
            return arb(0)
        if epsilon not in self.known:
            self.known[epsilon] = self.deltas(epsilon).upper()
        return self.known[epsilon]

    def _exceeds(self, epsilon: Fraction, delta: arb) -> bool:
        """Whether a delta is clearly above that of mu."""
        most = normal.profile(ball(epsilon), ball(self.mu)) * (1 + ball(CLEARLY))
        return bool(delta > most)

    def _is_fine(self, test: Test | None) -> bool:
        """Whether the test of a chord is worth no more than mu."""
        return test is not None and bool(test[1] <= normal.upper_tail(test[0] - ball(self.mu)))

    def _seen(
        self, low: Fraction, high: Fraction, test: Test | None
    ) -> tuple[Fraction, arb] | None:
        """Where the line of a chord is highest above the profile of mu, and its height there.

        Only beyond the ends of the chord, where delta is no lower.
        """
        if test is None:
            return None
        score, power = test
        place = max(Fraction(0), self.mu * (Fraction(float(score)) - self.mu / 2))
        if low < place < high:
            return None
        return place, power - normal.upper_tail(score) * ball(place).exp()

    def _test(self, low: Fraction, high: Fraction) -> Test | None:
        """The score of a type I error, and the greatest power that the chord leaves possible.

        Both are as small as delta far out, where a type II error would have no digits left.
        """
        first, second = self._delta(low), self._delta(high)
        x, y = ball(low).exp(), ball(high).exp()
        slope = ((first - second) / (y - x)).mid()
        if not 0 < slope < 1:
            return None
        score = _score(slope)
        alpha = normal.upper_tail(score)
        return score, (first + alpha * x).max(second + alpha * y)


def _score(tail: arb) -> arb:
    """A number of few digits near the x with P(N > x) = tail."""
    share = float(tail)
    if share > 1e-300:
        return arb(-STANDARD.inv_cdf(share))
    return arb(float(normal.score(tail).mid()))


# --- lines -------------------------------------------------------------------------------------


def _end_of_chords(runs: Runs, mu: Fraction) -> Fraction:
    """An epsilon from which on lines lie below the profile of mu, up to where nothing is left."""
    last, lines, ratio = _nothing_left(runs, mu), FarLines(runs), _ratio(runs, mu)
    slope, height, before = FIRST_SLOPE, lines.height(FIRST_SLOPE), Fraction(0)
    start: Fraction | None = None
    while before < last:
        steeper = Fraction(float(slope) * ratio)
        other = lines.height(steeper)
        meeting = Fraction(float(((other - height) / ball(steeper - slope)).mid()))
        both = ((slope, height), (steeper, other))
        if not (meeting > before and _is_below(mu, meeting, both)):
            start = None
        elif start is None:
            start = meeting
        slope, height, before = steeper, other, max(meeting, before)
    if start is None:
        raise _NoProof
    return start


def _is_below(
    mu: Fraction, epsilon: Fraction, lines: tuple[tuple[Fraction, arb], tuple[Fraction, arb]]
) -> bool:
    """Whether both lines lie below the profile of mu there."""
    log_delta = normal.profile(ball(epsilon), ball(mu)).log()
    return all(height - ball(slope * epsilon) <= log_delta for slope, height in lines)


def _ratio(runs: Runs, mu: Fraction) -> float:
    """The ratio of slopes at which lines still fit between the losses and mu.

    Under rho = u^2/2 the lines of the slopes c and r c meet (u c (r - 1))^2/8 above the curve that
    they bound, and far out the profile of mu is (u c)^2 (mu^2/u^2 - 1)/2 above it. One half of this
    is taken.
    """
    room = float(mu / Fraction(float(_unit(runs).mid()))) ** 2 - 1
    return min(MOST_RATIO, max(LEAST_RATIO, 1 + math.sqrt(2 * max(room, 0.0))))


def _unit(runs: Runs) -> arb:
    """The square root of 2 rho, under which all losses together lie."""
    rho = arb(0)
    for law, count in runs:
        if isinstance(law, Mixture):
            raise NotChecked("a mu for samples, of which no rho is known here")
        rho += law.rho() * count
    return (2 * rho).sqrt()


def _nothing_left(runs: Runs, mu: Fraction) -> Fraction:
    """The epsilon from which on tests are so far out that they are worth no more than mu."""
    unit = _unit(runs)
    if not unit < ball(mu):
        raise _NoProof
    s = normal.end_of_rates(unit, ball(mu), FARTHEST_SCORE)
    if s is None:
        raise _NoProof
    return Fraction(float((unit * s).upper())) * (1 + Fraction(1, 10**9))
