"""The errors that the package raises on purpose, found by walking its classes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import tightrope as tr
import tightrope.certifying
import tightrope.ledger
import tightrope.spec.errors
from tightrope._errors import TightropeError


def errors(of: type = TightropeError) -> Iterator[type]:
    """An error and all that are kinds of it."""
    yield of
    for kind in of.__subclasses__():
        yield from errors(kind)


def table() -> str:
    """Each error, what it is a kind of, and what it says."""
    lines = ["| error | also a | when |", "| - | - | - |"]
    for error in errors():
        name = f"`tr.{error.__name__}`" if error.__name__ in tr.__all__ else f"`{error.__name__}`"
        kinds = ", ".join(f"`{base.__name__}`" for base in error.__bases__)
        says = (inspect.getdoc(error) or "").split("\n\n")[0].replace("\n", " ")
        lines.append(f"| {name} | {kinds} | {says} |")
    return "\n".join(lines)
