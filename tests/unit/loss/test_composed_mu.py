"""The least mu of compositions: formulas, brute force, and the pieces of the proof."""

from __future__ import annotations

import math
from itertools import pairwise, product

import mpmath as mp
import numpy as np
import pytest
from engine import from_pair

from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.dominating import Dominating, compose
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.mu.closing import Tail
from tightrope.loss.mu.far_chain import far_chain
from tightrope.loss.mu.tight_mu import gdp_interval
from tightrope.loss.mu.tilted_density import log_density
from tightrope.loss.mu.worth import Worth, mu_at, mu_below
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.total import Total
from tightrope.num.hockey_stick import gaussian_log_delta


def symmetric(loss, count=1):
    return PairProfile((compose([(Dominating.symmetric(loss), count)]),))


def quantile(p):
    return -mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(p))


def corner_worths(p, q, runs):
    """Phi^-1(power) - Phi^-1(alpha) at every threshold test, by enumeration."""
    with mp.workdps(60):
        p, q = ([mp.mpf(x) / mp.fsum(law) for x in law] for law in (p, q))
        rows = []
        for outcome in product(range(len(p)), repeat=runs):
            here = math.prod((p[i] for i in outcome), start=mp.mpf(1))
            there = math.prod((q[i] for i in outcome), start=mp.mpf(1))
            rows.append((here / there, here, there))
        rows.sort(key=lambda row: -row[0])
        alpha = power = mp.mpf(0)
        for _, here, there in rows[:-1]:
            alpha, power = alpha + there, power + here
            yield float(quantile(power) - quantile(alpha))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_laplace_noise(epsilon):
    """-2 Phi^-1(exp(-epsilon/2)/2), attained in the middle of the curve."""
    truth = float(-2 * quantile(mp.exp(-mp.mpf(epsilon) / 2) / 2))
    found = gdp_interval(symmetric(LaplaceLoss.one(epsilon)))
    assert found.lower <= truth <= found.upper
    assert found.upper == pytest.approx(found.lower, rel=2e-9)


def test_logistic_noise():
    """2 Phi^-1(s(epsilon/2)): on the diagonal."""
    truth = float(2 * quantile(1 / (1 + mp.exp(-mp.mpf("0.5")))))
    found = gdp_interval(symmetric(LogisticLoss.one(1.0)))
    assert found.lower <= truth <= found.upper
    assert found.upper == pytest.approx(found.lower, rel=2e-9)


@pytest.mark.parametrize("seed", range(4))
def test_finite_pairs_need_the_most_of_all_their_corners(seed):
    generator = np.random.default_rng(seed)
    p, q = generator.dirichlet(np.ones(4)), generator.dirichlet(np.ones(4))
    orders = from_pair(q, p), from_pair(p, q)
    found = gdp_interval(PairProfile((compose([(Dominating.of_orders(orders), 3)]),)))
    truth = max(corner_worths(p, q, 3))
    assert found.lower <= truth * (1 + 1e-13)
    assert truth * (1 - 1e-13) <= found.upper
    assert found.upper == pytest.approx(found.lower, rel=1e-9)


def test_ten_thousand_responses_approach_the_gaussian():
    """The rarest corners are of probability exp(-10000): they are added up as logarithms."""
    profile = symmetric(FiniteLoss.randomized_response(0.01), 10_000)
    found = gdp_interval(profile)
    assert 1 < found.lower <= found.upper < 1.00003
    assert found.upper == pytest.approx(found.lower, rel=1e-9)


def test_a_failure_leaves_no_mu():
    assert gdp_interval(symmetric(FiniteLoss.approx(1.0, 1e-9))) == (math.inf, math.inf)


@pytest.mark.parametrize(
    ("scale", "mu"), [(0.5, 2.488382), (1.0, 1.045760), (2.0, 0.505325), (5.0, 0.2003345)]
)
def test_discrete_gaussian_noise(scale, mu):
    """Digits of a scan over the corners of the curve; see theorems/discrete_gaussian."""
    found = gdp_interval(symmetric(DiscreteGaussianLoss.one(scale**2)), 1 / (2 * scale**2))
    assert found.lower == pytest.approx(mu, rel=1e-6)
    assert found.lower <= found.upper <= mu * (1 + 1e-6)


def test_gaussians_are_closed_by_their_tail():
    """The truth is 1, at every test: nothing but the far chain and the tail shows it."""
    found = gdp_interval(symmetric(GaussianLoss(1.0)), 0.5)
    assert found.lower <= 1 <= found.upper < 1 + 1e-4


def test_without_a_bound_on_the_tail_there_is_no_upper_end():
    found = gdp_interval(symmetric(GaussianLoss(1.0)))
    assert found.lower == pytest.approx(1, rel=1e-9)
    assert found.upper == math.inf


# --- the pieces of the proof -----------------------------------------------------------------


def test_tests_of_small_alpha_are_worth_less_the_smaller_it_is():
    """R(z) sqrt(L(z)) falls (docs/theory.md), and so does what the tail allows."""
    with mp.workdps(40):
        products = []
        for z in np.linspace(-8, 40, 97):
            tail = mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2
            mills = tail / mp.npdf(mp.mpf(z))
            products.append(mills * mp.sqrt(-mp.log(tail)))
    assert all(a > b for a, b in pairwise(products))
    for tail in (Tail(math.inf, 0.5, 0.0), Tail(math.inf, 0.1, 0.4), Tail(3.0, math.inf, 0.0)):
        worths = [tail.worth(-size) for size in 5.0 * 1.3 ** np.arange(40)]
        assert all(a >= b for a, b in pairwise(worths))


def test_the_tail_closes_where_it_says():
    tail = Tail(math.inf, 0.5, 0.0)
    at = tail.closes_at(1.01)
    assert tail.worth(at) <= 1.01 < tail.worth(at * 0.99)
    assert tail.closes_at(0.999) == -math.inf


def test_chords_of_a_gaussian_profile_are_worth_its_mu():
    epsilon = np.linspace(0, 20, 4001)
    upper = np.asarray(gaussian_log_delta(1.5, epsilon))
    worth = Worth.of_chords(epsilon, upper).at_most()
    assert (worth >= 1.5).all()
    assert (worth < 1.5 + 1e-5).all()


def test_the_mu_of_a_point_is_found_from_both_sides():
    epsilon = np.array([0.0, 1.0, 30.0, 700.0])
    for mu in (1e-3, 0.7, 5.0):
        exact = np.asarray(gaussian_log_delta(mu, epsilon))
        assert (mu_below(epsilon, exact) <= mu * (1 + 1e-13)).all()
        assert (mu_at(epsilon, exact) >= mu * (1 - 1e-13)).all()
        assert mu_at(epsilon, exact) == pytest.approx(mu_below(epsilon, exact), rel=1e-9)


def test_log_delta_of_a_gaussian_is_concave():
    for mu in (0.05, 1.0, 6.0):
        epsilon = np.linspace(-3 * mu, 12 * mu, 400)
        value = np.asarray(gaussian_log_delta(mu, epsilon))
        assert (np.diff(value, 2) <= 1e-12).all()


def test_no_tilt_makes_the_loss_denser_than_is_said():
    """Gaussian: 1/sqrt(2 pi) over mu; discrete Gaussian noise of unit mu: hardly more."""
    gaussian = math.exp(log_density(Total.of([(GaussianLoss(4.0), 1)]), 1e-3))
    assert 1 <= gaussian * 2 * math.sqrt(2 * math.pi) < 1.003
    discrete = Total.of([(DiscreteGaussianLoss.one(100.0), 60), (DiscreteGaussianLoss.one(2.5), 1)])
    assert 1 <= math.exp(log_density(discrete, 0.01)) * math.sqrt(2 * math.pi) < 1.01
    assert log_density(Total.of([(LaplaceLoss.one(1.0), 1)]), 0.01) == math.inf


def test_the_far_chain_covers_a_gaussian_tail():
    total = Total.of([(GaussianLoss(1.0), 1)])
    far = far_chain(total, 30.0, 29.5, -1e5)
    assert 1 <= far.mu < 1 + 5e-5
    assert far.log_alpha < -1e5
