"""M of a sampled Gaussian at whole numbers, against the sum in 40 digits."""

import mpmath as mp
import numpy as np
import pytest

from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.mixture.whole_orders import log_most

CASES = [(1.0, 0.01), (1 / 0.8, 0.001), (0.25, 0.00033), (0.1, 0.328), (3.0, 0.5), (8.0, 1e-6)]


def truth(mu: float, rate: float, order: int) -> mp.mpf:
    with mp.workdps(40):
        q, m = mp.mpf(rate), mp.mpf(mu)
        terms = (
            mp.binomial(order, k) * (1 - q) ** (order - k) * q**k * mp.exp(m**2 * k * (k - 1) / 2)
            for k in range(order + 1)
        )
        return mp.log(mp.fsum(terms))


@pytest.mark.parametrize(("mu", "rate"), CASES)
@pytest.mark.parametrize("s", [1, 2, 7, 30, 64])
def test_the_bound_lies_just_above_the_sum(mu, rate, s):
    _, loss = GaussianMixtureLoss.sampled(mu, rate)
    found, exact = log_most(loss.pairs[0], float(s)), truth(mu, rate, s + 1)
    assert found is not None
    size = 50 + float(abs(exact)) + s * abs(np.log(rate))
    assert exact <= found <= exact + 4e-13 * size


def test_a_column_adds_its_bounds():
    column = GaussianMixtureLoss.together(
        [GaussianMixtureLoss.sampled(mu, rate)[1].times(7) for mu, rate in CASES[:2]]
    )
    exact = 7 * sum(truth(mu, rate, 5) for mu, rate in CASES[:2])
    assert exact <= column.log_most(4.0) <= exact + 1e-10


@pytest.mark.parametrize("s", [0.5, 2.5, 65.0])
def test_elsewhere_the_line_is_asked(s):
    _, loss = GaussianMixtureLoss.sampled(1.0, 0.01)
    assert log_most(loss.pairs[0], s) is None
    assert loss.log_most(s) == pytest.approx(loss.estimate(np.array([s + 0j])).real[0], rel=1e-6)


def test_results_that_are_left_out_are_not_counted():
    _, loss = GaussianMixtureLoss.sampled(0.5, 1e-4)
    assert log_most(loss.without_rare(-100.0).pairs[0], 60.0) is None
    assert loss.without_rare(-100.0).log_most(80.0) < 1 < loss.log_most(80.0) - 50


def test_only_one_unit_that_is_removed_has_the_sum():
    without, _ = GaussianMixtureLoss.sampled(1.0, 0.01)
    group = GaussianMixtureLoss.sampled_group(1.0, 0.01, 2)
    assert log_most(without.pairs[0], 3.0) is None
    assert all(log_most(loss.pairs[0], 3.0) is None for loss in group)
