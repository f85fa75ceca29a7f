"""(xi, rho)-zCDP into GDP: the supremum over coins, found independently, and random pairs.

One application of the theorem takes some 60 ms, so a few statements are tried on all pairs.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from oracle import divergences as oracle
from pools import coins, pools

from tightrope.theorems.registry import named

Array = NDArray[np.float64]

FEW, MANY = 500, 10_000
STATEMENTS = [
    (xi * total, (1 - xi) * total) for total in (0.01, 0.3, 2.0, 8.0) for xi in (0.3, 0.9)
]
CENTRES = np.array([0.0, 0.2, 0.6, 1.5, 4.0, 10.0])
STATED_ERROR = 2e-6


@cache
def claimed(xi: float, rho: float) -> float:
    return float(named("offset_zcdp_to_gdp")(np.array([rho]), np.array([xi]))[0])


def widest(centre: Array, xi: float, rho: float) -> Array:
    """Half the largest gap of log-odds, at each centre, of coins that satisfy the statement."""
    low, high = np.zeros_like(centre), np.full_like(centre, 60.0)
    for _ in range(45):
        middle = (low + high) / 2
        inside = oracle.xi_star(coins(centre + middle, centre - middle), rho) <= xi
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


def supremum(xi: float, rho: float) -> float:
    """The largest mu of coins that satisfy the statement, over a few centres of their log-odds."""
    half = widest(CENTRES, xi, rho)
    return float(oracle.tight_mu(coins(CENTRES + half, CENTRES - half)).max())


@pytest.mark.parametrize("statement", STATEMENTS, ids=str)
def test_coins_attain_the_supremum(statement: tuple[float, float]) -> None:
    reached, claim = supremum(*statement), claimed(*statement)
    assert reached <= claim * (1 + 1e-8)
    assert claim <= reached * (1 + STATED_ERROR)
    assert reached > claim * 0.95  # so 5 % less would be refuted


@pytest.mark.parametrize(
    ("xi", "rho", "mu"), [(0.5, 0.5, 1.840970), (1, 0.01, 1.370002), (0.1, 1, 1.961721)]
)
def test_values_from_randomised_response(xi: float, rho: float, mu: float) -> None:
    """2 Phi^-1(s(t)) at the largest t with D_order <= xi + rho order; evaluated with mpmath."""
    found = claimed(xi, rho)
    assert found == pytest.approx(mu, abs=2e-6)
    assert found <= float(named("zcdp_to_gdp")(rho, xi))


def assert_none_refutes(count: int) -> None:
    for pairs in pools(count, failing=False)[:2]:
        mu = oracle.tight_mu(pairs)
        for xi, rho in STATEMENTS:
            holds = oracle.xi_star(pairs, rho) <= xi
            assert (mu[holds] <= claimed(xi, rho) * (1 + 1e-8)).all()


def test_no_pair_refutes_it() -> None:
    assert_none_refutes(FEW)


@pytest.mark.slow
def test_none_of_ten_thousand_pairs_refutes_it() -> None:
    assert_none_refutes(MANY)
