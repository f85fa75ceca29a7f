"""Figures 1 to 14 of Chen, Pandey and Awan (2026), in order, as figures and as files.

Figures 6, 7, 8 and 11 are stand-ins, and say so in their titles: they draw what the text beside
them proves, which need not be what the paper draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument
from tightrope.plots.canvas import known_format, matplotlib, print_style, rendered
from tightrope.plots.paper.accounting import figure_13, figure_14
from tightrope.plots.paper.boundaries import figure_1, figure_3
from tightrope.plots.paper.budgets import figure_2, figure_9
from tightrope.plots.paper.growth import figure_4, figure_10, figure_11, figure_12
from tightrope.plots.paper.lemmas import figure_8
from tightrope.plots.paper.mechanisms import figure_5
from tightrope.plots.paper.reduction import figure_6, figure_7

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawing:
    """How one figure is drawn: on how many axes, which lie side by side, and how big."""

    draw: Callable[..., None]
    panels: int = 1
    height: float = 2.7


_WIDTH = 3.4
"""Inches: a column of a page of two."""

_SQUARE = 3.3

DRAWINGS = {
    1: Drawing(figure_1, height=_SQUARE),
    2: Drawing(figure_2),
    3: Drawing(figure_3, height=_SQUARE),
    4: Drawing(figure_4, panels=2),
    5: Drawing(figure_5, panels=2, height=_SQUARE),
    6: Drawing(figure_6, height=_SQUARE),
    7: Drawing(figure_7),
    8: Drawing(figure_8, panels=2),
    9: Drawing(figure_9),
    10: Drawing(figure_10),
    11: Drawing(figure_11),
    12: Drawing(figure_12),
    13: Drawing(figure_13, panels=2),
    14: Drawing(figure_14, panels=2),
}


@spoken
def paper_figure(number: int) -> Figure:
    """One of the figures of Chen, Pandey and Awan (2026), in the style for print.

    Args:
        number: 1 to 14. Of 6, 7, 8 and 11 the content is a stand-in, and the title says so.

    Returns:
        A figure of matplotlib that is not registered with pyplot.

    Raises:
        InvalidArgument: there is no such figure, or matplotlib is not installed.

    Examples:
        >>> import tightrope as tr
        >>> [axes.get_title() for axes in tr.plots.paper_figure(13).axes]
        ['zCDP: compose, then convert', 'zCDP: group, then convert']
    """
    if isinstance(number, bool) or number not in list(DRAWINGS):
        raise InvalidArgument(
            f"paper_figure: number must be a whole number from 1 to {len(DRAWINGS)}; "
            f"you passed {number!r}"
        )
    matplotlib()
    from matplotlib.figure import Figure

    drawing = DRAWINGS[number]
    with print_style():
        size = (_WIDTH * drawing.panels, drawing.height)
        figure = Figure(figsize=size, layout="constrained")
        drawing.draw(*figure.subplots(1, drawing.panels, squeeze=False)[0])
    return figure


@spoken
def save_paper_figures(
    directory: str | Path, format: str = "pdf", step: Callable[[str], None] = lambda text: None
) -> list[Path]:
    """Write figures 1 to 14 to files ``figure-01.pdf`` and so on.

    Args:
        directory: where to; it is made if it is not there.
        format: ``"pdf"``, ``"png"`` or ``"svg"``.
        step: told what is being drawn.

    Returns:
        The files, in order.

    Raises:
        InvalidArgument: the format is another one, or matplotlib is not installed.
        OSError: the directory cannot be made or written to.
    """
    known_format(format, "save_paper_figures: format")
    matplotlib()
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    return [_save(number, folder, format, step) for number in DRAWINGS]


def _save(number: int, folder: Path, format: str, step: Callable[[str], None]) -> Path:
    step(f"drawing figure {number} of {len(DRAWINGS)}")
    path = folder / f"figure-{number:02}.{format}"
    path.write_bytes(rendered(paper_figure(number), format))
    return path
