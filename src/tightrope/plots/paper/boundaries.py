"""Figures 1 and 3: what zCDP and bounded range allow a test, and the Gaussian curves around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope.num.arrays import Floats
from tightrope.num.logistic import sigmoid
from tightrope.plots.lines import Curves, Line, draw_lines, legend, mark
from tightrope.plots.palette import faint
from tightrope.plots.testing import blind_guessing, shade, square
from tightrope.theorems.boundary_shape import corner
from tightrope.theorems.constants import mu_br, mu_zcdp, rho_br
from tightrope.theorems.into_tradeoff import gaussian_tradeoff, logistic_tradeoff, zcdp_tradeoff
from tightrope.theorems.minimax import minimax_sandwich

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RHO = 1.0
EPSILON = 4.0
"""Chosen so that the crossing of zCDP and Gaussian DP is plain to see."""

SIDE = 0.4
_POSITIONS = (-3.4, -2.7, -1.3, -0.6)
"""Log-odds of p of the asymmetric pairs of coins: beside -2, where the pair is symmetric."""


def zcdp_boundaries(rho: float, alpha: ArrayLike) -> Curves:
    """The testing boundary of rho-zCDP between the Gaussian curves that hold and that suffice."""
    a = np.asarray(alpha, dtype=float)
    return {
        "inner": Line(a, gaussian_tradeoff(a, minimax_sandwich(rho).inner)),
        "boundary": Line(a, zcdp_tradeoff(a, rho, 0.0)),
        "outer": Line(a, gaussian_tradeoff(a, mu_zcdp(rho))),
    }


def range_boundaries(epsilon: float, alpha: ArrayLike) -> Curves:
    """The envelope of epsilon-bounded range, and what is left of it by three other notions."""
    a = np.asarray(alpha, dtype=float)
    rho = float(rho_br(epsilon))
    return {
        "envelope": Line(a, logistic_tradeoff(a, epsilon)),
        "gdp": Line(a, gaussian_tradeoff(a, mu_br(epsilon))),
        "zcdp": Line(a, zcdp_tradeoff(a, rho, 0.0)),
        "detour": Line(a, gaussian_tradeoff(a, mu_zcdp(rho))),
    }


def range_coins(epsilon: float, log_odds: float) -> Line:
    """The trade-off curve of two coins whose log-odds are epsilon apart: two straight lines."""
    p, miss = sigmoid(log_odds), sigmoid(-(log_odds + epsilon))
    return Line(np.array([0.0, p, 1.0]), np.array([1.0, miss, 0.0]))


def figure_1(axes: Axes) -> None:
    """Draw figure 1."""
    data = zcdp_boundaries(RHO, _grid(1.0))
    shade(axes, data["inner"], data["outer"], "lost by GDP → zCDP → GDP")
    labels = {
        "inner": r"$G_{\sqrt{2\rho}}$: implies $\rho$-zCDP",
        "boundary": r"$T^{\mathrm{zCDP}}_\rho$: the boundary of $\rho$-zCDP",
        "outer": r"$G_{\mu_{\mathrm{zCDP}}(\rho)}$: follows from it",
    }
    draw_lines(axes, data, labels)
    blind_guessing(axes)
    square(axes)
    level = corner(RHO).alpha
    mark(axes, (level, level), r"$(s(-t_\rho),\ s(-t_\rho))$", (26, 16))
    axes.set_title(r"Around 1-zCDP")
    legend(axes, loc="upper right")


def figure_3(axes: Axes) -> None:
    """Draw figure 3."""
    for n, log_odds in enumerate(_POSITIONS):
        coins = range_coins(EPSILON, log_odds)
        label = "pairs of coins" if n == 0 else None
        axes.plot(*coins, color=faint(axes), linewidth=0.7, label=label, zorder=1)
    labels = {
        "envelope": r"$L_\varepsilon$: their envelope",
        "gdp": r"$G_{\mu_{\mathrm{BR}}(\varepsilon)}$",
        "zcdp": r"$T^{\mathrm{zCDP}}$ at $\rho_{\mathrm{BR}}(\varepsilon)$",
        "detour": r"$G_{\mu_{\mathrm{zCDP}}}$ at $\rho_{\mathrm{BR}}(\varepsilon)$",
    }
    draw_lines(axes, range_boundaries(EPSILON, _grid(SIDE)), labels)
    square(axes, SIDE)
    axes.set_title(r"Bounded range, $\varepsilon = 4$")
    legend(axes, loc="upper right")


def _grid(end: float) -> Floats:
    return np.concatenate([[0.0], np.geomspace(1e-5, 0.02, 24), np.linspace(0.02, end, 80)[1:]])
