"""Slow routes beside quick bounds: asked at few points, and nothing is lost by that."""

from __future__ import annotations

import numpy as np
import pytest

import tightrope as tr
from tightrope.plan.rivals import greater_error, lesser_log_delta
from tightrope.theorems.into_profile import gaussian_profile, pure_profile
from tightrope.theorems.into_tradeoff import gaussian_tradeoff, pure_tradeoff


class Counted:
    """A curve that counts how often it is asked."""

    def __init__(self, curve):
        self.curve, self.asked = curve, 0

    def __call__(self, x):
        self.asked += len(x)
        return self.curve(x)


def logs(curve, *numbers):
    return lambda x: np.asarray(curve(x, *numbers))


@pytest.mark.parametrize(
    ("quick", "slow"),
    [
        (logs(gaussian_profile, 1.0), logs(gaussian_profile, 1.1)),
        (logs(gaussian_profile, 1.1), logs(gaussian_profile, 1.0)),
        (logs(gaussian_profile, 1.0), logs(pure_profile, 2.5)),
        (logs(pure_profile, 2.5), logs(gaussian_profile, 1.0)),
    ],
)
def test_the_lesser_of_two_profiles(quick, slow):
    epsilon = np.random.default_rng(1).permutation(np.linspace(0, 6, 501))
    counted = Counted(slow)
    found = lesser_log_delta(quick(epsilon), epsilon, counted)
    wins = int((slow(epsilon) < quick(epsilon)).sum())
    best = np.minimum(quick(epsilon), slow(epsilon))
    assert found[np.isfinite(best)] == pytest.approx(best[np.isfinite(best)], rel=1e-14)
    assert np.isneginf(found[np.isneginf(best)]).all()
    assert counted.asked <= wins + 60


@pytest.mark.parametrize(
    ("quick", "slow"),
    [
        (logs(gaussian_tradeoff, 1.0), logs(gaussian_tradeoff, 1.1)),
        (logs(gaussian_tradeoff, 1.1), logs(gaussian_tradeoff, 1.0)),
        (logs(gaussian_tradeoff, 1.0), logs(pure_tradeoff, 2.0)),
    ],
)
def test_the_greater_of_two_tradeoff_curves(quick, slow):
    alpha = np.linspace(0, 1, 501)
    counted = Counted(slow)
    found = greater_error(quick(alpha), alpha, counted)
    wins = int((slow(alpha) > quick(alpha)).sum())
    assert found == pytest.approx(np.maximum(quick(alpha), slow(alpha)), rel=1e-14)
    assert counted.asked <= wins + 60


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_points_are_all_asked(count):
    x = np.linspace(0.1, 0.9, count)
    assert lesser_log_delta(np.zeros(count), x, np.negative).tolist() == (-x).tolist()
    assert greater_error(np.zeros(count), x, lambda a: 1 - a).tolist() == (1 - x).tolist()


def test_answers_do_not_depend_on_what_else_is_asked():
    run = tr.ZCDP(0.1) + tr.Laplace(1.0)
    alpha, epsilon = np.linspace(0, 1, 41), np.linspace(-1, 2.5, 41)
    some = slice(3, None, 12)
    assert run.tradeoff(alpha)[some] == pytest.approx(run.tradeoff(alpha[some]), rel=1e-9)
    assert run.delta(epsilon)[some] == pytest.approx(run.delta(epsilon[some]), rel=1e-9)
