"""Chen, Pandey and Awan (2026), item by item, as properties of the code."""

import math

import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.theorems import bernoulli, constants
from tightrope.theorems.boundary_shape import corner, regime
from tightrope.theorems.minimax import minimax_sandwich

RHO = np.geomspace(1e-8, 1e4, 400)
EPSILON = np.geomspace(1e-8, 1e4, 400)


def test_proposition_4_and_its_round_trip():
    assert tr.GDP(1.5).to(tr.ZCDP).rho == 1.125
    for mu in (1e-4, 0.1, 1.0, 10.0):
        back = constants.mu_zcdp(mu * mu / 2)
        assert math.sqrt(math.pi / 2) * mu * (1 - 1e-12) <= back <= 2 * mu  # Theorem 7


def test_proposition_5_randomised_response():
    for t in (0.1, 1.0, 4.0):
        event = tr.RandomizedResponse(t)
        assert event.to(tr.ZCDP).rho == pytest.approx(t * math.tanh(t / 2), rel=1e-14)
        assert event.to(tr.GDP).mu == pytest.approx(float(constants.mu_pure(t)), rel=1e-14)
        assert event.advantage() == pytest.approx(math.tanh(t / 2), rel=1e-13)


def test_theorem_6_and_its_inverse_in_closed_form():
    mu = constants.mu_zcdp(RHO)
    assert np.allclose(constants.rho_from_mu_zcdp(mu), RHO, rtol=4e-15)
    # the same total variation: rho = 2 TV atanh(TV), mu = 2 Phi^-1((1 + TV)/2)
    tv = constants.tv_zcdp(np.array([0.1, 1.0, 2.63]))
    assert np.allclose(2 * tv * np.arctanh(tv), [0.1, 1.0, 2.63], rtol=1e-13)


def test_theorem_7_shape_of_mu_zcdp():
    mu = constants.mu_zcdp(RHO)
    assert (np.diff(mu) > 0).all()
    ratio = mu / np.sqrt(RHO)
    assert (np.diff(ratio) > -1e-15).all()
    assert (ratio > math.sqrt(math.pi) * (1 - 1e-15)).all()
    assert (ratio < math.sqrt(8)).all()
    even = np.linspace(0.01, 20, 2000)
    assert (np.diff(constants.mu_zcdp(even) ** 2, 2) > 0).all()  # the square is convex


def test_corollary_8_the_sandwich_is_nested():
    for rho in (1e-6, 0.5, 40.0):
        s = minimax_sandwich(rho)
        assert s.inner < s.outer < s.simple
        assert s.inner <= math.sqrt(2 * rho)
        assert s.simple >= math.sqrt(8 * rho)


def test_corollary_9_convert_first():
    one, two = constants.mu_zcdp(np.array([0.3, 0.8]))
    assert math.hypot(one, two) < constants.mu_zcdp(1.1)
    assert 3 * constants.mu_zcdp(0.2) < constants.mu_zcdp(9 * 0.2)


def test_theorem_13_and_remark_14():
    assert tr.BoundedRange(2.0).to(tr.GDP).mu == tr.LogisticDP(2.0).to(tr.GDP).mu
    assert tr.PureDP(1.0).to(tr.GDP).mu == tr.BoundedRange(2.0).to(tr.GDP).mu
    direct, detour = constants.mu_br(EPSILON), constants.mu_zcdp(constants.rho_br(EPSILON))
    assert (direct <= detour * (1 + 1e-15)).all()


def test_theorem_15_shape_of_mu_br():
    mu = constants.mu_br(EPSILON)
    assert (np.diff(mu) > 0).all()
    assert (
        mu <= np.minimum(math.sqrt(math.pi / 8) * EPSILON, 2 * np.sqrt(EPSILON)) * (1 + 1e-15)
    ).all()
    even = np.linspace(0.01, 30, 2000)
    assert (np.diff(constants.mu_br(even), 2) < 0).all()
    assert (np.diff(constants.mu_br(even) ** 2, 2) > 0).all()


def test_corollary_16_group_first():
    one, two = constants.mu_br(np.array([0.5, 2.0]))
    assert math.hypot(one, two) < constants.mu_br(2.5)
    assert constants.mu_br(1.5) < 3 * constants.mu_br(0.5)
    assert tr.BoundedRange(0.5).group(3).to(tr.GDP).mu == pytest.approx(
        0.930806794904657, rel=1e-14
    )


def test_appendix_f_logistic_composes_and_groups_additively():
    assert (tr.LogisticDP(1.0) + tr.LogisticDP(1.0)).to(tr.LogisticDP).epsilon == 2.0
    assert tr.LogisticDP(0.5).group(4).to(tr.LogisticDP).epsilon == 2.0


def test_the_closed_lower_bound_of_the_bernoulli_budget():
    """Lemma 20: K_zCDP(p, q) >= K(c, d) and >= mu_zCDP^-1(Phi^-1(q) - Phi^-1(p))."""
    rng = np.random.default_rng(20260101)
    u = rng.normal(0, 4, 300)
    v = u + rng.exponential(2, 300)
    p, q = 1 / (1 + np.exp(-u)), 1 / (1 + np.exp(-v))
    budget = bernoulli.k_zcdp(p, q)
    closed = bernoulli.k_cd(np.abs(u + v) / 2, (v - u) / 2)
    assert (closed <= budget * (1 + 1e-9)).all()
    distance = np.array(
        [
            float(mp.sqrt(2) * (mp.erfinv(2 * mp.mpf(b) - 1) - mp.erfinv(2 * mp.mpf(a) - 1)))
            for a, b in zip(p, q, strict=True)
        ]
    )
    assert (constants.rho_from_mu_zcdp(distance) <= budget * (1 + 1e-9)).all()


def test_the_testing_boundary_and_its_corner():
    for rho in (0.1, 1.0, 5.0):
        c = corner(rho)
        run = tr.ZCDP(rho)
        assert run.tradeoff(c.alpha) == pytest.approx(c.alpha, rel=1e-12)
        step = 1e-5 * c.alpha
        left = (run.tradeoff(c.alpha - step) - c.alpha) / -step
        right = (run.tradeoff(c.alpha + step) - c.alpha) / step
        assert left == pytest.approx(c.left, rel=1e-3)
        assert right == pytest.approx(c.right, rel=1e-3)
        alpha = np.linspace(0.001, 0.999, 41)
        gaussian = tr.GDP(float(constants.mu_zcdp(rho)))
        beta = np.array([float(tr.GDP(0).tradeoff(0))] + [run.tradeoff(a) for a in alpha])[1:]
        from tightrope.theorems.into_tradeoff import gaussian_tradeoff

        assert (beta >= gaussian_tradeoff(alpha, gaussian.mu) - 1e-12).all()


def test_three_regimes_of_the_sharp_profile():
    """log(sinh(t)/t) at rho = .01, .1, 1, 2.63, 10; near t^2/6 = rho/3 for small rho."""
    table = [
        (0.01, 0.00334, 5e-6),
        (0.1, 0.0337, 5e-4),
        (1, 0.370, 5e-4),
        (2.63, 1.157, 5e-4),
        (10, 7.005, 5e-4),
    ]
    for rho, epsilon, digits in table:
        assert corner(rho).epsilon == pytest.approx(epsilon, abs=digits)
    assert [regime(1, e) for e in (0.36, 0.38, 3)] == ["corner", "divergence", "order"]
    # in the corner the profile is that of randomised response, better than any single order
    assert tr.ZCDP(1).delta(0.1) == pytest.approx(0.62940, abs=5e-6)


def test_small_tail_of_the_boundary():
    """q <= exp(-(sqrt log(1/a) - sqrt rho)^2), attained as a -> 0."""
    for alpha, ratio in ((1e-3, 0.9953), (1e-6, 1 - 1e-5)):
        q = 1 - tr.ZCDP(1.0).tradeoff(alpha)
        limit = math.exp(-((math.sqrt(math.log(1 / alpha)) - 1) ** 2))
        assert q / limit == pytest.approx(ratio, abs=2e-4)
        assert q <= limit * (1 + 1e-12)
