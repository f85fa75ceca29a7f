"""Small plots in text: dots of Braille where the terminal can show them, else plain letters."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from tightrope.reporting.record import Axis
from tightrope.reporting.scale import place

WIDTH = 64
HEIGHT = 15
MARGIN = 8
"""Columns for the numbers on the left; all of it fits 80 columns."""

ACROSS, DOWN = 2, 4
"""Dots of one Braille character."""

BRAILLE = 0x2800
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""What each dot adds to the code of a Braille character, by row and column."""

LETTERS = 5
"""How often a curve among several carries its letter."""

Points = Sequence[tuple[float, float]]
Cell = tuple[int, int]


def plot(x: Axis, y: Axis, curves: Mapping[str, Points], *, plain: bool) -> list[str]:
    """The lines of a plot.

    Args:
        x: the horizontal axis.
        y: the vertical axis.
        curves: points from left to right, by a letter.
        plain: whether only ASCII characters can be shown.
    """
    cells = _letters(x, y, curves) if plain else _dots(x, y, curves)
    bar, corner, floor = ("|", "+", "-") if plain else ("│", "└", "─")
    ends = {0: f"{y.high:g}", HEIGHT // 2: f"{(y.low + y.high) / 2:g}", HEIGHT - 1: f"{y.low:g}"}
    rows = [
        f"{ends.get(row, ''):>{MARGIN}} {bar}"
        + "".join(cells.get((row, column), " ") for column in range(WIDTH)).rstrip()
        for row in range(HEIGHT)
    ]
    under = f"{x.low:g}{f'{(x.low + x.high) / 2:g}':^{WIDTH - 2}}{x.high:g}"
    return [
        " " * MARGIN + f" {y.label}",
        *rows,
        " " * MARGIN + f" {corner}{floor * WIDTH}",
        " " * (MARGIN + 2) + under,
        " " * (MARGIN + 2) + f"{x.label:^{WIDTH}}".rstrip(),
    ]


def shows_only_ascii() -> bool:
    """Whether stdout cannot show Braille."""
    try:
        "⣿│└─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def _letters(x: Axis, y: Axis, curves: Mapping[str, Points]) -> dict[Cell, str]:
    """One letter a column and curve; a star where two curves meet."""
    cells: dict[Cell, str] = {}
    for letter, points in curves.items():
        for column, row in enumerate(_rows(x, y, points, WIDTH, HEIGHT)):
            cells[row, column] = "*" if (row, column) in cells else letter
    return cells


def _dots(x: Axis, y: Axis, curves: Mapping[str, Points]) -> dict[Cell, str]:
    codes: dict[Cell, int] = {}
    names: dict[Cell, str] = {}
    for number, (letter, points) in enumerate(curves.items()):
        for row, column in _path(_rows(x, y, points, WIDTH * ACROSS, HEIGHT * DOWN)):
            cell = (row // DOWN, column // ACROSS)
            codes[cell] = codes.get(cell, 0) | BITS[row % DOWN][column % ACROSS]
        if len(curves) > 1:
            rows = _rows(x, y, points, WIDTH, HEIGHT)
            first, stride = 2 + 5 * number, WIDTH // LETTERS
            names |= {(rows[column], column): letter for column in range(first, WIDTH, stride)}
    return {cell: chr(BRAILLE + code) for cell, code in codes.items()} | names


def _path(rows: Sequence[int]) -> Iterator[Cell]:
    """The dots of a curve, with the rows between two columns filled."""
    for column, row in enumerate(rows):
        before = rows[max(column - 1, 0)]
        for between in range(min(before, row), max(before, row) + 1):
            if between == row or between != before:
                yield between, column


def _rows(x: Axis, y: Axis, points: Points, width: int, height: int) -> list[int]:
    """The row of a curve in every column, from the top."""
    import numpy as np

    across = [place(x, at) * (width - 1) for at, _ in points]
    down = [(1 - place(y, at)) * (height - 1) for _, at in points]
    return [round(float(row)) for row in np.interp(np.arange(width), across, down)]
