"""Outputs of any kind as a pattern and numbers, so that one search serves them all.

What is no finite number (a text, None, not-a-number, the lengths of tuples) makes the pattern; the
numbers in it follow in order. ("above", 0.7) and ("below", 0.2) are two patterns of one number.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument
from tightrope.auditing.draws import Sample
from tightrope.mechanisms import Released
from tightrope.num.arrays import Floats, Integers

__all__ = ["Outputs", "hashed", "read_outputs"]

MOST_EXACT = 1 << 53
"""Up to this one all whole numbers are doubles."""

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
    wide = _has_wide(first) or _has_wide(second)
    here, there = _matrix(first, wide), _matrix(second, wide)
    if here is not None and there is not None and here.shape[1] == there.shape[1]:
        both = np.concatenate([here, there])
        kinds = _kinds(both)
        found = Outputs(_numbered(kinds), np.where(kinds == 0, both, 0.0))
    else:
        found = _walked([*first, *second])
    return found.part(slice(0, len(first))), found.part(slice(len(first), None))


def _has_wide(sample: Sample) -> bool:
    """Whether there are whole numbers in an array that doubles do not tell apart."""
    if not isinstance(sample, np.ndarray) or sample.dtype.kind not in "iu" or not sample.size:
        return False
    return int(sample.max()) > MOST_EXACT or int(sample.min()) < -MOST_EXACT


def _matrix(sample: Sample, wide: bool) -> Floats | None:
    """An array of numbers as one row an output; None if it is none.

    Of wide whole numbers the last 32 bits stand in columns of their own.
    """
    if not isinstance(sample, np.ndarray) or sample.dtype.kind not in "biuf":
        return None
    rows = sample.reshape(len(sample), -1)
    found = rows.astype(np.float64)
    if wide and rows.dtype.kind in "iu":
        low = (rows.astype(np.uint64) & np.uint64(0xFFFFFFFF)).astype(np.float64)
        return np.concatenate([found, low], axis=1)
    return found


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
    """The numbers of an output, and texts for all else.

    Raises:
        InvalidArgument: it holds something that cannot be compared.
    """
    if isinstance(output, numbers.Real | np.bool_ | Decimal):
        yield from _number(output)
    elif output is None or isinstance(output, str | bytes | Enum | date):
        yield repr(output)
    else:
        shape, parts = _opened(output)
        yield shape
        for part in parts:
            yield from _pieces(part)


def _opened(output: Any) -> tuple[str, list[Any]]:
    """What several things are together in, and each of them."""
    if isinstance(output, Released):
        return "", [output.value]
    if isinstance(output, numbers.Complex):
        return "complex", [output.real, output.imag]
    if isinstance(output, Mapping):
        keys = sorted(output, key=repr)
        return repr(keys), [output[key] for key in keys]
    if isinstance(output, tuple | list):
        return f"{len(output)} of", list(output)
    if isinstance(output, Set):
        return f"{len(output)} of", sorted(
            output, key=lambda entry: (str(type(entry)), repr(entry))
        )
    if is_dataclass(output) and not isinstance(output, type):
        return type(output).__name__, [getattr(output, part.name) for part in fields(output)]
    if isinstance(output, np.ndarray) or hasattr(output, "__array__"):
        entries = np.asarray(output)
        return str(entries.shape), entries.reshape(-1).tolist()
    raise InvalidArgument(
        f"audit: an output of type {type(output).__name__} cannot be compared; let the program "
        "give numbers, arrays, columns, texts, None, or tuples, lists, sets and mappings of them"
    )


def _number(value: Any) -> Iterator[float | str]:
    """The nearest double; of wide whole numbers the last 32 bits, too."""
    try:
        number = float(value)
    except OverflowError:
        yield repr(value)
        return
    yield number if math.isfinite(number) else repr(number)
    if isinstance(value, numbers.Integral) and abs(int(value)) > MOST_EXACT:
        yield float(int(value) & 0xFFFFFFFF)
