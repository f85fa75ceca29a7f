"""A noisy value that was released, and where the true one may lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope import _wire
from tightrope._check import OPEN_PROBABILITY, Real, require_flag, validated
from tightrope.grid import Column, read
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.released import Released
from tightrope.noise.saturation import RANGE
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS, float_down

CERTAIN = Fraction(1, 10**9)
"""How rarely a saturated value is not told to be."""

Points = NDArray[np.int64]

WHOLE_FLOATS = 2.0**53
"""Up to this size every whole number is a double."""


@dataclass(frozen=True, eq=False, repr=False)
class NoisyValue(Released):
    """Value plus noise, rounded to a grid that does not depend on the data.

    Attributes:
        value: the noisy value: a Python number for a number, an array for an array, a column or a
            frame for one of pandas, polars or Arrow.
        event: what was run, for accounting: the discrete mechanism on the grid.
        secure: whether all randomness came from the operating system.
        noise: the law of the noise, in steps of the grid.
        exponent: the grid consists of the whole multiples of ``2**exponent``.
        rounded: whether the true value was rounded to the grid (integers are not).
    """

    noise: NoiseLaw = field(kw_only=True)
    exponent: int = field(kw_only=True)
    rounded: bool = field(kw_only=True)

    @property
    def noise_scale(self) -> float:
        """The scale of the noise, in the units of the value (the event counts steps)."""
        return math.ldexp(self.noise.width, self.exponent)

    @property
    def saturated(self) -> Any:
        """Whether the true value may lie beyond the range, which ends at +-2**61 steps.

        That is so if the noisy value is as near to the end as noise reaches, but for a chance of
        1e-9. It is seen from the noisy value alone, and so tells nothing more.
        """
        held = self._held()
        return held.remade(self._near_the_end(held))

    def interval(self, level: Real = 0.95, *, simultaneous: bool = False) -> tuple[Any, Any]:
        """A confidence interval for the true value, one for each entry.

        It holds the value that was released (after the clipping to bounds, if any), rounding
        included, with probability at least ``level`` over the noise, by the exact law of the noise;
        the ends are rounded outward, and infinite where saturation hides them. The ends of whole
        numbers are whole numbers.

        Args:
            level: strictly between 0 and 1.
            simultaneous: whether all entries hold at once with that probability, instead of each
                by itself. Their noises are independent, so that of n entries each then holds
                with the n-th root of ``level`` (Sidak, 1967).

        Examples:
            >>> import tightrope as tr
            >>> release = tr.DiscreteLaplace(1).release([10, 20], entropy=tr.InsecureEntropy(1))
            >>> low, high = release.interval(0.95)
            >>> release.value.tolist(), low.tolist(), high.tolist()
            ([10, 20], [7, 17], [13, 23])
            >>> low, high = release.interval(0.95, simultaneous=True)
            >>> low.tolist(), high.tolist()
            ([6, 16], [14, 24])
        """
        miss = 1 - Fraction(validated(level, OPEN_PROBABILITY, "interval: level"))
        require_flag(simultaneous, "interval: simultaneous")
        held = self._held()
        if simultaneous and held.flat.size > 1:
            miss = _for_each(miss, held.flat.size)
        low, high = self._within(min(self.noise.reach(miss), 2 * RANGE), self._points(held))
        return held.remade(low), held.remade(high)

    def _within(self, reach: int, points: Points) -> tuple[NDArray[Any], NDArray[Any]]:
        """What is at most so many steps from the value; infinite beyond the range."""
        most = self._most()
        slack = np.where(np.abs(points) > WHOLE_FLOATS, self._cut(points), 0)
        first, last = points - reach - slack, points + (reach + slack)
        if not self.rounded and (np.abs(points) < most - reach).all():
            return first, last
        low = np.where(first <= -most, -np.inf, -_float_up(-first, self.rounded, self.exponent))
        high = np.where(last >= most, np.inf, _float_up(last, self.rounded, self.exponent))
        return low, high

    def _held(self) -> Column:
        return read(self.value, type(self).__name__, "value")

    def _points(self, held: Column) -> Points:
        if not self.rounded:
            return held.flat.astype(np.int64)
        return np.asarray(np.ldexp(held.flat, -self.exponent)).astype(np.int64)

    def _near_the_end(self, held: Column) -> NDArray[np.bool_]:
        reach = min(self.noise.reach(CERTAIN), RANGE)
        return np.asarray(np.abs(self._points(held)) >= self._most() - reach)

    def _most(self) -> int:
        return min(RANGE, 1 << (1023 - self.exponent)) if self.rounded else RANGE

    def _cut(self, points: Points) -> Points:
        """How far a double of that size may be from the point that it stands for."""
        if not self.rounded:
            return np.zeros_like(points)
        return np.asarray(np.spacing(np.abs(points).astype(np.float64)) / 2).astype(np.int64)

    @property
    def _by(self) -> str:
        if not self.rounded:
            return super()._by
        scale = _wire.shown(self.noise_scale)
        return f"noise scale {scale}, by {self.event!r} in steps of 2**{self.exponent}"

    @property
    def _warning(self) -> str:
        if not self._near_the_end(self._held()).any():
            return super()._warning
        return f"{super()._warning}, SATURATED: may stand for a value beyond the range"


def _for_each(miss: Fraction, count: int) -> Fraction:
    """How often one of so many independent entries may miss: 1 - (1 - miss)^(1/count), or less."""
    log = math.log(1 - miss) if miss > 1 / 2 else math.log1p(-float_down(miss))
    share = -math.expm1(log / count) * (1 - 16 * EPS)
    return max(Fraction(share), miss / count)  # Bonferroni's, which is always less


def _float_up(points: Points, half: bool, exponent: int) -> Floats:
    """The points, and half a step if asked for, in units of the values, as doubles not below."""
    floats = points.astype(np.float64)
    floats = np.where(floats.astype(np.int64) < points, np.nextafter(floats, np.inf), floats)
    if half:
        small = np.abs(floats) < 2.0**51
        floats = np.where(small, floats + 0.5, np.nextafter(floats, np.inf) + 1.0)
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(floats, exponent)
        lost = np.ldexp(scaled, -exponent) < floats
    return np.where(lost, np.nextafter(scaled, np.inf), scaled)
