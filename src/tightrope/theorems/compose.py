"""Composition: what several releases cost together.

Every function takes the parameters of the parts as columns and the number of runs of each, and
returns those of the whole. All of them hold when each part is chosen after seeing the results of
the earlier ones, as long as the guarantees themselves were fixed beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.notions.approx import ApproxDP
from tightrope.notions.bounded_range import BoundedRange
from tightrope.notions.gdp import GDP
from tightrope.notions.logistic import LogisticDP
from tightrope.notions.profile import Profile
from tightrope.notions.pure import PureDP
from tightrope.notions.rdp import RDP
from tightrope.notions.renyi_curve import RenyiCurve, Total
from tightrope.notions.tcdp import TCDP
from tightrope.notions.tradeoff import TradeOff
from tightrope.notions.zcdp import ZCDP
from tightrope.num.rounding import sqrt_up, sum_up, up
from tightrope.theorems.optimal_composition import advanced_epsilon, optimal_log_delta
from tightrope.theorems.registry import F, Grade, theorem

Column = NDArray[np.float64]
Counts = list[int]

MOST_EXACT = 32
"""Most distinct parts whose squares are added as exact fractions."""


def _composition(
    notion: type, grade: Grade, cite: str, item: str, statement: str
) -> Callable[[F], F]:
    return theorem("composition", notion, notion, grade, cite, item, statement)


def total(values: Column, counts: Counts) -> float:
    """The sum of counted values, rounded up; infinite if any of them is."""
    return sum_up(values.tolist(), counts) if np.isfinite(values).all() else math.inf


@_composition(PureDP, Grade.SHARP, "dwork2006b", "Theorem 1", "epsilon = sum of epsilons")
def compose_pure(epsilon: Column, counts: Counts) -> float:
    """Pure DP adds."""
    return total(epsilon, counts)


@_composition(
    LogisticDP,
    Grade.LOOSE,
    "chen2026",
    "Appendix F",
    "epsilon = sum of epsilons: L_e1 tensor L_e2 >= L_(e1 + e2)",
)
def compose_logistic(epsilon: Column, counts: Counts) -> float:
    """Logistic DP adds; through GDP or Renyi DP the same parts usually cost less."""
    return total(epsilon, counts)


@_composition(
    BoundedRange,
    Grade.SHARP,
    "tightrope",
    "adaptive composition of bounded range",
    "epsilon = 2 (sum of epsilons) - least epsilon, when parts may depend on earlier results",
)
def compose_bounded_range(epsilon: Column, counts: Counts) -> float:
    """Bounded range under adaptive choice.

    The interval [l, l + e] of a later part may depend on the earlier results, l in [-e, 0], so
    every part but the first can widen the range by twice its own length.
    """
    least = float(epsilon[np.argmin(epsilon)])
    runs = [2 * n for n in counts]
    runs[int(np.argmin(epsilon))] -= 1
    return total(epsilon, runs) if math.isfinite(least) else math.inf


@_composition(
    ZCDP, Grade.SHARP, "bun2016", "Lemma 8.2 and Lemma 1.7", "rho = sum of rhos, xi = sum of xis"
)
def compose_zcdp(rho: Column, xi: Column, counts: Counts) -> tuple[float, float]:
    """Concentrated DP adds."""
    return total(rho, counts), total(xi, counts)


@_composition(TCDP, Grade.SHARP, "bun2018", "Lemma 2", "rho = sum of rhos, omega = least omega")
def compose_tcdp(rho: Column, omega: Column, counts: Counts) -> tuple[float, float]:
    """Truncated CDP adds up to the least omega."""
    return total(rho, counts), float(omega.min())


@_composition(GDP, Grade.LOSSLESS, "dong2022", "Corollary 3.3", "mu = sqrt(sum of squared mus)")
def compose_gdp(mu: Column, counts: Counts) -> float:
    """Gaussian DP adds in squares; for few parts without any rounding but the last."""
    if not np.isfinite(mu).all():
        return math.inf
    if len(counts) <= MOST_EXACT:
        return sqrt_up(sum(Fraction(m) ** 2 * n for m, n in zip(mu.tolist(), counts, strict=True)))
    largest = float(mu.max())
    if largest == 0:
        return 0.0
    squares = up((mu / largest) ** 2, 2)  # scaled, so that neither end of the range overflows
    squares[mu == 0] = 0.0
    return up(largest * math.sqrt(sum_up(squares.tolist(), counts)), 2)


@_composition(
    RDP, Grade.SHARP, "mironov2017", "Proposition 1", "D(a) = sum of D_i(a) at every order a"
)
def compose_rdp(curves: tuple[RenyiCurve, ...], counts: Counts) -> RenyiCurve:
    """Renyi divergences add order by order: the moments accountant of Abadi et al. (2016)."""
    return Total(curves, tuple(counts))


@_composition(
    TradeOff, Grade.LOSSLESS, "dong2022", "Theorem 3.2", "f = f1 tensor f2: test the product pair"
)
def compose_tradeoff(curve: Any, other: Any) -> Any:
    """The tensor product of trade-off curves."""
    return curve.tensor(other)


@_composition(
    ApproxDP,
    Grade.LOOSE,
    "dwork2006b",
    "Theorem 1",
    "epsilon = sum of epsilons, delta = sum of deltas",
)
def compose_basic(epsilon: Column, delta: Column, counts: Counts) -> tuple[float, float]:
    """Basic composition: both parameters add."""
    return total(epsilon, counts), min(1.0, total(delta, counts))


@_composition(
    ApproxDP,
    Grade.LOOSE,
    "dwork2010",
    "Theorem III.3",
    "epsilon' = epsilon sqrt(2 k log(1/s)) + k epsilon (e^epsilon - 1), delta' = k delta + s",
)
def compose_advanced(epsilon: float, delta: float, count: int, slack: float) -> tuple[float, float]:
    """Advanced composition of ``count`` equal parts, with ``slack`` s added to delta."""
    whole: tuple[float, float] = advanced_epsilon(epsilon, delta, count, slack)
    return whole


@theorem(
    "composition",
    ApproxDP,
    Profile,
    Grade.SHARP,
    "murtagh2016",
    "Theorem 1.5; Kairouz, Oh and Viswanath (2015), Theorem 3.3, for equal parts",
    "the exact profile of the product of randomised responses, failures apart",
)
def optimal_composition(epsilon: Any, counts: Any) -> Any:
    """Optimal composition of (epsilon_i, delta_i) guarantees, given with their counts."""
    return optimal_log_delta(epsilon, counts)
