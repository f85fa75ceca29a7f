"""Lines by name: what plots compute, and how they are put on axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tightrope.num.arrays import Floats
from tightrope.plots.palette import MARKER_SIZE, faint, ink, line_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Line(NamedTuple):
    """Points that are joined, in order."""

    x: Floats
    y: Floats


Curves = Mapping[str, Line]
"""Lines by name. Data know no words: the labels of the names are the drawing's."""


def draw_lines(axes: Axes, curves: Curves, labels: Mapping[str, str] | None = None) -> None:
    """Draw lines, each in a style of its own: all by their names, or those that have a label."""
    named = {name: name for name in curves} if labels is None else labels
    for position, (name, label) in enumerate(named.items()):
        axes.plot(*curves[name], label=label, **line_style(axes, position))


def draw_level(axes: Axes, height: float, label: str, *, end: str = "right") -> None:
    """A thin horizontal line with its name above one end: a limit, not a curve."""
    axes.axhline(height, color=faint(axes), linewidth=0.8, linestyle=(0, (1, 2)))
    place, inward = (1, -2) if end == "right" else (0, 2)
    axes.annotate(
        label,
        (place, height),
        xycoords=("axes fraction", "data"),
        xytext=(inward, 2),
        textcoords="offset points",
        ha=end,
        va="bottom",
        color=ink(axes),
    )


def mark(axes: Axes, point: Sequence[float], label: str, offset: tuple[float, float]) -> None:
    """A ring at a point, and its name at an offset in points of print."""
    axes.plot(
        *([z] for z in point),
        marker="o",
        markersize=MARKER_SIZE + 2.5,
        markerfacecolor="none",
        markeredgecolor=ink(axes),
        linestyle="none",
        zorder=5,
    )
    axes.annotate(
        label,
        (point[0], point[1]),
        xytext=offset,
        textcoords="offset points",
        color=ink(axes),
        va="center",
        arrowprops={"arrowstyle": "-", "color": faint(axes), "linewidth": 0.6},
    )


def named_axes(axes: Axes, x: str, y: str, title: str = "") -> None:
    """What the two axes show; an empty title leaves what is there."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title:
        axes.set_title(title)


def legend(axes: Axes, **where: Any) -> None:
    """The legend, with samples of lines that are long enough to tell their dashes."""
    axes.legend(handlelength=3.2, framealpha=0.85, edgecolor="none", **where)
