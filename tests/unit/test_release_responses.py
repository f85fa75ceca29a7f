"""Randomised responses: the coin, the estimates, and what the intervals promise."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tightrope.noise.response import _truth
from tightrope.theorems.response_counts import counts_between, rates

OUTLIER = 5.5


def seeded(seed=1):
    return tr.InsecureEntropy(seed)


@pytest.mark.parametrize(("epsilon", "categories"), [(1.0, 2), (0.25, 2), (2.0, 5), (5.0, 1000)])
def test_the_truth_is_kept_as_often_as_it_says(epsilon, categories):
    """opendp 480: the truth was kept with p + (1 - p) p, not p = e^eps/(e^eps + k - 1)."""
    n = 200_000
    kept = tr.RandomizedResponse(epsilon, categories).release(np.full(n, 1), entropy=seeded())
    counts = np.bincount(kept.value, minlength=categories)
    p = math.exp(epsilon) / (math.exp(epsilon) + categories - 1)
    assert abs(counts[1] / n - p) < OUTLIER * math.sqrt(p * (1 - p) / n)
    others = np.delete(counts, 1)
    q = (1 - p) / (categories - 1)
    assert np.abs(others - n * q).max() < 6.5 * math.sqrt(n * q) + 20  # P < 1e-7 for all together


@pytest.mark.parametrize(("epsilon", "categories"), [(1, 2), (3, 10), (0, 7), (700, 10**18)])
def test_the_coin_by_integers(epsilon, categories):
    from mpmath import exp, mp, mpf

    with mp.workprec(400):
        expected = 1 / (1 + (categories - 1) * exp(-mpf(epsilon)))
        for bits in (16, 80, 200):
            low, high = _truth(Fraction(epsilon), categories, bits)
            assert low <= expected * mpf(2) ** bits <= high
            assert high - low <= 4


def test_shapes_and_types_stay():
    mechanism = tr.RandomizedResponse(1.0)
    assert mechanism.release(np.zeros((3, 4), dtype=bool)).value.dtype == bool
    assert mechanism.release(np.zeros((3, 4), dtype=bool)).value.shape == (3, 4)
    assert mechanism.release(np.zeros(5, dtype=np.uint8)).value.dtype == np.int64
    assert type(mechanism.release(True).value) is bool
    assert type(mechanism.release(1).value) is int
    assert mechanism.release([]).value.shape == (0,)
    assert mechanism.release([]).interval()[1].tolist() == [0, 0]
    assert tr.RandomizedResponse(1.0, 3).release([True]).value.dtype == np.int64


def test_the_event_is_one_report():
    mechanism = tr.RandomizedResponse(1.0, 4)
    answers = mechanism.release(np.arange(400) % 4)
    assert answers.event is mechanism
    assert answers.secure
    assert not mechanism.release([1], entropy=seeded()).secure
    assert answers.event.to(tr.PureDP).epsilon == 1.0


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([0, 3], r"values\[1\] is no category; these are 0 to 2"),
        ([-1], r"values\[0\] is no category"),
        ([0, 2**70], r"values\[1\] is no category"),
        ([0.0], "whole numbers by type"),
        ([math.nan], "whole numbers by type"),
        (["a"], "values must be numbers"),
    ],
)
def test_values_that_are_refused(values, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        tr.RandomizedResponse(1.0, 3).release(values)


def test_estimates_are_unbiased():
    truths = np.repeat([0, 1, 2], [50, 150, 0])
    mechanism = tr.RandomizedResponse(1.5, 3)
    runs = [mechanism.release(truths, entropy=seeded(s)).estimate() for s in range(600)]
    spread = np.std(runs, axis=0) / math.sqrt(len(runs))
    assert (np.abs(np.mean(runs, axis=0) - [50, 150, 0]) < OUTLIER * spread).all()
    assert np.allclose(np.sum(runs, axis=1), 200)
    assert np.min(runs) < 0  # nothing is clipped


@pytest.mark.parametrize(("epsilon", "categories"), [(0.3, 2), (1.0, 2), (3.0, 2), (1.0, 4)])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.999])
def test_intervals_hold_for_every_true_count(epsilon, categories, level):
    """Their coverage, summed over the exact law of the answers to one category."""
    n = 12
    p = math.exp(epsilon) / (math.exp(epsilon) + categories - 1)
    q = (1 - p) / (categories - 1)
    ends = [_ends(seen, n, epsilon, categories, 1 - level) for seen in range(n + 1)]
    for held in range(n + 1):
        law = np.convolve(_binomial(held, p), _binomial(n - held, q))
        held_by = [low <= held <= high for low, high in ends]
        assert law[held_by].sum() >= level - 1e-12


def _ends(seen, people, epsilon, categories, miss):
    counts = np.array([seen, people - seen])
    low, high = counts_between(counts, rates(epsilon, categories), miss)
    return low[0], high[0]


def _binomial(n, p):
    return np.array([math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)])


def test_intervals_are_not_idle():
    for epsilon in (1.0, 4.0):
        answers = tr.RandomizedResponse(epsilon).release(
            np.arange(10_000) < 3000, entropy=seeded(2)
        )
        low, high = answers.interval(0.95)
        p = math.exp(epsilon) / (math.exp(epsilon) + 1)
        normal = 2 * 1.96 * math.sqrt(10_000 * p * (1 - p)) / (2 * p - 1)
        assert (high - low < 1.9 * normal).all()
        assert low[1] <= 3000 <= high[1]


def test_no_epsilon_tells_nothing():
    answers = tr.RandomizedResponse(0).release([0, 1, 1])
    for ask in (answers.estimate, answers.interval):
        with pytest.raises(tr.InvalidArgument, match="tell nothing"):
            ask()


def test_certain_answers():
    answers = tr.RandomizedResponse(900.0, 3).release([0, 2, 2])
    assert answers.value.tolist() == [0, 2, 2]
    assert answers.estimate().tolist() == [1, 0, 2]
    assert answers.interval(0.999)[0].tolist() == [1, 0, 2]
    for bad in (0, 1, "x", math.nan):
        with pytest.raises(tr.InvalidArgument, match="interval: level"):
            answers.interval(bad)
