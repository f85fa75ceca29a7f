"""The optimal adaptive composition of bounded range, beside adversaries that are played out.

An adversary who may only choose ranges on a grid is weaker than the bound, and a fine grid is
weaker by little; so is one who chooses at random, or once for all.
"""

import math

import numpy as np
import pytest

import tightrope as tr
from tightrope.loss.dominating import Dominating
from tightrope.loss.finite.bounded_range import adaptive
from tightrope.loss.pair_profile import PairProfile

CASES = [(0.1, 30), (0.5, 8), (1.0, 5), (4.0, 3), (1.0, 2)]


def upper(epsilon: float, runs: int, at: float) -> float:
    loss = adaptive(epsilon, runs)
    assert loss is not None
    profile = PairProfile([Dominating.symmetric(loss)])
    return float(np.exp(profile.log_delta(np.array([at])).upper[0]))


def played(epsilon: float, runs: int, at: float, choose) -> float:
    """delta of an adversary who sees what is left of epsilon and how many releases remain."""
    if runs == 0:
        return max(-math.expm1(at), 0.0)
    best = 0.0
    for t in choose(at, runs):
        p = (math.exp(epsilon) - math.exp(t)) / math.expm1(epsilon)
        value = p * played(epsilon, runs - 1, at - t, choose)
        value += (1 - p) * played(epsilon, runs - 1, at - t + epsilon, choose)
        best = max(best, value)
    return best


def grid_optimum(epsilon: float, runs: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """delta of the best adversary whose ranges begin at multiples of epsilon/steps."""
    h, n = epsilon / steps, runs * steps
    e = h * np.arange(-n - steps * runs, n + steps * runs + 1)
    value = np.maximum(-np.expm1(e), 0)
    for _ in range(runs):
        best = np.zeros_like(value)
        for j in range(steps + 1):
            t = j * h
            p = (math.exp(epsilon) - math.exp(t)) / math.expm1(epsilon)
            left = np.concatenate([-np.expm1(e[:j] - t), value])[: len(e)]
            right = np.concatenate([value, np.zeros(steps)])[steps - j :][: len(e)]
            best = np.maximum(best, p * left + (1 - p) * right)
        value = best
    return e, value


@pytest.mark.parametrize(("epsilon", "runs"), CASES)
def test_no_adversary_on_a_grid_does_better_and_the_best_comes_close(epsilon, runs):
    e, value = grid_optimum(epsilon, runs, 24)
    total = runs * epsilon
    for part in (-0.5, 0.0, 0.1, 0.3, 0.5, 0.7):
        i = int(np.argmin(np.abs(e - part * total)))
        found = upper(epsilon, runs, float(e[i]))
        assert value[i] <= found * (1 + 1e-12)
        assert found <= value[i] * 1.02 + 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_no_adversary_who_chooses_at_random_does_better(seed):
    rng = np.random.default_rng(seed)
    for epsilon, runs in ((0.7, 4), (2.5, 3)):
        ways = {}

        def choose(at, left, ways=ways, epsilon=epsilon):
            key = (round(at, 9), left)
            return ways.setdefault(key, [rng.uniform(0, epsilon)])

        at = rng.uniform(-1, 0.9) * runs * epsilon
        assert played(epsilon, runs, at, choose) <= upper(epsilon, runs, at) * (1 + 1e-12)


@pytest.mark.parametrize(("epsilon", "runs"), CASES)
def test_nothing_is_beyond_the_sum_of_the_ranges(epsilon, runs):
    assert upper(epsilon, runs, runs * epsilon * 1.0001) <= 1e-290
    loss = adaptive(epsilon, runs)
    assert loss is not None
    assert loss.highest <= runs * epsilon * (1 + 1e-9)


def test_many_exponential_mechanisms_are_cheaper_than_by_any_single_pair():
    """Without adaptive composition: 2.419 by zCDP, 2.612 by the logistic pair.

    A feasible adversary attains 2.2506 and 12.0823 (``grid_optimum`` with 40 and 80 steps).
    """
    assert 2.2506 < (tr.Exponential(0.1) ** 100).epsilon(1e-6) < 2.2575
    assert 12.0823 < (tr.Exponential(1.0) ** 20).epsilon(1e-6) < 12.0875


def test_the_trade_off_curve_and_mu_gain_as_well():
    """By the logistic pair mu is 0.5777; half an epsilon for each release would be 0.5."""
    run = tr.Exponential(0.1) ** 100
    low, high = run.gdp_interval()
    assert 0.5 < low <= high < 0.5035
    assert run.tradeoff(0.05) > 0.873
    lower, upper = run.tradeoff_interval([0.01, 0.3])
    assert (lower <= upper).all()
    assert (upper - lower < 1e-7).all()


def test_where_the_logistic_pair_is_sharper_it_counts():
    """Near the largest loss of all the grid is coarse."""
    found = (tr.Exponential(4.0) ** 4).epsilon(1e-12)
    assert found == pytest.approx(15.98218, abs=1e-5)


def test_other_releases_compose_with_the_group():
    run = tr.Exponential(0.1) ** 50 + tr.Gaussian(20) ** 3
    alone, together = (tr.Exponential(0.1) ** 50).epsilon(1e-6), run.epsilon(1e-6)
    assert alone < together < 1.713  # by zCDP
    assert "Dong, Durfee and Rogers" in str(run.why(tr.ApproxDP, delta=1e-6))


def test_two_groups_are_not_taken_together_each():
    """Each alone would be; of both only the larger, since an adversary may mix them."""
    run = tr.Exponential(0.5) ** 10 + tr.Exponential(0.25) ** 10
    first, second = tr.Exponential(0.5) ** 10, tr.Exponential(0.25) ** 10
    from tightrope.plan.exact.profile import exact_profile

    rival = exact_profile(run).rivals[0].pairs[0].orders[0]
    assert sorted(type(loss).__name__ for loss in rival.losses) == ["FiniteLoss", "LogisticLoss"]
    assert max(first.epsilon(1e-6), second.epsilon(1e-6)) < run.epsilon(1e-6)


def test_a_composition_inside_counts_as_all_of_its_releases():
    """Randomized responses with half the epsilon are of bounded range epsilon."""
    inside = (tr.BoundedRange(0.1) ** 10).then("x")
    assert (inside + tr.BoundedRange(0.1)).epsilon(1e-6) > (tr.PureDP(0.05) ** 11).epsilon(1e-6)
    assert (inside**5).epsilon(1e-6) > (tr.PureDP(0.05) ** 50).epsilon(1e-6)
    mixed = (tr.BoundedRange(0.1) + tr.BoundedRange(1.0)).then("x")
    assert (mixed**5).epsilon(1e-6) > (tr.PureDP(0.5) ** 5).epsilon(1e-6)
    units = [tr.Exponential(0.1, neighbors=tr.replace_one.of(unit)) ** 10 for unit in "ab"]
    assert (tr.jointly(*units) ** 2).epsilon(1e-6) > (tr.PureDP(0.05) ** 40).epsilon(1e-6)


def test_what_attains_the_logistic_pair_is_no_bounded_range_of_it():
    """The logistic mechanism is not of bounded range: its own pair counts in full."""
    alone = (tr.Logistic(1.0) ** 2).epsilon(1e-6)
    for inside in (tr.Logistic(1.0) + tr.Exponential(0.1), tr.Exponential(0.1) + tr.Logistic(1.0)):
        assert (inside.then("y") ** 2).epsilon(1e-6) >= alone


@pytest.mark.parametrize("epsilon", [1e-13, 3e-10, 1e-6, 1e-5])
@pytest.mark.parametrize("runs", [2, 10, 100])
def test_tiny_ranges_are_not_understated(epsilon, runs):
    """Randomized responses with half the epsilon are one of the adversaries."""
    at_zero = (tr.BoundedRange(epsilon) ** runs).delta(0.0)
    assert at_zero >= (tr.PureDP(epsilon / 2) ** runs).delta_interval(0.0)[0]
