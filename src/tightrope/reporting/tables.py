"""Tables, numbers and sentences of a report as HTML; a number is a link to its theorem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tightrope.reporting.markup import Markup, joined, prose, tag
from tightrope.reporting.record import Number, Part, Piece, Row, Table
from tightrope.reporting.words import NO_LOWER_END

SHORT = 16
"""Most characters of a text that is never broken into lines."""


def number(told: Number) -> Markup:
    """A number for people with all its digits for programs, and a link to its theorem."""
    value = tag("data", told.shown, value=told.digits)
    return tag("a", value, href=f"#{anchor(told.source)}", class_="number")


def anchor(source: str) -> str:
    """The id of a theorem's entry."""
    return f"theorem-{source}"


def piece(told: Piece) -> Markup:
    """Words or a number."""
    if isinstance(told, Number):
        return number(told)
    return tag("span", told, class_="short") if len(told) <= SHORT else prose(told)


def sentence(told: Iterable[Piece]) -> Markup:
    """A sentence with its numbers as links."""
    return joined(map(piece, told))


def rows_table(part: Part, position: int, within: str) -> Markup:
    """The questions of a part with their answers."""
    heads = ("question", "answer", within)
    body = [_row(row, f"proof-{position}-{place}") for place, row in enumerate(part.rows)]
    caption = f"About {part.title}, for neighbours: {part.neighbors}"
    return _table(caption, heads, body, class_="stacked", role="table")


def _row(row: Row, proof: str) -> Markup:
    head = tag("th", row.question, scope="row", role="rowheader")
    if row.number is None:
        told = f"no finite answer: {'; '.join(row.reasons)}"
        return tag(
            "tr", head, tag("td", told, class_="words", colspan="2", role="cell"), role="row"
        )
    how = tag("a", "how", href=f"#{proof}", aria_label=f"how it is proved: {row.question}")
    cells = (
        tag("td", number(row.number), " (", how, ")", role="cell", class_="short"),
        tag("td", *_ends(row.number.interval), role="cell"),
    )
    return tag("tr", head, *cells, role="row")


def _ends(interval: str) -> tuple[str, ...]:
    """Where a number lies; on a narrow page, where nothing stands above it, with a label."""
    label = tag("span", "within ", class_="label")
    return (label, interval) if interval else (NO_LOWER_END,)


def small_table(caption: str, table: Table) -> Markup:
    """A table of numbers; wide ones scroll by themselves."""
    body = [
        tag("tr", tag("th", piece(first), scope="row"), *(tag("td", piece(cell)) for cell in rest))
        for first, *rest in table.rows
    ]
    inside = _table(caption, table.heads, body)
    return tag("div", inside, class_="wide", tabindex="0", role="region", aria_label=caption)


def _table(caption: str, heads: Iterable[str], body: Iterable[Markup], **attributes: str) -> Markup:
    cells = (tag("th", _head(head), scope="col") for head in heads)
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *cells)),
        tag("tbody", *body),
        **attributes,
    )


def _head(text: str) -> Markup:
    """The head of a column, which breaks between words only."""
    words = text.replace(" %", "\u00a0%").split(" ")
    return joined(piece for word in words for piece in (" ", tag("span", word, class_="short")))


def bullets(items: Iterable[str], **attributes: str) -> Markup:
    """A list."""
    return tag("ul", *(tag("li", item) for item in items), **attributes)


def paragraphs(texts: Iterable[str]) -> Iterator[Markup]:
    """Paragraphs."""
    return (tag("p", text) for text in texts)
