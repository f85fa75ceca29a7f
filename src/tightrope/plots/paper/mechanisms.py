"""Figure 5: mechanisms that attain their bounds, and cross while they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope.plots.lines import Curves, Line, draw_lines, legend
from tightrope.plots.palette import ink, palette
from tightrope.plots.testing import square
from tightrope.theorems.constants import mu_br, mu_zcdp, t_zcdp
from tightrope.theorems.exponential_uniform import tradeoff_uniform_scores
from tightrope.theorems.into_tradeoff import gaussian_tradeoff, pure_tradeoff
from tightrope.theorems.minimax import minimax_sandwich

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EPSILON = 4.0
RHO = 1.0


def bounded_range(epsilon: float, alpha: ArrayLike) -> Curves:
    """Two mechanisms of bounded range epsilon above the Gaussian curve of the class."""
    a = np.asarray(alpha, dtype=float)
    return {
        "exponential": Line(a, np.asarray(tradeoff_uniform_scores(epsilon, a))),
        "response": Line(a, pure_tradeoff(a, epsilon / 2)),
        "bound": Line(a, gaussian_tradeoff(a, mu_br(epsilon))),
    }


def concentrated(rho: float, alpha: ArrayLike) -> Curves:
    """Two rho-zCDP mechanisms above the Gaussian curve of the class."""
    a = np.asarray(alpha, dtype=float)
    return {
        "gaussian": Line(a, gaussian_tradeoff(a, minimax_sandwich(rho).inner)),
        "response": Line(a, pure_tradeoff(a, t_zcdp(rho))),
        "bound": Line(a, gaussian_tradeoff(a, mu_zcdp(rho))),
    }


def figure_5(left: Axes, right: Axes) -> None:
    """Draw figure 5."""
    alpha = np.concatenate([np.linspace(0, 0.1, 41), np.linspace(0.1, 1, 121)[1:]])
    data = bounded_range(EPSILON, alpha)
    _lower_parts(left, data["response"], data["exponential"])
    labels = {
        "exponential": "exponential mechanism",
        "response": r"randomised response, $\varepsilon/2$",
        "bound": r"$G_{\mu_{\mathrm{BR}}(\varepsilon)}$",
    }
    _finish(left, data, labels, r"Bounded range, $\varepsilon = 4$")
    data = concentrated(RHO, alpha)
    _lower_parts(right, data["response"], data["gaussian"])
    labels = {
        "gaussian": r"Gaussian: $G_{\sqrt{2\rho}}$",
        "response": r"randomised response, $t_\rho$",
        "bound": r"$G_{\mu_{\mathrm{zCDP}}(\rho)}$",
    }
    _finish(right, data, labels, r"zCDP, $\rho = 1$")


def _lower_parts(axes: Axes, response: Line, other: Line) -> None:
    """Fill where randomised response is the lower one; hatch where the other is."""
    x, below = response.x, response.y <= other.y
    filled: dict[str, Any] = {"color": palette(axes)[3], "alpha": 0.3, "linewidth": 0}
    hatched: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": ink(axes),
        "hatch": "////",
        "linewidth": 0,
    }
    for where, style, label in (
        (below, filled, "response lower"),
        (~below, hatched, "the other lower"),
    ):
        axes.fill_between(
            x, response.y, other.y, where=where, interpolate=True, label=label, **style
        )


def _finish(axes: Axes, data: Curves, labels: dict[str, str], title: str) -> None:
    draw_lines(axes, data, labels)
    square(axes)
    axes.set_title(title)
    legend(axes, loc="upper right")
