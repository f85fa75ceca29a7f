"""Comparing queries with a noisy threshold, in integers on a grid of the sensitivity.

With steps of the grid for units: T is the threshold, q_i a query, rho and the nu_i integer noise.
Query i is above if nu_i >= d_i, where d_i is T + rho - q_i, clipped to +-2**61. Queries and
threshold lie within +-2**59, so a sample that saturated at 2**62 is on its side of every d_i, and
the comparison comes out as with noise of any size: no sample needs a spare.

Rounding moves a query of either neighbour by at most half a step, and clipping brings neighbours no
farther apart, so q_i moves by at most m = floor(sensitivity/step) + 1. The threshold is public: it
is rounded alike for both. Why this suffices is in docs/release.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tightrope._check import POSITIVE, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.grid import BLOCK, Column, floor_log2, read, step_of, to_points
from tightrope.grid.bounds import FINITE
from tightrope.mechanisms.noise_law import NoiseLaw
from tightrope.noise.entropy import Entropy
from tightrope.noise.saturation import RANGE
from tightrope.noise.shape import LEAST

Answers = NDArray[np.bool_]
Points = NDArray[np.int64]

Stream = Iterator[int]
"""Queries that are asked one after the other."""

FINENESS = 24
"""The step is at least a 2**-25th of the sensitivity, and at most a 2**-24th."""

FAR = 1 << 59
"""Steps within which queries and threshold are held."""


@dataclass(frozen=True)
class QueryGrid:
    """The grid of one sensitivity; it does not depend on data.

    Attributes:
        exponent: of the step.
        moved: by how many steps a rounded query can move between neighbours.
    """

    exponent: int
    moved: int

    @classmethod
    def of(cls, sensitivity: Real, caller: str) -> Self:
        """The grid for queries that move by at most ``sensitivity``."""
        size = Fraction(validated(sensitivity, POSITIVE, f"{caller}: sensitivity"))
        exponent = floor_log2(size) - FINENESS
        return cls(exponent, math.floor(size / step_of(exponent)) + 1)

    def point(self, threshold: Any, caller: str) -> int:
        """The threshold in steps, half to even."""
        exact = Fraction(validated(threshold, FINITE, f"{caller}: threshold"))
        return max(-FAR, min(FAR, round(exact / step_of(self.exponent))))

    def points(self, column: Column) -> Points:
        """Queries in steps, half to even.

        Raises:
            InvalidArgument: one is not a number, or infinite; its place is told.
        """
        found = np.empty(column.flat.size, dtype=np.int64)
        for part, block in column.finite_blocks("give every query a finite answer"):
            found[part] = np.clip(to_points(block, self.exponent), -FAR, FAR)
        return found

    def read(self, queries: Any, caller: str) -> Points | Stream:
        """Queries in steps: an array, or one after the other from an iterator, as they are asked.

        Raises:
            InvalidArgument: the queries are not a sequence of numbers.
        """
        if isinstance(queries, Iterator):
            return self._one_by_one(queries, caller)
        column = read(queries, caller, "queries")
        if len(column.shape) != 1:
            raise InvalidArgument(
                f"{caller}: queries must be a sequence of numbers, or an iterator of them; "
                f"you passed the shape {column.shape}"
            )
        return self.points(column)

    def _one_by_one(self, queries: Iterator[Any], caller: str) -> Stream:
        for number, query in enumerate(queries):
            column = read(query, caller, f"queries[{number}]")
            if column.shape:
                raise InvalidArgument(f"{caller}: queries[{number}] must be one number")
            yield int(self.points(column)[0])


def crossings(
    points: Points | Iterable[int],
    threshold: int,
    laws: tuple[NoiseLaw, NoiseLaw],
    cutoff: int,
    source: Entropy,
) -> Answers:
    """The answers, up to and including the ``cutoff``-th that is above.

    Args:
        points: the queries in steps, within +-2**59; of an iterator only those that are answered
            are taken.
        threshold: in steps, within +-2**59.
        laws: the noise of the threshold, drawn once, and of each query.
        cutoff: how many answers may be above.
        source: where random bits come from.
    """
    law_of_threshold, law = laws
    line = threshold + int(law_of_threshold.draw(1, source)[0])
    if isinstance(points, np.ndarray):
        return _of_array(points, line, law, cutoff, source)
    return _of_stream(points, line, law, cutoff, source)


def _of_array(points: Points, line: int, law: NoiseLaw, cutoff: int, source: Entropy) -> Answers:
    answers = np.zeros(len(points), dtype=np.bool_)
    left = cutoff
    for start in range(0, len(points), BLOCK):
        part = points[start : start + BLOCK]
        above = law.draw(len(part), source) >= np.clip(line - part, -RANGE, RANGE)
        answers[start : start + len(part)] = above
        places = np.flatnonzero(above)
        if len(places) >= left:
            return answers[: start + int(places[left - 1]) + 1]
        left -= len(places)
    return answers


def _of_stream(
    points: Iterable[int], line: int, law: NoiseLaw, cutoff: int, source: Entropy
) -> Answers:
    answers: list[bool] = []
    noise = _in_turn(law, source)
    left = cutoff
    for point in points:
        answers.append(next(noise) >= max(-RANGE, min(RANGE, line - point)))
        left -= answers[-1]
        if not left:
            break
    return np.array(answers, dtype=np.bool_)


def _in_turn(law: NoiseLaw, source: Entropy) -> Iterator[int]:
    """Samples one by one, drawn in batches."""
    while True:
        yield from law.draw(LEAST, source).tolist()
