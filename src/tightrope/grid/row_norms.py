"""Rows clipped to a norm, so that what floats round cannot carry them past it.

A float that was scaled down to a norm may lie a little above it. So a row is left as it is only if
its norm, computed and moved up by a bound on its error, is at most the bound; otherwise it is
scaled to a norm that is smaller by twice that error.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tightrope._calls import spoken
from tightrope._check import Domain, Real, validated
from tightrope._errors import InvalidArgument
from tightrope.grid.reading import Column, as_doubles, read
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS, float_down

__all__ = ["clip", "clip_column"]

NORMS = ("L1", "L2", "Linf")

BOUND = Domain("a number from 1e-290 to 1e300", lambda x: 1e-290 <= x <= 1e300)


@spoken
def clip(values: Any, norm: str, bound: Real) -> Any:
    """Every row scaled down so that its norm is at most ``bound``; rows well within it stay.

    The promise is about the doubles that come back, as real numbers. For ``"Linf"`` each entry is
    clipped by itself. A row whose norm is next to the bound, as far as rounding goes, shrinks by a
    few units in the last place. No row depends on another one.

    Args:
        values: rows along the first axis, of an array or a frame; a single axis is a single row.
        norm: ``"L1"``, ``"L2"`` or ``"Linf"``.
        bound: the largest norm, from 1e-290 to 1e300; chosen without looking at the data.

    Returns:
        float64 of the same shape; a column or a frame of the same library.

    Raises:
        InvalidArgument: an entry is not a number, or infinite (which ``"Linf"`` clips), or an
            argument is not admissible.

    Examples:
        >>> import tightrope as tr
        >>> tr.clip([[3.0, 4.0], [0.3, 0.4]], norm="L2", bound=1).round(6).tolist()
        [[0.6, 0.8], [0.3, 0.4]]
    """
    column = read(values, "clip")
    clipped = clip_column(column, norm, bound)
    return clipped if column.like is None else column.remade(clipped)


def clip_column(column: Column, norm: str, bound: Real) -> Floats:
    """The rows of a column, clipped; see ``clip``."""
    if norm not in NORMS:
        raise InvalidArgument(
            f"{column.caller}: norm must be 'L1', 'L2' or 'Linf'; you passed {norm!r}"
        )
    most = float_down(validated(bound, BOUND, f"{column.caller}: bound"))
    clipped = np.empty(column.flat.size)
    blocks = column.blocks() if norm == "Linf" else column.finite_blocks()
    for part, block in blocks:
        clipped[part] = as_doubles(block)
    if norm == "Linf":
        return np.clip(clipped, -most, most).reshape(column.shape)
    rows = clipped.reshape(_rows(column.shape))
    return _scaled(rows, norm, most).reshape(column.shape)


def _rows(shape: tuple[int, ...]) -> tuple[int, int]:
    """Rows and the entries of each."""
    count = shape[0] if len(shape) > 1 else 1
    return count, int(np.prod(shape, dtype=np.int64)) // max(count, 1)


def _scaled(rows: Floats, norm: str, bound: float) -> Floats:
    """Rows within the bound as they are, others scaled.

    The entries of a row relative to its largest, their norm, and the products are off by less than
    (d + 8) 2**-53 together, relatively; entries so small that their digits are cut add less than
    d 2**-1074 to the norm, which is far below the margin of an admissible bound.
    """
    if not rows.size:
        return rows
    margin = (rows.shape[1] + 8) * EPS
    largest = np.abs(rows).max(axis=1, keepdims=True)
    relative = rows / np.where(largest > 0, largest, 1.0)
    size = _norms(relative, norm)
    with np.errstate(over="ignore"):
        within = largest * size * (1 + margin) <= bound
    factor = bound * (1 - 2 * margin) / np.maximum(size, 1.0)
    return np.where(within, rows, relative * factor)


def _norms(rows: Floats, norm: str) -> Floats:
    if norm == "L1":
        return np.asarray(np.abs(rows).sum(axis=1, keepdims=True))
    return np.asarray(np.sqrt(np.square(rows).sum(axis=1, keepdims=True)))
