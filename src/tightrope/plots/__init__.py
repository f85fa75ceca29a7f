"""Plots: functions that draw on axes of matplotlib and return them.

They never change what matplotlib is set to, and need no display. matplotlib is an extra, imported
when something is drawn: ``pip install "tightrope[plots]"``.
"""

from tightrope.plots.canvas import print_style, rendered
from tightrope.plots.consumption import consumption_over_time
from tightrope.plots.delta_epsilon import delta_curves
from tightrope.plots.graph import conversion_graph
from tightrope.plots.noisy import noise_beside_data
from tightrope.plots.orders import renyi_curves
from tightrope.plots.paper.figures import paper_figure, save_paper_figures
from tightrope.plots.spending import budget_over_time
from tightrope.plots.testing import tradeoff_curves, tradeoff_gap

__all__ = [
    "budget_over_time",
    "consumption_over_time",
    "conversion_graph",
    "delta_curves",
    "noise_beside_data",
    "paper_figure",
    "print_style",
    "rendered",
    "renyi_curves",
    "save_paper_figures",
    "tradeoff_curves",
    "tradeoff_gap",
]
