"""Stand-ins for figures 6 and 7: a test is a pair of coins, and one order is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope.num.logistic import logit
from tightrope.num.normal import quantile
from tightrope.plots.lines import Curves, Line, draw_lines, legend, mark, named_axes
from tightrope.plots.palette import line_style
from tightrope.plots.testing import square
from tightrope.theorems.bernoulli import k_cd, k_zcdp, k_zcdp_order, renyi_bernoulli
from tightrope.theorems.constants import mu_zcdp
from tightrope.theorems.into_tradeoff import gaussian_tradeoff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RHO = 1.0
TEST = (0.1, 0.85)
"""Level and power of a test that beats the Gaussian curve of 1-zCDP."""

COINS = (0.1, 0.6)


def below_the_curve(rho: float, p: float, q: float, alpha: ArrayLike) -> Curves:
    """The Gaussian curve of rho-zCDP, the one through a test, and the curve of its two coins."""
    a = np.asarray(alpha, dtype=float)
    distance = float(quantile(q) - quantile(p))
    return {
        "bound": Line(a, gaussian_tradeoff(a, mu_zcdp(rho))),
        "coins": Line(np.array([0.0, p, 1.0]), np.array([1.0, 1 - q, 0.0])),
        "through": Line(a, gaussian_tradeoff(a, distance)),
    }


def over_orders(p: float, q: float, order: ArrayLike) -> Curves:
    """The divergence of two coins over its order, in both directions."""
    eta = np.asarray(order, dtype=float)
    return {
        "forward": Line(eta, renyi_bernoulli(q, p, eta) / eta),
        "backward": Line(eta, renyi_bernoulli(p, q, eta) / eta),
    }


def selected_order(p: float, q: float) -> tuple[float, float]:
    """The order 1 + c/d and the closed form K(c, d) of two coins, c and d at least 0."""
    u, v = float(logit(p)), float(logit(q))
    c, d = abs(u + v) / 2, abs(v - u) / 2
    return 1 + c / d, float(k_cd(c, d))


def figure_6(axes: Axes) -> None:
    """Draw the stand-in for figure 6."""
    p, q = TEST
    alpha = np.concatenate([np.linspace(0, 0.1, 41), np.linspace(0.1, 1, 91)[1:]])
    labels = {
        "bound": r"$G_{\mu}$, $\mu = \mu_{\mathrm{zCDP}}(1)$",
        "coins": "the two coins of the test",
        "through": r"$G_{m}$, $m = \Phi^{-1}(q) - \Phi^{-1}(p)$",
    }
    draw_lines(axes, below_the_curve(RHO, p, q, alpha), labels)
    square(axes)
    budget = float(k_zcdp(p, q))
    label = rf"$(p, 1-q)$, $K_{{\mathrm{{zCDP}}}}(p, q) = {budget:.2f} > 1$"
    mark(axes, (p, 1 - q), label, (20, 34))
    axes.set_title("A test that beats the bound needs more (stand-in)")
    legend(axes, loc="upper right")


def figure_7(axes: Axes) -> None:
    """Draw the stand-in for figure 7."""
    p, q = COINS
    labels = {
        "forward": r"$D_\eta(\mathrm{Bern}\,q\,\|\,\mathrm{Bern}\,p)/\eta$",
        "backward": r"$D_\eta(\mathrm{Bern}\,p\,\|\,\mathrm{Bern}\,q)/\eta$",
    }
    draw_lines(axes, over_orders(p, q, np.geomspace(1, 12, 161)), labels)
    order, closed = selected_order(p, q)
    best = float(k_zcdp_order(p, q))
    mark(axes, (best, float(k_zcdp(p, q))), r"$K_{\mathrm{zCDP}}(p, q)$", (14, 15))
    mark(axes, (order, closed), r"$\eta_*$: $K(c, d)$", (8, -38))
    colour = line_style(axes, 0)["color"]
    axes.vlines(order, 0, closed, color=colour, linewidth=0.6, linestyle=(0, (1, 2)))
    axes.set(xscale="log", xlim=(1, 12), ylim=(0, 0.95))
    axes.set_xticks([1, 2, 3, 5, 10], ["1", "2", "3", "5", "10"])
    axes.minorticks_off()
    named_axes(axes, r"order $\eta$", "divergence over its order")
    axes.set_title(r"The selected order, $p = 0.1$, $q = 0.6$ (stand-in)")
    legend(axes, loc="upper right")
