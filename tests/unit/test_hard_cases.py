"""Cases that once broke the engine, by what went wrong."""

import math
from decimal import Decimal

import numpy as np
import pytest

import tightrope as tr


def test_questions_far_apart_do_not_spoil_each_other():
    """A contour laid for one epsilon overflowed at another, and the event stayed unusable."""
    run = tr.Gaussian(0.5).sampled(0.1) ** 3
    tests = [run.tradeoff(alpha) for alpha in (1e-9, 1e-7, 1e-5, 0.1)]
    assert tests == sorted(tests, reverse=True)
    lower, upper = run.delta_interval(np.array([-3.0, -1.0, 0.5, 9.0]))
    assert (lower <= upper).all()
    assert (upper - lower <= 1e-8 * upper).all()
    assert 0.01 < run.tpr(0.01) < 0.1


def test_epsilon_grows_with_a_large_mu_without_a_gap():
    """Beyond mu = 13 the probability that is added once exceeded delta: epsilon was infinite."""
    found = [(tr.Gaussian(1 / mu).sampled(0.01) ** 2).epsilon(1e-10) for mu in (13, 13.1, 15, 19)]
    assert found == sorted(found)
    assert found[-1] < 500


@pytest.mark.parametrize(
    ("scale", "runs", "epsilon"), [(0.01, 3, 15000), (0.02, 3, 3750), (0.02, 2, 2500)]
)
def test_losses_that_lie_far_apart(scale, runs, epsilon):
    """delta falls in cliffs, at one of which epsilon lies: noise of 0 is all but certain."""
    low, high = (tr.DiscreteGaussian(scale) ** runs).epsilon_interval(1e-5)
    assert low <= high < low * (1 + 1e-7)
    assert high == pytest.approx(epsilon, rel=1e-6)


def test_what_was_calibrated_is_confirmed():
    target = tr.ApproxDP(1.0, 1e-6)
    scale = tr.calibrate(lambda s: tr.Gaussian(s).sampled(0.01) ** 5, target)
    assert tr.check(tr.Gaussian(scale).sampled(0.01) ** 5, target).outcome == "holds"


@pytest.mark.parametrize("order", [1, -1])
def test_results_left_out_do_not_hide_the_rest(order):
    """sigma 4, rate 1/3000, ten runs: the saddle lies beyond results that never occur."""
    lower, upper = (tr.Gaussian(4).sampled(0.00033) ** 10).delta_interval(order * 4e-4)
    assert math.isfinite(upper)
    assert lower > 0.999 * upper


@pytest.mark.parametrize("epsilon", [1e10, 1e200, 1e308, -1e308])
@pytest.mark.parametrize(
    "run",
    [
        tr.Gaussian(1.0).sampled(0.001) ** 3,
        tr.Gaussian(1.0).sampled(0.01) ** 5,
        tr.Gaussian(1.0).sampled(0.01) ** 5000,
        tr.DiscreteGaussian(3) ** 50,
        tr.Laplace(1) ** 300,
    ],
)
def test_an_epsilon_beyond_all_losses(run, epsilon):
    lower, upper = run.delta_interval(epsilon)
    assert 0 <= lower <= upper <= (1 if epsilon < 0 else 1e-300)


def test_discrete_noise_on_what_nobody_can_move_leaks_nothing():
    still = tr.DiscreteGaussian(noise_scale=3.0, sensitivity=0)
    assert (still**2).delta(0.0) == 0
    beside = (still + tr.Laplace(1.0)).delta_interval(0.1)
    assert beside[0] <= tr.Laplace(1.0).delta(0.1) <= beside[1] * (1 + 1e-12)
    assert tr.Gaussian(1.0, sensitivity=0).as_released().delta(epsilon=0.0) == 0


@pytest.mark.parametrize("failure", [1e-7, 1e-3, 0.3])
def test_a_sample_of_releases_of_which_some_may_fail(failure):
    """Several releases, one of which fails with a probability, were a traceback once sampled."""
    inside = tr.SparseVector(0.472) + tr.ApproxDP(0.411, failure)
    run = inside.sampled(0.489)
    assert run.delta(5.0) == pytest.approx(0.489 * failure, rel=1e-8)
    assert run.epsilon(0.4 * failure) == math.inf
    # amplification of any (epsilon, delta): Balle, Barthe and Gaboardi (2018), Theorem 8
    basic = math.log1p(0.489 * math.expm1(inside.epsilon(1.1 * failure)))
    assert 0 < run.epsilon(0.489 * 1.1 * failure) <= basic * (1 + 1e-9)


def test_a_decimal_delta_has_an_interval():
    run = tr.Gaussian(25).sampled(0.001) ** 2
    assert run.epsilon_interval(Decimal("1e-5")) == run.epsilon_interval(1e-5)
