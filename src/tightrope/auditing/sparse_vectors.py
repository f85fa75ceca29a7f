"""Sparse vectors under audit: many streams of answers at a time, and queries that tell most.

Queries have sensitivity 1 and are compared with the threshold 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope._errors import InvalidArgument
from tightrope.auditing.draws import Draw, Sample
from tightrope.mechanisms import GaussianSparseVector
from tightrope.mechanisms.noisy_threshold import QueryGrid
from tightrope.mechanisms.threshold_mechanism import NoisyThreshold
from tightrope.noise.entropy import Entropy
from tightrope.noise.saturation import RANGE

__all__ = ["draw_answers", "telling_queries"]

_STOPPED = -1
"""What stands for queries that are not answered; 0 is below, 1 above."""

_MOST = 4
"""Answers above that the inputs are made for, at most: more take more samples to see."""


def draw_answers(mechanism: NoisyThreshold, entropy: Entropy) -> Draw:
    """Draw answers, a row a stream, by the laws that ``release`` draws from."""
    grid = QueryGrid.of(1, "audit")
    of_threshold, of_query = mechanism.laws(grid.moved, "audit")

    def draw(x: Any, count: int) -> Sample:
        if np.ndim(x) != 1:
            raise InvalidArgument(
                f"audit: neighbors must be two lists of queries' values; one of them is {x!r}"
            )
        points = np.asarray(grid.read(list(x), "audit"))
        lines = of_threshold.draw(count, entropy)[:, np.newaxis]
        noise = of_query.draw(count * len(points), entropy).reshape(count, len(points))
        above = noise >= np.clip(lines - points, -RANGE, RANGE)
        before = np.cumsum(above, axis=1) - above
        return np.where(before < mechanism.most_above, above, _STOPPED).astype(np.int8)

    return draw


def telling_queries(mechanism: NoisyThreshold) -> tuple[list[int], list[int]]:
    """Queries at the threshold; and some one up and as many, those that may be above, one down.

    If all move in one direction, all one up.
    """
    above = min(mechanism.most_above, _MOST)
    length = 2 * above
    if isinstance(mechanism, GaussianSparseVector):
        length = min(_MOST, int(mechanism.length))
    down = 0 if mechanism.monotone or length == 1 else above
    return [0] * length, [1] * (length - down) + [-1] * down
