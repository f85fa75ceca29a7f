"""Renyi curves: the bound on the divergence at every order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope._calls import spoken
from tightrope.events import Event
from tightrope.notions import RDP
from tightrope.plots.canvas import opened
from tightrope.plots.lines import Curves, Line, draw_lines, legend, named_axes
from tightrope.plots.subjects import Events, labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def renyi_data(events: Mapping[str, Event], orders: ArrayLike | None = None) -> Curves:
    """The bound of every event at every order; infinite where nothing is known."""
    grid = np.geomspace(1, 256, 97) if orders is None else np.atleast_1d(np.asarray(orders, float))
    curves = {label: event.to(RDP).curve for label, event in events.items()}
    return {label: Line(grid, np.asarray(curve(grid))) for label, curve in curves.items()}


@spoken
def renyi_curves(
    events: Events, *, orders: ArrayLike | None = None, axes: Axes | None = None
) -> Axes:
    """Draw the Renyi divergence against its order, both on logarithmic scales.

    A line ends where nothing is known of higher orders.

    Args:
        events: one, a list, or a dictionary by label.
        orders: of at least 1; by default from 1 to 256.
        axes: of matplotlib; by default new ones of pyplot.

    Returns:
        The axes.

    Raises:
        InvalidArgument: these are no events, an order is below 1, or matplotlib is not installed.
        NotReachable: an event has no Renyi curve.

    Examples:
        >>> import tightrope as tr
        >>> from matplotlib.figure import Figure
        >>> axes = tr.plots.renyi_curves(tr.Laplace(1) ** 10, axes=Figure().subplots())
        >>> axes.get_xlabel()
        'order $a$'
    """
    named = labelled(events, "renyi_curves: events")
    axes = opened(axes)
    data = renyi_data(named, orders)
    draw_lines(axes, data)
    axes.set(xscale="log", yscale="log")
    axes.xaxis.set_major_formatter("{x:g}")
    named_axes(axes, "order $a$", r"Renyi divergence $D_a$")
    legend(axes)
    return axes
