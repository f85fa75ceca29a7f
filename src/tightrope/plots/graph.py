"""The conversion graph: which notion of privacy follows from which, and at what price."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tightrope._calls import spoken
from tightrope.plots.canvas import opened
from tightrope.plots.palette import DASHES, ink, palette
from tightrope.theorems.arrows import CONDITIONAL, MEANINGS, WRITTEN, Arrow, arrows, conditions

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

_APART = (0.95, 1.55)
"""How far apart two names are that have just one between them."""

Place = tuple[float, float]


@spoken
def conversion_graph(*, axes: Axes | None = None) -> Axes:
    """Draw which notion implies which, by the best direct theorem that is registered.

    Dotted is what says something in special cases only, which stand below the picture.

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
        >>> "zCDP" in [text.get_text() for text in axes.texts]
        True
    """
    axes = opened(axes)
    edges = arrows()
    places = _places(edges)
    boxes = {name: _draw_notion(axes, name, place) for name, place in places.items()}
    for edge in edges:
        _draw_edge(axes, edge, places, boxes)
    _draw_key(axes, edges)
    axes.set(xlim=(-1.6, 1.6), ylim=(-1.15, 1.15), aspect="equal")
    axes.set_axis_off()
    return axes


def _places(edges: tuple[Arrow, ...]) -> dict[str, Place]:
    met = dict.fromkeys(name for edge in edges for name in (edge.source, edge.target))
    names = [*(n for n in _ROUND if n in met), *(n for n in met if n not in _ROUND)]
    angles = [math.pi / 2 - 2 * math.pi * n / len(names) for n in range(len(names))]
    return {n: (_WIDTH * math.cos(a), math.sin(a)) for n, a in zip(names, angles, strict=True)}


def _draw_notion(axes: Axes, name: str, place: Place) -> Any:
    """A name in a box; gives the box."""
    box = {"boxstyle": "round,pad=0.35", "facecolor": "none", "edgecolor": ink(axes)}
    text = axes.text(
        *place,
        WRITTEN.get(name, name),
        ha="center",
        va="center",
        color=ink(axes),
        fontsize="small",
        bbox=box,
    )
    return text.get_bbox_patch()


def _draw_edge(
    axes: Axes, edge: Arrow, places: Mapping[str, Place], boxes: Mapping[str, Any]
) -> None:
    from matplotlib.patches import FancyArrowPatch

    start, end = places[edge.source], places[edge.target]
    arrow = FancyArrowPatch(
        start,
        end,
        patchA=boxes[edge.source],
        patchB=boxes[edge.target],
        connectionstyle=f"arc3,rad={_bend(edge.kind, start, end)}",
        arrowstyle="-|>",
        mutation_scale=9,
        shrinkA=1,
        shrinkB=1,
        zorder=4,  # after the words, whose boxes are known only when they are drawn
        **_style(axes, edge.kind),
    )
    arrow.set_in_layout(False)
    axes.add_patch(arrow)


def _bend(kind: str, start: Place, end: Place) -> float:
    """To the right, which keeps two directions apart; towards the centre around a name between."""
    inwards = math.copysign(1.0, start[1] * end[0] - start[0] * end[1])
    if kind == "loose":
        return 0.2 * inwards
    if _APART[0] < math.dist(start, end) < _APART[1]:
        return 0.24 if inwards > 0 else -0.12
    return 0.07


def _style(axes: Axes, kind: str) -> dict[str, Any]:
    colours = palette(axes)
    styles: dict[str, dict[str, Any]] = {
        "lossless": {"color": colours[0], "linewidth": 2.2, "linestyle": DASHES[0]},
        "sharp": {"color": colours[2], "linewidth": 1.0, "linestyle": DASHES[0]},
        "loose": {"color": colours[3], "linewidth": 1.0, "linestyle": DASHES[1]},
        CONDITIONAL: {"color": colours[2], "linewidth": 1.0, "linestyle": DASHES[2]},
    }
    return styles[kind]


def _draw_key(axes: Axes, edges: tuple[Arrow, ...]) -> None:
    from matplotlib.lines import Line2D

    met = {edge.kind for edge in edges}
    words = {kind: f"{kind}: {meaning}" for kind, meaning in MEANINGS.items() if kind in met}
    words[CONDITIONAL] = "\n".join([words[CONDITIONAL], *conditions()])
    samples = [Line2D([], [], **_style(axes, kind)) for kind in words]
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
