"""The error of a specification: it names the file, the line, the key, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from tightrope import _parse
from tightrope._errors import InvalidArgument


class SpecError(InvalidArgument):
    """A mistake in a specification.

    Attributes:
        file: the name of the document.
        line: the line of the mistake, counted from 1; None if it has no place.
        key: the path of the key, as in ``release[2].variance`` (items are counted from 1).
        problem: what is wrong, without the place.
    """

    def __init__(self, file: str, line: int | None, key: str, problem: str):
        place = file if line is None else f"{file}, line {line}"
        super().__init__(": ".join(part for part in (place, key, problem) if part))
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem


def hint(name: str, known: Iterable[str]) -> str:
    """The nearest valid name, and all that are allowed."""
    return _parse.nearest(name, dict.fromkeys(known))
