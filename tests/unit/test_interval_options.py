"""Confidence intervals: whole ends of whole numbers, and all entries at once."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import tightrope as tr
from tightrope.mechanisms.noisy_value import _for_each

SOURCE = tr.InsecureEntropy


def test_ends_of_whole_numbers_are_whole():
    one = tr.DiscreteGaussian(3).release(10, entropy=SOURCE(1)).interval()
    assert all(type(end) is int for end in one)
    many = tr.DiscreteLaplace(3).release([10, 2**60], entropy=SOURCE(1)).interval()
    assert all(end.dtype == np.int64 for end in many)
    assert many[1][1] - many[0][1] == many[1][0] - many[0][0]  # where doubles have gaps


def test_ends_of_real_numbers_are_doubles():
    low, high = tr.Gaussian(3.0).release(10, entropy=SOURCE(1)).interval()
    assert type(low) is type(high) is float


def test_ends_that_saturation_hides_are_infinite():
    low, high = tr.DiscreteLaplace(3).release([0, 2**61], entropy=SOURCE(1)).interval()
    assert np.isfinite(low).all()
    assert high[1] == math.inf
    assert np.isfinite(high[0])


@pytest.mark.parametrize(("level", "count"), [(0.95, 2), (0.95, 10**6), (1 - 1e-15, 7), (1e-9, 3)])
def test_the_share_of_one_of_many(level, count):
    """By mpmath: the n-th root of the level, a little above; and never less than Bonferroni's."""
    miss = 1 - Fraction(level)
    share = _for_each(miss, count)
    exact = 1 - mpmath.mpf(level) ** (mpmath.mpf(1) / count)
    assert float(miss) / count * (1 - 1e-15) <= share <= exact
    assert share >= exact * (1 - 1e-12)


def test_all_entries_hold_at_once():
    """P(|Y| > q) = 2 a^(q+1)/(1 + a), so each of 100 holds with 0.95^(1/100): q = 7, not 3."""
    noisy = tr.DiscreteLaplace(1).release([0] * 100, entropy=SOURCE(3))
    high = noisy.interval(0.95, simultaneous=True)[1]
    a = math.exp(-1)
    reach = int(high[0] - noisy.value[0])
    assert (1 - 2 * a ** (reach + 1) / (1 + a)) ** 100 >= 0.95
    assert (1 - 2 * a**reach / (1 + a)) ** 100 < 0.95
    single = tr.DiscreteLaplace(1).release(0, entropy=SOURCE(3))
    assert single.interval(simultaneous=True) == single.interval()


def test_coverage_of_all_at_once():
    held = 0
    for seed in range(200):
        noisy = tr.Laplace(1.0).release(np.zeros(20), entropy=SOURCE(seed), coordinates=1)
        low, high = noisy.interval(0.8, simultaneous=True)
        held += bool(((low <= 0) & (high >= 0)).all())
    assert 0.7 < held / 200 < 0.9  # 0.8 in expectation; three standard deviations are 0.085


def test_responses_of_many_categories_hold_at_once():
    told = tr.RandomizedResponse(2.0, categories=5).release([0, 1, 2, 3] * 50, entropy=SOURCE(1))
    together, wider = told.interval(0.95, simultaneous=True), told.interval(0.99)
    assert (together[0] == wider[0]).all()
    assert (together[1] == wider[1]).all()
    two = tr.RandomizedResponse(2.0).release([0, 1] * 50, entropy=SOURCE(1))
    assert (two.interval(0.95, simultaneous=True)[0] == two.interval(0.95)[0]).all()


def test_the_flag_is_a_flag():
    noisy = tr.Laplace(1.0).release(1, entropy=SOURCE(1))
    with pytest.raises(tr.InvalidArgument, match="simultaneous must be True or False"):
        noisy.interval(simultaneous=3)
