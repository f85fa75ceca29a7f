"""Scores learned from samples: how much likelier an output is under the first input.

An event that tells two inputs apart is a level set of the likelihood ratio. It is estimated in a
few ways that suit different outputs; which one is used is decided on fresh samples, so a poor score
costs power, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tightrope.auditing.outputs import Outputs, hashed
from tightrope.num.arrays import Flags, Floats, Integers

__all__ = ["VALUE_SCORES", "Learner", "Score", "by_cells"]

Score = Callable[[Outputs], Floats]
"""From outputs to numbers that are larger where the first input is likelier."""

Learner = Callable[[Outputs, Outputs], Score | None]
"""From samples of the two inputs to a score; None where the way does not suit the outputs."""

_BINS = 64
"""Most classes into which a line of numbers is cut."""

_PER_BIN = 8
"""Samples for each class, at least."""

_MOST_PATTERNS = 32
"""Patterns that are looked into; further ones are told apart as wholes only."""

_MOST_COLUMNS = 256
"""Numbers of an output that enter a linear score, those that differ most."""

_RIDGE = 1e-9
"""Added to variances of 1: directions that have no variance at all are told apart best."""


def by_cells(cells: Integers, first: Flags) -> Callable[[Integers], Floats]:
    """The log-ratio of how often each cell came up, half a count added; 0 where none did."""
    known, places = np.unique(cells, return_inverse=True)
    hits = np.bincount(places, weights=first, minlength=len(known))
    misses = np.bincount(places, weights=~first, minlength=len(known))
    ratios = np.log((hits + 0.5) / (misses + 0.5))

    def score(asked: Integers) -> Floats:
        spots = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        return np.where(known[spots] == asked, ratios[spots], 0.0)

    return score


def listed(first: Outputs, second: Outputs) -> Score | None:
    """Every output by itself, where outputs come up again."""
    names = _names(_together(first, second))
    if len(np.unique(names)) > len(names) / 4:
        return None
    ratio = by_cells(names, _labels(first, second))
    return lambda outputs: ratio(_names(outputs))


def binned(first: Outputs, second: Outputs) -> Score | None:
    """Within each pattern, classes of equal size along the line that separates best."""
    both, labels = _together(first, second), _labels(first, second)
    lines = _lines(both, labels)
    if not lines:
        return None
    cells = {
        pattern: np.unique(np.quantile(line(both.part(both.patterns == pattern)), _cuts(both)))
        for pattern, line in lines.items()
    }

    def cell(outputs: Outputs) -> Integers:
        found = outputs.patterns * (_BINS + 1)
        for pattern, line in lines.items():
            inside = outputs.patterns == pattern
            found[inside] += np.searchsorted(cells[pattern], line(outputs.part(inside)), "right")
        return found

    ratio = by_cells(cell(both), labels)
    return lambda outputs: ratio(cell(outputs))


def projected(first: Outputs, second: Outputs) -> Score | None:
    """The place along the line that separates best, where all outputs have one pattern."""
    both = _together(first, second)
    if (both.patterns != both.patterns[0]).any():
        return None
    return _lines(both, _labels(first, second)).get(int(both.patterns[0]))


VALUE_SCORES: dict[str, Learner] = {
    "outputs one by one": listed,
    "classes of outputs": binned,
    "a threshold": projected,
}
"""The ways to score outputs by their values."""


def _together(first: Outputs, second: Outputs) -> Outputs:
    return Outputs(
        np.concatenate([first.patterns, second.patterns]),
        np.concatenate([first.numbers, second.numbers]),
    )


def _labels(first: Outputs, second: Outputs) -> Flags:
    return np.repeat([True, False], [len(first), len(second)])


def _names(outputs: Outputs) -> Integers:
    """One number for each different output."""
    parts = [outputs.patterns.astype(np.float64)[:, np.newaxis], outputs.numbers]
    return hashed(np.hstack(parts).view(np.uint64))


def _cuts(both: Outputs) -> Floats:
    bins = max(2, min(_BINS, len(both) // _PER_BIN))
    return np.linspace(0.0, 1.0, bins + 1)[1:-1]


def _lines(both: Outputs, labels: Flags) -> dict[int, Score]:
    """For each of the commonest patterns that hold numbers, the direction that separates best."""
    patterns, counts = np.unique(both.patterns, return_counts=True)
    found = {}
    for pattern in patterns[np.argsort(-counts)][:_MOST_PATTERNS].tolist():
        inside = both.patterns == pattern
        line = _line(both.numbers[inside], labels[inside])
        if line is not None:
            found[pattern] = line
    return found


def _line(numbers: Floats, labels: Flags) -> Score | None:
    """Fisher's linear discriminant of the numbers that outputs of one pattern have."""
    columns = np.flatnonzero(~np.isnan(numbers[0])) if len(numbers) else np.empty(0, dtype=np.int64)
    if not columns.size:
        return None
    weights = np.ones(1)
    if columns.size > 1:
        columns, weights = _discriminant(numbers, columns, labels)
    return lambda outputs: outputs.numbers[:, columns] @ weights


def _discriminant(numbers: Floats, columns: Integers, labels: Flags) -> tuple[Integers, Floats]:
    if labels.all() or not labels.any():
        return columns[:1], np.ones(1)
    here, there = numbers[labels][:, columns], numbers[~labels][:, columns]
    gap = here.mean(axis=0) - there.mean(axis=0)
    spread = np.sqrt((here.var(axis=0) + there.var(axis=0)) / 2)
    spread[spread == 0] = 1.0
    kept = np.sort(np.argsort(-np.abs(gap / spread), kind="stable")[:_MOST_COLUMNS])
    here, there = (
        (sample - sample.mean(axis=0))[:, kept] / spread[kept] for sample in (here, there)
    )
    within = (here.T @ here + there.T @ there) / len(numbers)
    within[np.diag_indices_from(within)] += _RIDGE
    direction = np.linalg.solve(within, gap[kept] / spread[kept])
    return columns[kept], direction / spread[kept]
