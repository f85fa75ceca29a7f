"""A claim of sharpness comes with a pair of laws that attains the bound."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest
from oracle import witness_values as oracle

import tightrope as tr
from tightrope.theorems.registry import Grade, Theorem
from tightrope.theorems.registry import theorems as registered

ATTAINED = 1e-9
ROUNDED = 1e-14
"""The log-odds of a witness are doubles of up to 35: their gap is known to 7e-15, not better."""

SHARP = [t for t in registered("conversion") if t.grade is not Grade.LOOSE]
WITNESSED = [t for t in SHARP if t.witness is not None]

ITS_OWN_CURVE = {"vertices_to_gdp", "slope_to_pure", "tradeoff_to_profile", "profile_to_tradeoff"}
"""Sources that are the curve of a pair: that pair is the witness."""

POINT_BY_POINT = {
    "logistic_profile",
    "logistic_tradeoff",
    "zcdp_profile",
    "zcdp_tradeoff",
    "tcdp_profile",
    "tcdp_tradeoff",
    "renyi_profile",
    "renyi_tradeoff",
}
"""Curves of classes: another Bernoulli pair at every point (tests/falsify finds them)."""

SAME_STATEMENT = {"tcdp_to_rdp", "zcdp_to_tcdp", "rdp_to_pure", "rdp_to_zcdp"}
"""Definitions read in another way: every source curve is its own witness."""

COMPUTED = {"offset_zcdp_to_gdp"}
"""A supremum over Bernoulli pairs; tests/falsify finds the pair."""

EPSILONS = [(1e-4,), (1e-2,), (0.1,), (1.0,), (5.0,), (30.0,)]
PARAMETERS: dict[type, list[tuple[float, ...]]] = {
    tr.PureDP: EPSILONS,
    tr.BoundedRange: EPSILONS,
    tr.LogisticDP: [(1e-3,), (0.1,), (1.0,), (5.0,), (20.0,)],
    tr.GDP: [(1e-3,), (0.3,), (1.0,), (4.0,), (20.0,)],
    tr.ZCDP: [(1e-6, 0.0), (1e-2, 0.0), (0.5, 0.0), (10.0, 0.0), (100.0, 0.0)],
    tr.ApproxDP: [(0.1, 1e-6), (1.0, 0.1), (3.0, 1e-12), (0.5, 0.0)],
}
OFFSETS = {"offset_zcdp_to_pure": [(0.0, 1e-3), (0.0, 1.0), (0.0, 20.0)]}

SHARES = (0.0, 0.3, 0.9)
ALPHAS = (1e-6, 0.01, 0.3, 0.7)
ORDERS = (1.0, 1.5, 2.0, 10.0, 100.0)

SOURCE = {
    tr.PureDP: oracle.pure,
    tr.BoundedRange: oracle.bounded_range,
    tr.LogisticDP: oracle.logistic,
    tr.GDP: oracle.gaussian_mu,
    tr.ZCDP: oracle.zcdp,
}
TARGET = {
    tr.GDP: oracle.gaussian_mu,
    tr.PureDP: oracle.pure,
    tr.BoundedRange: oracle.bounded_range,
    tr.LogisticDP: oracle.logistic,
    tr.RDP: oracle.renyi,
    tr.Profile: oracle.delta,
    tr.TradeOff: oracle.beta,
}


def points(theorem: Theorem, parameters: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Where a curve is asked for; nothing to ask for a number."""
    if theorem.target is tr.Profile:
        largest = parameters[0] ** 2 / 2 + 2 * parameters[0]
        reach = largest if theorem.source is tr.GDP else parameters[0]
        return [(share * reach,) for share in SHARES]
    if theorem.target is tr.TradeOff:
        return [(alpha,) for alpha in ALPHAS]
    return [(order,) for order in ORDERS] if theorem.target is tr.RDP else [()]


def cases(theorem: Theorem) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    rows = OFFSETS.get(theorem.name, PARAMETERS[theorem.source])
    return [(point, row) for row in rows for point in points(theorem, row)]


def bound(theorem: Theorem, point: tuple[float, ...], row: tuple[float, ...]) -> Any:
    with np.errstate(all="ignore"):
        result = theorem(*point, *row)
    if theorem.target is tr.Profile:
        return mp.exp(mp.mpf(float(result)))
    return tuple(map(float, result)) if isinstance(result, tuple) else float(result)


def attained(theorem: Theorem, pair: Any, point: tuple[float, ...], claimed: Any) -> Any:
    """The pair's own parameter, to be compared with the first number claimed that is not 0."""
    if theorem.target is not tr.ZCDP:
        return TARGET[theorem.target](pair, *point), claimed
    rho, xi = claimed
    return (oracle.zcdp(pair), rho) if xi == 0 else (oracle.pure(pair), xi)


@pytest.mark.parametrize("theorem", WITNESSED, ids=lambda t: t.name)
def test_the_witness_attains_the_bound(theorem: Theorem) -> None:
    worst = mp.mpf(0)
    for point, row in cases(theorem):
        pair = theorem.witness(*point, *row)
        exact, claimed = attained(theorem, pair, point, bound(theorem, point, row))
        sign = -1 if theorem.target is tr.TradeOff else 1
        excess = sign * (mp.mpf(claimed) - exact) / exact
        assert excess * exact >= -ROUNDED * max(exact, 1), (point, row, "refuted", float(excess))
        assert abs(excess) <= ATTAINED, (point, row, "not attained", float(excess))
        worst = max(worst, abs(excess))
    print(f"{theorem.name}: attained to {float(worst):.1e}")


@pytest.mark.parametrize("theorem", WITNESSED, ids=lambda t: t.name)
def test_the_witness_is_of_the_class(theorem: Theorem) -> None:
    for point, row in cases(theorem):
        pair = theorem.witness(*point, *row)
        if theorem.source is tr.ApproxDP:
            stated, own = row[1], oracle.delta(pair, row[0])
        elif theorem.name in OFFSETS:  # (xi, 0)-zCDP
            stated, own = row[1], oracle.pure(pair)
        else:
            stated, own = row[0], SOURCE[theorem.source](pair)
        assert own <= stated + ROUNDED * max(stated, 1), (point, row)


def test_every_sharp_conversion_is_witnessed() -> None:
    """By a pair in the registry, by its own source, or by pairs that the falsifier finds."""
    without = {t.name.removesuffix("_from_BoundedRange") for t in SHARP if t.witness is None}
    assert without == ITS_OWN_CURVE | POINT_BY_POINT | SAME_STATEMENT | COMPUTED


def test_the_oracle_itself() -> None:
    """Randomised response with log-odds 1: every parameter is known in closed form."""
    t = mp.mpf(1)
    pair = type("Pair", (), {"p": t, "q": -t})()
    close = {
        oracle.pure(pair): t,
        oracle.bounded_range(pair): 2 * t,
        oracle.logistic(pair): 2 * t,
        oracle.zcdp(pair): t * mp.tanh(t / 2),
        oracle.gaussian_mu(pair): 2 * mp.sqrt(2) * mp.erfinv(mp.tanh(t / 2)),
        oracle.delta(pair, 0.0): mp.tanh(t / 2),
        oracle.beta(pair, 0.1): 1 - mp.e * mp.mpf(0.1),
    }
    assert all(abs(value - expected) < mp.mpf(10) ** -30 for value, expected in close.items())
