"""What people hold, as one column of floats or of integers.

Anything that NumPy can read is taken: numbers, sequences, arrays of any layout, and the columns and
frames of pandas, polars and Arrow. What has no exact reading is refused by name: text, fractions,
decimals, masked entries, floats of more than 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._check import LARGEST
from tightrope._errors import InvalidArgument
from tightrope.noise.saturation import RANGE

__all__ = ["BLOCK", "Column", "as_doubles", "read"]

BLOCK = 1 << 18
"""Entries that are worked on at once, so that what is held beside the data stays small."""

HELP = "numbers, or an array or a column of them: whole numbers of any size, or floats"


@dataclass(frozen=True)
class Column:
    """Values in a row: float64 (or shorter), integers, or Python integers as objects.

    Attributes:
        flat: the values, one axis.
        shape: the shape that they came in; () for a single number.
        caller: what was called, for messages.
        name: what the values are, for messages.
    """

    flat: NDArray[Any]
    shape: tuple[int, ...]
    caller: str
    name: str = "values"

    @property
    def whole(self) -> bool:
        """Whether these are integers by type; an empty column is anything."""
        return self.flat.dtype.kind in "iubO" or not self.flat.size

    def blocks(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """The column in parts: float64, or int64 within +-2**61, or Python integers beyond."""
        for start in range(0, self.flat.size, BLOCK):
            part = slice(start, start + BLOCK)
            yield part, self._block(self.flat[part], start)

    def _block(self, values: NDArray[Any], start: int) -> NDArray[Any]:
        if values.dtype.kind == "f":
            floats = values.astype(np.float64)
            self.refuse(np.isnan(floats), start, "not a number (NaN)")
            return floats
        if values.dtype.kind == "O" or _fit(values):
            return values if values.dtype.kind == "O" else values.astype(np.int64)
        return values.astype(object)

    def refuse_infinite(
        self,
        values: NDArray[Any],
        start: int,
        hint: str = "declare bounds=(low, high) to clip to, or remove it",
    ) -> None:
        """Raise InvalidArgument if a float is infinite."""
        self.refuse(np.isinf(values), start, f"infinite; {hint}")

    def refuse(self, bad: NDArray[np.bool_], start: int, why: str) -> None:
        """Raise InvalidArgument if an entry is bad, naming the first one's place."""
        if bad.any():
            place = np.unravel_index(start + int(np.argmax(bad)), self.shape or (1,))
            where = f"[{', '.join(str(int(i)) for i in place)}]" if self.shape else ""
            raise InvalidArgument(f"{self.caller}: {self.name}{where} is {why}")


def read(values: Any, caller: str, name: str = "values") -> Column:
    """``values`` as a column.

    Raises:
        InvalidArgument: they are not numbers, or of a type that has no exact reading.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise InvalidArgument(f"{caller}: {name} are masked; fill or drop the masked entries first")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{caller}: {name} must be {HELP}; {error}") from None
    if array.dtype == np.float64 and isinstance(values, list | tuple):
        array = _kept_whole(values, array)
    if array.dtype.kind == "O":
        array = _whole_objects(array, caller, name)
    if array.dtype.kind not in "biufO" or array.dtype.itemsize > 8:
        raise InvalidArgument(f"{caller}: {name} must be {HELP}; you passed {array.dtype}")
    return Column(array.reshape(-1), array.shape, caller, name)


def as_doubles(block: NDArray[Any]) -> NDArray[np.float64]:
    """The doubles next to the numbers of a block; the largest double for what is beyond.

    NumPy reads a list of integers and floats as floats, so that a single float decides how the
    integers are read; as doubles each of them is the same in any company.
    """
    if block.dtype.kind != "O":
        return block.astype(np.float64)
    return np.array([float(max(-LARGEST, min(LARGEST, value))) for value in block])


def _kept_whole(values: Any, array: NDArray[Any]) -> NDArray[Any]:
    """Integers as objects where NumPy, for want of a wide enough type, made them floats."""
    objects = np.array(values, dtype=object)
    whole = objects.size and all(isinstance(value, int | np.integer) for value in objects.flat)
    return objects if whole else array


def _whole_objects(array: NDArray[Any], caller: str, name: str) -> NDArray[Any]:
    """An array of Python integers of any size."""
    for value in array.flat:
        if not isinstance(value, int | np.integer):
            raise InvalidArgument(
                f"{caller}: {name} must be {HELP}; you passed an object array that holds a "
                f"{type(value).__name__}; convert it to float64 or to integers first"
            )
    whole = np.empty(array.size, dtype=object)
    whole[:] = [int(value) for value in array.flat]
    return whole.reshape(array.shape)


def _fit(values: NDArray[Any]) -> bool:
    """Whether integers lie within +-2**61."""
    return values.dtype.itemsize < 8 or bool(values.min() >= -RANGE and values.max() <= RANGE)
