"""Lines that stay apart on paper, in grey and to colour-blind readers: nobody needs the colour.

Every line has its own dashes and its own marker. The colours of a palette come
nearer to the ground one after the other, so that a copy in grey keeps them apart too, and keep a
contrast of at least 3 to 1 with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ON_LIGHT = ("#101a4a", "#8f1457", "#1a66cc", "#c95a00", "#6f9a4a")
ON_DARK = ("#fff7d6", "#9adcff", "#f2b134", "#c08cf5", "#3c9d6b")

DASHES: tuple[Any, ...] = (
    "solid",
    (0, (6, 2)),
    (0, (1.3, 1.3)),
    (0, (6, 1.6, 1.3, 1.6)),
    (0, (4, 1.4, 1.3, 1.4, 1.3, 1.4)),
)
MARKERS = ("o", "s", "^", "D", "v")

MARKER_SIZE = 4.0
_MARKERS_APART = 0.22
"""Of the length of the diagonal: few markers, and those of different lines not at one place."""


def on_dark(axes: Axes) -> bool:
    """Whether the axes are drawn on a dark ground, such as that of a dark notebook."""
    from matplotlib.colors import to_rgba

    figure = axes.figure
    grounds = [axes.get_facecolor(), figure.get_facecolor()]
    for ground in grounds:
        red, green, blue, opacity = to_rgba(ground)
        if opacity > 0.5:
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5
    return False


def palette(axes: Axes) -> tuple[str, ...]:
    """The colours for lines on the ground of the axes."""
    return ON_DARK if on_dark(axes) else ON_LIGHT


def ink(axes: Axes) -> str:
    """The colour of words and of what only helps to read."""
    return "#e8e8e8" if on_dark(axes) else "#202020"


def faint(axes: Axes) -> str:
    """The colour of lines that stand back."""
    return "#9a9a9a" if on_dark(axes) else "#767676"


def line_style(axes: Axes, position: int) -> dict[str, Any]:
    """Colour, dashes and marker of the line at that position."""
    colours = palette(axes)
    start = 0.04 + _MARKERS_APART * (position % len(MARKERS)) / len(MARKERS)
    return {
        "color": colours[position % len(colours)],
        "linestyle": DASHES[position % len(DASHES)],
        "marker": MARKERS[position % len(MARKERS)],
        "markersize": MARKER_SIZE,
        "markevery": (start, _MARKERS_APART),
    }
