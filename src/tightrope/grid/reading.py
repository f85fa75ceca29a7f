"""What people hold, as one column of floats or of integers.

Anything that NumPy can read is taken: numbers, sequences, arrays of any layout; and the columns and
frames of pandas, polars and Arrow. What has no exact reading is refused by name: text, fractions,
decimals, masked and missing entries, floats of more than 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._check import LARGEST
from tightrope._errors import InvalidArgument
from tightrope.grid.exact_numbers import as_numbers, infinite, not_numbers, place_of
from tightrope.grid.frames import is_frame, opened
from tightrope.grid.remaking import Remake
from tightrope.noise.saturation import RANGE

__all__ = ["BLOCK", "Column", "as_doubles", "read", "read_records"]

BLOCK = 1 << 18
"""Entries that are worked on at once, so that what is held beside the data stays small."""


@dataclass(frozen=True)
class Column:
    """Values in a row: float64 (or shorter), integers, or Python ints and floats as objects.

    Attributes:
        flat: the values, one axis.
        shape: the shape that they came in; () for a single number.
        caller: what was called, for messages.
        name: what the values are, for messages.
        typed: whether the integers are integers by a type that does not come from the values: that
            of an array or a column, and not that of a list.
        like: makes an object of the kind that was passed from an array of that shape.
    """

    flat: NDArray[Any]
    shape: tuple[int, ...]
    caller: str
    name: str = "values"
    typed: bool = False
    like: Remake | None = field(default=None, repr=False)

    @property
    def whole(self) -> bool:
        """Whether these are integers as they stand; an empty column is anything.

        It depends on the values where these are a list, so that it may decide what is refused, and
        nothing that is public.
        """
        if self.flat.dtype.kind == "O":
            return all(isinstance(value, int) for value in self.flat)
        return self.flat.dtype.kind in "iub" or not self.flat.size

    def remade(self, flat: NDArray[Any]) -> Any:
        """Results, one a value, in the shape and kind that the values came in."""
        if not self.shape:
            return flat[0].item() if isinstance(flat[0], np.generic) else flat[0]
        shaped = flat.reshape(self.shape)
        return shaped if self.like is None else self.like(shaped)

    def blocks(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """The column in parts: float64, or int64 within +-2**61, or Python numbers beyond."""
        for start in range(0, self.flat.size, BLOCK):
            part = slice(start, start + BLOCK)
            yield part, self._block(self.flat[part], start)

    def _block(self, values: NDArray[Any], start: int) -> NDArray[Any]:
        if values.dtype.kind == "f":
            values = values.astype(np.float64)
        if values.dtype.kind in "fO":
            self.refuse(not_numbers(values), start, "not a number (NaN)")
            return values
        return values.astype(np.int64) if _fit(values) else values.astype(object)

    def finite_blocks(
        self, hint: str = "declare bounds=(low, high) to clip to, or remove it"
    ) -> Iterator[tuple[slice, NDArray[Any]]]:
        """The same parts; InvalidArgument at the first number that is infinite."""
        for part, block in self.blocks():
            if block.dtype.kind in "fO":
                self.refuse(infinite(block), part.start, f"infinite; {hint}")
            yield part, block

    def require_finite(self, hint: str) -> None:
        """Raise InvalidArgument at the first number that is infinite."""
        for _ in self.finite_blocks(hint):
            pass

    def refuse(self, bad: NDArray[np.bool_], start: int, why: str) -> None:
        """Raise InvalidArgument if an entry is bad, naming the first one's place."""
        if bad.any():
            where = place_of(start + int(np.argmax(bad)), self.shape)
            raise InvalidArgument(f"{self.caller}: {self.name}{where} is {why}")


def read(values: Any, caller: str, name: str = "values") -> Column:
    """``values`` as a column.

    Raises:
        InvalidArgument: they are not numbers, or of a type that has no exact reading; or an entry
            is missing.
    """
    what = f"{caller}: {name}"
    if is_frame(values):
        found = opened(values, what)
        array, like, typed = found.array, found.remake, True
    else:
        array, like = as_numbers(values, what), None
        typed = hasattr(values, "__array__") and not isinstance(values, np.generic)
    typed = typed and array.dtype.kind in "iub"
    return Column(array.reshape(-1), array.shape, caller, name, typed, like)


def read_records(values: Any, caller: str) -> Column:
    """One number a record.

    Raises:
        InvalidArgument: as for ``read``; or these are a frame of several columns, of which a record
            would have as many numbers.
    """
    column = read(values, caller)
    if column.like is not None and len(column.shape) == 2 and column.shape[1] != 1:
        raise InvalidArgument(
            f"{caller}: a record is one number; you passed a frame of {column.shape[1]} columns: "
            "take them one by one and compose, or add whole rows by tr.bounded_row_sum"
        )
    return column


def as_doubles(block: NDArray[Any]) -> NDArray[np.float64]:
    """The doubles next to the numbers of a block; the largest double for what is beyond.

    This is how to read records, each of which is clipped and rounded by itself: it is what NumPy
    does to integers that share an array with floats. Where a *difference* of numbers counts, as
    between the answers of a query, they must stay what they are: rounded, they may differ by more.
    """
    if block.dtype.kind != "O":
        return block.astype(np.float64)
    return np.array([float(max(-LARGEST, min(LARGEST, value))) for value in block])


def _fit(values: NDArray[Any]) -> bool:
    """Whether integers lie within +-2**61."""
    return values.dtype.itemsize < 8 or bool(values.min() >= -RANGE and values.max() <= RANGE)
