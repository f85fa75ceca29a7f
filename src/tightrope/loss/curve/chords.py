"""Bounds on a trade-off curve from a few values of the privacy profile.

With x = e^epsilon, the least type II error at alpha is 1 minus the least F(x) = delta(x) + alpha x.
Any value of F bounds that from above. From below, delta is convex: between two neighbouring knots
it lies above the chord of the two before, continued, and above that of the two behind. Below
x = 1 the same is done with F - 1 = (delta - 1 + x) - (1 - alpha) x, which does not cancel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tightrope.loss.curve.knots import Knots, as_delta, as_excess
from tightrope.num.arrays import Flags, Floats, Indices
from tightrope.num.rounding import EPS

LEAST = 5e-324
"""The distance of the smallest doubles."""


class TypeTwoBounds(NamedTuple):
    """Proved bounds on the least type II error.

    Attributes:
        lower: no test errs less often.
        upper: some test errs no more often.
        power: 1 - lower, to a relative accuracy also where lower rounds to 1.
    """

    lower: Floats
    upper: Floats
    power: Floats


class Level(NamedTuple):
    """Type I errors, as log alpha and log(1 - alpha)."""

    log_alpha: Floats
    log_rest: Floats

    @classmethod
    def of(cls, alpha: Floats) -> Level:
        """For alphas strictly between 0 and 1."""
        return cls(np.log(alpha), np.log1p(-alpha))

    def where(self, chosen: Flags | Indices) -> Level:
        """Some of them."""
        return Level(self.log_alpha[chosen], self.log_rest[chosen])


class Stencil(NamedTuple):
    """Values and the linear part at a few knots, in units of exp(log_scale) and of x at the middle.

    Attributes:
        y: x at the knots, one row an alpha.
        lower: of delta or of delta - 1 + x.
        upper: likewise.
        slope: the linear part is slope y.
        share: alpha, or 1 - alpha where values are of delta - 1 + x.
        log_scale: the unit of values.
        below: whether the values are of delta - 1 + x.
    """

    y: Floats
    lower: Floats
    upper: Floats
    slope: Floats
    share: Floats
    log_scale: Floats
    below: Flags

    @classmethod
    def of(cls, knots: Knots, level: Level) -> Stencil:
        """Rows of knots, one for each alpha."""
        middle = knots.epsilon[:, knots.epsilon.shape[1] // 2]
        below = middle < 0
        ends = [
            np.where(below[:, None], as_excess(knots.epsilon, end), as_delta(knots.epsilon, end))
            for end in (knots.lower, knots.upper)
        ]
        log_share = np.where(below, level.log_rest, level.log_alpha)
        weight = log_share + middle
        log_scale = np.maximum(weight, ends[1].min(axis=1))
        apart = knots.epsilon - middle[:, None]
        with np.errstate(over="ignore", invalid="ignore"):
            y = np.exp(apart)
            sizes = [np.exp(end - log_scale[:, None]) for end in ends]
            slope = np.exp(weight - log_scale)
            size = np.abs(log_scale) + np.abs(middle) + 16
            error = 4 * EPS * (size[:, None] + np.abs(apart)) * (sizes[1] + slope[:, None] * y)
            lower, upper = sizes[0] - error, sizes[1] + error
        return cls(
            y,
            np.where(np.isfinite(lower), lower, 0.0),
            np.where(np.isnan(upper), np.inf, upper),
            np.where(below, -slope, slope),
            np.exp(log_share),
            log_scale,
            below,
        )

    def least(self) -> tuple[Floats, Floats]:
        """Bounds on the least F, in the stencil's units."""
        with np.errstate(all="ignore"):
            upper = np.nanmin(self.upper + self.slope[:, None] * self.y, axis=1)
            inner = [self._between(k) for k in range(self.y.shape[1] - 1)]
            lower = np.min([*inner, self._before(), self._behind()], axis=0)
        return np.where(np.isnan(lower), -np.inf, lower), upper

    def turns(self) -> tuple[Floats, Floats]:
        """How F changes from the first knot to the second, and from the last but one to the last.

        For search only.
        """
        with np.errstate(all="ignore"):
            f = (self.lower + self.upper) / 2 + self.slope[:, None] * self.y
            return f[:, 1] - f[:, 0], f[:, -1] - f[:, -2]

    def excess_odds(self) -> Floats:
        """By how much log-odds of the middle test exceed those asked for; for search only."""
        with np.errstate(all="ignore"):
            value = (self.lower + self.upper) / 2
            turn = -(value[:, 3] - value[:, 1]) / (self.y[:, 3] - self.y[:, 1]) / self.slope
            odds = np.log(turn) - np.log((1 - turn * self.share) / (1 - self.share))
        return np.nan_to_num(np.where(self.below, -odds, odds))

    def crossing(self) -> Floats:
        """log of the y at which the outermost chords meet; for search only."""
        with np.errstate(all="ignore"):
            value = (self.lower + self.upper) / 2
            slope = np.diff(value) / np.diff(self.y)
            level = value - slope[:, [0, *range(slope.shape[1])]] * self.y
            return np.asarray(np.log((level[:, 1] - level[:, -1]) / (slope[:, -1] - slope[:, 0])))

    def _before(self) -> Floats:
        """The least F to the left: at the first knot, or at 0 on the first chord, continued."""
        steep = (self.lower[:, 0] - self.upper[:, 1]) / (self.y[:, 1] - self.y[:, 0])
        return np.asarray(self.lower[:, 0] + np.minimum(self.slope, steep) * self.y[:, 0])

    def _behind(self) -> Floats:
        """The least F to the right, if it rises there on the last chord, continued."""
        rise = (self.lower[:, -1] - self.upper[:, -2]) / (self.y[:, -1] - self.y[:, -2])
        at_last = self.lower[:, -1] + self.slope * self.y[:, -1]
        return np.where(rise + self.slope >= 0, at_last, -np.inf)

    def _between(self, k: int) -> Floats:
        """The least F between two knots: where the two continued chords meet, or at an end."""
        ends = self.y[:, [k, k + 1]]
        left = self._continued(ends, k, k - 1)
        right = self._continued(ends, k + 1, k + 2)
        first, last = left[:, 0] - right[:, 0], left[:, 1] - right[:, 1]
        share = np.where(first * last < 0, first / (first - last), 0.0)
        met = left[:, 0] + (left[:, 1] - left[:, 0]) * share
        met += self.slope * (ends[:, 0] + (ends[:, 1] - ends[:, 0]) * share)
        at_ends = np.maximum(left, right) + self.slope[:, None] * ends
        crosses = (first * last < 0) & np.isfinite(met)
        return np.asarray(np.minimum(np.where(crosses, met, np.inf), at_ends.min(axis=1)))

    def _continued(self, y: Floats, near: int, far: int) -> Floats:
        """The chord through two knots, continued beyond the nearer one."""
        if not 0 <= far < self.y.shape[1]:
            return np.full(y.shape, -np.inf)
        fall: Floats = (self.upper[:, far] - self.lower[:, near]) / np.abs(
            self.y[:, far] - self.y[:, near]
        )
        away = np.abs(y - self.y[:, near][:, None])
        return np.asarray(self.lower[:, near][:, None] - fall[:, None] * away)


def errors(stencil: Stencil) -> TypeTwoBounds:
    """Bounds on the least type II error, and on the greatest power."""
    low, high = stencil.least()
    with np.errstate(over="ignore", invalid="ignore"):
        unit = np.exp(stencil.log_scale)
        least, most = low * unit, high * unit
        faint = 2 * LEAST * (1 + np.abs(low) + np.abs(high))
    most = most + 4 * EPS * np.abs(most) + faint
    least = np.where(np.isfinite(least), least - 4 * EPS * np.abs(least) - faint, -np.inf)
    lower = np.where(stencil.below, -most, 1 - most)
    upper = np.where(stencil.below, -least, 1 - least)
    power = np.where(stencil.below, 1 + most + EPS, most)
    blind = np.where(stencil.below, stencil.share, 1 - stencil.share) * (1 + 4 * EPS)
    rounding = EPS * (1 - stencil.below)
    return TypeTwoBounds(
        np.maximum(lower - rounding, 0.0),
        np.clip(np.minimum(upper, blind) + rounding, 0.0, 1.0),
        np.clip(power, 0.0, 1.0),
    )
