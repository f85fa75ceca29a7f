"""The golden rows are `g` and `g_inv` of tests/golden/golden.json, 20 digits."""

import math

import mpmath as mp
import numpy as np
import pytest
from num_reference import (
    brackets,
    exact,
    golden,
    log_cdf,
    log_spaced,
    logit_cdf,
    relative_error,
    worst,
)

from tightrope.num.probit_logit import logit_of_probit, probit_of_logit

G, G_INVERSE = golden("g"), golden("g_inv")


@pytest.mark.parametrize(("t", "value"), G)
def test_probit_of_logit_golden(t: str, value: str) -> None:
    assert relative_error(probit_of_logit(float(t)), mp.mpf(value)) < 8e-16


@pytest.mark.parametrize(("x", "value"), G_INVERSE)
def test_logit_of_probit_golden(x: str, value: str) -> None:
    assert relative_error(logit_of_probit(float(x)), mp.mpf(value)) < 8e-16


def test_probit_of_logit_over_the_whole_range() -> None:
    sizes = [log_spaced(-300, 10, 150, seed=17), log_spaced(-2, 3.5, 500, seed=18)]
    for t in np.concatenate(sizes):
        x = probit_of_logit(t)
        if t < 1:
            assert brackets(logit_cdf, exact(t), x, 8e-16), t
        else:
            assert brackets(log_cdf, -mp.log1p(mp.exp(exact(t))), -x, 8e-16), t


def test_logit_of_probit_over_the_whole_range() -> None:
    points = np.concatenate([log_spaced(-300, 5, 150, seed=19), log_spaced(-2, 2, 300, seed=20)])
    assert worst(logit_of_probit, logit_cdf, points) < 8e-16


@pytest.mark.parametrize("function", [probit_of_logit, logit_of_probit])
def test_odd_increasing_and_elementwise(function) -> None:
    points = log_spaced(-300, 10, 200, seed=21)
    points.sort()
    values = function(points)
    np.testing.assert_array_equal(function(-points), -values)
    assert np.all(np.diff(values) > 0)
    np.testing.assert_array_equal([function(float(p)) for p in points], values)
    assert (function(0.0), function(math.inf), function(-math.inf)) == (0.0, math.inf, -math.inf)
    assert math.isnan(function(math.nan))
