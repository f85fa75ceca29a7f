"""Figures 4 and 10 to 12: how mu grows with rho and with epsilon, between its limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope.plots.lines import Curves, Line, draw_level, draw_lines, legend, named_axes
from tightrope.theorems.constants import mu_br, mu_zcdp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALL_SLOPE = math.sqrt(math.pi / 8)
"""mu_BR(epsilon)/epsilon at 0."""

_EPSILON = r"$\varepsilon$"
_MU_BR = r"$\mu_{\mathrm{BR}}(\varepsilon)$"
_MU_BR_SQUARED = r"$\mu_{\mathrm{BR}}^2(\varepsilon)$"
_MU_ZCDP_SQUARED = r"$\mu_{\mathrm{zCDP}}^2(\rho)$"


def range_growth(epsilon: ArrayLike) -> Curves:
    """mu_BR and the two bounds on it, sharp at small and at large epsilon."""
    e = np.asarray(epsilon, dtype=float)
    return {
        "linear": Line(e, SMALL_SLOPE * e),
        "root": Line(e, 2 * np.sqrt(e)),
        "mu": Line(e, mu_br(e)),
    }


def range_ratios(epsilon: ArrayLike) -> Curves:
    """mu_BR over epsilon, and over its root."""
    e = np.asarray(epsilon, dtype=float)
    return {"by_epsilon": Line(e, mu_br(e) / e), "by_root": Line(e, mu_br(e) / np.sqrt(e))}


def zcdp_squares(rho: ArrayLike) -> Curves:
    """mu_zCDP squared, between pi rho and 8 rho."""
    r = np.asarray(rho, dtype=float)
    return {
        "above": Line(r, 8 * r),
        "square": Line(r, mu_zcdp(r) ** 2),
        "below": Line(r, math.pi * r),
    }


def zcdp_ratio(rho: ArrayLike) -> Line:
    """mu_zCDP over the root of rho, which grows from sqrt(pi) to sqrt(8)."""
    r = np.asarray(rho, dtype=float)
    return Line(r, mu_zcdp(r) / np.sqrt(r))


def range_squares(epsilon: ArrayLike) -> Curves:
    """mu_BR squared, below the square of its linear bound, and below 4 epsilon."""
    e = np.asarray(epsilon, dtype=float)
    return {
        "small": Line(e, math.pi / 8 * e * e),
        "large": Line(e, 4 * e),
        "square": Line(e, mu_br(e) ** 2),
    }


def figure_4(left: Axes, right: Axes) -> None:
    """Draw figure 4."""
    labels = {"linear": r"$\sqrt{\pi/8}\,\varepsilon$", "root": r"$2\sqrt{\varepsilon}$"}
    draw_lines(left, range_growth(np.linspace(0, 16, 161)), labels | {"mu": _MU_BR})
    left.set(xlim=(0, 16), ylim=(0, 8.4), xticks=range(0, 17, 4))
    named_axes(left, _EPSILON, r"$\mu$", "Sharp GDP of bounded range")
    legend(left, loc="lower right")
    ratios = {
        "by_epsilon": r"$\mu_{\mathrm{BR}}(\varepsilon)/\varepsilon$",
        "by_root": r"$\mu_{\mathrm{BR}}(\varepsilon)/\sqrt{\varepsilon}$",
    }
    draw_lines(right, range_ratios(np.geomspace(0.01, 1000, 161)), ratios)
    draw_level(right, SMALL_SLOPE, r"$\sqrt{\pi/8}$")
    draw_level(right, 2.0, "2", end="left")
    right.set(xscale="log", xlim=(0.01, 1000), ylim=(0, 2.3))
    named_axes(right, _EPSILON, "ratio", "Its ratios and their limits")
    legend(right, loc="center left")


def figure_10(axes: Axes) -> None:
    """Draw figure 10."""
    labels = {"above": r"$8\rho$", "square": _MU_ZCDP_SQUARED, "below": r"$\pi\rho$"}
    draw_lines(axes, zcdp_squares(np.linspace(0, 4, 121)), labels)
    axes.set(xlim=(0, 4), ylim=(0, 32))
    named_axes(axes, r"$\rho$", r"$\mu^2$", r"$\pi\rho \leq \mu_{\mathrm{zCDP}}^2 \leq 8\rho$")
    legend(axes, loc="upper left")


def figure_11(axes: Axes) -> None:
    """Draw the stand-in for figure 11."""
    data = {"ratio": zcdp_ratio(np.geomspace(1e-3, 1e4, 161))}
    draw_lines(axes, data, {"ratio": r"$\mu_{\mathrm{zCDP}}(\rho)/\sqrt{\rho}$"})
    draw_level(axes, math.sqrt(math.pi), r"$\sqrt{\pi}$")
    draw_level(axes, math.sqrt(8), r"$\sqrt{8}$", end="left")
    axes.set(xscale="log", xlim=(1e-3, 1e4), ylim=(1.6, 3.0))
    named_axes(axes, r"$\rho$", "ratio", "Growth of the sharp conversion (stand-in)")
    legend(axes, loc="center left")


def figure_12(axes: Axes) -> None:
    """Draw figure 12."""
    labels = {"small": r"$(\pi/8)\,\varepsilon^2$", "large": r"$4\varepsilon$"}
    draw_lines(axes, range_squares(np.linspace(0, 12, 121)), labels | {"square": _MU_BR_SQUARED})
    axes.set(xlim=(0, 12), ylim=(0, 48))
    title = r"$\mu_{\mathrm{BR}}^2$ below its two tangents"
    named_axes(axes, _EPSILON, r"$\mu^2$", title)
    legend(axes, loc="upper left")
