"""Two releases of Laplace noise on Poisson samples: one integral over the inner loss of the second.

Given that loss x of the second release, the first adds what ``one_sampled_laplace`` says. With r =
1 - rate + rate exp(x) for the second, E = exp(e), and 1 for the first, delta is the mean under Q of

    r E_Q[(r_1 - E/r)_+],  with y = (E/r - 1 + rate_1)/rate_1,         data with the unit first,
    E_Q[(1 - E r r_1)_+],  with y = (1/(E r) - 1 + rate_1)/rate_1,     else;

while exp(-epsilon_1) < y < exp(epsilon_1) these are

    rate_1 r - exp(-epsilon_1/2) sqrt(rate_1 r (E - (1 - rate_1) r)),
    1 - (1 - rate_1) s - exp(-epsilon_1/2) sqrt(rate_1 s (1 - (1 - rate_1) s)),   s = E r,

which is analytic where |Im x| < pi/2 and the real parts of what is under the root are positive;
where the first release cannot matter it is r - E or 1 - s; and else 0. Each piece is integrated by
``panels``, whose error is proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.kind import Kind
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.law import Law
from tightrope.loss.total import Total
from tightrope.num import panels
from tightrope.num.arrays import Floats
from tightrope.num.panels import Boxes
from tightrope.num.precision import EXTENDED, ulp
from tightrope.num.rounding import EPS

LARGEST = 10.0
"""The largest epsilon."""

SMALLEST_RATE = 1e-4
"""With these two, ends of pieces are known to 1e-4: 64 EPS exp(10)/1e-4, times their sizes."""

NEAR = 1e-6
"""How far from the end of a piece a threshold counts for both."""

AIM = 1e-15
"""Error of the integral that is aimed at, relative to a lower bound on delta."""


class Piece(NamedTuple):
    """Where one formula holds.

    Attributes:
        start: the least loss of the second release.
        end: the largest one.
        formula: what is averaged at a loss, and its error.
        log_sup: log of a bound on the density times the formula.
    """

    start: float
    end: float
    formula: Callable[[Floats, float], tuple[Floats, Floats]]
    log_sup: Callable[[Boxes, float], Floats]


@dataclass(frozen=True)
class TwoSampledLaplace(Law):
    """The law of two releases.

    Attributes:
        first: the release that is integrated in closed form.
        second: the other one.
        with_unit: whether the data with the unit comes first.
    """

    quick: ClassVar[bool] = True

    first: Kind
    second: Kind
    with_unit: bool

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, if the total is two such releases, of which one may be of all the data."""
        kinds: list[tuple[float, float]] = []
        ways: set[float] = set()
        for loss in total.losses:
            if isinstance(loss, SampledLaplaceLoss):
                rate = loss.rate
                ways.update(loss.with_unit.tolist())
            elif isinstance(loss, LaplaceLoss):
                rate = np.ones(len(loss.epsilon))
            else:
                return None
            for kind, n in zip(zip(loss.epsilon, rate, strict=True), loss.count, strict=True):
                kinds += [kind] * int(min(n, 3))
        if len(kinds) != 2 or len(ways) != 1:
            return None
        epsilon, rates = (np.array(column, dtype=float) for column in zip(*kinds, strict=True))
        if epsilon.max() > LARGEST or rates.min() < SMALLEST_RATE:
            return None
        first, second = (Kind(*one) for one in zip(epsilon.tolist(), rates.tolist(), strict=True))
        return cls(first, second, ways == {1.0})

    @property
    def terms(self) -> int:
        """Nodes of a rule, and what it takes to find it."""
        return 1 << 11

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        ends = np.array([self._bounds(float(e)) for e in epsilon]).reshape(-1, 2)
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(ends, 0))
        size = 4 * EPS * (1 + np.abs(np.where(np.isfinite(logs), logs, 0)))
        return LogInterval(logs[:, 0] - size[:, 0], logs[:, 1] + size[:, 1], "an integral")

    @property
    def _sign(self) -> int:
        return 1 if self.with_unit else -1

    def _bounds(self, e: float) -> tuple[float, float]:
        top = self._top()
        if e >= top * (1 + 16 * EPS):
            return 0.0, 0.0
        second = self.second
        places = np.array([-second.epsilon, second.epsilon], dtype=EXTENDED)
        masses = np.array([0.5, math.exp(-second.epsilon) / 2])
        value, off = self._excess(places, e)
        total, error = float(masses @ value), float(masses @ (off + EPS * np.abs(value)))
        scale = max(total, error, 1e-290)
        for piece in self._pieces(e):
            found, doubt = self._integral(piece, e, scale)
            total, error = total + found, error + doubt + self._misplaced(piece, e)
        error += 64 * EPS * abs(total) * (1 + e + self.first.epsilon + second.epsilon)
        return total - error, total + error

    def _misplaced(self, piece: Piece, e: float) -> float:
        """Ends of pieces are rounded; there both formulas agree but for what y is off by."""
        x = np.array([piece.start, piece.end])
        rate, slack = self.second.rate, 64 * EPS * (e + float(np.abs(self.first.ends).max()))
        width = slack * (rate + (1 - rate) * np.exp(-x)) / rate
        width += 64 * EPS * (np.abs(np.expm1(-x)) + np.abs(x))
        density = np.exp(-(x + self.second.epsilon) / 2) / 4
        return 4 * float((density * width) @ self._of_some(x, e)[1])

    def _top(self) -> float:
        """The largest loss."""
        ends = self.first.ends + self.second.ends
        return float(ends[1] if self.with_unit else -ends[0])

    def _pieces(self, e: float) -> list[Piece]:
        """Where the first release matters, and where it cannot."""
        # the log r of the second at which y is at either end
        breaks = self.second.inner(self._sign * e - self.first.ends)
        far, near = self.second.epsilon, -self.second.epsilon
        low, high = (
            float(np.clip(np.where(np.isnan(x), -np.inf, x), near, far)) for x in breaks[::-1]
        )
        beyond = (high, far) if self.with_unit else (near, low)
        some = Piece(low, high, self._of_some, self._sup_of_some)
        whole = Piece(*beyond, self._of_whole, self._sup_of_whole)
        return [piece for piece in (some, whole) if piece.start < piece.end]

    def _excess(self, x: Floats, e: float) -> tuple[Floats, Floats]:
        """What is averaged, and how far it may be off, whichever piece x is in."""
        y = self._threshold(x, e)[0]
        near, far = self._of_some(x, e), self._of_whole(x, e)
        bound = self.first.epsilon
        some, whole = (y < bound, y <= -bound) if self.with_unit else (y > -bound, y >= bound)
        value = np.where(whole, far[0], np.where(some, near[0], 0.0))
        off = np.where(whole, far[1], 0.0) + np.where(np.abs(y) <= bound + NEAR, near[1], 0.0)
        return value, off

    def _threshold(self, x: Floats, e: float) -> tuple[Floats, Floats]:
        """log y and the loss of the first release that is needed."""
        need = self._sign * e - self.second.log_ratio(x)
        with np.errstate(invalid="ignore", divide="ignore"):
            y = np.log1p(np.maximum(np.expm1(need) / self.first.rate, -1.0))
        return np.asarray(y), need

    def _sized(self, x: Floats, e: float, need: Floats) -> tuple[Floats, Floats]:
        """r or s, and the error of the loss that is needed."""
        ratio = np.exp(self.second.log_ratio(x))
        size = ratio if self.with_unit else np.exp(e) * ratio
        return np.asarray(size), 16 * ulp(x) * (e + np.abs(need))

    def _of_whole(self, x: Floats, e: float) -> tuple[Floats, Floats]:
        """The formula where the first release cannot matter, and its error."""
        need = self._threshold(x, e)[1]
        size, slack = self._sized(x, e, need)
        gain = -np.expm1(need) * size if self.with_unit else -np.expm1(-need)
        return np.asarray(gain), slack * (size + 1)

    def _of_some(self, x: Floats, e: float) -> tuple[Floats, Floats]:
        """The formula where the first release matters, and its error."""
        first = self.first
        y, need = self._threshold(x, e)
        size, slack = self._sized(x, e, need)
        y = np.clip(y, -first.epsilon, first.epsilon)
        off = slack * np.exp(need - y) / first.rate + 8 * ulp(x) * np.abs(np.expm1(-y))
        off += 16 * ulp(x) * (np.abs(y) + first.epsilon)
        if self.with_unit:
            front, gain = first.rate * size, -np.expm1((y - first.epsilon) / 2)
        else:
            front, gain = first.rate * size * np.exp(y), -np.expm1(-(y + first.epsilon) / 2)
        return np.asarray(front * gain), front * off * (1 + gain)

    # --- quadrature ------------------------------------------------------------------------

    def _integral(self, piece: Piece, e: float, scale: float) -> tuple[float, float]:
        start, end = (np.array([x], dtype=complex) for x in (piece.start, piece.end))
        rule = panels.rule(start, end, lambda box: piece.log_sup(box, e), AIM * scale)
        x = rule.nodes.real
        weight = rule.weights.real * np.exp(-(x + self.second.epsilon) / 2) / 4
        value, off = piece.formula(x, e)
        rounding = float(weight @ (off + np.abs(value) * EPS * (len(x) + 32)))
        return float(weight @ value), rule.error + rounding

    def _sup(self, box: Boxes, e: float) -> tuple[Floats, Floats, float]:
        """log of a bound on the density, one on r or s, and what is taken from it."""
        second = self.second
        ratio = 1 - second.rate + second.rate * np.exp(box.right)
        density = -(box.left + second.epsilon) / 2 - math.log(4)
        if self.with_unit:
            return density, ratio, math.exp(e)
        return density, math.exp(e) * ratio, 1.0

    def _sup_of_whole(self, box: Boxes, e: float) -> Floats:
        density, size, largest = self._sup(box, e)
        return np.asarray(density + np.log(size + largest))

    def _sup_of_some(self, box: Boxes, e: float) -> Floats:
        first = self.first
        density, size, largest = self._sup(box, e)
        plain = first.rate * size if self.with_unit else 1 + (1 - first.rate) * size
        root = np.sqrt(first.rate * size * (largest + (1 - first.rate) * size))
        turned = np.maximum(np.abs(box.low), np.abs(box.high)) >= 1.57
        singular = turned | ((1 - first.rate) * size >= largest * (1 - 1e-9))
        bound = density + np.log(plain + math.exp(-first.epsilon / 2) * root)
        return np.where(singular, np.inf, bound)
