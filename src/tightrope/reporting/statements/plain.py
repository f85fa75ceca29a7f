"""A statement as plain lines, in which no text of others controls a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from functools import singledispatch

from tightrope._text import cleaned
from tightrope.ledger.statement import Statement
from tightrope.reporting.record import Picture, in_words
from tightrope.reporting.statements.blocks import (
    Bullets,
    Code,
    Facts,
    Grid,
    Paper,
    Paragraph,
    Section,
)
from tightrope.reporting.statements.told import sections, title

WIDTH = 80
"""Columns of a text that is read who knows where."""


def as_text(told: Statement, width: int = WIDTH) -> str:
    """The whole statement, on lines that are no longer than texts without blanks."""
    about = _wrapped(told.about, width) if told.about else []
    lines = [one_line(title(told)), *about, *_sections(sections(told), width)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _sections(made: Iterable[Section], width: int) -> Iterator[str]:
    for section in made:
        yield ""
        yield section.title
        yield "-" * len(section.title)
        for block in section.blocks:
            yield from _block(block, width)


def one_line(text: str) -> str:
    """A text of others on one line, with nothing in it that controls what shows it."""
    return " ".join(cleaned(text).split())


def _wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        one_line(text),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
    )


@singledispatch
def _block(block: object, width: int) -> Iterable[str]:
    raise TypeError(f"no text for {block!r}")


@_block.register
def _paragraph(block: Paragraph, width: int) -> Iterable[str]:
    return _wrapped(block.text, width)


@_block.register
def _bullets(block: Bullets, width: int) -> Iterable[str]:
    return [line for item in block.items for line in _wrapped(item, width, "* ", "  ")]


@_block.register
def _facts(block: Facts, width: int) -> Iterable[str]:
    wide = max((len(one_line(name)) for name, _ in block.rows), default=0) + 2
    lines = (
        _wrapped(text, width, f"{one_line(name):<{wide}}", " " * wide) for name, text in block.rows
    )
    return [line for several in lines for line in several]


@_block.register
def _grid(block: Grid, width: int) -> Iterable[str]:
    """Every row is a paragraph, since notes and events are longer than columns are wide."""
    for number, *rest in block.rows:
        told = "; ".join(f"{head} {text}" for head, text in zip(block.heads[1:], rest, strict=True))
        yield from _wrapped(told, width, f"{one_line(number):>6}  ", " " * 8)


@_block.register
def _code(block: Code, width: int) -> Iterable[str]:
    return [one_line(block.text)]


@_block.register
def _paper(block: Paper, width: int) -> Iterable[str]:
    return _wrapped(f"{block.text} {block.link}", width)


@_block.register
def _picture(block: Picture, width: int) -> Iterable[str]:
    """What the picture shows, as its table."""
    rows = tuple(tuple(in_words((cell,)) for cell in row) for row in block.table.rows)
    yield from _wrapped(block.about, width)
    yield from _columns((block.table.heads, *rows))


def _columns(rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        yield "   ".join(cells)
