"""Lines above the logarithm of a privacy profile, far out: log delta(e) <= A(c) - c e for all e.

delta(e) is the integral of M(z) exp(-z e)/(z (z + 1)) along c + i tau, over 2 pi, so A(c) is the
log of the integral of |M(z)/(z (z + 1))|. Normal noise has |M(c + i tau)| =
exp(-mu^2 tau^2/2) M(c), and discrete Gaussian noise as much times a ratio of theta functions; next
to the teeth of its comb, and far out, ``far`` has the bounds. All other losses are bounded by M(c).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from flint import acb, arb

from tightrope.verify.exact.far import DEPTH, Comb, Far, far_of
from tightrope.verify.exact.laws import Runs
from tightrope.verify.exact.noise import DiscreteNormal, Normal
from tightrope.verify.numbers import ball

PIECES = 1000
"""Pieces of the line, shorter next to the real axis, on each of which |M| has one bound."""

DEEP = 60.0
"""Pieces on which |M| is below exp(-60) M(c) are weighed by 1/tau^2, whatever c is."""

ROUNDED = 1.001
"""Room for what ordinary numbers are off."""

FARTHEST = 1e9
MOST_TEETH = 10_000
"""How far out bounds on |M| are looked for, and past how many teeth of a comb."""


@dataclass(frozen=True)
class FarLines:
    """The lines of a composition of which some noise is normal."""

    runs: Runs

    @cached_property
    def far(self) -> Far:
        """What is known of |M| far out."""
        return far_of(self.runs, Fraction(0))

    @cached_property
    def near(self) -> float:
        """Up to here |M| is bounded piece by piece."""
        slack = sum(comb.count for comb in self.far.combs)
        return 1.2 * math.sqrt(2 * (DEPTH + slack) / self.far.spread)

    @cached_property
    def bounded(self) -> list[tuple[float, float, float]]:
        """The pieces: where they begin and end, and an E with |M| <= exp(-E) M(c)."""
        ends = [self.near * (n / PIECES) ** 2 for n in range(PIECES + 1)]
        return [(low, high, self._exponent(low, high)) for low, high in pairwise(ends)]

    @cached_property
    def pieces(self) -> list[tuple[float, float]]:
        """Where each piece begins, and a bound on the integral of |M|/M(c) over it."""
        return [(a, (b - a) * math.exp(-e)) for a, b, e in self.bounded if e < DEEP or not a]

    @cached_property
    def beyond(self) -> float:
        """A bound on the integral of |M|/(M(c) tau^2) over all other pieces, and further out."""
        period = max((comb.period for comb in self.far.combs), default=FARTHEST)
        end = max(4 * self.near, min(FARTHEST, MOST_TEETH * period))
        deep = sum((b - a) * math.exp(-e) / a**2 for a, b, e in self.bounded if e >= DEEP and a)
        return deep + self.far.sums(self.near, end, 0.0)[0] + 1 / end

    def height(self, c: Fraction) -> arb:
        """A(c)."""
        x = float(c)
        near = sum(
            weight / math.sqrt((x * x + t * t) * ((x + 1) ** 2 + t * t))
            for t, weight in self.pieces
        )
        around = ROUNDED * (near + self.beyond) / math.pi
        return ball(Fraction(around)).log() + self._log_moment(c)

    @cached_property
    def _normal_rho(self) -> arb:
        """rho of all noise that is normal, continuous or discrete."""
        noise = ((law, n) for law, n in self.runs if isinstance(law, Normal | DiscreteNormal))
        return ball(sum((law.square / 2 * n for law, n in noise), Fraction(0)))

    @cached_property
    def _others(self) -> Runs:
        return tuple(r for r in self.runs if not isinstance(r[0], Normal | DiscreteNormal))

    def _log_moment(self, c: Fraction) -> arb:
        """An upper bound on log M(c): discrete Gaussian noise has no more than normal noise."""
        point = acb(ball(c))
        logs = (law.transform(point).real.log() * count for law, count in self._others)
        return sum(logs, self._normal_rho * ball(c * (c + 1)))

    def _exponent(self, low: float, high: float) -> float:
        """An E with |M| <= exp(-E) M(c) from low to high."""
        total = self.far.normal * low * low / 2
        for comb in self.far.combs:
            total += max(comb.exponent(low, high), _of_theta(comb, low, high))
        return total


def _of_theta(comb: Comb, low: float, high: float) -> float:
    """The same of one comb before its first tooth, by the size of its theta functions.

    That of z is at most 1 + 2 (y + y^4 + ...) with y = exp(-2 pi^2 v + 2 pi D tau), that of a real
    number at least 1 - 2 (x + x^4 + ...) with x = exp(-2 pi^2 v).
    """
    half = comb.period**2 * comb.square / 2  # 2 pi^2 v
    lean = comb.period * comb.square * high  # 2 pi D tau
    if lean > half - 1:
        return 0.0
    above = 2 * math.exp(lean - half) / (1 - math.exp(-1))
    below = 2 * math.exp(-half) / (1 - math.exp(-1))
    if below >= 1:
        return 0.0
    ratio = math.log1p(above) - math.log1p(-below)
    return comb.count * max(0.0, comb.square * low * low / 2 - ratio)
