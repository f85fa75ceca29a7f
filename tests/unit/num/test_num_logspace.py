import math

import mpmath as mp
import numpy as np
import pytest
from num_reference import exact, log_spaced, worst

from tightrope.num.logspace import (
    log1mexp,
    log_cosh,
    log_expm1,
    log_mixture,
    log_sinhc,
    logsubexp,
    logsumexp,
    softplus,
)

POSITIVE = np.concatenate([log_spaced(-300, 2.8, 150, seed=1), np.linspace(0.01, 5, 250)])
BOTH = np.concatenate([POSITIVE, -POSITIVE])


def log_sinhc_reference(x: mp.mpf) -> mp.mpf:
    if abs(x) < mp.mpf("1e-12"):
        return x**2 / 6 - x**4 / 180
    with mp.workdps(110):
        return mp.log(mp.sinh(x) / x)


def test_log1mexp() -> None:
    # 60 digits of 1 - exp(-x) vanish for x beyond 138: log1p does not.
    assert (
        worst(
            log1mexp, lambda x: mp.log1p(-mp.exp(-x)) if x > 1 else mp.log(-mp.expm1(-x)), POSITIVE
        )
        < 5e-16
    )
    assert log1mexp(0.0) == -math.inf
    assert log1mexp(math.inf) == 0


def test_log_expm1_has_a_small_error_relative_to_one_or_the_value() -> None:
    for x, value in zip(POSITIVE, log_expm1(POSITIVE), strict=True):
        truth = mp.log(mp.expm1(exact(x)))
        assert abs(exact(value) - truth) < 5e-16 * max(1, abs(truth))
    assert log_expm1(0.0) == -math.inf
    assert log_expm1(1e308) == 1e308


@pytest.mark.parametrize("rate", [1e-200, 1e-9, 0.3, 0.5, 0.75, 1 - 1e-13, 1.0])
def test_log_mixture_keeps_the_digits_of_small_rates_and_losses(rate: float) -> None:
    losses = np.concatenate([BOTH[np.abs(BOTH) > 1e-100], [0.0, 1.0, 29.9, 30.1, 699.9, 700.1]])
    with mp.workdps(600):
        for loss, value in zip(losses, log_mixture(losses, rate), strict=True):
            truth = mp.log1p(mp.mpf(rate) * mp.expm1(mp.mpf(float(loss))))
            assert abs(mp.mpf(float(value)) - truth) <= 5e-16 * abs(truth)


def test_softplus() -> None:
    points = BOTH[BOTH > -700]
    assert worst(softplus, lambda x: mp.log1p(mp.exp(x)), points) < 5e-16


def test_log_cosh_is_even_and_accurate() -> None:
    points = POSITIVE[POSITIVE > 1e-150]
    assert worst(log_cosh, lambda x: mp.log1p(2 * mp.sinh(x / 2) ** 2), points) < 1e-15
    np.testing.assert_array_equal(log_cosh(-BOTH), log_cosh(BOTH))
    assert log_cosh(1e308) == 1e308
    assert log_cosh(0.0) == 0


def test_log_sinhc_is_even_and_accurate() -> None:
    points = POSITIVE[POSITIVE > 1e-150]
    assert worst(log_sinhc, log_sinhc_reference, points) < 1e-15
    np.testing.assert_array_equal(log_sinhc(-BOTH), log_sinhc(BOTH))
    assert log_sinhc(0.0) == 0
    assert log_sinhc(1e308) == 1e308


def test_logsubexp() -> None:
    rng = np.random.default_rng(2)
    a = rng.uniform(-1e4, 1e4, 300)
    b = a - 10.0 ** rng.uniform(-10, 3, 300)
    for x, y, value in zip(a, b, logsubexp(a, b), strict=True):
        truth = exact(x) + mp.log(-mp.expm1(exact(y) - exact(x)))
        assert abs(exact(value) - truth) < 5e-16 * max(1, abs(truth), abs(x))
    assert logsubexp(3.0, 3.0) == -math.inf
    assert logsubexp(-math.inf, -math.inf) == -math.inf
    assert logsubexp(2.0, -math.inf) == 2.0
    with pytest.raises(ValueError, match="b <= a"):
        logsubexp(np.array([1.0, 0.0]), 0.5)


def test_logsumexp_without_overflow() -> None:
    a = np.random.default_rng(3).uniform(-30, 30, (4, 50)) + np.array([[0], [-1e4], [1e4], [700]])
    truth = [float(mp.log(mp.fsum(mp.exp(exact(x)) for x in row))) for row in a]
    np.testing.assert_allclose(logsumexp(a, axis=1), truth, rtol=4e-16, atol=1e-14)
    assert logsumexp(a) == pytest.approx(truth[2], rel=1e-15)
    assert logsumexp(a[0], axis=0) == logsumexp(a[0])
    assert isinstance(logsumexp(a), float)


def test_logsumexp_weights() -> None:
    a, weights = np.array([0.0, 1.0, math.inf]), np.array([2.0, 0.5, 0.0])
    assert logsumexp(a, weights=weights) == pytest.approx(math.log(2 + math.e / 2), rel=1e-15)
    assert logsumexp(np.array([-math.inf, -math.inf])) == -math.inf
    assert logsumexp(np.array([0.0, math.inf])) == math.inf
    assert logsumexp(np.array([])) == -math.inf
    for bad in (-1.0, math.nan):
        with pytest.raises(ValueError, match="weights"):
            logsumexp(a, weights=np.array([1.0, 1.0, bad]))
