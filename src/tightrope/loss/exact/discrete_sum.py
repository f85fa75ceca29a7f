"""Few runs of a discrete Gaussian: the law of their sum, by convolutions of positive terms.

With X_i ~ N_Z(0, v), S their sum and D the shift, the loss is (D/v) (S + n D/2). Let m >= 0 be
whole, and X_i = m + Y_i. As exp(-x^2/(2 v)) = exp(-y^2/(2 v) - m y/v - m^2/(2 v)),

    P(S = n m + s) = exp(-m s/v - n m^2/(2 v)) P(Y_1 + ... + Y_n = s),   Y_i ~ N_Z(0, v):

the law of a sum near 0 tells those of all sums, however far out. It is convolved from |y| <= K.
What is cut off has S > a for the sums a above epsilon, and is at most

    E[exp(m (S - a)/v); some |Y_i| > K] <= 2 n exp(-m a/v + n m^2/(2 v) - (K + 1)^2/(2 v)),

since P(Y > K) <= exp(-(K + 1)^2/(2 v)) (Canonne, Kamath and Steinke 2020, Lemma 34).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.interval import LogInterval
from tightrope.loss.law import Law, in_blocks
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp, logsumexp
from tightrope.num.rounding import EPS, two_product

MOST_PRODUCTS = 1 << 16
"""Products of a convolution, all together."""

NEGLIGIBLE = 45.0
"""What is cut off is below exp(-45) of the least probable sum that is read off."""

FARTHEST = 2.0**40
"""The largest S; a greater epsilon is answered as if it were there, upwards only."""

LEAST_VARIANCE = 1e-100
"""Below it losses grow out of range."""

BLOCK = 1 << 18
"""Numbers that are held at once."""


@dataclass(frozen=True, eq=False)
class DiscreteSum(Law):
    """The law of n runs of one discrete Gaussian.

    Attributes:
        variance: v.
        shift: D.
        count: n.
        reach: K.
        log_mass: log P(Y_1 + ... + Y_n = s) for |s| <= n K.
    """

    quick: ClassVar[bool] = True

    variance: Fraction
    shift: int
    count: int
    reach: int
    log_mass: Floats

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is such runs and they are few."""
        if len(total.losses) != 1 or not isinstance(total.losses[0], DiscreteGaussianLoss):
            return None
        ((variance, shift), count), *others = total.losses[0].runs.items()
        v = float(variance)
        # the sums that are read off lie within n/2, those of the cut beyond them by K
        square = 2 * v * (NEGLIGIBLE + math.log(count)) + count / 4
        if others or v < LEAST_VARIANCE or square * count**2 > MOST_PRODUCTS:
            return None
        reach = 1 + math.ceil(math.sqrt(square))
        width = 2 * reach + 1
        if width**2 * count * (count - 1) / 2 > MOST_PRODUCTS:
            return None
        return cls(variance, shift, count, reach, _convolved(v, reach, count))

    @property
    def method(self) -> str:
        """For a derivation."""
        return f"convolution of {self.count:,} discrete Gaussian{'s' * (self.count > 1)}"

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        rows = max(1, BLOCK // len(self.log_mass))
        lower, upper = in_blocks(self._bounds, epsilon, rows)
        return LogInterval(lower, upper, self.method)

    def _bounds(self, epsilon: Floats) -> Floats:
        """The lower and the upper ends."""
        last = FARTHEST * self._slope
        near = np.minimum(epsilon, last)
        first = self._first(near)
        # the sums next to n m are known best
        m = np.maximum(np.rint(first / self.count), 0)
        s = np.arange(len(self.log_mass)) - float(self.count * self.reach)
        over, off = self._over(self.count * m[:, None] + s, near[:, None])
        lean = m / float(self.variance)
        terms = self.log_mass - lean[:, None] * s
        low, high = (
            logsumexp(terms + log1mexp(np.maximum(over + way * off, 0)), 1) for way in (-1, 1)
        )
        front = -lean * m * (self.count / 2)
        away = lean * np.abs(first - self.count * m)
        doubt = EPS * (self._rounding(away - high) - 4 * front)
        lower = np.where(epsilon > last, -np.inf, front + low - doubt)
        upper = np.logaddexp(high + doubt, self._log_cut(lean * (first - self.count * m)))
        return np.stack([lower, front + upper + EPS * (np.abs(upper) - front)])

    def _log_cut(self, beyond: Floats) -> Floats:
        """log of what is cut off, without the front factor; rounded up."""
        depth = (self.reach + 1) ** 2 / (2 * float(self.variance))
        cut = math.log(2 * self.count) - depth - beyond
        return np.asarray(cut + 8 * EPS * (np.abs(beyond) + depth + math.log(2 * self.count)))

    def _rounding(self, size: Floats) -> Floats:
        """Units of rounding of a sum that is exp(-size), terms of which have logs of that size.

        Each run adds three roundings of an exponent, and as many additions as a law has terms.
        """
        spent = np.where(np.isfinite(size), np.maximum(size, 0), 0) + NEGLIGIBLE + 15
        each = 4 * (spent + 2) + 2 * self.reach + 32
        return np.asarray(self.count * each + len(self.log_mass) + 8 * spent)

    @property
    def _slope(self) -> float:
        return float(self.shift / self.variance)

    def _over(self, total: Floats, epsilon: Floats) -> tuple[Floats, Floats]:
        """L - epsilon where S is ``total``, and how far it may be off."""
        slope = self.shift / self.variance
        high = float(slope)
        low = float(slope - Fraction(high))
        place = total + self.count * self.shift / 2
        product, rest = two_product(np.full_like(place, high), place)
        over = (product - epsilon) + (rest + low * place)
        return np.asarray(over), 4 * EPS * np.abs(over) + 4 * EPS**2 * np.abs(product)

    def _first(self, epsilon: Floats) -> Floats:
        """The least S whose loss may be above epsilon."""
        near = np.floor(epsilon / self._slope - self.count * self.shift / 2)
        candidates = near[:, None] + np.arange(-1.0, 3.0)
        over, off = self._over(candidates, epsilon[:, None])
        above = over + off > 0
        return np.asarray(candidates[np.arange(len(near)), np.argmax(above, axis=1)])


def _convolved(variance: float, reach: int, count: int) -> Floats:
    """log of the law of a sum of N_Z(0, variance), cut at ``reach`` each."""
    y = np.arange(-reach, reach + 1.0)
    exponent = -y * y / (2 * variance)
    one = exponent - logsumexp(exponent, 0)
    law = one
    for _ in range(count - 1):
        padded = np.pad(law, 2 * reach, constant_values=-np.inf)
        windows = np.lib.stride_tricks.sliding_window_view(padded, len(one))
        law = logsumexp(windows + one, 1)  # the law of one is even
    return np.asarray(law)
