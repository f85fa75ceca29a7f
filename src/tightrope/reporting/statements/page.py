"""A statement as one HTML page that needs nothing else: no network, no scripts, no fonts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from tightrope._version import __version__
from tightrope.ledger.statement import Statement
from tightrope.reporting.markup import Markup, joined, tag
from tightrope.reporting.page import figure, whole_page
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
from tightrope.reporting.tables import bullets, piece


def as_html(told: Statement) -> str:
    """The whole page."""
    made = sections(told)
    header = [tag("h1", title(told)), *([tag("p", told.about)] if told.about else [])]
    return whole_page(
        f"{title(told)}: what was spent",
        f"tightrope {__version__}",
        header,
        {section.key: section.title for section in made},
        map(_section, made),
    )


def _section(section: Section) -> Markup:
    return tag("section", tag("h2", section.title), *map(_block, section.blocks), id=section.key)


@singledispatch
def _block(block: object) -> Markup:
    raise TypeError(f"no HTML for {block!r}")


@_block.register
def _paragraph(block: Paragraph) -> Markup:
    return tag("p", block.text, class_="soft") if block.soft else tag("p", block.text)


@_block.register
def _bullets(block: Bullets) -> Markup:
    return bullets(block.items, class_="meaning") if block.stressed else bullets(block.items)


@_block.register
def _facts(block: Facts) -> Markup:
    rows = (tag("tr", tag("th", name, scope="row"), tag("td", text)) for name, text in block.rows)
    return tag("table", tag("caption", block.caption), tag("tbody", *rows), class_="told facts")


@_block.register
def _grid(block: Grid) -> Markup:
    heads = (tag("th", head, scope="col", role="columnheader") for head in block.heads)
    rows = (tag("tr", *_cells(block.heads, row), role="row") for row in block.rows)
    return tag(
        "table",
        tag("caption", block.caption),
        tag("thead", tag("tr", *heads, role="row")),
        tag("tbody", *rows),
        class_="stacked told",
        role="table",
    )


def _cells(heads: tuple[str, ...], row: tuple[str, ...]) -> Iterator[Markup]:
    """The cells of a row; on a narrow page, where nothing stands above them, with labels."""
    yield tag("th", _label(heads[0]), row[0], scope="row", role="rowheader")
    for head, text in zip(heads[1:], row[1:], strict=True):
        yield tag("td", _label(head), piece(text), role="cell")


def _label(head: str) -> Markup:
    return tag("span", f"{head}: ", class_="label")


@_block.register
def _code(block: Code) -> Markup:
    return tag("p", tag("code", block.text))


@_block.register
def _paper(block: Paper) -> Markup:
    link = tag("a", block.link.removeprefix("https://"), href=block.link) if block.link else ""
    return tag("p", joined((block.text, " ", link)), class_="source")


@_block.register
def _picture(block: Picture) -> Markup:
    return figure(block)
