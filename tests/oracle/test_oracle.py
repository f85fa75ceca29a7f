"""The oracle against closed forms, and against itself in higher precision."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from mpmath import mp, mpf

from . import divergences as dv
from . import exact_laws as laws
from .finite_pairs import (
    FAMILIES,
    FinitePairs,
    batches,
    binned,
    binned_gaussian,
    log_normal_tail,
    random_pairs,
)

NORMAL = NormalDist()


def response(t: float) -> FinitePairs:
    log_odds = np.array([[t, 0.0]])
    return FinitePairs.of(log_odds, log_odds[:, ::-1])


@pytest.mark.parametrize("t", [1e-3, 0.1, 1.0, 5.0, 30.0])
def test_randomized_response_has_its_closed_forms(t):
    """Chen, Pandey and Awan (2026), Proposition 5."""
    pair = response(t)
    assert dv.pure_epsilon(pair)[0] == pytest.approx(t, rel=1e-12)
    assert dv.bounded_range(pair)[0] == pytest.approx(2 * t, rel=1e-12)
    assert dv.logistic_epsilon(pair)[0] == pytest.approx(2 * t, rel=1e-12)
    assert dv.total_variation(pair)[0] == pytest.approx(math.tanh(t / 2), rel=1e-12)
    assert dv.rho_star(pair)[0] == pytest.approx(t * math.tanh(t / 2), rel=1e-9)
    lie = 1 / (1 + math.exp(t))
    assert dv.tight_mu(pair)[0] == pytest.approx(-2 * NORMAL.inv_cdf(lie), rel=1e-12)
    for order in (1.5, 2.0, 10.0, 200.0):
        log_cosh = [abs(x) + math.log1p(math.exp(-2 * abs(x))) for x in ((order - 0.5) * t, t / 2)]
        expected = (log_cosh[0] - log_cosh[1]) / (order - 1)
        assert dv.renyi_both(pair, order)[0] == pytest.approx(expected, rel=1e-9)
    assert dv.renyi(pair, 1)[0] == pytest.approx(t * math.tanh(t / 2), rel=1e-12)
    assert dv.renyi(pair, np.inf)[0] == pytest.approx(t, rel=1e-12)
    e = np.array([0.0, 0.3 * t, t, 2 * t])
    expected = np.maximum(np.exp(t) - np.exp(e), 0) / (1 + np.exp(t))
    assert dv.hockey_stick(pair, e)[0] == pytest.approx(expected, rel=1e-12, abs=1e-16)
    assert dv.tradeoff(pair, lie)[0] == pytest.approx(lie, rel=1e-9)


@pytest.mark.parametrize("mu", [0.2, 1.0, 3.0])
def test_a_fine_grid_of_a_gaussian_approaches_it_from_below(mu):
    cuts = np.linspace(-9, 9 + mu, 801)[None, :]
    pair = FinitePairs.of(*(binned(log_normal_tail, cuts - shift) for shift in (0, mu)))
    assert mu * (1 - 1e-4) < dv.tight_mu(pair)[0] < mu * (1 + 1e-9)
    rho = dv.rho_star(pair, tolerance=1e-6)[0]
    assert mu**2 / 2 * (1 - 1e-3) < rho < mu**2 / 2 * (1 + 2e-6)
    delta = NORMAL.cdf(mu / 2 - 1 / mu) - math.e * NORMAL.cdf(-mu / 2 - 1 / mu)
    assert dv.hockey_stick(pair, 1.0)[0] == pytest.approx(delta, rel=1e-3)
    assert dv.hockey_stick(pair, 1.0)[0] < delta * (1 + 1e-9)


def test_every_family_yields_normalised_pairs_of_finite_loss():
    for family in FAMILIES:
        pairs = random_pairs(3, 300, families=(family,))
        for log_masses in (pairs.log_p, pairs.log_q):
            assert np.sum(np.exp(log_masses), axis=1) == pytest.approx(np.ones(300), rel=1e-13)
        assert np.isfinite(pairs.loss).all()
        assert np.all(dv.pure_epsilon(pairs) > 1e-4)


def test_pairs_depend_on_the_seed_and_on_nothing_else():
    one, two, other = random_pairs(1, 100), random_pairs(1, 100), random_pairs(2, 100)
    assert np.array_equal(one.log_p, two.log_p)
    assert not np.array_equal(one.log_p, other.log_p)
    assert [len(b) for b in batches(5, 500, 200)] == [200, 200, 100]


def test_parameters_of_random_pairs_agree_with_fifty_digits():
    pairs = random_pairs(11, 12)
    rho, mu, logistic = dv.rho_star(pairs), dv.tight_mu(pairs), dv.logistic_epsilon(pairs)
    delta, xi = dv.hockey_stick(pairs, np.array([0.0, 0.5])), dv.xi_star(pairs, rho / 2)
    with mp.workdps(50):
        for k in range(len(pairs)):
            p, q = (_exact(m[k]) for m in (pairs.log_p, pairs.log_q))
            sups = [_over_orders(*pq, lambda d, x: d / x) for pq in ((p, q), (q, p))]
            assert rho[k] == pytest.approx(float(max(sups)), rel=2e-9)
            half = mpf(rho[k]) / 2
            sups = [_over_orders(*pq, lambda d, x: d - half * x) for pq in ((p, q), (q, p))]  # noqa: B023
            assert xi[k] == pytest.approx(float(max(sups)), rel=1e-8, abs=1e-8 * rho[k])
            inner = [(a, b) for a, b in laws.corners(p, q)[1:-1] if b > mpf("1e-40")]
            gaps = [_quantile(1 - b) - _quantile(a) for a, b in inner]
            assert mu[k] == pytest.approx(float(max(gaps)), rel=1e-10)
            gaps = [mp.log((1 - b) * (1 - a) / (a * b)) for a, b in inner]
            assert logistic[k] == pytest.approx(float(max(gaps)), rel=1e-10)
            for j, e in enumerate((0.0, 0.5)):
                exact = max(laws.delta(p, q, e), laws.delta(q, p, e))
                assert delta[k, j] == pytest.approx(float(exact), rel=1e-11, abs=1e-15)


def _exact(log_masses: np.ndarray) -> list[mpf]:
    masses = [mp.exp(mpf(x)) for x in log_masses if np.isfinite(x)]
    total = mp.fsum(masses)
    return [m / total for m in masses]


def _over_orders(p: list[mpf], q: list[mpf], objective) -> mpf:
    """A fine grid, then golden section around its best point."""
    at = lambda u: objective(laws.renyi(p, q, 1 + mp.mpf(10) ** u), 1 + mp.mpf(10) ** u)  # noqa: E731
    grid = [mpf(i) / 4 for i in range(-56, 41)]
    best = max(range(1, len(grid) - 1), key=lambda i: at(grid[i]))
    low, high = grid[best - 1], grid[best + 1]
    for _ in range(40):
        left, right = low + (high - low) * mpf("0.382"), low + (high - low) * mpf("0.618")
        low, high = (left, high) if at(left) < at(right) else (low, right)
    return max(at(low), at(high), objective(laws.renyi(p, q, 1), mpf(1)))


def _quantile(p: mpf) -> mpf:
    tail = min(p, 1 - p)
    start = -mpf(abs(NORMAL.inv_cdf(max(float(tail), 1e-300))))
    z = mp.findroot(lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2) - mp.log(tail), start)
    return z if p == tail else -z


def test_the_supremum_is_found_far_out():
    """A rare outcome of large ratio: k-randomised response with k = 7, epsilon = .1 peaks at 16.7,
    1.0113 times the KL value (Harrison and Manurangsi's formula stops at k = 6)."""
    pair = laws.as_pairs(*laws.k_randomized_response(0.1, 7))
    kl = dv.renyi(pair, 1)[0]
    assert dv.rho_star(pair)[0] / kl == pytest.approx(1.0113, abs=5e-5)
    rare = FinitePairs.of(np.array([[0.0, -30.0]]), np.array([[0.0, -29.0]]))
    orders = 1 + 10 ** np.arange(-4, 4, 0.001)
    grid = max(float(dv.renyi(rare, x)[0] / x) for x in orders)
    assert dv.rho_star(rare)[0] == pytest.approx(grid, rel=1e-6)
    assert grid > 100 * dv.renyi(rare, 1)[0]


def test_known_true_conversions_survive_and_false_ones_do_not():
    pairs = random_pairs(5, 2000)
    rho, pure = dv.rho_star(pairs), dv.pure_epsilon(pairs)
    ranges, mu, logistic = dv.bounded_range(pairs), dv.tight_mu(pairs), dv.logistic_epsilon(pairs)
    assert np.all(rho <= mu**2 / 2 * (1 + 1e-9))
    assert np.all(rho <= pure * np.tanh(pure / 2) * (1 + 1e-9))
    assert np.all(rho <= ranges**2 / 8 * (1 + 1e-9))
    assert np.all(mu <= np.sqrt(8 * rho) * (1 + 1e-9))
    assert np.all(logistic <= ranges * (1 + 1e-9))
    assert np.all(pure <= logistic * (1 + 1e-9))
    assert np.any(mu > np.sqrt(2 * rho) * 1.01)
    assert np.any(rho > pure * np.tanh(pure / 2) * 0.99)
    assert np.any(rho > ranges**2 / 8 * 0.99)


def test_products_and_failures():
    pairs = random_pairs(9, 200)
    twice = pairs.product(pairs)
    assert dv.renyi(twice, 3.0) == pytest.approx(2 * dv.renyi(pairs, 3.0), rel=1e-9)
    assert dv.pure_epsilon(twice) == pytest.approx(2 * dv.pure_epsilon(pairs), rel=1e-12)
    leaky = pairs.with_failure(np.full(200, 0.01))
    expected = 0.01 + 0.99 * dv.hockey_stick(pairs, 0.4)
    assert dv.hockey_stick(leaky, 0.4) == pytest.approx(expected, rel=1e-12)
    assert np.all(np.isinf(dv.rho_star(leaky)) & np.isinf(dv.tight_mu(leaky)))
    assert np.all(np.isinf(dv.pure_epsilon(leaky)))


def test_binned_laws_lose_information_only():
    rng = np.random.default_rng(0)
    state = rng.bit_generator.state
    mu = 10 ** rng.uniform(-1.5, 0.7, (500, 1))
    rng.bit_generator.state = state
    pairs = FinitePairs.of(*binned_gaussian(rng, 500, 6))
    assert np.all(dv.tight_mu(pairs) <= mu[:, 0] * (1 + 1e-9))
    assert np.any(dv.tight_mu(pairs) > 0.999 * mu[:, 0])


def test_discrete_laws():
    """Theory: discrete Gaussian with unit shift, mu = 2 Phi^-1((1 + P(Z = 0))/2), rho = 1/2 sigma^2
    at integer orders; discrete Laplace with unit shift is randomised response."""
    with mp.workdps(40):
        p, q = laws.discrete_gaussian(1, 1)
        assert float(laws.renyi(p, q, 2)) == pytest.approx(1.0, rel=1e-15)
        assert float(laws.renyi(p, q, 1)) == pytest.approx(0.5, rel=1e-15)
    assert dv.tight_mu(laws.as_pairs(p, q))[0] == pytest.approx(1.045760, abs=5e-7)
    with mp.workdps(40):
        p, q = laws.discrete_laplace(2, 1)
        half = laws.delta(p, q, 0)
    assert float(half) == pytest.approx(math.tanh(0.25), rel=1e-15)
    assert dv.rho_star(laws.as_pairs(p, q))[0] == pytest.approx(0.5 * math.tanh(0.25), rel=1e-9)


def test_continuous_laws():
    with mp.workdps(20):
        p, q = laws.gaussian(0), laws.gaussian(1)
        delta = laws.density_delta(p, q, 1, crossings=[1.5])
        assert float(delta) == pytest.approx(0.12693673750664397, rel=1e-14)
        assert float(laws.density_renyi(p, q, 3)) == pytest.approx(1.5, rel=1e-14)
        p, q = laws.laplace(0), laws.laplace(1)
        kl = laws.density_renyi(p, q, 1)
        assert float(kl) == pytest.approx(math.exp(-1), rel=1e-14)
        p, q = laws.logistic(0), laws.logistic(1)
        kl = laws.density_renyi(p, q, 1)
        assert float(kl) == pytest.approx(1 / math.tanh(0.5) - 2, rel=1e-13)
        delta = laws.density_delta(p, q, 0, crossings=[0.5])
        assert float(delta) == pytest.approx(math.tanh(0.25), rel=1e-13)


def test_subsampling_and_the_curve_of_a_profile():
    """rules: T(N(0,1), .9 N(0,1) + .1 N(1,1)) at .01 is .98176, the other order gives .98894."""
    with mp.workdps(15):
        base, mix = laws.gaussian(0), laws.mixture("0.1", laws.gaussian(0), laws.gaussian(1))

        def profile(e: mpf) -> mpf:
            inside = (mp.exp(e) - mpf("0.9")) * 10
            if inside <= 0:
                return 1 - mp.exp(e)
            cut = mp.log(inside) + mpf("0.5")
            return (
                mp.erfc(cut / mp.sqrt(2)) * (mpf("0.9") - mp.exp(e))
                + mpf("0.1") * mp.erfc((cut - 1) / mp.sqrt(2))
            ) / 2

        curve = laws.tradeoff_of_profile(profile, 0.01, reach=3)
        assert float(curve) == pytest.approx(0.98176, abs=5e-6)
        e = mpf("0.05")
        cut = mp.log((mp.exp(e) - mpf("0.9")) * 10) + mpf("0.5")
        assert float(laws.density_delta(base, mix, e, crossings=[cut])) == pytest.approx(
            float(profile(e)), rel=1e-12
        )
