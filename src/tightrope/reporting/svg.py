"""Pictures as SVG that stands inside a page: plain lines, legible in grey, in the page's colours.

Curves differ by their dashes as well as by their colours; what a picture shows is said in words,
for those who do not see it, and the page puts its numbers in a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from tightrope._wire import clipped
from tightrope.reporting.markup import Markup, tag
from tightrope.reporting.record import Axis, Picture, Series
from tightrope.reporting.scale import place, ticks

WIDTH = 420.0
HEIGHT = 260.0
LEFT = 52.0
RIGHT = 14.0
TOP = 12.0
BOTTOM = 44.0
ACROSS = WIDTH - LEFT - RIGHT
DOWN = HEIGHT - TOP - BOTTOM
ROW = 18.0
LETTER = 6.5
"""About the width of a letter."""

LONGEST = 40
"""Most characters of a name beside its line."""

STYLES = 5
"""Kinds of lines that the style sheet knows."""


def svg(picture: Picture) -> Markup:
    """The picture as an element."""
    legend = ROW * len(picture.series) if len(picture.series) > 1 else 0.0
    name, words = f"{picture.key}-title", f"{picture.key}-words"
    return tag(
        "svg",
        tag("title", picture.title, id=name),
        tag("desc", picture.about, id=words),
        *(_legend(picture.series) if legend else ()),
        tag("g", *_plot(picture), transform=f"translate({LEFT:g} {TOP + legend:g})"),
        viewBox=f"0 0 {WIDTH:g} {HEIGHT + legend:g}",
        role="img",
        aria_labelledby=f"{name} {words}",
    )


def _legend(series: tuple[Series, ...]) -> Iterator[Markup]:
    for row, one in enumerate(series):
        y = TOP + ROW * row
        yield tag("line", x1=LEFT, y1=y, x2=LEFT + 34, y2=y, class_=_style(row))
        yield tag("text", clipped(one.label, LONGEST), x=LEFT + 42, y=y + 4)


def _style(row: int) -> str:
    return f"curve c{row % STYLES}"


def _plot(picture: Picture) -> Iterator[Markup]:
    for value, text in ticks(picture.x):
        x = ACROSS * place(picture.x, value)
        yield tag("line", x1=x, y1=0, x2=x, y2=DOWN, class_="grid")
        yield tag("text", text, x=x, y=DOWN + 17, text_anchor=_anchor(x, text))
    for value, text in ticks(picture.y):
        y = DOWN * (1 - place(picture.y, value))
        yield tag("line", x1=0, y1=y, x2=ACROSS, y2=y, class_="grid")
        yield tag("text", text, x=-7, y=y + 4, text_anchor="end")
    yield tag("text", picture.x.label, x=ACROSS / 2, y=DOWN + 37, text_anchor="middle")
    yield _upright(picture.y)
    for row, one in enumerate(picture.series):
        yield from _curve(picture, one, row)


def _anchor(x: float, text: str) -> str:
    """Which part of a mark's text stands at its place: long ones must not leave the picture."""
    half = LETTER * len(text) / 2
    if x + half > ACROSS + RIGHT:
        return "end"
    return "start" if x - half < -LEFT else "middle"


def _upright(axis: Axis) -> Markup:
    """The name of the vertical axis, beside it."""
    turned = f"translate(-41 {DOWN / 2:g}) rotate(-90)"
    return tag("text", axis.label, transform=turned, text_anchor="middle")


def _curve(picture: Picture, one: Series, row: int) -> Iterator[Markup]:
    points = [
        (ACROSS * place(picture.x, x), DOWN * (1 - place(picture.y, y))) for x, y in one.points
    ]
    path = "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    yield tag("path", d=f"M{path}", class_=_style(row))
    if one.marked:
        yield from (tag("circle", cx=x, cy=y, r=3.5, class_=f"m{row % STYLES}") for x, y in points)
