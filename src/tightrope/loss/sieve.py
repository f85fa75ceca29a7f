"""Where on a long contour a transform can matter at all.

A release whose |M| is periodic along the contour matters only near the multiples of its period:
the teeth of a comb. A product matters only where every factor does, so one comb after the other
cuts down what the sparser ones left; of a contour of 10^9 nodes a few thousand remain. Since the
kernel falls as 1/tau^2, teeth may grow shorter with tau: the contour is cut into tiers, each with
a depth of its own, such that what is left out of any tier is equally little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tightrope.num.arrays import Floats, Integers
from tightrope.num.rounding import EPS

WIDENING = 16.0
"""Each tier ends at this many times its start."""

MOST_WINDOWS = 1 << 18
"""Windows of a tier, before or after any comb, beyond which there are too many."""


MOST_SPARE = 16.0
"""Windows that are deeper by no more than this serve as well."""


DRIFT = 64 * EPS
"""The relative error of the teeth's places: of a period, and of its multiples."""


class Teeth(NamedTuple):
    """Combs: beyond ``reach`` from every multiple of ``period`` a transform is negligible."""

    period: Floats
    reach: Floats


NO_TEETH = Teeth(np.zeros(0), np.zeros(0))


def joined(combs: Iterable[Teeth]) -> Teeth:
    """All combs of several factors of a transform."""
    return Teeth(*map(np.concatenate, zip(NO_TEETH, *combs, strict=True)))


class Intervals(NamedTuple):
    """Rising intervals, disjoint but for shared ends."""

    low: Floats
    high: Floats

    @property
    def length(self) -> float:
        """Of all together."""
        return float((self.high - self.low).sum())


@dataclass(frozen=True)
class Windows:
    """The parts of [0, edges[-1]] where |M(c + it)|/M(c) may exceed exp(-depth of the tier).

    Attributes:
        parts: these windows.
        edges: where the tiers begin, and where the last one ends.
        depth: of each tier.
        end: how far the windows were asked to reach.
    """

    parts: Intervals
    edges: Floats
    depth: Floats
    end: float

    @property
    def whole(self) -> bool:
        """Whether they reach as far as they were asked to."""
        return bool(self.edges[-1] >= self.end)

    def serve(self, level: float, longest: float, end: float) -> bool:
        """Whether ``windows`` need not be asked for these."""
        spare = float(self.depth[0]) - level
        return 0 <= spare <= MOST_SPARE and self.end == end and self.parts.length <= longest

    def nodes(self, step: float, block: int) -> Iterator[Integers]:
        """The nodes in the windows by number, in order, ``block`` of them at a time."""
        first = np.ceil(self.parts.low / step).astype(np.int64)
        last = np.floor(self.parts.high / step).astype(np.int64)
        first[1:] = np.maximum(first[1:], last[:-1] + 1)
        whole = _ranges(first, np.maximum(last - first + 1, 0))
        return (whole[start : start + block] for start in range(0, len(whole), block))

    def omitted(self, step: float, c: float) -> tuple[float, float]:
        """The nodes outside: bounds on their sums of |M|/M(c)/max(tau, c)^2 and of |M|/M(c)."""
        size = (np.diff(self.edges) / step + 1) * np.exp(-self.depth)
        kernel = np.maximum(self.edges[:-1], c) ** -2.0
        return float(size @ kernel), float(size.sum())


def windows(
    teeth: Callable[[float], Teeth], level: float, longest: float, end: float
) -> Windows | None:
    """Windows up to ``end``, or as far as their length stays within ``longest``.

    Outside, each tier leaves a sum of |M|/M(c)/tau^2 of about exp(-level) over the reach of the
    widest tooth. None if no comb has a gap.

    Args:
        teeth: combs outside of any of which |M(c + it)|/M(c) is below exp(-depth), by depth.
        level: the depth of the first tier.
        longest: how long all windows may be together.
        end: where the last tier ends.
    """
    widest = float(teeth(level).reach.max(initial=0.0))
    if not widest:
        return None
    edges, depths = [0.0], list[float]()
    parts: list[Intervals] = []
    low, high = 0.0, min(end, widest)
    while low < end:
        depth = max(level - math.log(max(low, widest) / widest), 0.0)
        part = _between(teeth(depth), low, high)
        if part is None or part.length > longest:
            high /= 2
            if not parts or high < 2 * low:
                break
            continue
        longest -= part.length
        parts.append(part)
        edges.append(high)
        depths.append(depth)
        low, high = high, min(end, high * WIDENING)
    if not parts:
        return None
    joined = Intervals(*(np.concatenate(side) for side in zip(*parts, strict=True)))
    return Windows(joined, np.array(edges), np.array(depths), end)


def _between(teeth: Teeth, low: float, high: float) -> Intervals | None:
    """What all combs leave of one interval; None if that is too many pieces."""
    left = Intervals(np.array([low]), np.array([high]))
    for period, reach in _sharp(Teeth(teeth.period, teeth.reach + DRIFT * high)):
        cut = _comb(left, period, reach)
        if cut is None:
            return None
        left = cut
    return left


def _sharp(teeth: Teeth) -> Iterator[tuple[float, float]]:
    """Combs with gaps, the sparsest first; none that only repeats a sparser one."""
    period, reach = teeth
    ratio = period[:, None] / period
    repeats = (ratio > 1.5) & (np.abs(ratio - np.rint(ratio)) < 1e-9)
    repeats &= reach[:, None] <= reach
    useful = np.flatnonzero((reach < period / 2) & ~repeats.any(axis=0))
    useful = useful[np.argsort((reach / period)[useful])]
    return zip(period[useful].tolist(), reach[useful].tolist(), strict=True)


def _comb(parts: Intervals, period: float, reach: float) -> Intervals | None:
    """Each interval cut down to the teeth that it meets."""
    first = np.ceil((parts.low - reach) / period).astype(np.int64)
    many = np.floor((parts.high + reach) / period).astype(np.int64) - first + 1
    if many.sum() > MOST_WINDOWS:
        return None
    tooth = _ranges(first, many) * period
    return Intervals(
        np.maximum(np.repeat(parts.low, many), tooth - reach),
        np.minimum(np.repeat(parts.high, many), tooth + reach),
    )


def _ranges(first: Integers, many: Integers) -> Integers:
    """first[0], first[0] + 1, ... (many[0] of them), then first[1], and so on."""
    before = np.cumsum(many) - many
    return np.asarray(np.arange(int(many.sum())) + np.repeat(first - before, many))
