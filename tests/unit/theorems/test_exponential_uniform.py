"""The exponential mechanism between uniform scores."""

import math

import mpmath as mp
import numpy as np
import pytest
from law_reference import eighty_digits, excess, golden, score

from tightrope.theorems.exponential_uniform import mu_uniform_scores, tradeoff_uniform_scores

digits = pytest.fixture(autouse=True)(eighty_digits)


@pytest.mark.parametrize(("epsilon", "value"), golden("mu_em_uniform"))
def test_mu_is_the_reference_value(epsilon, value):
    assert 0 <= excess(mu_uniform_scores(float(epsilon)), value) < 1e-14


@pytest.mark.parametrize(("epsilon", "alpha", "value"), golden("T_em"))
def test_curve_is_the_reference_value(epsilon, alpha, value):
    assert -2e-14 < excess(tradeoff_uniform_scores(float(epsilon), float(alpha)), value) <= 0


@pytest.mark.parametrize("epsilon", [1e-9, 0.499, 0.501, 3.0, 50.0])
def test_uniform_scores_gdp_is_the_largest_increment(epsilon):
    def increment(x):
        e, a = mp.mpf(epsilon), mp.ncdf(x)
        return score(mp.log(mp.expm1(e * (1 - a)) / mp.expm1(e))) - x

    left, right = mp.mpf(-1), mp.mpf(6)
    while right - left > mp.mpf(10) ** -9:
        thirds = left + (right - left) / 3, right - (right - left) / 3
        left, right = (
            (thirds[0], right) if increment(thirds[0]) < increment(thirds[1]) else (left, thirds[1])
        )
    assert 0 <= excess(mu_uniform_scores(epsilon), increment((left + right) / 2)) < 1e-14


def test_uniform_scores_curve_at_its_ends():
    assert tradeoff_uniform_scores(2.0, np.array([0.0, 1.0])).tolist() == [1.0, 0.0]
    assert tradeoff_uniform_scores(0.0, 0.25) == pytest.approx(0.75, rel=1e-14)
    assert tradeoff_uniform_scores(1e5, 0.5) == 0
    assert mu_uniform_scores(0.0) == 0
    assert mu_uniform_scores(1e300) < 2e150


@pytest.mark.parametrize(("epsilon", "alpha"), [(-1.0, 0.5), (1.0, -0.5), (1.0, 1.5)])
def test_bad_arguments_of_the_curve(epsilon, alpha):
    with pytest.raises(ValueError, match="tradeoff_uniform_scores"):
        tradeoff_uniform_scores(epsilon, alpha)


@pytest.mark.parametrize("epsilon", [-1.0, math.nan, math.inf])
def test_bad_arguments_of_mu(epsilon):
    with pytest.raises(ValueError, match="mu_uniform_scores"):
        mu_uniform_scores(epsilon)
