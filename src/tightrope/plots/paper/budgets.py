"""Figures 2 and 9: how much zCDP a test of two Gaussians needs, at every threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope.num.arrays import Floats
from tightrope.num.normal import cdf
from tightrope.num.probit_logit import logit_of_probit
from tightrope.plots.lines import Curves, Line, draw_level, draw_lines, legend, named_axes
from tightrope.theorems.bernoulli import k_cd, k_zcdp
from tightrope.theorems.constants import mu_pure, mu_zcdp, rho_pure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RHO = 1.0
LOG_ODDS = {"low": 0.5, "middle": 2.0, "high": 5.0}


def along_thresholds(rho: float, x: ArrayLike) -> Curves:
    """Budgets of the test of N(0, 1) and N(mu, 1) at threshold x + mu/2, as parts of rho.

    mu is mu_zCDP(rho). The exact budget K_zCDP(p, q) is at least the closed form K(c, d), which
    is at least rho.
    """
    x = np.asarray(x, dtype=float)
    half = float(mu_zcdp(rho)) / 2
    p, q = cdf(-(x + half)), cdf(-(x - half))
    c, d = _centre_and_half_gap(x, half)
    return {"exact": Line(x, k_zcdp(p, q) / rho), "closed": Line(x, k_cd(c, d) / rho)}


def along_centres(a: float, x: ArrayLike) -> Line:
    """K(c, d) as a part of K(0, a), against c, where g(c + d) - g(c - d) = 2 g(a).

    The condition says that the normal quantiles of the two coins are 2 g(a) apart, so x, half of
    their sum, runs through all solutions.
    """
    c, d = _centre_and_half_gap(np.asarray(x, dtype=float), float(mu_pure(a)) / 2)
    return Line(c, k_cd(c, d) / rho_pure(a))


def figure_2(axes: Axes) -> None:
    """Draw figure 2."""
    labels = {
        "exact": r"$K_{\mathrm{zCDP}}(p, q)/\rho$",
        "closed": r"$K(c, d)/\rho$",
    }
    draw_lines(axes, along_thresholds(RHO, np.linspace(-3, 3, 161)), labels)
    draw_level(axes, 1.0, "1")
    named_axes(axes, r"$x = \tau - \mu/2$", "budget needed, over what is given")
    axes.set_title(r"Tests of two Gaussians, $\rho = 1$")
    legend(axes, loc="upper center")


def figure_9(axes: Axes) -> None:
    """Draw figure 9."""
    data = {name: along_centres(a, np.linspace(0, 3.5, 121)) for name, a in LOG_ODDS.items()}
    labels = {name: rf"$a = {a:g}$" for name, a in LOG_ODDS.items()}
    draw_lines(axes, data, labels)
    draw_level(axes, 1.0, "1")
    axes.set_xlim(0, 8)
    named_axes(axes, "$c$", r"$K(c, d(c))\,/\,(a\,\tanh(a/2))$")
    axes.set_title("Away from the symmetric pair the budget grows")
    legend(axes, loc="upper left")


def _centre_and_half_gap(x: Floats, half: float) -> tuple[Floats, Floats]:
    """Half the sum and half the difference of the log-odds of Phi(x - half) and Phi(x + half)."""
    u, v = logit_of_probit(x - half), logit_of_probit(x + half)
    return (v + u) / 2, (v - u) / 2
