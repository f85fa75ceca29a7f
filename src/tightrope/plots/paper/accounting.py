"""Figures 13 and 14: what the order of converting, composing and grouping is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tightrope.plots.lines import Curves, Line, draw_level, draw_lines, legend, named_axes
from tightrope.theorems.constants import mu_br, mu_zcdp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COUNTS = (2, 4, 16)

_BASE = "convert first"


def zcdp_composition(rho: ArrayLike) -> Curves:
    """mu_zCDP of n releases' sum over the root of the sum of their squares: at least 1."""
    r = np.asarray(rho, dtype=float)
    return {f"{n}": Line(r, mu_zcdp(n * r) / (np.sqrt(n) * mu_zcdp(r))) for n in COUNTS}


def zcdp_groups(rho: ArrayLike) -> Curves:
    """mu_zCDP of a group of k over k times that of one: at least 1."""
    r = np.asarray(rho, dtype=float)
    return {f"{k}": Line(r, mu_zcdp(k * k * r) / (k * mu_zcdp(r))) for k in COUNTS}


def range_composition(epsilon: ArrayLike) -> Curves:
    """mu_BR of n releases' sum over the root of the sum of their squares: at least 1."""
    e = np.asarray(epsilon, dtype=float)
    return {f"{n}": Line(e, mu_br(n * e) / (np.sqrt(n) * mu_br(e))) for n in COUNTS}


def range_groups(epsilon: ArrayLike) -> Curves:
    """mu_BR of a group of k over k times that of one: at most 1."""
    e = np.asarray(epsilon, dtype=float)
    return {f"{k}": Line(e, mu_br(k * e) / (k * mu_br(e))) for k in COUNTS}


def figure_13(left: Axes, right: Axes) -> None:
    """Draw figure 13."""
    rho = np.geomspace(1e-5, 1e3, 161)
    _ratios(
        left, zcdp_composition(rho), "n", r"$\rho$ of each of $n$", "zCDP: compose, then convert"
    )
    left.set_ylabel(r"$\mu(n\rho)\,/\,\sqrt{n\,\mu(\rho)^2}$")
    _ratios(right, zcdp_groups(rho), "k", r"$\rho$ of one", "zCDP: group, then convert")
    right.set_ylabel(r"$\mu(k^2\rho)\,/\,(k\,\mu(\rho))$")
    for axes in (left, right):
        axes.set_ylim(0.95, 1.65)
        draw_level(axes, 1.0, _BASE, end="left")
        legend(axes, loc="upper right")


def figure_14(left: Axes, right: Axes) -> None:
    """Draw figure 14."""
    epsilon = np.geomspace(1e-2, 1e3, 141)
    named = r"$\varepsilon$ of each of $n$"
    _ratios(left, range_composition(epsilon), "n", named, "Bounded range: compose, then convert")
    left.set_ylabel(r"$\mu(n\varepsilon)\,/\,\sqrt{n\,\mu(\varepsilon)^2}$")
    left.set_ylim(0.8, 4.2)
    draw_level(left, 1.0, _BASE, end="left")
    legend(left, loc="upper right")
    _ratios(
        right,
        range_groups(epsilon),
        "k",
        r"$\varepsilon$ of one",
        "Bounded range: group, then convert",
    )
    right.set_ylabel(r"$\mu(k\varepsilon)\,/\,(k\,\mu(\varepsilon))$")
    right.set_ylim(0, 1.15)
    draw_level(right, 1.0, _BASE)
    legend(right, loc="lower left")


def _ratios(axes: Axes, data: Curves, symbol: str, x: str, title: str) -> None:
    draw_lines(axes, data, {n: f"${symbol} = {n}$" for n in data})
    axes.set_xscale("log")
    named_axes(axes, x, "", title)
