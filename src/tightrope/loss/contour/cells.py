"""The sieve by cells: where no comb has a gap, a contour is cut into cells of many nodes each.

Releases that all differ do not revive together within reach, and bounds for whole cells show it:
of a contour of a million nodes a few thousand remain.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tightrope.loss.sieve import Intervals, Windows
from tightrope.num.arrays import Floats

if TYPE_CHECKING:
    from tightrope.loss.contour.contour import Contour

Near = Callable[[Floats, float], Floats]
"""Bounds on log |M(c + it)/M(c)| for all t within some distance of each tau."""

MOST_CELLS = 1 << 18
"""Cells that are looked at."""

BLOCK = 1 << 9
"""Cells that are looked at at once, and nodes of the first tier."""

WIDENING = 4.0
"""Each tier ends at this many times its start."""

SAMPLE = 1 << 7
"""Cells of a tier by which their width is chosen."""

WIDEST = 8
"""Cells have at most two to this power nodes."""

MARGIN = 1e-7
"""By which part cells overlap: nodes lie on their ends, and either might miss one by rounding."""

TOLERANCE = 1e-9
"""What is left out of each tier, relative to delta."""

FEW = 0.05
"""The part of the cells that may have to be kept."""


def windows(start: Contour, longest: float, end: float) -> Windows | None:
    """Windows up to ``end``, or as far as cells and length allow; None if that is not far.

    Args:
        start: a contour that is to be closed.
        longest: how long all windows may be together.
        end: where the last tier ends.
    """
    near, step = start.line.near, start.step
    edges, depths, parts = [0.0], list[float](), list[Intervals]()
    cells, high = MOST_CELLS, BLOCK * step
    while edges[-1] < end:
        low = edges[-1]
        kernel = math.log(high / step) - 2 * math.log(max(low / start.c, 1))
        depth = max(kernel - math.log(TOLERANCE * start.share), 0.0)
        few = min(FEW, longest / (2 * (high - low)))
        width = _width(near, depth, np.linspace(low, high, SAMPLE), step, few)
        many = min(math.ceil((high - low) / width), cells)
        kept = _kept(near, depth, low, width, many)
        longest, cells = longest - kept.length, cells - many
        if longest < 0 or not many:
            break
        edges.append(low + many * width)
        depths.append(depth)
        parts.append(kept)
        high = min(edges[-1] * WIDENING, max(end, edges[-1] + step))
    if len(parts) < 2:
        return None
    joined = Intervals(*(np.concatenate(side) for side in zip(*parts, strict=True)))
    return Windows(joined, np.array(edges), np.array(depths), end)


def _kept(near: Near, depth: float, low: float, width: float, many: int) -> Intervals:
    """The cells of a tier in which M may matter."""
    half = width / 2 * (1 + 4 * MARGIN)
    kept = [
        cells[near(np.asarray(low + width * (cells + 0.5)), half) > -depth]
        for cells in (np.arange(i, min(i + BLOCK, many)) for i in range(0, many, BLOCK))
    ]
    left: Floats = np.asarray(low + width * np.concatenate([np.zeros(0), *kept]))
    return Intervals(left - MARGIN * width, left + (1 + MARGIN) * width)


def _width(near: Near, depth: float, sample: Floats, step: float, few: float) -> float:
    """The widest cells of which a sample shows that few matter; else those of one node."""
    for power in range(WIDEST, 0, -1):
        width = step * 2.0**power
        if (near(sample, width / 2) > -depth).mean() < few:
            return width
    return step
