"""Delta against epsilon: all pairs that one event offers at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope._calls import spoken
from tightrope.events import Event
from tightrope.plots.canvas import opened
from tightrope.plots.extent import reach
from tightrope.plots.lines import Curves, Line, draw_lines, legend, named_axes
from tightrope.plots.subjects import Events, labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 121
_FARTHEST = 10.0


def delta_data(events: Mapping[str, Event], epsilon: ArrayLike | None = None) -> Curves:
    """Delta of every event at every epsilon; without epsilons, as far as is of interest."""
    if epsilon is None:
        epsilon = np.linspace(0, farthest(events), _POINTS)
    grid = np.atleast_1d(np.asarray(epsilon, dtype=float))
    return {label: Line(grid, np.asarray(event.delta(grid))) for label, event in events.items()}


@spoken
def delta_curves(
    events: Events, *, epsilon: ArrayLike | None = None, axes: Axes | None = None
) -> Axes:
    """Draw delta, on a logarithmic scale, against epsilon.

    A line that leaves through the bottom has reached a delta of 0.

    Args:
        events: one, a list, or a dictionary by label.
        epsilon: where to compute; by default from 0 to where the weakest has a delta of 1e-9.
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: these are no events, or matplotlib is not installed.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> axes = Figure().subplots()
        >>> tr.plots.delta_curves({"one": tr.GDP(1), "four": tr.GDP(1) ** 4}, axes=axes) is axes
        True
    """
    named = labelled(events, "delta_curves: events")
    axes = opened(axes)
    data = delta_data(named, epsilon)
    draw_lines(axes, data)
    axes.set_yscale("log", nonpositive="clip")
    axes.margins(x=0)
    axes.set_ylim(_lowest(data), 1)
    named_axes(axes, r"$\varepsilon$", r"$\delta$")
    legend(axes)
    return axes


def farthest(events: Mapping[str, Event]) -> float:
    """The epsilon at which the last of the events has become uninteresting."""
    return max(map(reach, events.values())) or _FARTHEST


def _lowest(data: Curves) -> float:
    """Where the highest line ends, if one does; below it there is nothing to compare."""
    ends = [line.y[-1] for line in data.values() if line.y[-1] > 0]
    last = [line.y[line.y > 0].min(initial=1.0) for line in data.values()]
    return float(max(ends) if ends else min(last)) / 2
