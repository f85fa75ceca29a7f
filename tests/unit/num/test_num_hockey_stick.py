"""The golden rows are `gdp_delta` of tests/golden/golden.json, 20 digits."""

import math

import mpmath as mp
import numpy as np
import pytest
from num_reference import exact, golden
from num_reference import gaussian_log_delta as reference

from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error


def assert_within_stated_error(mu: float, epsilon: float, truth: mp.mpf) -> None:
    value = gaussian_log_delta(mu, epsilon)
    error = abs(exact(value) - truth)
    assert error <= gaussian_log_delta_error(value), (mu, epsilon, float(error))


@pytest.mark.parametrize(("mu", "epsilon", "delta"), golden("gdp_delta"))
def test_golden(mu: str, epsilon: str, delta: str) -> None:
    assert_within_stated_error(float(mu), float(epsilon), mp.log(mp.mpf(delta)))


def test_over_the_plane() -> None:
    rng = np.random.default_rng(22)
    mu = 10.0 ** rng.uniform(-5, 2, 1200)
    epsilon = [
        10.0 ** rng.uniform(-6, 2.5, 300),  # anywhere
        mu[300:600] ** 2 / 2 + mu[300:600] * rng.normal(0, 2, 300),  # around delta = 1/2
        mu[600:900] * 10.0 ** rng.uniform(-3, 1.3, 300),  # the hard cancellation for small mu
        -(10.0 ** rng.uniform(-6, 2, 300)),
    ]
    for m, e in zip(mu, np.concatenate(epsilon), strict=True):
        assert_within_stated_error(m, e, reference(m, e))


@pytest.mark.parametrize(
    ("mu", "epsilon"),
    [(0.01, 0.05), (1e-3, 1e-3), (0.1, 2.0), (1.0, 20.0), (30.0, 600.0), (1e-3, 4.0)],
)
def test_where_the_usual_forms_lose_digits(mu: float, epsilon: float) -> None:
    assert_within_stated_error(mu, epsilon, reference(mu, epsilon))


@pytest.mark.parametrize("ratio", [0.0, 0.3, 4.0])
@pytest.mark.parametrize("mu", [1e-300, 1e-310, 1e-100, 1e-17])
def test_tiny_mu(mu: float, ratio: float) -> None:
    assert_within_stated_error(mu, mu * ratio, reference(mu, mu * ratio, digits=700))


@pytest.mark.parametrize("offset", [-2.0, 0.0, 3.0])
def test_large_mu_next_to_the_diagonal(offset: float) -> None:
    # epsilon/mu and mu/2 agree to many digits: a rounded quotient would be wrong by 1e-10.
    mu = 1e6 + 0.1
    epsilon = mu * mu / 2 + offset * mu
    assert_within_stated_error(mu, epsilon, reference(mu, epsilon, digits=80))


def test_limits() -> None:
    assert gaussian_log_delta(0.0, 0.0) == -math.inf
    assert gaussian_log_delta(0.0, 1.0) == -math.inf
    assert gaussian_log_delta(0.0, -1.0) == pytest.approx(math.log(-math.expm1(-1)), rel=1e-15)
    assert gaussian_log_delta(math.inf, 5.0) == 0.0
    assert gaussian_log_delta(1.0, math.inf) == -math.inf
    assert gaussian_log_delta(1.0, -math.inf) == 0.0
    assert gaussian_log_delta(1e-300, 1.0) == -math.inf
    assert gaussian_log_delta(1e200, 1e308) == 0.0


def test_never_positive_and_monotone_up_to_the_stated_error() -> None:
    epsilon = np.linspace(-30, 60, 400)
    values = gaussian_log_delta(np.array([[0.01], [0.5], [3.0], [9.0]]), epsilon)
    assert np.all(values <= 0)
    assert np.all(np.diff(values, axis=1) <= 2 * gaussian_log_delta_error(values[:, 1:]))
    assert np.all(np.diff(values, axis=0) >= -2 * gaussian_log_delta_error(values[:-1]))


def test_arrays_larger_than_a_block_agree_with_scalars() -> None:
    mu = np.geomspace(1e-4, 20, 6000).reshape(60, 100)
    values = gaussian_log_delta(mu, 0.3)
    for index in [(0, 0), (31, 7), (59, 99)]:
        scalar = gaussian_log_delta(float(mu[index]), 0.3)
        assert abs(values[index] - scalar) <= gaussian_log_delta_error(scalar)


@pytest.mark.parametrize(("mu", "epsilon"), [(-1.0, 1.0), (math.nan, 1.0), (1.0, math.nan)])
def test_refuses(mu: float, epsilon: float) -> None:
    with pytest.raises(ValueError, match="mu >= 0"):
        gaussian_log_delta(mu, epsilon)
