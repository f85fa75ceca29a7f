"""One line for many numbers of runs: what it says is an upper bound, and a sharp one."""

import mpmath
import numpy as np
import pytest

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.inverse import Inverse
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.many_runs.many_runs import ManyRuns
from tightrope.loss.many_runs.sheet import Sheet
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total


def gaussian_log_delta(mu, epsilon):
    """log of Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu) (Balle and Wang 2018, Theorem 8)."""
    with mpmath.workdps(60):
        mu, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        tail = mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
        return mpmath.log(mpmath.ncdf(mu / 2 - e / mu) - tail)


@pytest.mark.parametrize("c", [3.0, 10.0, 25.0])
def test_bounds_of_a_sheet(c):
    square = 0.01
    sheet = Sheet.on(Total.of([(GaussianLoss(square), 1)]).line(c), 0.1, 2000)
    runs = np.repeat([1.0, 7.0, 100.0], 4)
    epsilon = np.tile([0.0, 0.05, 0.5, 4.0], 3)
    bounds = sheet.bounds(runs, epsilon)
    for n, e, upper, doubt in zip(runs, epsilon, bounds.log_upper, bounds.doubt, strict=True):
        truth = gaussian_log_delta(mpmath.sqrt(n * mpmath.mpf(square)), e)
        assert upper >= truth
        assert upper <= truth + 2 * doubt + 1e-9


def test_without_an_end_nothing_is_added():
    line = Total.of([(GaussianLoss(0.04), 1)]).line(5.0)
    short, ended = Sheet.open_ended(line, 0.5, 20), Sheet.on(line, 0.5, 20)
    one, zero = np.ones(1), np.zeros(1)
    assert short.bounds(one, zero).log_upper < ended.bounds(one, zero).log_upper


def test_gaussians():
    runs, delta = np.meshgrid([1.0, 3.0, 40.0, 5000.0], [1e-2, 1e-5, 1e-30, 1e-250])
    runs, log_delta = runs.ravel(), np.log(delta.ravel())
    found = ManyRuns(Total.of([(GaussianLoss(0.25), 1)]), runs, log_delta).epsilon()
    for n, log, epsilon in zip(runs, log_delta, found, strict=True):
        mu = mpmath.sqrt(n / mpmath.mpf(4))
        assert gaussian_log_delta(mu, epsilon) <= log
        assert gaussian_log_delta(mu, epsilon * (1 - 1e-9)) > log


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.01), (0.25, 0.2), (1.4, 0.001)])
def test_sampled_gaussians_agree_with_one_contour_each(mu, rate, place):
    release = Total.of([(GaussianMixtureLoss.sampled(mu, rate)[place], 1)])
    runs = np.geomspace(50, 20_000, 5).round()
    log_delta = np.log([1e-5, 1e-6, 1e-5, 1e-8, 1e-5])
    found = ManyRuns(release, runs, log_delta).epsilon()
    for n, log, epsilon in zip(runs.astype(int).tolist(), log_delta, found, strict=True):
        lower, upper = Inverse(OrderProfile(release.times(n)), float(log)).bounds()
        assert np.isnan(epsilon) or lower <= epsilon <= upper * (1 + 1e-8)
    assert np.isfinite(found).sum() >= 4


def test_a_delta_above_the_total_variation_needs_no_epsilon():
    release = Total.of([(GaussianMixtureLoss.sampled(0.1, 0.001)[1], 1)])
    found = ManyRuns(release, np.array([1.0, 10.0]), np.log([0.1, 0.1])).epsilon()
    assert found.tolist() == [0, 0]


def test_no_more_than_the_largest_loss():
    release = Total.of([(GaussianMixtureLoss.sampled(9.0, 0.01)[0], 1)])
    found = ManyRuns(release, np.array([3.0]), np.log([1e-300])).epsilon()
    assert np.isnan(found[0]) or found[0] <= 3 * release.highest * (1 + 1e-15)


@pytest.mark.parametrize(
    "loss", [LaplaceLoss.one(1.0), FiniteLoss.randomized_response(1.0)], ids=["laplace", "response"]
)
def test_what_a_line_cannot_say_is_left_open(loss):
    """Few runs of these do not decay along the line."""
    found = ManyRuns(Total.of([(loss, 1)]), np.array([1.0, 2.0]), np.log([1e-5, 1e-5])).epsilon()
    for n, epsilon in zip((1, 2), found, strict=True):
        lower, _ = Inverse(OrderProfile(Total.of([(loss, n)])), float(np.log(1e-5))).bounds()
        assert np.isnan(epsilon) or lower <= epsilon <= lower * (1 + 1e-6)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.01), (0.1, 0.3)])
def test_sizes_along_a_line_prove_only_what_is_true(mu, rate, place):
    release = Total.of([(GaussianMixtureLoss.sampled(mu, rate)[place], 1)])
    runs = np.geomspace(200, 20_000, 5).round()
    asked = ManyRuns(release, runs, np.full(5, np.log(1e-5)))
    least = asked.epsilon()
    assert np.isfinite(least).all()
    assert not asked.at_most(least * (1 - 1e-6)).any()
    assert asked.at_most(least * 2).all()
