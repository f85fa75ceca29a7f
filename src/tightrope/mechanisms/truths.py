"""What people would truthfully answer, as numbers of categories, and answers made like it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope._errors import InvalidArgument
from tightrope.grid import declared_labels, is_frame, labelled, place_of, read

__all__ = ["Label", "Truths", "read_truths"]

Codes = NDArray[np.int64]
Label = str | bytes | int


@dataclass(frozen=True)
class Truths:
    """True values, read.

    Attributes:
        codes: the number of each one's category, in a row.
        answers: makes what is given back from as many numbers of categories.
        labels: what the categories are called; None if they are called by their numbers.
    """

    codes: Codes
    answers: Callable[[Codes], Any]
    labels: tuple[Label, ...] | None


def read_truths(values: Any, categories: int, labels: Any, caller: str) -> Truths:
    """Values that are numbers of categories, booleans, or labels.

    Raises:
        InvalidArgument: a value is no category, or missing; the labels are none, or not as many as
            the categories; or this is a frame of several columns.
    """
    what = f"{caller}: values"
    if labels is None and is_frame(values):
        labels = declared_labels(values, what)
    if labels is None:
        return _by_number(values, categories, caller)
    known = _checked(labels, categories, caller)
    if is_frame(values):
        found = labelled(values, known, what)
        codes = _codes(found.entries, (len(found.entries),), known, what)
        table = np.array(known, dtype=object)
        return Truths(codes, lambda drawn: found.remake(table[drawn]), known)
    held = np.array(values, dtype=object)
    codes = _codes(held.flat, held.shape, known, what)
    return Truths(codes, lambda drawn: _array(drawn, known, held.shape), known)


def _codes(
    entries: Iterable[Any], shape: tuple[int, ...], labels: tuple[Label, ...], what: str
) -> Codes:
    """The numbers of labels among all labels.

    Raises:
        InvalidArgument: an entry is none of them; its place is told.
    """
    numbers = {label: number for number, label in enumerate(labels)}
    codes = [numbers.get(entry, -1) if _is_label(entry) else -1 for entry in entries]
    if -1 in codes:
        raise InvalidArgument(
            f"{what}{place_of(codes.index(-1), shape)} is missing, or none of the {len(labels)} "
            "labels"
        )
    return np.array(codes, dtype=np.int64)


def _by_number(values: Any, categories: int, caller: str) -> Truths:
    column = read(values, caller)
    if not column.whole or _mixed(values):
        raise InvalidArgument(
            f"{caller}: values must be whole numbers by type, or all of them booleans; for other "
            "categories give their labels="
        )
    codes = np.empty(column.flat.size, dtype=np.int64)
    for part, block in column.blocks():
        outside = ((block < 0) | (block >= categories)).astype(bool)
        column.refuse(outside, part.start, f"no category; these are 0 to {categories - 1}")
        codes[part] = block
    both = column.flat.dtype.kind == "b" and categories == 2
    kind = bool if both else np.int64
    return Truths(codes, lambda drawn: column.remade(drawn.astype(kind)), None)


def _mixed(values: Any) -> bool:
    """Whether a list holds booleans beside numbers: one would decide what all answers are."""
    if not isinstance(values, list | tuple):
        return False
    flags = [isinstance(value, bool | np.bool_) for value in np.array(values, dtype=object).flat]
    return any(flags) and not all(flags)


def _checked(labels: Any, categories: int, caller: str) -> tuple[Label, ...]:
    plain = isinstance(labels, Sequence | np.ndarray) and not isinstance(labels, str | bytes)
    known = tuple(labels.tolist() if isinstance(labels, np.ndarray) else labels) if plain else ()
    if not all(map(_is_label, known)) or len(set(known)) != len(known) or len(known) != categories:
        raise InvalidArgument(
            f"{caller}: labels must be {categories} different texts, bytes or whole numbers, one "
            f"for each category, known without looking at the data; you passed {labels!r}"
        )
    return known


def _is_label(value: Any) -> bool:
    return isinstance(value, str | bytes | int | np.integer)


def _array(drawn: Codes, labels: tuple[Label, ...], shape: tuple[int, ...]) -> Any:
    if not shape:
        return labels[int(drawn[0])]
    alike = len({type(label) for label in labels}) == 1
    return np.array(labels, dtype=None if alike else object)[drawn].reshape(shape)
