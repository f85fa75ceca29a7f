"""Columns and frames made again around results: of the kind, and with the labels, of what came in.

A pandas column keeps its index and name, a frame its columns, an Arrow column its chunks. Only
labels are kept for that, never values, so that nothing of the data lives on in what is released.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import accumulate, pairwise
from typing import Any

from numpy.typing import NDArray

__all__ = ["Remake", "column_like", "frame_like"]

Remake = Callable[[NDArray[Any]], Any]


def column_like(values: Any, column: Any, labels: Sequence[Any] | None = None) -> Remake:
    """How to make a column like ``values``, which narwhals sees as ``column``.

    Of numbers it has the type of the array. Of labels it keeps its own; if that is one of
    categories, they are the labels, whatever they were.
    """
    native = column.to_native()
    if hasattr(native, "iloc"):
        kind, index, name = type(native), native.index, native.name
        kept = None if labels is None else _pandas_type(native, labels)
        return lambda array: kind(array, index=index, name=name, dtype=kept, copy=False)
    nw, name, backend = import_module("narwhals"), column.name, column.implementation
    dtype = None if labels is None else column.dtype
    dtype = nw.Enum(labels) if isinstance(dtype, nw.Enum) else dtype

    def plain(array: NDArray[Any]) -> Any:
        held = array if dtype is None else array.tolist()
        return nw.new_series(name, held, dtype, backend=backend).to_native()

    if not hasattr(native, "chunks"):
        return plain
    if hasattr(values, "__arrow_c_array__"):
        return lambda array: plain(array).combine_chunks()
    ends = [0, *accumulate(len(chunk) for chunk in native.chunks)]
    return lambda array: _in_chunks(plain(array), ends)


def frame_like(values: Any, frame: Any) -> Remake:
    """How to make a frame like ``values``: pandas' own, or what narwhals sees as ``frame``."""
    if hasattr(values, "iloc"):
        kind, index, labels = type(values), values.index, values.columns
        return lambda array: kind(array, index=index, columns=labels, copy=False)
    nw, names, backend = import_module("narwhals"), frame.columns, frame.implementation

    def plain(array: NDArray[Any]) -> Any:
        columns = {name: array[:, number] for number, name in enumerate(names)}
        return nw.from_dict(columns, backend=backend).to_native()

    if hasattr(values, "__arrow_c_array__"):
        return lambda array: _batch(plain(array))
    return plain


def _pandas_type(native: Any, labels: Sequence[Any]) -> Any:
    of_categories = hasattr(native, "cat")
    return native.cat.set_categories(list(labels)).dtype if of_categories else native.dtype


def _batch(table: Any) -> Any:
    arrays = [column.combine_chunks() for column in table.columns]
    return import_module("pyarrow").RecordBatch.from_arrays(arrays, names=table.column_names)


def _in_chunks(column: Any, ends: list[int]) -> Any:
    """An Arrow column cut at these places."""
    parts = [part for start, end in pairwise(ends) for part in column[start:end].chunks]
    return import_module("pyarrow").chunked_array(parts, type=column.type)
