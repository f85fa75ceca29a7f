"""Outputs of any kind as a pattern and numbers, so that one search serves them all.

What is no finite number (a text, None, not-a-number, the lengths of tuples) makes the pattern; the
numbers in it follow in order. ("above", 0.7) and ("below", 0.2) are two patterns of one number.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.auditing.draws import Sample
from tightrope.mechanisms import Released
from tightrope.num.arrays import Floats, Integers

__all__ = ["Outputs", "hashed", "read_outputs"]

NUMBER = "#"
"""What stands for a number in a pattern."""


@dataclass(frozen=True)
class Outputs:
    """Many outputs.

    Attributes:
        patterns: the number of each output's pattern.
        numbers: the numbers in it, a row an output; not-a-number where a pattern has fewer.
    """

    patterns: Integers
    numbers: Floats

    def __len__(self) -> int:
        return len(self.patterns)

    def part(self, chosen: slice | Any) -> Outputs:
        """Some of the outputs."""
        return Outputs(self.patterns[chosen], self.numbers[chosen])


def read_outputs(first: Sample, second: Sample) -> tuple[Outputs, Outputs]:
    """The outputs of two inputs, their patterns numbered alike."""
    here, there = _matrix(first), _matrix(second)
    if here is not None and there is not None and here.shape[1] == there.shape[1]:
        both = np.concatenate([here, there])
        kinds = _kinds(both)
        found = Outputs(_numbered(kinds), np.where(kinds == 0, both, 0.0))
    else:
        found = _walked([*first, *second])
    return found.part(slice(0, len(first))), found.part(slice(len(first), None))


def _matrix(sample: Sample) -> Floats | None:
    """An array of numbers as one row an output; None if it is none."""
    if isinstance(sample, np.ndarray) and sample.dtype.kind in "biuf":
        return sample.reshape(len(sample), -1).astype(np.float64)
    return None


def _kinds(values: Floats) -> Integers:
    """0 for finite numbers, 1 for not-a-number, 2 and 3 for the infinities."""
    kinds = np.zeros(values.shape, dtype=np.int64)
    kinds[np.isnan(values)] = 1
    kinds[np.isposinf(values)] = 2
    kinds[np.isneginf(values)] = 3
    return kinds


def _numbered(kinds: Integers) -> Integers:
    if not kinds.any():
        return np.zeros(len(kinds), dtype=np.int64)
    names = hashed(np.ascontiguousarray(kinds).view(np.uint64))
    return np.unique(names, return_inverse=True)[1].reshape(-1).astype(np.int64)


def hashed(rows: NDArray[np.uint64]) -> Integers:
    """A 64-bit hash of each row. Two rows that share one by chance are taken for one, no more."""
    names = np.zeros(len(rows), dtype=np.uint64)
    for place in range(rows.shape[1]):
        names = (names ^ rows[:, place]) * np.uint64(0xD6E8FEB86659FD93)
        names ^= names >> np.uint64(32)
    return names.view(np.int64)


def _walked(samples: list[Any]) -> Outputs:
    known: dict[tuple[str, ...], int] = {}
    patterns = np.empty(len(samples), dtype=np.int64)
    rows: list[list[float]] = []
    for place, output in enumerate(samples):
        pieces = list(_pieces(output))
        pattern = tuple(NUMBER if isinstance(piece, float) else piece for piece in pieces)
        patterns[place] = known.setdefault(pattern, len(known))
        rows.append([piece for piece in pieces if isinstance(piece, float)])
    table = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return Outputs(patterns, table)


def _pieces(output: Any) -> Iterator[float | str]:
    """The numbers of an output, and texts for all else."""
    if isinstance(output, Released):
        yield from _pieces(output.value)
    elif isinstance(output, numbers.Real | np.bool_):
        yield _number(output)
    elif isinstance(output, np.ndarray):
        yield str(output.shape)
        for entry in output.reshape(-1).tolist():
            yield from _pieces(entry)
    elif isinstance(output, Mapping):
        for key in sorted(output, key=repr):
            yield f"{key!r}:"
            yield from _pieces(output[key])
    elif isinstance(output, tuple | list):
        yield f"{len(output)} of"
        for entry in output:
            yield from _pieces(entry)
    elif isinstance(output, Set):
        yield repr(sorted(output, key=repr))
    else:
        yield repr(output)


def _number(value: Any) -> float | str:
    try:
        number = float(value)
    except OverflowError:
        return repr(value)
    return number if math.isfinite(number) else repr(number)
