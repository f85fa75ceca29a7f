"""Columns and frames of pandas, polars and Arrow, read as arrays.

Narwhals reads them all; it is an optional extra, imported only when such an object is passed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument
from tightrope.grid.exact_numbers import as_numbers, place_of, side_by_side
from tightrope.grid.remaking import Remake, column_like, frame_like

__all__ = ["Labelled", "Opened", "declared_labels", "entries_of", "is_frame", "labelled", "opened"]

_SIGNS = ("__arrow_c_stream__", "__arrow_c_array__", "iloc")
"""What every such object has one of: the Arrow PyCapsule interface, or pandas' way to index."""


@dataclass(frozen=True)
class Opened:
    """A column or a frame of numbers.

    Attributes:
        array: one axis for a column, two for a frame.
        remake: makes an object of the same kind from an array of that shape.
    """

    array: NDArray[Any]
    remake: Remake


@dataclass(frozen=True)
class Labelled:
    """A column of labels.

    Attributes:
        entries: one a row; None where it is missing.
        remake: makes a column of the same type from as many labels.
    """

    entries: list[Any]
    remake: Remake


def is_frame(values: Any) -> bool:
    """Whether these are a column or a frame of another library, and not NumPy's or Python's."""
    return any(hasattr(values, sign) for sign in _SIGNS)


def opened(values: Any, what: str) -> Opened:
    """The numbers of a column or a frame.

    Args:
        values: the column or frame.
        what: who calls, and with what, for messages: ``"quantile: values"``.

    Raises:
        InvalidArgument: an entry is missing (its place is told), a column is not one of numbers, or
            narwhals is not installed.
    """
    nw = _narwhals(what)
    known = _known(nw, values, what)
    if isinstance(known, nw.Series):
        return Opened(_numbers(nw, known, what), column_like(values, known))
    columns = _columns(nw, known)
    arrays = [_numbers(nw, column, what, (n, len(columns))) for n, column in enumerate(columns)]
    return Opened(side_by_side(arrays, known.shape[0]), frame_like(values, known))


def labelled(values: Any, labels: Sequence[Any], what: str) -> Labelled:
    """The entries of a column of labels, and how to make a column of labels like it.

    Raises:
        InvalidArgument: this is a frame, or narwhals is not installed.
    """
    column = _column(_narwhals(what), values, what)
    return Labelled(_entries(column), column_like(values, column, labels))


def entries_of(values: Any, what: str) -> list[Any]:
    """The entries of a column, as Python objects; None where one is missing.

    Raises:
        InvalidArgument: this is a frame, or narwhals is not installed.
    """
    return _entries(_column(_narwhals(what), values, what))


def declared_labels(values: Any, what: str) -> tuple[Any, ...] | None:
    """The labels that the type of a column declares, if it does.

    Those are the categories of polars' Enum and of pandas' Categorical. Arrow's dictionaries and
    polars' Categorical list what happens to be in the data, so they declare nothing.

    Raises:
        InvalidArgument: this is a frame, or narwhals is not installed.
    """
    nw = _narwhals(what)
    column = _column(nw, values, what)
    if isinstance(column.dtype, nw.Enum):
        return tuple(column.dtype.categories)
    if column.dtype == nw.Categorical and hasattr(column.to_native(), "iloc"):
        return tuple(column.to_native().dtype.categories.tolist())
    return None


def _narwhals(what: str) -> Any:
    purpose = f"{what} are a column or a frame; to read them"
    return _imported("narwhals", purpose, '"tightrope[dataframes]"')


def _imported(module: str, purpose: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise InvalidArgument(f"{purpose}, install what does: pip install {package}") from None


def _known(nw: Any, values: Any, what: str) -> Any:
    """The object as narwhals sees it; of a library that it does not know, the data as Arrow.

    A pandas frame stays what it is: its columns are taken by place, since some may share a name.
    """
    if hasattr(values, "iloc") and hasattr(values, "columns"):
        return values
    known = _seen(nw, values, what)
    if known is not values:
        return known
    purpose = f"{what} speak the Arrow PyCapsule interface; to read them"
    arrow = _imported("pyarrow", purpose, "pyarrow")
    stream = hasattr(values, "__arrow_c_stream__")
    column = arrow.chunked_array(values if stream else [arrow.array(values)])
    if arrow.types.is_struct(column.type):
        column = arrow.Table.from_struct_array(column)
    return _seen(nw, column, what)


def _seen(nw: Any, values: Any, what: str) -> Any:
    try:
        return nw.from_native(values, allow_series=True, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise InvalidArgument(f"{what} must have columns of different names") from None


def _column(nw: Any, values: Any, what: str) -> Any:
    known = _known(nw, values, what)
    if not isinstance(known, nw.Series):
        raise InvalidArgument(f"{what} must be one column; you passed a frame")
    return known


def _columns(nw: Any, frame: Any) -> list[Any]:
    if not hasattr(frame, "iloc"):
        return list(frame.iter_columns())
    places = range(frame.shape[1])
    return [nw.from_native(frame.iloc[:, number], series_only=True) for number in places]


def _entries(column: Any) -> list[Any]:
    gone = column.is_null().to_numpy()
    return [None if no else entry for entry, no in zip(column.to_list(), gone, strict=True)]


def _numbers(nw: Any, column: Any, what: str, among: tuple[int, int] | None = None) -> NDArray[Any]:
    """The numbers of one column, the n-th among k of a frame."""
    if column.null_count():
        index = int(np.argmax(column.is_null().to_numpy()))
        number, count = among or (0, 1)
        shape = (len(column),) if among is None else (len(column), count)
        raise InvalidArgument(
            f"{what}{place_of(index * count + number, shape)} is missing (null, or not a number, "
            "NaN); fill or drop it first"
        )
    if column.dtype not in _readable(nw):
        raise InvalidArgument(
            f"{what} must be numbers; you passed a column of type {column.dtype}; convert it to "
            "floats, or to integers, of at most 64 bits first"
        )
    return as_numbers(column.to_numpy(), what)


def _readable(nw: Any) -> tuple[Any, ...]:
    """Types of numbers that have an exact reading, and those of which only NumPy knows more."""
    integers = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32, nw.UInt64)
    return (*integers, nw.Float16, nw.Float32, nw.Float64, nw.Boolean, nw.Object, nw.Unknown)
