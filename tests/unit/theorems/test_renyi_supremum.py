"""Renyi divergences of finite pairs, and the supremum of D_a/a."""

import math

import mpmath as mp
import numpy as np
import pytest
from law_reference import eighty_digits, excess, krr, renyi

from tightrope.theorems.remainder import log_remainder, remainder
from tightrope.theorems.renyi_supremum import renyi_finite, renyi_of_losses, sup_ratio

digits = pytest.fixture(autouse=True)(eighty_digits)

ORDERS = [1.0, 1 + 1e-12, 1.01, 2.0, 30.0, 5000.0]


@pytest.mark.parametrize("x", [-1e5, -30.0, -1.0, -1e-9, 0.0, 1e-5, 0.999, 1.001, 20.0, 700.0])
def test_remainder_of_the_exponential(x):
    y = mp.mpf(x)
    truth = (mp.exp(y) - 1 - y) / y**2 if x else mp.mpf(1) / 2
    assert abs(excess(remainder(x), truth)) < 1e-15
    assert abs(float(mp.mpf(log_remainder(x)) - mp.log(truth))) < 1e-15 + 3e-16 * abs(
        math.log(truth)
    )


def _pair(seed, size):
    """A random pair with log-ratios of a given size: P's masses, Q's masses, losses."""
    rng = np.random.default_rng(seed)
    p = [mp.mpf(x) for x in rng.dirichlet(np.ones(4))]
    p = [x / mp.fsum(p) for x in p]
    q = [x * mp.exp(-mp.mpf(size * y)) for x, y in zip(p, rng.normal(size=4), strict=True)]
    q = [y / mp.fsum(q) for y in q]
    return p, q, np.array([float(mp.log(x / y)) for x, y in zip(p, q, strict=True)])


@pytest.mark.parametrize("size", [1e-14, 1e-5, 0.3, 4.0, 90.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_divergences_of_finite_pairs(seed, size):
    p, q, losses = _pair(seed, size)
    log_p = np.array([float(mp.log(x)) for x in p])
    for order, bound in zip(ORDERS, renyi_of_losses(log_p, losses, np.array(ORDERS)), strict=True):
        with mp.workdps(150):
            truth = renyi(p, q, order)
        assert 0 <= excess(bound, truth) < 4e-14 * (1 - log_p.min())
    assert renyi_of_losses(log_p, losses, math.inf) == losses.max()


def test_log_masses_in_place_of_losses():
    p, q, losses = _pair(4, 0.5)
    log_p, log_q = (np.array([float(mp.log(x)) for x in law]) for law in (p, q))
    by_losses = renyi_of_losses(log_p, losses, np.array(ORDERS))
    assert renyi_finite(log_p, log_q, np.array(ORDERS)) == pytest.approx(by_losses, rel=1e-13)


def test_impossible_outcomes():
    sure, fair = np.array([0.0, -np.inf]), np.log([0.5, 0.5])
    assert renyi_finite(sure, fair, np.array([1.0, 2.0, np.inf])) == pytest.approx(math.log(2))
    assert renyi_finite(fair, sure, np.array([1.0, 2.0])).tolist() == [math.inf, math.inf]
    assert renyi_finite(fair, fair, 3.0) == 0


def test_orders_below_one_are_refused():
    with pytest.raises(ValueError, match="at least 1"):
        renyi_finite(np.log([0.5, 0.5]), np.log([0.4, 0.6]), 0.5)


def _krr_curve(epsilon, categories):
    p, _ = krr(epsilon, categories)
    kept = 3 if categories > 2 else 2
    log_p = np.array([float(mp.log(x)) for x in p[:kept]])
    losses = np.array([epsilon, -epsilon, 0.0])[:kept]
    return lambda orders: renyi_of_losses(log_p, losses, orders)


@pytest.mark.parametrize(
    ("epsilon", "categories", "times_kl", "order"),
    [(0.1, 7, 1.0113, 16.86), (1.0, 1000, 22.8, None), (0.1, 6, 1, 1), (3.0, 2, 1, 1)],
)
def test_supremum_at_and_away_from_order_one(epsilon, categories, times_kl, order):
    curve = _krr_curve(epsilon, categories)
    supremum = sup_ratio(curve, epsilon)
    assert supremum / curve(1.0) == pytest.approx(times_kl, rel=2e-3 if order is None else 5e-5)
    grid = 1 + np.geomspace(1e-9, 1e4, 20001)
    values = curve(grid) / grid
    assert values.max() <= supremum < max(values.max(), curve(1.0)) * (1 + 1e-6)
    if order is not None and order > 1:
        assert grid[values.argmax()] == pytest.approx(order, abs=0.02)


def test_a_flat_curve_still_gets_a_valid_bound():
    curve = _krr_curve(1e-5, 2)
    kl = 1e-5 * mp.tanh(mp.mpf(1e-5) / 2)
    assert 0 <= excess(sup_ratio(curve, 1e-5), kl) < 1e-7


def test_supremum_in_the_tail():
    """A curve that climbs to D_inf late: a tiny mass of a large ratio."""
    tiny = 1e-30
    log_p, log_q = np.log([tiny, 1.0]), np.log([tiny * np.exp(-60.0), 1.0])
    supremum = sup_ratio(lambda orders: renyi_finite(log_p, log_q, orders), 60.0)
    orders = 1 + np.geomspace(1e-3, 1e4, 100_001)
    best = (renyi_finite(log_p, log_q, orders) / orders).max()
    assert best <= supremum < best * (1 + 1e-6)


def test_trivial_and_bad_curves():
    assert sup_ratio(lambda orders: 0 * orders, 0.0) == 0
    assert sup_ratio(lambda orders: 0 * orders + 2.0, 2.0) == 2
    for bad in (math.inf, -1.0, math.nan):
        with pytest.raises(ValueError, match="D_inf must be finite"):
            sup_ratio(lambda orders: orders, bad)
