"""A statement as a LaTeX document; the picture needs pgfplots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch

from tightrope._latex import escaped
from tightrope._version import __version__
from tightrope.ledger.statement import Statement
from tightrope.reporting.latex import whole_document
from tightrope.reporting.record import Picture
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
from tightrope.reporting.typeset import items, paragraph, picture

WIDTH = 14.0
"""Centimetres for the columns of a table."""

NARROWEST, WIDEST = 6, 40
"""Characters of the narrowest and the widest column between which the width is shared out."""

PIECE = 8
"""Characters of a text for programs between which a line may break."""


def as_latex(told: Statement) -> str:
    """The whole document."""
    about = [paragraph(told.about)] if told.about else []
    body = (text for section in sections(told) for text in _section(section))
    return whole_document(
        title(told), [*about, *body, paragraph(f"Made by tightrope {__version__}.")]
    )


def _section(section: Section) -> Iterator[str]:
    yield rf"\section*{{{escaped(section.title)}}}"
    yield from map(_block, section.blocks)


@singledispatch
def _block(block: object) -> str:
    raise TypeError(f"no LaTeX for {block!r}")


@_block.register
def _paragraph(block: Paragraph) -> str:
    return paragraph(block.text)


@_block.register
def _bullets(block: Bullets) -> str:
    return items(map(escaped, block.items))


@_block.register
def _facts(block: Facts) -> str:
    return _table(block.caption, (), block.rows)


@_block.register
def _grid(block: Grid) -> str:
    return _table(block.caption, block.heads, block.rows)


@_block.register
def _code(block: Code) -> str:
    pieces = (block.text[at : at + PIECE] for at in range(0, len(block.text), PIECE))
    broken = r"\allowbreak{}".join(map(escaped, pieces))
    return rf"{{\footnotesize\ttfamily\raggedright {broken}\par}}"


@_block.register
def _paper(block: Paper) -> str:
    link = rf" \url{{{block.link}}}" if block.link else ""
    return f"{escaped(block.text)}{link}\n"


@_block.register
def _picture(block: Picture) -> str:
    return "\n".join(picture(block))


def _table(caption: str, heads: Iterable[str], rows: tuple[tuple[str, ...], ...]) -> str:
    named = tuple(heads)
    columns = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{width:.2f}cm}}"
        for width in _widths((*([named] if named else []), *rows))
    )
    top = rf"{_row(named)} \midrule \endhead" if named else r"\endhead"
    return "\n".join(
        [
            paragraph(caption),
            rf"\begin{{longtable}}[l]{{@{{}}{columns}@{{}}}}",
            rf"\toprule {top}",
            *map(_row, rows),
            r"\bottomrule",
            r"\end{longtable}",
        ]
    )


def _row(cells: Iterable[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def _widths(rows: tuple[tuple[str, ...], ...]) -> Iterator[float]:
    """What each column gets, by its longest text."""
    longest = [max(map(len, column)) for column in zip(*rows, strict=True)]
    shares = [min(max(size, NARROWEST), WIDEST) for size in longest]
    for share in shares:
        yield WIDTH * share / sum(shares)
