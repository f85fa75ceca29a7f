"""How theorems behave as functions: they broadcast, are monotone, and cost nothing at nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tightrope as tr
from tightrope.plan.portfolio.portfolio import SCALARS
from tightrope.theorems.registry import Theorem, named
from tightrope.theorems.registry import theorems as registered

ARGUMENTS: dict[type, tuple[np.ndarray, ...]] = {
    tr.PureDP: (np.array([0.0, 0.3, 4.0]),),
    tr.BoundedRange: (np.array([0.0, 0.3, 4.0]),),
    tr.LogisticDP: (np.array([0.0, 0.3, 4.0]),),
    tr.GDP: (np.array([0.0, 0.3, 4.0]),),
    tr.ZCDP: (np.array([0.0, 0.3, 4.0]), np.array([0.0, 0.0, 0.0])),
    tr.TCDP: (np.array([0.0, 0.3, 4.0]), np.array([5.0, 6.0, 7.0])),
}
PLAIN = [
    t for t in registered("conversion") if t.source in ARGUMENTS and t.target in (*SCALARS, tr.RDP)
]


def names(theorem: Theorem) -> str:
    return theorem.name


def columns(theorem: Theorem, *arguments: Any) -> list[np.ndarray]:
    if theorem.target is tr.RDP:
        arguments = (np.full(np.shape(arguments[0]), 2.5), *arguments)
    with np.errstate(all="ignore"):
        result = theorem(*arguments)
    return [np.asarray(x, dtype=float) for x in (result if isinstance(result, tuple) else [result])]


@pytest.mark.parametrize("theorem", PLAIN, ids=names)
def test_theorems_broadcast(theorem: Theorem) -> None:
    whole = columns(theorem, *ARGUMENTS[theorem.source])
    width = 1 if theorem.target is tr.RDP else len(ARGUMENTS[theorem.target])
    assert len(whole) == width
    for i in range(3):
        one = columns(theorem, *(a[i] for a in ARGUMENTS[theorem.source]))
        assert [float(column[i]) for column in whole] == [float(value) for value in one]


@pytest.mark.parametrize("theorem", PLAIN, ids=names)
def test_nothing_is_lost_where_nothing_leaks(theorem: Theorem) -> None:
    if theorem.name == "offset_zcdp_to_gdp":  # for an offset above 0 only
        return
    found = columns(theorem, *(a[:1] for a in ARGUMENTS[theorem.source]))
    leaked = found[:1] if theorem.target is tr.TCDP else found
    assert all(column[0] == 0 for column in leaked)


@pytest.mark.parametrize("theorem", PLAIN, ids=names)
def test_more_leakage_never_gives_a_smaller_bound(theorem: Theorem) -> None:
    grid = np.geomspace(1e-6, 50.0, 400)
    rest = {tr.ZCDP: (np.zeros(400),), tr.TCDP: (np.full(400, 6.0),)}.get(theorem.source, ())
    for column in columns(theorem, grid, *rest):
        finite = column[np.isfinite(column)]
        assert (np.diff(finite) >= 0).all()


def test_conditional_theorems_give_infinity_where_they_do_not_hold() -> None:
    finite_orders = tr.RDP([2, 8], [0.1, 0.5]).curve
    assert named("offset_zcdp_to_pure")(0.1, 1.0) == np.inf
    assert named("rdp_to_pure")(finite_orders) == np.inf
    assert named("rdp_to_zcdp")(finite_orders)[0] == np.inf


@pytest.mark.parametrize("x", [0.25, 1e-3, 1e-6])
def test_randomised_response_by_its_corner(x: float) -> None:
    """The points (0, 1) and (x, x) say all: the edge beyond x goes on in a straight line."""
    epsilon = float(np.log((1 - x) / x))
    for points in (([0, x], [1, x]), ([0, x, 1], [1, x, 0])):
        found = tr.TradeOff(*points).to(tr.PureDP).epsilon
        assert found == pytest.approx(epsilon, rel=1e-9)
        assert found >= epsilon * (1 - 1e-15)


def test_a_convex_curve_is_accepted_however_steep() -> None:
    """Three points on a convex curve, the last of them far down."""
    assert tr.TradeOff([0, 1e-6, 0.3], [1, 0.3, 1e-6]).to(tr.GDP).mu < 6
