"""Trade-off curves: what an attacker who tests which of two data sets was used can achieve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope._calls import spoken
from tightrope._errors import InvalidArgument
from tightrope.events import Event
from tightrope.num.arrays import Floats
from tightrope.plots.canvas import opened
from tightrope.plots.lines import Curves, Line, draw_lines, legend, named_axes
from tightrope.plots.palette import faint, on_dark, palette
from tightrope.plots.subjects import Events, labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TYPE_ONE = r"type I error $\alpha$ (false alarms)"
TYPE_TWO = r"type II error $\beta$ (misses)"


def tradeoff_grid() -> Floats:
    """Type I errors from 0 to 1, close where curves are steep."""
    near_0 = np.geomspace(1e-4, 0.05, 20)
    return np.concatenate([[0.0], near_0, np.linspace(0.05, 1, 77)[1:]])


def tradeoff_data(events: Mapping[str, Event], alpha: ArrayLike | None = None) -> Curves:
    """The least type II error that every event allows at every type I error."""
    grid = tradeoff_grid() if alpha is None else np.atleast_1d(np.asarray(alpha, dtype=float))
    return {label: Line(grid, np.asarray(event.tradeoff(grid))) for label, event in events.items()}


@spoken
def tradeoff_curves(
    events: Events, *, alpha: ArrayLike | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the least type II error of any attacker against the type I error.

    The thin diagonal is blind guessing: the nearer a curve comes to it, the more it protects.

    Args:
        events: one, a list, or a dictionary by label.
        alpha: type I errors at which to compute; by default about a hundred of them.
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: these are no events, or matplotlib is not installed.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> pair, alpha = [tr.GDP(1), tr.PureDP(1)], [0, 0.1, 0.3, 1]
        >>> axes = tr.plots.tradeoff_curves(pair, alpha=alpha, axes=Figure().subplots())
        >>> [text.get_text() for text in axes.get_legend().get_texts()]
        ['GDP(mu=1)', 'PureDP(epsilon=1)', 'blind guessing']
    """
    named = labelled(events, "tradeoff_curves: events")
    axes = opened(axes)
    data = tradeoff_data(named, alpha)
    draw_lines(axes, data)
    return _framed(axes)


@spoken
def tradeoff_gap(
    events: Sequence[Event] | Mapping[str, Event],
    *,
    alpha: ArrayLike | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw two trade-off curves and shade what lies between them.

    Args:
        events: exactly two, in a list or in a dictionary by label.
        alpha: type I errors at which to compute; by default about a hundred of them.
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: these are not two events, or matplotlib is not installed.

    Examples:
        What a detour through zCDP costs:

        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> pair = {"before": tr.GDP(1), "after": tr.ZCDP(0.5).to(tr.GDP)}
        >>> axes = tr.plots.tradeoff_gap(pair, axes=Figure().subplots())
        >>> len(axes.collections)
        1
    """
    named = labelled(events, "tradeoff_gap: events")
    if len(named) != 2:
        raise InvalidArgument(
            f"tradeoff_gap: events must be two different ones; you passed {len(named)}. "
            "tradeoff_curves draws any number"
        )
    axes = opened(axes)
    data = tradeoff_data(named, alpha)
    first, second = data.values()
    shade(axes, first, second, "between the two")
    draw_lines(axes, data)
    return _framed(axes)


def shade(axes: Axes, first: Line, second: Line, label: str) -> None:
    """Fill what lies between two lines over one grid."""
    colour, opacity = palette(axes)[3], 0.5 if on_dark(axes) else 0.28
    axes.fill_between(
        first.x, first.y, second.y, color=colour, alpha=opacity, linewidth=0, label=label
    )


def blind_guessing(axes: Axes) -> None:
    """The diagonal on which an attacker who sees nothing stays."""
    axes.plot([0, 1], [1, 0], color=faint(axes), linewidth=0.7, label="blind guessing", zorder=1)


def square(axes: Axes, side: float = 1.0) -> None:
    """Both errors from 0 to ``side``, on one scale."""
    axes.set(xlim=(0, side), ylim=(0, side), aspect="equal")
    named_axes(axes, TYPE_ONE, TYPE_TWO)


def _framed(axes: Axes) -> Axes:
    blind_guessing(axes)
    square(axes)
    legend(axes, loc="upper right", fontsize="small")
    return axes
