"""Randomised response and both Laplace laws: tight parameters from definitions."""

import math

import mpmath as mp
import numpy as np
import pytest
from law_reference import (
    discrete_laplace,
    eighty_digits,
    excess,
    golden,
    krr,
    log_excess,
    renyi,
    score,
)

from tightrope.theorems.discrete_laplace import (
    mu_discrete_laplace,
    renyi_discrete_laplace,
    rho_discrete_laplace,
    vertices_discrete_laplace,
)
from tightrope.theorems.laplace import (
    log_delta_laplace,
    mu_laplace,
    renyi_laplace,
    rho_laplace,
    tradeoff_laplace,
)
from tightrope.theorems.randomized_response import mu_krr, renyi_krr, rho_krr, vertices_krr
from tightrope.theorems.renyi_supremum import sup_ratio

digits = pytest.fixture(autouse=True)(eighty_digits)

GOLDEN = {
    "rho_laplace": rho_laplace,
    "mu_laplace": mu_laplace,
    "rdp_laplace": renyi_laplace,
    "rho_discrete_laplace": lambda epsilon, shift: rho_discrete_laplace(epsilon, int(shift)),
    "rho_krr": lambda epsilon, categories: rho_krr(epsilon, int(categories)),
    "T_laplace": tradeoff_laplace,
}
ORDERS = [1.0, 1 + 1e-11, 1.3, 2.0, 17.0, 1e4]


@pytest.mark.parametrize("name", GOLDEN)
def test_reference_values_from_the_safe_side(name):
    side = -1 if name.startswith("T_") else 1
    for *args, value in golden(name):
        assert 0 <= side * excess(GOLDEN[name](*map(float, args)), value) < 2e-14


# --- k-ary randomised response -------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [1e-7, 0.2, 3.0, 60.0])
@pytest.mark.parametrize("categories", [2, 3, 6, 7, 1000])
def test_krr_renyi(epsilon, categories):
    bounds = renyi_krr(epsilon, categories, np.array(ORDERS))
    for order, bound in zip(ORDERS, bounds, strict=True):
        with mp.workdps(200):
            truth = renyi(*krr(epsilon, categories), order)
        assert -1e-70 <= excess(bound, truth) < 1e-12
    assert renyi_krr(epsilon, categories, math.inf) == epsilon


@pytest.mark.parametrize(
    ("epsilon", "categories"), [(0.1, 7), (1.0, 1000), (1e-6, 50), (2.0, 13), (5.0, 10**6)]
)
def test_krr_zcdp_is_the_proved_supremum(epsilon, categories):
    rho = rho_krr(epsilon, categories)
    bound = sup_ratio(lambda orders: renyi_krr(epsilon, categories, orders), epsilon)
    assert rho <= bound * (1 + 1e-14)
    assert bound < rho * (1 + 1e-12)


def test_krr_zcdp_leaves_the_divergence_of_order_one():
    """The ratios of the theory: 1.0113 at k = 7, 22.8 at k = 1000."""
    for epsilon, categories, ratio in ((0.1, 7, 1.0113), (1.0, 1000, 22.78), (0.1, 6, 1.0)):
        at_one = renyi_krr(epsilon, categories, 1.0)
        assert rho_krr(epsilon, categories) / at_one == pytest.approx(ratio, rel=1e-4)


@pytest.mark.parametrize("epsilon", [1e-8, 0.3, 1.2, 7.0, 80.0])
@pytest.mark.parametrize("categories", [2, 5, 10**4, 10**90])
def test_krr_gdp(epsilon, categories):
    grow = mp.exp(mp.mpf(epsilon))
    log_total = mp.log(grow + categories - 1)
    truth = score(-log_total) - score(mp.mpf(epsilon) - log_total)
    assert 0 <= excess(mu_krr(epsilon, categories), truth) < 1e-13


# --- discrete Laplace ----------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [1e-7, 0.2, 3.0, 60.0])
@pytest.mark.parametrize("shift", [1, 2, 5, 60])
def test_discrete_laplace_renyi(epsilon, shift):
    bounds = renyi_discrete_laplace(epsilon, shift, np.array(ORDERS))
    for order, bound in zip(ORDERS, bounds, strict=True):
        with mp.workdps(200):
            truth = renyi(*discrete_laplace(epsilon, shift), order)
        assert -1e-70 <= excess(bound, truth) < 2e-14
    assert renyi_discrete_laplace(epsilon, shift, math.inf) == epsilon


@pytest.mark.parametrize(("epsilon", "shift"), [(0.3, 2), (2.0, 7), (8.0, 3)])
def test_discrete_laplace_zcdp_is_the_proved_supremum(epsilon, shift):
    rho = rho_discrete_laplace(epsilon, shift)
    bound = sup_ratio(lambda orders: renyi_discrete_laplace(epsilon, shift, orders), epsilon)
    assert rho * (1 - 1e-14) <= bound < rho * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [1e-6, 0.7, 5.0, 200.0])
@pytest.mark.parametrize("shift", [1, 2, 9, 40])
def test_discrete_laplace_gdp_is_the_best_vertex(epsilon, shift):
    r = mp.mpf(epsilon) / shift
    log_tails = [-k * r - mp.log1p(mp.exp(-r)) for k in range(1, shift + 1)]
    scores = [score(x) for x in log_tails]
    truth = max(a + b for a, b in zip(scores, reversed(scores), strict=True))
    assert 0 <= excess(mu_discrete_laplace(epsilon, shift), truth) < 1e-14


def test_vertices_are_sums_of_masses():
    for (p, q), (alpha, beta) in (
        (discrete_laplace(1.3, 4), vertices_discrete_laplace(1.3, 4)),
        (krr(0.8, 5), vertices_krr(0.8, 5)),
    ):
        ratio = [y / x for x, y in zip(p, q, strict=True)]
        order = sorted(range(len(p)), key=lambda i: -ratio[i])
        rejected = [mp.fsum(p[i] for i in order[:n]) for n in range(len(p) + 1)]
        missed = [1 - mp.fsum(q[i] for i in order[:n]) for n in range(len(p) + 1)]
        assert alpha == pytest.approx([float(x) for x in rejected], rel=1e-14)
        assert beta == pytest.approx([float(x) for x in missed], rel=1e-14, abs=1e-16)
    assert vertices_krr(1.0, 2)[0].size == 3


def test_one_step_of_discrete_laplace_is_binary_randomised_response():
    assert rho_discrete_laplace(0.9, 1) == pytest.approx(rho_krr(0.9, 2), rel=1e-14)
    assert mu_discrete_laplace(0.9, 1) == pytest.approx(mu_krr(0.9, 2), rel=1e-14)
    assert renyi_discrete_laplace(0.9, 1, 3.5) == pytest.approx(renyi_krr(0.9, 2, 3.5), rel=1e-13)


def test_fine_steps_of_discrete_laplace_are_laplace():
    assert rho_discrete_laplace(0.9, 10**7) == pytest.approx(rho_laplace(0.9), rel=1e-13)
    assert mu_discrete_laplace(0.9, 10**7) == pytest.approx(mu_laplace(0.9), rel=1e-13)
    assert renyi_discrete_laplace(0.9, 10**7, 3.5) == pytest.approx(
        renyi_laplace(0.9, 3.5), rel=1e-13
    )


# --- Laplace -------------------------------------------------------------------------------------


def _laplace_renyi(epsilon, order):
    e, a = mp.mpf(epsilon), mp.mpf(order)
    if a == 1:
        return e + mp.exp(-e) - 1
    moment = a * mp.exp((a - 1) * e) + (a - 1) * mp.exp(-a * e)
    return mp.log(moment / (2 * a - 1)) / (a - 1)


@pytest.mark.parametrize("epsilon", [1e-12, 1e-5, 0.4, 9.0, 500.0])
def test_laplace_renyi(epsilon):
    for order, bound in zip(ORDERS, renyi_laplace(epsilon, np.array(ORDERS)), strict=True):
        with mp.workdps(200):
            truth = _laplace_renyi(epsilon, order)
        assert 0 <= excess(bound, truth) < 1e-14
    assert renyi_laplace(epsilon, math.inf) == epsilon


def test_laplace_zcdp_is_the_proved_supremum():
    bound = sup_ratio(lambda orders: renyi_laplace(1.5, orders), 1.5)
    assert rho_laplace(1.5) * (1 - 1e-14) <= bound < rho_laplace(1.5) * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 6.0])
def test_laplace_profile_and_curve_are_conjugate_and_within_gdp(epsilon):
    alpha = np.linspace(0, 1, 101)
    curve = tradeoff_laplace(epsilon, alpha)
    slopes = np.linspace(-epsilon, epsilon, 2001)
    delta = np.exp(log_delta_laplace(epsilon, slopes))
    lines = (1 - delta[:, None] - np.exp(slopes)[:, None] * alpha).max(axis=0)
    assert curve == pytest.approx(np.maximum(lines, 0), abs=3e-6 * epsilon)
    increments = [
        score(mp.log(mp.mpf(float(a)))) + score(mp.log(mp.mpf(float(b))))
        for a, b in zip(alpha[1:-1], curve[1:-1], strict=True)
    ]
    assert float(max(increments)) <= mu_laplace(epsilon) < float(max(increments)) + 4e-3


@pytest.mark.parametrize("epsilon", [1e-9, 0.5, 30.0])
def test_laplace_profile(epsilon):
    for share in (-3.0, -1.0, -0.5, 0.0, 0.3, 1 - 1e-9):
        e = mp.mpf(share * epsilon)
        truth = 1 - mp.exp((e - epsilon) / 2) if abs(e) < epsilon else 1 - mp.exp(e)
        assert 0 <= log_excess(log_delta_laplace(epsilon, share * epsilon), truth) < 1e-13
    assert log_delta_laplace(epsilon, epsilon) == -math.inf


def test_laplace_far_curve():
    for epsilon, alpha in ((750.0, 1e-300), (400.0, 1e-100), (900.0, 0.7), (690.0, 1e-305)):
        e, a = mp.mpf(epsilon), mp.mpf(alpha)
        middle = mp.exp(-e) / (4 * a)
        truth = (
            1 - mp.exp(e) * a if a < mp.exp(-e) / 2 else middle if a < 0.5 else mp.exp(-e) * (1 - a)
        )
        if truth > 1e-290:
            assert -2e-12 < excess(tradeoff_laplace(epsilon, alpha), truth) <= 0


# --- arguments -----------------------------------------------------------------------------------


def test_no_loss_costs_nothing():
    assert rho_laplace(0.0) == mu_laplace(0.0) == renyi_laplace(0.0, 5.0) == 0
    assert rho_krr(0.0, 9) == mu_krr(0.0, 9) == renyi_krr(0.0, 9, 5.0) == 0
    assert rho_discrete_laplace(0.0, 3) == mu_discrete_laplace(0.0, 3) == 0
    assert renyi_discrete_laplace(0.0, 3, 5.0) == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: rho_krr(-1.0, 3),
        lambda: mu_krr(1.0, 1),
        lambda: rho_discrete_laplace(math.inf, 1),
        lambda: mu_discrete_laplace(1.0, 0),
        lambda: renyi_discrete_laplace(1.0, 1, 0.5),
        lambda: tradeoff_laplace(1.0, 1.5),
    ],
)
def test_bad_arguments(call):
    with pytest.raises(ValueError, match=r"must lie in|must be|got|at least|epsilon="):
        call()
