"""Scores of the last bits: which numbers a program can reach may depend on its input.

A sum of floats is a multiple of the coarser of the two last places. So 1 plus noise is, below 1,
always a multiple of 2^-53, and noise alone often is not: one output can prove the input (Mironov,
2012). The score looks at nothing but the size of a number and the place of its last bit.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tightrope.auditing.outputs import Outputs
from tightrope.auditing.scores import Learner, Score, by_cells
from tightrope.num.arrays import Floats, Integers

__all__ = ["PRECISION_SCORES", "last_place"]

Cell = Callable[[Floats], Integers]
"""From numbers to the classes that they are told apart by."""

_WIDEST = 4096
"""More than the exponents of doubles range over."""

_MANTISSA = 53

_MOST_COLUMNS = 256
"""Numbers of an output that are looked at."""


def last_place(x: Floats) -> Integers:
    """The largest k for which x is a multiple of 2^k; 0 for 0 and what is not finite.

    >>> last_place(np.array([0.75, 12.0, 1 + 2.0**-52])).tolist()
    [-2, 2, -52]
    """
    mantissa, exponent = np.frexp(np.where(np.isfinite(x), x, 0.0))
    whole = np.ldexp(mantissa, _MANTISSA).astype(np.int64)
    lowest = whole & -whole
    zeros = np.frexp(lowest.astype(np.float64))[1] - 1
    return np.where(whole == 0, 0, exponent - _MANTISSA + zeros).astype(np.int64)


def by_place(first: Outputs, second: Outputs) -> Score | None:
    """The place of the last bit."""
    return _learned(last_place, first, second)


def by_place_and_size(first: Outputs, second: Outputs) -> Score | None:
    """The place of the last bit, given that of the first."""
    return _learned(_place_and_size, first, second)


PRECISION_SCORES: dict[str, Learner] = {
    "the place of the last bit": by_place,
    "the places of the first and the last bit": by_place_and_size,
}
"""The ways to score outputs by their last bits."""


def _place_and_size(x: Floats) -> Integers:
    size = np.frexp(np.where(np.isfinite(x), x, 0.0))[1].astype(np.int64)
    return last_place(x) + _WIDEST * size


def _learned(cell: Cell, first: Outputs, second: Outputs) -> Score | None:
    """The log-ratio of cells of the number that separates best."""
    columns = range(min(first.numbers.shape[1], _MOST_COLUMNS))
    if not columns:
        return None
    gaps = [_gap(cell(first.numbers[:, c]), cell(second.numbers[:, c])) for c in columns]
    best = int(np.argmax(gaps))
    here, there = cell(first.numbers[:, best]), cell(second.numbers[:, best])
    ratio = by_cells(np.concatenate([here, there]), np.arange(len(here) + len(there)) < len(here))
    return lambda outputs: ratio(cell(outputs.numbers[:, best]))


def _gap(here: Integers, there: Integers) -> float:
    """The total variation between two samples of cells."""
    known, places = np.unique(np.concatenate([here, there]), return_inverse=True)
    rates = (
        np.bincount(side, minlength=len(known)) / max(len(side), 1)
        for side in (places[: len(here)], places[len(here) :])
    )
    first, second = rates
    return float(np.abs(first - second).sum() / 2)
