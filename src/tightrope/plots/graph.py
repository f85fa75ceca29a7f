"""The conversion graph: which notion of privacy follows from which, and at what price."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tightrope.plots.canvas import opened
from tightrope.plots.palette import DASHES, ink, palette
from tightrope.theorems.registry import Grade, theorems

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROUND = (
    "PureDP",
    "BoundedRange",
    "LogisticDP",
    "GDP",
    "TradeOff",
    "Profile",
    "ApproxDP",
    "RDP",
    "TCDP",
    "ZCDP",
)
"""Clockwise from the top, so that most arrows are short; notions not named here come last."""

_WIDTH = 1.35
"""Of the ring, whose height is 1: names are wider than high."""

Place = tuple[float, float]


class Edge(NamedTuple):
    """That one notion implies another, by theorems of one grade."""

    source: str
    target: str
    grade: Grade


def conversions() -> tuple[Edge, ...]:
    """Every pair of notions that a registered conversion joins, once for each grade."""
    edges = (Edge(t.source.__name__, t.target.__name__, t.grade) for t in theorems("conversion"))
    return tuple(dict.fromkeys(edges))


def conversion_graph(*, axes: Axes | None = None) -> Axes:
    """Draw which notion implies which, as the registry of theorems has it.

    Args:
        axes: of matplotlib, wanting five inches each way; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: matplotlib is not installed.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> axes = tr.plots.conversion_graph(axes=Figure().subplots())
        >>> "ZCDP" in [text.get_text() for text in axes.texts]
        True
    """
    axes = opened(axes)
    edges = conversions()
    places = _places(edges)
    boxes = {name: _draw_notion(axes, name, place) for name, place in places.items()}
    for edge in edges:
        _draw_edge(axes, edge, places, boxes)
    _draw_key(axes)
    axes.set(xlim=(-1.6, 1.6), ylim=(-1.15, 1.15), aspect="equal")
    axes.set_axis_off()
    return axes


def _places(edges: tuple[Edge, ...]) -> dict[str, Place]:
    met = dict.fromkeys(name for edge in edges for name in (edge.source, edge.target))
    names = [*(n for n in _ROUND if n in met), *(n for n in met if n not in _ROUND)]
    angles = [math.pi / 2 - 2 * math.pi * n / len(names) for n in range(len(names))]
    return {n: (_WIDTH * math.cos(a), math.sin(a)) for n, a in zip(names, angles, strict=True)}


def _draw_notion(axes: Axes, name: str, place: Place) -> Any:
    """A name in a box; gives the box."""
    box = {"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": ink(axes)}
    text = axes.text(
        *place, name, ha="center", va="center", color=ink(axes), fontsize="small", bbox=box
    )
    return text.get_bbox_patch()


def _draw_edge(
    axes: Axes, edge: Edge, places: Mapping[str, Place], boxes: Mapping[str, Any]
) -> None:
    from matplotlib.patches import FancyArrowPatch

    start, end = places[edge.source], places[edge.target]
    arrow = FancyArrowPatch(
        start,
        end,
        patchA=boxes[edge.source],
        patchB=boxes[edge.target],
        connectionstyle=f"arc3,rad={_bend(edge.grade, start, end)}",
        arrowstyle="-|>",
        mutation_scale=9,
        shrinkA=1,
        shrinkB=1,
        zorder=4,  # after the words, whose boxes are known only when they are drawn
        **_style(axes, edge.grade),
    )
    arrow.set_in_layout(False)
    axes.add_patch(arrow)


def _bend(grade: Grade, start: Place, end: Place) -> float:
    """To the right, which keeps two directions apart; what is loose bends towards the centre."""
    if grade is not Grade.LOOSE:
        return 0.07
    return math.copysign(0.2, start[1] * end[0] - start[0] * end[1])


def _style(axes: Axes, grade: Grade) -> dict[str, Any]:
    colours = palette(axes)
    styles: dict[Grade, dict[str, Any]] = {
        Grade.LOSSLESS: {"color": colours[0], "linewidth": 2.2, "linestyle": DASHES[0]},
        Grade.SHARP: {"color": colours[2], "linewidth": 1.0, "linestyle": DASHES[0]},
        Grade.LOOSE: {"color": colours[3], "linewidth": 1.0, "linestyle": DASHES[1]},
    }
    return styles[grade]


def _draw_key(axes: Axes) -> None:
    from matplotlib.lines import Line2D

    words = {
        Grade.LOSSLESS: "lossless: there is a way back",
        Grade.SHARP: "sharp: the best for the whole class",
        Grade.LOOSE: "loose: valid, not the best",
    }
    samples = [Line2D([], [], **_style(axes, grade)) for grade in words]
    axes.legend(
        samples,
        list(words.values()),
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        frameon=False,
        handlelength=3.2,
        labelcolor=ink(axes),
        fontsize="small",
    )
