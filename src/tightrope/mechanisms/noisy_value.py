"""A noisy value that was released, and where the true one may lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._check import OPEN_PROBABILITY, Real, validated
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.mechanisms.released import Released
from tightrope.noise.saturation import RANGE
from tightrope.notions import Guarantee

CERTAIN = Fraction(1, 10**9)
"""How rarely a saturated value is not told to be."""

Floats = NDArray[np.float64]
Points = NDArray[np.int64]

WHOLE_FLOATS = 2.0**53
"""Up to this size every whole number is a double."""


@dataclass(frozen=True, eq=False, repr=False)
class NoisyValue(Released):
    """Value plus noise, rounded to a grid that does not depend on the data.

    Attributes:
        value: the noisy value: a Python number for a number, an array for an array.
        event: what was run, for accounting: the discrete mechanism on the grid.
        secure: whether all randomness came from the operating system.
        noise: the law of the noise, in steps of the grid.
        exponent: the grid consists of the whole multiples of ``2**exponent``.
        rounded: whether the true value was rounded to the grid (integers are not).
    """

    noise: NoiseLaw = field(kw_only=True)
    exponent: int = field(kw_only=True)
    rounded: bool = field(kw_only=True)

    def to(self, notion: type[Guarantee], **given: Any) -> Guarantee:
        """What the release guarantees; see ``Event.to``."""
        return self.event.to(notion, **given)

    @property
    def saturated(self) -> Any:
        """Whether the true value may lie beyond the range, which ends at +-2**61 steps.

        That is so if the noisy value is as near to the end as noise reaches, but for a chance of
        1e-9. It is seen from the noisy value alone, and so tells nothing more.
        """
        reach = min(self.noise.reach(CERTAIN), RANGE)
        found = np.abs(self._points()) >= self._most() - reach
        return found if np.ndim(self.value) else bool(found)

    def interval(self, level: Real = 0.95) -> tuple[Any, Any]:
        """A confidence interval for the true value, one for each entry.

        It holds the value that was released (after the clipping to bounds, if any), rounding
        included, with probability at least ``level`` over the noise, by the exact law of the noise;
        the ends are rounded outward, and infinite where saturation hides them. For many entries
        together, the misses add up.

        Args:
            level: strictly between 0 and 1.

        Examples:
            >>> import tightrope as tr
            >>> release = tr.DiscreteLaplace(1).release(10, entropy=tr.InsecureEntropy(1))
            >>> release.value, release.interval(0.95)
            (10, (7.0, 13.0))
        """
        miss = 1 - Fraction(validated(level, OPEN_PROBABILITY, "interval: level"))
        reach = min(self.noise.reach(miss), 2 * RANGE)
        points, most = self._points(), self._most()
        slack = np.where(np.abs(points) > WHOLE_FLOATS, self._cut(points), 0)
        low = -_float_up(slack + reach - points, self.rounded, self.exponent)
        high = _float_up(points + (slack + reach), self.rounded, self.exponent)
        low = np.where(points - reach - slack <= -most, -np.inf, low)
        high = np.where(points + (reach + slack) >= most, np.inf, high)
        return (low, high) if np.ndim(self.value) else (float(low), float(high))

    def _points(self) -> Points:
        if not self.rounded:
            return np.asarray(self.value, dtype=np.int64)
        return np.asarray(np.ldexp(np.asarray(self.value), -self.exponent)).astype(np.int64)

    def _most(self) -> int:
        return min(RANGE, 1 << (1023 - self.exponent)) if self.rounded else RANGE

    def _cut(self, points: Points) -> Points:
        """How far a double of that size may be from the point that it stands for."""
        if not self.rounded:
            return np.zeros_like(points)
        return np.asarray(np.spacing(np.abs(points).astype(np.float64)) / 2).astype(np.int64)

    def __repr__(self) -> str:
        warning = "" if self.secure else ", INSECURE: drawn from a fixed seed"
        if np.any(self.saturated):
            warning += ", SATURATED: may stand for a value beyond the range"
        return f"NoisyValue({self.value!r}, by {self.event!r}{warning})"


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
