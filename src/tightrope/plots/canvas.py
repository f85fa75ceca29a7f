"""Where plots are drawn, and how files are made of them: matplotlib, imported when it is needed."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("pdf", "png", "svg")

_PRINT: Mapping[str, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 8.5,
    "figure.titlesize": 9,
    "font.family": ["STIXGeneral", "DejaVu Sans"],
    "font.size": 8.5,
    "grid.color": "#dcdcdc",
    "grid.linewidth": 0.4,
    "legend.fontsize": 7.5,
    "lines.linewidth": 1.3,
    "mathtext.fontset": "stix",
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
}
"""Sizes in points as they stand on paper: nothing is below 7."""

_OUTPUT: Mapping[str, Any] = {
    "pdf.fonttype": 42,  # fonts that a reader can select and a printer accepts
    "savefig.dpi": 300,
    "svg.hashsalt": "tightrope",
}
_DATELESS: Mapping[str, Mapping[str, None]] = {
    "pdf": {"CreationDate": None},
    "png": {},
    "svg": {"Date": None},
}


def matplotlib() -> Any:
    """The library, or one sentence that says how to install it."""
    try:
        import matplotlib as found
    except ImportError:
        raise InvalidArgument(
            'to draw plots, install matplotlib: pip install "tightrope[plots]"'
        ) from None
    return found


def opened(axes: Axes | None) -> Axes:
    """The axes that were given, or those of a new figure of pyplot, which a notebook shows."""
    if axes is not None:
        return axes
    matplotlib()
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


@spoken
@contextmanager
def print_style() -> Iterator[None]:
    """Fonts, sizes and a white ground for print, for all that is made inside of ``with``.

    What matplotlib was set to before is set again afterwards.

    Raises:
        InvalidArgument: matplotlib is not installed.
    """
    matplotlib()
    from matplotlib import style

    with style.context(dict(_PRINT), after_reset=True):
        yield


def known_format(name: str, what: str) -> str:
    """The format, if it is one of those that are written."""
    if name in FORMATS:
        return name
    raise InvalidArgument(f"{what} must be one of {', '.join(FORMATS)}; you passed {name!r}")


@spoken
def rendered(figure: Figure, format: str = "svg") -> bytes:
    """A figure as the bytes of a file; no display is needed.

    The same picture gives the same bytes: they hold no date and no random name.

    Args:
        figure: of matplotlib, in whatever style.
        format: ``"pdf"``, ``"png"`` or ``"svg"``.

    Raises:
        InvalidArgument: the format is another one.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> figure = Figure()
        >>> axes = tr.plots.delta_curves(tr.GDP(1), axes=figure.subplots())
        >>> tr.plots.rendered(figure, "png")[1:4]
        b'PNG'
    """
    known_format(format, "rendered: format")
    file = io.BytesIO()
    with matplotlib().rc_context(dict(_OUTPUT)):
        figure.savefig(file, format=format, metadata=dict(_DATELESS[format]))
    return file.getvalue()
