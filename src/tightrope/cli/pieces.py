"""Pieces of pages for a terminal: plain tables and bullets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import RenderableType


def table(*columns: str, numbers: bool = True) -> Table:
    """A plain table whose first column is text, and so are the others unless they are numbers."""
    made = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_edge=False)
    for position, name in enumerate(columns):
        right = numbers and position > 0
        made.add_column(name, justify="right" if right else "left", overflow="fold")
    return made


def bullet(text: str) -> RenderableType:
    """An item of a list."""
    grid = Table.grid(padding=(0, 1))
    grid.add_row("•", Text(text))
    return grid
