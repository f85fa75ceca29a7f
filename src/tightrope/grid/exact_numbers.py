"""Numbers as people hold them, in one array, none of them rounded by the company that it is in.

NumPy reads a list of whole numbers as integers, and as doubles as soon as one of them is a float:
then one person's 2.5 would decide how everybody's 2^60 + 1 is rounded. So where an integer does not
fit a double the numbers stay as they are, as objects.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument
from tightrope._text import named
from tightrope.num.arrays import Flags

__all__ = ["HELP", "as_numbers", "infinite", "not_numbers", "place_of", "side_by_side"]

HELP = "numbers, or an array or a column of them: whole numbers of any size, or floats"

WHOLE_DOUBLES = 2.0**53
"""Below this size every whole number is a double; 2^53 + 1 is read as 2^53."""

_OTHERS = {
    "U": "texts",
    "S": "bytes",
    "M": "dates",
    "m": "durations",
    "c": "complex numbers",
    "V": "records of several fields",
}
"""Kinds of values that are no real numbers."""


def as_numbers(values: Any, what: str) -> NDArray[Any]:
    """Booleans, integers or floats of at most 64 bits; or Python ints and floats as objects.

    Args:
        values: what NumPy can read.
        what: who calls, and with what, for messages: ``"quantile: values"``.

    Raises:
        InvalidArgument: an entry is missing (its place is told), or they are no numbers, or of a
            type that has no exact reading.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidArgument(f"{what} are masked; fill or drop the masked entries first")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{what} must be {HELP}; {error}") from None
    if array.dtype == np.float64 and isinstance(values, list | tuple) and _large(array):
        array = np.array(values, dtype=object)
    if array.dtype.kind == "O":
        array = _plain(array, what)
    if array.dtype.kind not in "biufO" or array.dtype.itemsize > 8:
        raise InvalidArgument(f"{what} must be {HELP}; you passed {_words(array.dtype)}")
    return array


def _words(dtype: np.dtype[Any]) -> str:
    """What values of a type are, in words."""
    return _OTHERS.get(dtype.kind, f"numbers of {8 * dtype.itemsize} bits")


def side_by_side(columns: Sequence[NDArray[Any]], rows: int) -> NDArray[Any]:
    """Columns as one array of rows, every number exactly what it was."""
    if not columns:
        return np.zeros((rows, 0))
    common = np.result_type(*columns)
    integers = [column for column in columns if column.dtype.kind in "iu"]
    if common.kind == "f" and (len(integers) == len(columns) or any(map(_large, integers))):
        common = np.dtype(object)  # doubles would not hold them all
    together = np.empty((rows, len(columns)), dtype=common)
    for number, column in enumerate(columns):
        together[:, number] = column
    return together


def infinite(values: NDArray[Any]) -> Flags:
    """Where numbers are infinite."""
    return _where(values, math.isinf, np.isinf)


def not_numbers(values: NDArray[Any]) -> Flags:
    """Where numbers are NaN."""
    return _where(values, math.isnan, np.isnan)


def _where(values: NDArray[Any], of_one: Callable[[float], bool], of_all: np.ufunc) -> Flags:
    if values.dtype.kind != "O":
        return np.asarray(of_all(values))
    return np.array([isinstance(x, float) and of_one(x) for x in values.flat], dtype=bool)


def place_of(index: int, shape: tuple[int, ...]) -> str:
    """``[2, 0]`` for an entry of an array; nothing for a single number.

    >>> place_of(5, (3, 2)), place_of(0, ())
    ('[2, 1]', '')
    """
    if not shape:
        return ""
    return f"[{', '.join(str(int(i)) for i in np.unravel_index(index, shape))}]"


def _large(array: NDArray[Any]) -> bool:
    """Whether there may be a whole number that is no double."""
    return bool(array.size) and not (array.min() > -WHOLE_DOUBLES and array.max() < WHOLE_DOUBLES)


def _plain(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Objects as Python ints and floats; as doubles if there is a float, and all fit."""
    plain = np.empty(array.size, dtype=object)
    for index, value in enumerate(array.flat):
        plain[index] = _number(value)
        if plain[index] is None:
            _refuse(value, place_of(index, array.shape), what)
    floats = any(isinstance(value, float) for value in plain)
    if floats and not any(isinstance(x, int) and abs(x) > WHOLE_DOUBLES for x in plain):
        plain = plain.astype(np.float64)
    return plain.reshape(array.shape)


def _number(value: Any) -> int | float | None:
    if isinstance(value, int | np.integer | np.bool_):
        return int(value)
    if isinstance(value, float | np.floating) and not isinstance(value, np.longdouble):
        return float(value)
    return None


def _refuse(value: Any, place: str, what: str) -> NoReturn:
    kind = type(value).__name__
    if value is None or kind in ("NAType", "NaTType"):
        raise InvalidArgument(f"{what}{place} is missing ({value}); fill or drop it first")
    raise InvalidArgument(
        f"{what} must be {HELP}; you passed some that hold {named(kind)}; convert them to floats "
        "or to integers first"
    )
