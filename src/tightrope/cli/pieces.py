"""Pieces of pages for a terminal: plain tables and bullets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType


def table(*columns: str, numbers: bool = True, whole: tuple[str, ...] = ()) -> Table:
    """A plain table whose first column is text, and so are the others unless they are numbers.

    What stands in a column of ``whole`` is never broken into lines.
    """
    made = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_edge=False)
    for position, name in enumerate(columns):
        right = numbers and position > 0
        side: Literal["left", "right"] = "right" if right else "left"
        made.add_column(name, justify=side, overflow="fold", no_wrap=name in whole)
    return made


def bullet(text: str) -> RenderableType:
    """An item of a list."""
    grid = Table.grid(padding=(0, 1))
    grid.add_row("•", Text(text))
    return grid
