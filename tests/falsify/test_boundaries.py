"""Curves of whole classes are attained at every point, by coins on the boundary of the class.

The coins are found by bisection, which knows nothing of how the library looks for the best order;
so a search that stops in a local minimum shows here, though what it returns is a valid bound.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from pools import coins
from truncated import stated_rho

import tightrope as tr
from tightrope.theorems.registry import named

Array = NDArray[np.float64]
Excess = Callable[[FinitePairs], Array]
"""At most 0 where a pair satisfies the statement."""

ALPHAS = np.array([1e-6, 1e-3, 0.03, 0.1, 0.3, 0.6, 0.9])
EPSILONS = np.array([0.0, 0.05, 0.3, 0.6, 1.0, 2.0, 4.0])
TOLERANCE = 2e-3
"""Of beta and delta: that of the suprema over truncated orders."""

TABLES = [
    ([2.0], [0.5]),
    ([8.0], [1.0]),
    ([2.0, 8.0], [0.1, 0.5]),
    ([2.0, 3.0, 8.0, 64.0], [0.1, 0.11, 0.5, 1.0]),
]


def zcdp(rho: float, xi: float) -> tuple[str, tuple[Any, ...], Excess]:
    return "zcdp", (rho, xi), lambda pairs: oracle.xi_star(pairs, rho) - xi


def tcdp(rho: float, omega: float) -> tuple[str, tuple[Any, ...], Excess]:
    def excess(pairs: FinitePairs) -> Array:
        return stated_rho(pairs, np.full(len(pairs), omega)) - rho

    return "tcdp", (rho, omega), excess


def table(orders: list[float], bounds: list[float]) -> tuple[str, tuple[Any, ...], Excess]:
    def excess(pairs: FinitePairs) -> Array:
        stated = zip(orders, bounds, strict=True)
        return np.max([oracle.renyi_both(pairs, o) - bound for o, bound in stated], axis=0)

    return "renyi", (tr.RDP(orders, bounds).curve,), excess


STATEMENTS = {
    **{f"zcdp {rho} {xi}": zcdp(rho, xi) for rho in (0.01, 0.5, 3.0) for xi in (0.0, 0.4)},
    **{f"tcdp {rho} {omega}": tcdp(rho, omega) for rho, omega in ((0.5, 1.5), (0.1, 4), (2, 10))},
    **{f"rdp {orders}": table(orders, bounds) for orders, bounds in TABLES},
}


TWO_ORDERS = "the two directions may be decided by different orders, which is not used"
NOT_YET_SHARP = {
    "profile rdp [8.0]": TWO_ORDERS,
    "profile rdp [2.0, 8.0]": TWO_ORDERS,
    "profile rdp [2.0, 3.0, 8.0, 64.0]": TWO_ORDERS,
}
"""Valid, and looser than the class by up to 30 % of delta at epsilon below 1."""


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(case, marks=pytest.mark.xfail(reason=NOT_YET_SHARP[f"{kind} {case}"]))
        if f"{kind} {case}" in NOT_YET_SHARP
        else case
        for case in STATEMENTS
    ]


def log_odds(alpha: Array) -> Array:
    return np.asarray(np.log(alpha) - np.log1p(-alpha))


def furthest(alpha: Array, excess: Excess) -> Array:
    """The largest log-odds of the power that the statement allows at each type I error."""
    u = log_odds(alpha)
    low, high = u.copy(), u + 80
    for _ in range(40):
        middle = (low + high) / 2
        inside = excess(coins(u, middle)) <= 0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


@cache
def betas(case: str) -> tuple[Array, Array]:
    """What is claimed and what coins reach."""
    name, parameters, excess = STATEMENTS[case]
    told = np.array([float(named(f"{name}_tradeoff")(a, *parameters)) for a in ALPHAS])
    return told, np.exp(-np.logaddexp(0, furthest(ALPHAS, excess)))


@pytest.mark.parametrize("case", STATEMENTS)
def test_tradeoff_curves_hold(case: str) -> None:
    told, beta = betas(case)
    assert (told <= beta * (1 + 1e-8)).all(), (told / beta - 1).tolist()


@pytest.mark.parametrize("case", cases("tradeoff"))
def test_tradeoff_curves_are_attained(case: str) -> None:
    told, beta = betas(case)
    assert (told >= beta * (1 - TOLERANCE)).all(), (told / beta - 1).tolist()


def largest_delta(excess: Excess) -> Array:
    """sup of power - e^epsilon alpha over the boundary, closing in on the best coin."""
    low, high = np.full(len(EPSILONS), -30.0), np.full(len(EPSILONS), 5.0)
    best = np.zeros(len(EPSILONS))
    for _ in range(3):
        u = np.linspace(low, high, 41)
        v = furthest(1 / (1 + np.exp(-u.ravel())), excess).reshape(u.shape)
        delta = 1 / (1 + np.exp(-v)) - np.exp(EPSILONS) / (1 + np.exp(-u))
        peak = np.argmax(delta, axis=0)
        best = np.maximum(best, delta.max(axis=0))
        low, high = (
            np.take_along_axis(u, np.clip(peak + step, 0, 40)[None], 0)[0] for step in (-1, 1)
        )
    return best


@cache
def deltas(case: str) -> tuple[Array, Array]:
    """What is claimed and what coins reach."""
    name, parameters, excess = STATEMENTS[case]
    told = np.exp([float(named(f"{name}_profile")(e, *parameters)) for e in EPSILONS])
    return told, largest_delta(excess)


@pytest.mark.slow
@pytest.mark.parametrize("case", STATEMENTS)
def test_profiles_hold(case: str) -> None:
    told, delta = deltas(case)
    assert (told >= delta * (1 - 1e-8)).all(), (told / delta - 1).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("case", cases("profile"))
def test_profiles_are_attained(case: str) -> None:
    told, delta = deltas(case)
    assert (told <= delta * (1 + TOLERANCE) + 1e-9).all(), (told / delta - 1).tolist()
