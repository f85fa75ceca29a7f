"""Trade-off curves of compositions: against formulas, brute force and published numbers."""

from __future__ import annotations

import math
from itertools import product

import mpmath as mp
import numpy as np
import pytest
from engine import from_pair

import tightrope as tr
from tightrope.loss.curve.chords import Level, Stencil, TypeTwoBounds, errors
from tightrope.loss.curve.knots import Knots, Order
from tightrope.loss.curve.tradeoff import tradeoff
from tightrope.loss.dominating import Dominating, compose
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.total import Total
from tightrope.plan.exact.profile import exact_profile

GRID = np.linspace(0, 1, 1001)
ALPHAS = np.array([1e-300, 1e-30, 1e-10, 1e-4, 0.01, 0.3, 0.7, 0.99, 1 - 1e-9])


def symmetric(loss, count=1):
    return PairProfile((compose([(Dominating.symmetric(loss), count)]),))


def normal_tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def normal_quantile(p):
    return -mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(p))


def corners(p, q, runs):
    """Type I errors (under q) and powers (under p) of all threshold tests, by enumeration."""
    with mp.workdps(40):
        ratios = []
        for outcome in product(range(len(p)), repeat=runs):
            here = math.prod((mp.mpf(p[i]) for i in outcome), start=mp.mpf(1))
            there = math.prod((mp.mpf(q[i]) for i in outcome), start=mp.mpf(1))
            ratios.append((here / there if there else mp.inf, here, there))
        ratios.sort(key=lambda row: -row[0])
        alpha, power = [mp.mpf(0)], [mp.mpf(0)]
        for _, here, there in ratios:
            alpha.append(alpha[-1] + there)
            power.append(power[-1] + here)
    return [float(a) for a in alpha], [float(b) for b in power]


def inside(found: TypeTwoBounds, truth, slack=0.0):
    assert (found.lower <= truth * (1 + slack)).all()
    assert (truth <= found.upper * (1 + slack)).all()


def test_randomized_response_with_noise_of_four_fifths():
    """Two buckets, the truth with probability .6: the polygon through (.4, .4)."""
    found = tradeoff(symmetric(FiniteLoss.randomized_response(math.log(1.5))), GRID[::250])
    truth = np.array([1, 0.625, 1 / 3, 1 / 6, 0])
    assert found.lower == pytest.approx(truth, abs=1e-11)
    assert found.upper == pytest.approx(truth, abs=1e-11)
    assert found.lower[0] == 1
    assert found.lower[-1] == found.upper[-1] == 0


@pytest.mark.parametrize("runs", [1, 2, 4])
def test_finite_pairs_have_the_polygon_of_all_threshold_tests(runs):
    p, q = [0.5, 0.25, 0.125, 0.125], [0.25, 0.375, 0.25, 0.125]
    both = from_pair(q, p), from_pair(p, q)
    profile = PairProfile((compose([(Dominating.of_orders(both), runs)]),))
    ends = [np.interp(GRID, *corners(a, b, runs)) for a, b in ((p, q), (q, p))]
    truth = 1 - np.max(ends, axis=0)
    found = tradeoff(profile, GRID)
    inside(found, truth, 1e-12)
    assert np.max(found.upper - found.lower) < 2e-11


def test_impossible_results_of_one_law_are_seen_at_once():
    p, q = [0.5, 0.25, 0.25, 0.0], [0.25, 0.375, 0.0, 0.375]
    profile = PairProfile((compose([(Dominating.symmetric(from_pair(p, q)), 2)]),))
    found = tradeoff(profile, GRID)
    inside(found, 1 - np.interp(GRID, *corners(p, q, 2)), 1e-12)
    assert found.lower[0] == pytest.approx(0.5625, abs=1e-12)
    assert found.upper[0] == pytest.approx(0.5625, abs=1e-12)


@pytest.mark.parametrize("mu", [0.01, 1.0, 4.0])
def test_the_gaussian_curve(mu):
    with mp.workdps(40):
        power = [normal_tail(-(normal_quantile(a) + mp.mpf(mu))) for a in ALPHAS]
        beta = np.array([float(1 - p) for p in power])
        power = np.array([float(p) for p in power])
    found = tradeoff(symmetric(GaussianLoss(mu * mu)), ALPHAS)
    inside(found, beta, 1e-14)
    assert np.max(found.upper - found.lower) < 1e-11
    assert (found.power >= power).all()
    assert found.power == pytest.approx(power, rel=1e-9)


def test_the_laplace_curve_is_straight_hyperbolic_and_straight():
    """Dong, Roth and Su (2022), Lemma A.6."""
    epsilon = 0.8
    low = math.exp(-epsilon)
    truth = np.where(
        low / 2 > GRID,
        1 - GRID / low,
        np.where(GRID < 0.5, low / (4 * np.maximum(GRID, 1e-9)), low * (1 - GRID)),
    )
    found = tradeoff(symmetric(LaplaceLoss.one(epsilon)), GRID)
    inside(found, truth, 1e-13)
    assert np.max(found.upper - found.lower) < 1e-9


def test_every_order_has_a_curve_of_its_own():
    """alpha is the error under the second law of the loss; the two curves are inverses."""
    p, q = [0.9, 0.1], [0.5, 0.5]
    losses = from_pair(q, p), from_pair(p, q)
    alone = [tradeoff(symmetric(loss), np.array([0.1, 0.2])).lower for loss in losses]
    assert alone[0] == pytest.approx([0.5, 4 / 9], abs=1e-11)
    assert alone[1] == pytest.approx([0.82, 0.64], abs=1e-11)
    both = tradeoff(PairProfile((Dominating.of_orders(losses),)), np.array([0.1, 0.2]))
    assert both.lower == pytest.approx(np.minimum(*alone), abs=1e-11)


def test_training_with_sampled_noise():
    """Ten thousand steps, rate .01: peers return .846826, which is unsafe."""
    run = tr.Gaussian(noise_scale=1.0).sampled(rate=0.01) ** 10_000
    found = tradeoff(exact_profile(run), np.array([0.01]))
    assert found.lower[0] == pytest.approx(0.846054681, abs=2e-9)
    assert found.upper[0] - found.lower[0] < 1e-10


def test_discrete_noise_on_a_lattice_is_a_polygon_too():
    """A thousand responses of epsilon .02 by brute force over the binomial law."""
    runs, epsilon = 1000, 0.02
    with mp.workdps(40):
        truth_p = 1 / (1 + mp.exp(-mp.mpf(epsilon)))
        p = [mp.binomial(runs, k) * truth_p**k * (1 - truth_p) ** (runs - k) for k in range(1001)]
        power = np.append(0, [float(x) for x in np.cumsum(p[::-1])])
        alpha = np.append(0, [float(x) for x in np.cumsum(p)])
    profile = symmetric(FiniteLoss.randomized_response(epsilon), runs)
    found = tradeoff(profile, GRID[1:-1])
    inside(found, 1 - np.interp(GRID[1:-1], alpha, power), 1e-11)
    assert np.max(found.upper - found.lower) < 1e-9


def test_an_event_that_tells_nothing():
    found = tradeoff(PairProfile((Dominating((Total(()),)),)), np.array([0, 1e-9, 0.3, 1]))
    assert found.lower == pytest.approx([1, 1 - 1e-9, 0.7, 0], abs=1e-15)
    assert found.upper == pytest.approx([1, 1 - 1e-9, 0.7, 0], abs=1e-15)


def test_chords_bound_a_convex_function_from_both_sides():
    """The hyperbola: 2 sqrt alpha is the least of 1/x + alpha x; wide stencils are still true."""

    class Inverse(Order):
        def __init__(self):
            self.spent = 0

        def at(self, epsilon):
            return Knots(epsilon, -epsilon, -epsilon)

    alpha = np.array([0.01, 0.1, 0.2])
    best = -np.log(alpha) / 2
    for arm in (1e-3, 0.1, 0.4):
        for off in (0.0, 0.7 * arm, -1.3 * arm):
            places = best[:, None] + off + arm * np.arange(-2, 3)
            found = errors(Stencil.of(Inverse().at(places), Level.of(alpha)))
            truth = 1 - 2 * np.sqrt(alpha)
            inside(found, truth, 1e-14)
            assert (found.upper - found.lower < 3 * arm**2).all()


def test_vertices_of_two_responses():
    """Two responses of odds 3: P has 9, 3, 3, 1 sixteenths where Q has 1, 3, 3, 9."""
    run = tr.RandomizedResponse(epsilon=math.log(3)) ** 2
    lower, upper = run.tradeoff_interval(np.array([0, 1, 7, 16]) / 16)
    assert lower == pytest.approx(np.array([16, 7, 1, 0]) / 16, abs=1e-11)
    assert upper == pytest.approx(np.array([16, 7, 1, 0]) / 16, abs=1e-11)


def test_few_alphas_are_told_what_each_is_told_alone():
    """Beside others an alpha got less work: 3.43 % of hits in a list where alone it is 3.42 %."""

    def run():
        return tr.DiscreteGaussian(10) ** 12 + tr.Laplace(4, sensitivity=2)

    assert run().tpr(fpr=[0.01, 0.5])[0] == pytest.approx(run().tpr(fpr=0.01), rel=1e-6)
