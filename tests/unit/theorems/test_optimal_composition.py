"""Optimal composition against convolution of the worst releases, outcome by outcome."""

import math
from fractions import Fraction
from itertools import product

import mpmath as mp
import numpy as np
import pytest
from law_reference import eighty_digits, log_excess

from tightrope.theorems.optimal_composition import (
    OptimalComposition,
    advanced_epsilon,
    optimal_log_delta,
)

digits = pytest.fixture(autouse=True)(eighty_digits)


def _delta(parts, epsilon):
    """Delta of the composed worst pairs, their laws convolved one release at a time."""
    law, sound = {mp.mpf(0): mp.mpf(1)}, mp.mpf(1)
    for (e, delta), count in parts.items():
        truth = 1 / (1 + mp.exp(-mp.mpf(e)))
        sound *= (1 - mp.mpf(delta)) ** count
        for _ in range(count):
            step = {}
            for loss, mass in law.items():
                for sign, share in ((1, truth), (-1, 1 - truth)):
                    key = loss + sign * mp.mpf(e)
                    step[key] = step.get(key, 0) + mass * share
            law = step
    above = mp.fsum(m * (1 - mp.exp(epsilon - x)) for x, m in law.items() if x > epsilon)
    return 1 - sound + sound * above


CASES = [
    {(1.0, 0.0): 1},
    {(0.1, 1e-9): 40},
    {(5.0, 0.25): 3},
    {(0.01, 0.0): 10, (2.0, 1e-12): 2},
    {(0.3, 0.0): 6, (0.7, 0.0): 5, (1.1, 1e-6): 4},
    {(0.0, 1e-3): 7, (0.5, 0.0): 2},
]


@pytest.mark.parametrize("parts", CASES, ids=str)
def test_profile_is_safe_and_tight(parts):
    most = sum(e * count for (e, _), count in parts.items())
    optimal = OptimalComposition(parts)
    for epsilon in (-most / 2, 0.0, most / 7, most / 2, 0.999 * most, most, 2 * most):
        truth = _delta(parts, mp.mpf(epsilon))
        log_delta = optimal.log_delta(epsilon)
        if truth < mp.mpf(10) ** -70:
            assert log_delta == -math.inf
        else:
            allowed = 5e-14 + 3e-15 * (abs(log_delta) + 15 * math.sqrt(1 + abs(log_delta)))
            assert 0 <= log_excess(log_delta, truth) < allowed


def test_exact_in_rational_arithmetic():
    """Randomised response five times, at epsilon 0, log-odds log 3: total variation 203/256."""
    masses = [
        (
            math.prod(Fraction(3 if s else 1, 4) for s in signs),
            math.prod(Fraction(1 if s else 3, 4) for s in signs),
        )
        for signs in product((True, False), repeat=5)
    ]
    variation = sum(max(p - q, 0) for p, q in masses)
    assert variation == Fraction(203, 256)
    delta = math.exp(optimal_log_delta(0.0, {math.log(3): 5}))
    assert delta == pytest.approx(203 / 256, rel=1e-13)


def test_bare_epsilon_is_a_pure_part():
    grid = np.array([0.0, 0.4, 1.7])
    pure, pairs = optimal_log_delta(grid, {0.5: 4}), optimal_log_delta(grid, {(0.5, 0.0): 4})
    assert pure.tolist() == pairs.tolist()
    assert isinstance(optimal_log_delta(0.4, {0.5: 4}), float)


def test_equal_epsilons_share_one_lattice_direction():
    split = OptimalComposition({(0.1, 0.0): 900, (0.1, 1e-9): 900})
    assert split.log_delta(20.0) == pytest.approx(
        float(np.logaddexp(OptimalComposition({0.1: 1800}).log_delta(20.0), np.log(9e-7))), rel=1e-6
    )


def _far_delta(epsilon, count, target):
    """The binomial sum from the first loss above the target, ratio by ratio."""
    e, share = mp.mpf(epsilon), 1 / (1 + mp.exp(-mp.mpf(epsilon)))
    k = int(mp.floor((mp.mpf(target) / e + count) / 2)) + 1
    mass = mp.binomial(count, k) * share**k * (1 - share) ** (count - k)
    total = mp.mpf(0)
    while k <= count:
        term = mass * (1 - mp.exp(target - e * (2 * k - count)))
        total, mass, k = total + term, mass * (count - k) / (k + 1) * mp.exp(e), k + 1
        if term < total * mp.mpf(10) ** -25 and k > count * share:
            return total
    return total


@pytest.mark.parametrize(("epsilon", "count"), [(0.01, 10_000), (0.3, 2_000), (0.003, 100_000)])
def test_many_equal_parts(epsilon, count):
    optimal = OptimalComposition({epsilon: count})
    mean, deviation = count * epsilon * math.tanh(epsilon / 2), math.sqrt(count) * epsilon
    for far in (3, 9):
        target = mean + far * deviation
        with mp.workdps(40):
            truth = _far_delta(epsilon, count, target)
        log_delta = optimal.log_delta(target)
        allowed = 1e-13 + 3e-15 * math.sqrt(count * (1 - log_delta))
        assert 0 <= log_excess(log_delta, truth) < allowed


def test_size_of_the_lattice():
    assert OptimalComposition.feasible({0.1: 1_000_000})
    assert not OptimalComposition.feasible({0.1 * k: 9 for k in range(1, 8)})
    assert not OptimalComposition.feasible({701.0: 1})
    with pytest.raises(ValueError, match="lattice points"):
        OptimalComposition({0.1: 2_000, 0.2: 2_000})


@pytest.mark.parametrize("parts", [{-0.1: 1}, {(0.1, 1.5): 1}, {0.1: -1}, {math.nan: 1}])
def test_bad_parts(parts):
    with pytest.raises(ValueError, match="optimal composition"):
        OptimalComposition(parts)


def test_nothing_and_everything():
    assert OptimalComposition({}).log_delta(0.0) == -math.inf
    assert OptimalComposition({(1.0, 1.0): 2}).log_delta(3.0) == 0


def test_advanced_composition_is_valid_and_loose():
    epsilon, delta = advanced_epsilon(0.1, 1e-8, 100, 1e-6)
    exact = 0.1 * mp.sqrt(200 * mp.log(1 / mp.mpf(1e-6))) + 10 * mp.expm1(mp.mpf(0.1))
    assert 0 <= epsilon - float(exact) < 1e-13
    assert 0 <= delta - 2e-6 < 1e-20
    assert optimal_log_delta(epsilon, {(0.1, 1e-8): 100}) < math.log(delta)


@pytest.mark.parametrize("bad", [(-1.0, 0.0, 1, 0.1), (1.0, 0.0, 0, 0.1), (1.0, 0.0, 1, 0.0)])
def test_bad_arguments_of_advanced_composition(bad):
    with pytest.raises(ValueError, match="advanced_epsilon"):
        advanced_epsilon(*bad)


def test_advanced_composition_of_huge_parts():
    assert advanced_epsilon(800.0, 0.9, 3, 0.1) == (math.inf, 1.0)
