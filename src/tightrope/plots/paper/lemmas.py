"""Stand-in for figure 8: two lemmas of the proof, drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope.num.arrays import Floats
from tightrope.num.logistic import sigmoid
from tightrope.num.normal import mills
from tightrope.num.probit_logit import probit_of_logit
from tightrope.plots.lines import Curves, Line, draw_level, draw_lines, legend, named_axes
from tightrope.theorems.bernoulli import k_cd
from tightrope.theorems.constants import rho_pure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HALF_GAPS = {"near": 1.0, "middle": 4.0, "far": 16.0}


def slope_over_weight(u: ArrayLike) -> Line:
    """g'/w, which never grows: g is the normal quantile of s, and w(u)^2 = tanh(u/2)/u.

    As 1 - Phi(g(u)) is s(-u), the slope g' = s(u) s(-u)/phi(g) is s(u) times Mills' ratio at g.
    """
    u = np.asarray(u, dtype=float)
    return Line(u, sigmoid(u) * mills(probit_of_logit(u)) / _weight(u))


def lemma_18_ratio(d: float, c: ArrayLike) -> Line:
    """4 [h(y) - h(x)] over its bound (y^2 - x^2) w(x) w(y), for x = c - d and y = c + d.

    The left side is 4 (c/d) K(c, d), and y^2 - x^2 is 4 c d.
    """
    c = np.asarray(c, dtype=float)
    return Line(c, k_cd(c, d) / (d * d * _weight(np.abs(c - d)) * _weight(c + d)))


def lemma_18(c: ArrayLike) -> Curves:
    """The ratio for three half gaps."""
    return {name: lemma_18_ratio(d, c) for name, d in HALF_GAPS.items()}


def figure_8(left: Axes, right: Axes) -> None:
    """Draw the stand-in for figure 8."""
    slopes = {"slope": slope_over_weight(np.geomspace(0.01, 500, 161))}
    draw_lines(left, slopes, {"slope": "$g'(u)/w(u)$"})
    draw_level(left, math.sqrt(math.pi) / 2, r"$\sqrt{\pi}/2$")
    draw_level(left, math.sqrt(0.5), r"$1/\sqrt{2}$", end="left")
    left.set(xscale="log", xlim=(0.01, 500), ylim=(0.68, 0.92))
    named_axes(left, "$u$", "ratio", "Lemma 17 (stand-in)")
    legend(left, loc="center left")
    labels = {name: f"$d = {d:g}$" for name, d in HALF_GAPS.items()}
    draw_lines(right, lemma_18(np.linspace(0, 30, 241)), labels)
    draw_level(right, 1.0, "1")
    right.set(xlim=(0, 30), ylim=(0, 1.15))
    named_axes(right, "$c$", "left side over right side", "Lemma 18 (stand-in)")
    legend(right, loc="lower right")


def _weight(u: Floats) -> Floats:
    """w(u) = sqrt(tanh(u/2)/u), by the zCDP parameter u tanh(u/2) of randomised response."""
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = np.sqrt(rho_pure(u)) / u
    return np.where(u == 0, math.sqrt(0.5), inside)
