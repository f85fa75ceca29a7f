"""Few Laplace and logistic releases that differ: the law of their sum, corner by corner.

Tilted by exp(-l/2) a Laplace loss has, on (-epsilon, epsilon), the transform

    exp(-epsilon/2) [exp(epsilon w) (w + 1/2) + exp(-epsilon w) (w - 1/2)]/(2 w)

(its atoms and the density between them), a logistic one (exp(epsilon w) - exp(-epsilon w))/w times
1/(4 sinh(epsilon/2)). Their product with 1/(w^2 - 1/4), the transform of 2 sinh(y/2)_+, is a sum
over the corners b = sum of +-epsilon: with p Laplace losses at their upper ends and p' at their
lower ones, +-exp(b w) (w + 1/2)^(p - 1) (w - 1/2)^(p' - 1)/((2 w)^(p + p') w^r). Hence

    delta(e) = exp(e/2) * front * sum over corners b > e of +- Q_p(b - e),

Q_p as in ``truncated_powers``. The signs cancel some digits, so that all is done in twice the
precision, and every interval says how many are left: no term is larger than that of the highest
corner, which is positive.

How far the sum lies below its top is at most a Gamma variable with a mean of 2 a release, of which
1 - delta is at most 2^n exp(-t/4) at t below the top: so far out nothing needs to be added up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.epsilons import EpsilonLoss
from tightrope.loss.exact.cut_ways import Cut, corner_count, cut_losses, how_many, ways
from tightrope.loss.exact.truncated_powers import Powers, unit_of
from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.law import Law, in_blocks
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Flags, Floats, Indices
from tightrope.num.rounding import EPS, two_product
from tightrope.num.twofold import UNIT, Twofold

MOST_RELEASES = 64
"""Releases of one sum: of more the signs cancel too many digits."""

MOST_CORNERS = 1 << 15
"""Corners above 0."""

MOST_QUICK = 1 << 10
"""The same where a contour closes by itself."""

FAST = 3
"""Logistic losses with which a contour closes by itself: |M| falls with this power."""

MOST_KINDS = 16
"""Kinds of releases: each has two corners at least, and 2^16 are the most of both signs."""

LARGEST = 256.0
"""How far below the largest loss of all together series are used: farther they would be long."""

MOST_FAR = 16
"""Releases of which delta is 1 but for 1e-22, farther below."""

ENTRIES = 1 << 16
"""Terms that are computed at once."""

PROBES = np.array([0.0, 0.3, 0.7, 0.999])
"""Parts of the largest loss at which intervals are looked at."""

NARROW = 1e-12
"""Width that they may have there; more if the largest loss is beyond ``LONG``, by that factor."""

LONG = 100.0

UNDERFLOW = 1e-280
"""What underflow can take from a sum."""


class Corners(NamedTuple):
    """The corners above 0, falling.

    Attributes:
        place: where.
        plus: how many Laplace losses are at their upper ends.
        weight: in how many ways, with the sign; off by 8 units a kind.
    """

    place: Twofold
    plus: Indices
    weight: Twofold


@dataclass(frozen=True, eq=False)
class CornerSum(Law):
    """The law of a sum of different losses.

    Attributes:
        corners: of the sum.
        releases: how many there are.
        highest: the largest sum.
        log_front: log of the factor before the sum.
        front_error: how far it may be off.
        powers: Q_p.
        place_error: how far corners may be off.
    """

    corners: Corners
    releases: int
    highest: float
    log_front: float
    front_error: float
    powers: Powers
    place_error: float

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if there is another kind of loss, or too much to add up."""
        kinds = cut_losses(total)
        if not kinds:
            return None
        laplace, logistic = (how_many(kinds, kind) for kind in (LaplaceLoss, LogisticLoss))
        count = laplace + logistic
        most = MOST_RELEASES if total.highest <= LARGEST else MOST_FAR
        if count > most or corner_count(kinds) > 2 * MOST_CORNERS:
            return None
        front = [_log_front(loss) for loss in kinds]
        size = math.fsum(float(np.abs(part).sum()) for part in front)
        law = cls(
            _corners(kinds),
            count,
            total.highest,
            math.fsum(float(part.sum()) for part in front),
            EPS * (8 * size + 4 * count),
            Powers.of(laplace, logistic, unit_of(min(total.highest, LARGEST))),
            8 * UNIT * (sum(len(loss.count) for loss in kinds) + 2) * total.highest,
        )
        probes = total.highest - min(total.highest, LARGEST) * (1 - PROBES)
        return law if law.is_sharp(probes, NARROW * max(1.0, total.highest / LONG)) else None

    @property
    def quick(self) -> bool:
        """Whether an epsilon costs no more than a contour."""
        closes = self.powers.logistic >= FAST
        return len(self.corners.plus) <= (MOST_QUICK if closes else MOST_CORNERS)

    @property
    def terms(self) -> int:
        """A term takes as long as a few complex exponentials for each step of its sum."""
        return len(self.corners.plus) * max(len(self.powers.inner.high), 1) + self.powers.steps

    @property
    def method(self) -> str:
        """For a derivation."""
        return f"a sum over {len(self.corners.plus):,} corners in twice the precision"

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        width = max(1, ENTRIES // len(self.corners.plus))
        below = self.highest - epsilon
        near = below <= LARGEST
        lower, upper = np.zeros((2, len(epsilon)))
        lower[near], upper[near] = in_blocks(self._bounds, epsilon[near], width)
        missed = np.exp(self.releases * math.log(2) - below[~near] / 4)
        lower[~near] = np.log1p(-missed) - 4 * EPS
        return LogInterval(lower, upper, self.method)

    def _bounds(self, epsilon: Floats) -> Floats:
        """The lower and the upper ends."""
        unit = self.powers.reach
        below = Twofold.exactly(-epsilon[:, None] / unit)
        t = Twofold(self.corners.place.high / unit, self.corners.place.low / unit) + below
        above = t.high > 0
        row, corner = np.nonzero(above)
        terms = self.powers.at(self.corners.plus[corner], t.take(above))
        terms = terms * self.corners.weight.take(corner)
        high, low = np.zeros((2, *above.shape))
        high[row, corner], low[row, corner] = terms
        value = Twofold(high, low).total().high
        error = self._error(t.high[:, 0], high[:, 0], above)
        with np.errstate(divide="ignore"):
            ends = np.log(np.maximum([value - error, value + error], 0))
        ends[1, ~above[:, 0]] = -np.inf
        size = np.where(np.isfinite(ends), np.abs(ends), 0) + epsilon + abs(self.log_front) + 4
        outward = np.array([[-1.0], [1.0]]) * (4 * EPS * size + self.front_error)
        return np.asarray(ends + self.log_front + epsilon / 2 + outward)

    def _error(self, t: Floats, largest: Floats, above: Flags) -> Floats:
        """No term, and no change of a term, is larger than those of the highest corner."""
        ways = above @ np.abs(self.corners.weight.high)
        adding = (16 * MOST_KINDS + 4 * math.ceil(math.log2(above.shape[1] + 1))) * UNIT
        inside = t > 0
        moved = self.powers.steps * self.place_error / self.powers.reach / np.where(inside, t, 1)
        relative = ways * (self.powers.error + adding + np.minimum(moved, 1))
        return np.where(inside, largest * relative, 0) + UNDERFLOW


def _log_front(loss: EpsilonLoss) -> Floats:
    """log of the factors in front, of every kind."""
    if isinstance(loss, LaplaceLoss):
        return np.asarray(-loss.count * loss.epsilon / 2)
    each = math.log(2) + loss.epsilon / 2 + np.log(-np.expm1(-loss.epsilon))
    return np.asarray(-loss.count * each)


def _corners(kinds: list[Cut]) -> Corners:
    place, weight = Twofold.exactly(np.zeros(1)), Twofold.exactly(np.ones(1))
    plus = np.zeros(1, dtype=np.intp)
    for epsilon, flat, counted in ways(kinds):
        up = np.arange(len(counted))
        step = Twofold(*two_product(2.0 * up - up[-1], np.full(len(up), epsilon)))
        place = (place.column() + step).flat()
        weight = (weight.column() * Twofold.of([Fraction(n) for n in reversed(counted)])).flat()
        plus = np.add.outer(plus, up if flat else 0 * up).ravel()
    order = np.argsort(-place.high)
    order = order[place.high[order] > 0]
    return Corners(place.take(order), plus[order], weight.take(order))
