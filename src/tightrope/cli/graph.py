"""``tightrope graph``: the conversions between notions of privacy, as they are registered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tightrope.cli.output import Json, heading, show, show_json, stdout

if TYPE_CHECKING:
    from rich.console import RenderableType

    from tightrope.reporting.graph import Graph


COLUMNS = ("to", "grade", "theorem", "source")

WIDE = 72
"""Columns from which names of theorems fit on one line, beside their source."""


def graph(*, json_: Json = False) -> None:
    """Show which notion leads to which, by which theorem, and how much each gives away."""
    from tightrope.reporting.graph import graph as registered

    found = registered()
    if json_:
        show_json("graph", {"graph": found})
        return
    show(*_page(found))


def _page(found: Graph) -> Iterator[RenderableType]:
    from rich.text import Text

    from tightrope.cli.pieces import bullet, table

    wide = stdout().width >= WIDE
    yield Text(
        "lossless: there is a way back; sharp: the best that holds; loose: valid, not the best; "
        "conditional: in special cases only"
    )
    for name, title in found.notions.items():
        edges = [edge for edge in found.edges if edge.source == name]
        if not edges:
            continue
        yield heading(f"{name}: {title}" if title != name else name)
        rows = table(*COLUMNS, numbers=False, whole=COLUMNS[:3] if wide else ())
        for edge in edges:
            grade = "conditional" if edge.condition else edge.grade
            rows.add_row(edge.target, grade, edge.theorem, edge.citation)
        yield rows
        for edge in edges:
            if edge.condition:
                yield bullet(f"{edge.theorem}: {edge.grade}, {edge.condition}")
    yield heading("What cannot be")
    for gap in found.gaps:
        yield bullet(f"{gap.source} to {gap.target}: {gap.reason}")
