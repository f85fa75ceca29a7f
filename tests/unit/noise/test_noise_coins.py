"""Coins, uniform integers and random orders."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations

import mpmath as mp
import numpy as np
import pytest
from noise_bits import ScriptedEntropy, ThenZeros
from noise_laws import number
from oracle.pearson import chi_square

from tightrope import InvalidArgument
from tightrope.noise.bernoulli import bernoulli, bernoulli_exp
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.uniform import pick_one, random_permutation, uniform_below

RARE = 1e-9
HALVES = np.arange(1 << 16, dtype=np.uint16)


@pytest.mark.parametrize("p", [0.0, 1.0, 0.1, 1e-300, 1 - 2**-53, Fraction(2, 3), 0.5, 1])
def test_bernoulli_on_every_16_bits(p):
    heads = bernoulli(p, 1 << 16, entropy=ThenZeros(HALVES))
    assert heads.sum() == int(mp.ceil(number(p) * 2**16))


@pytest.mark.parametrize("x", [0.0, 0.1, 3.5, 700.0, Fraction(1, 3), 1e-20])
def test_bernoulli_exp_on_every_16_bits(x):
    heads = bernoulli_exp(x, 1 << 16, entropy=ThenZeros(HALVES))
    assert heads.sum() == int(mp.ceil(mp.exp(-number(x)) * 2**16))


def test_a_fair_half_is_decided_by_the_first_bit():
    heads = bernoulli(0.5, 2, entropy=ThenZeros(np.array([2**15 - 1, 2**15], np.uint16)))
    assert heads.tolist() == [True, False]


def test_probabilities_broadcast():
    p = np.array([[0.0, 1.0, 0.0]])
    assert bernoulli(p, (5, 3)).sum() == 5
    assert bernoulli([Fraction(0), 1, 0.0]).tolist() == [False, True, False]
    assert bernoulli(0.5).shape == ()
    assert bernoulli(np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan"), [0.5, 2], [Fraction(3, 2)], "half"])
def test_probabilities_that_are_none(p):
    with pytest.raises(InvalidArgument, match="bernoulli: probability"):
        bernoulli(p)


@pytest.mark.parametrize("x", [-1, float("nan"), float("inf"), [Fraction(-1, 2)]])
def test_exponents_that_are_none(x):
    with pytest.raises(InvalidArgument, match="bernoulli_exp: x"):
        bernoulli_exp(x)


@pytest.mark.parametrize("limit", [1, 2, 3, 100, 255, 256, 257, 65_537, 2**40 + 1, 2**62])
def test_uniform_below(limit):
    values = uniform_below(limit, 60_000, entropy=InsecureEntropy(41))
    assert values.min() >= 0
    assert values.max() < limit
    classes = min(limit, 50)
    counts = np.bincount((values.astype(object) * classes // limit).astype(int), minlength=classes)
    edges = [-(-i * limit // classes) for i in range(classes + 1)]
    expected = np.array([(b - a) / limit for a, b in pairwise(edges)]) * 60_000
    assert classes == 1 or chi_square(counts, expected) > RARE


def test_uniform_below_keeps_the_values_in_range_as_they_come():
    """Limit 5 reads the top three bits of a byte; 5, 6 and 7 are passed over."""
    first = np.resize(np.array([7, 0, 5, 4, 6, 3], np.uint8) << 5, 512)
    got = uniform_below(5, 256, entropy=_Repeating(first))
    assert got.tolist() == np.resize([0, 4, 3], 256).tolist()


class _Repeating(ScriptedEntropy):
    def take(self, count):
        return np.resize(self.queue[0], count).tobytes()


@pytest.mark.parametrize("limit", [0, -1, 2.5, 2**62 + 1, True])
def test_limits_that_are_none(limit):
    with pytest.raises(InvalidArgument, match="uniform_below: limit"):
        uniform_below(limit, 1)


def test_orders_of_four_are_equally_likely():
    source = InsecureEntropy(42)
    counts = Counter(tuple(random_permutation(4, entropy=source).tolist()) for _ in range(12_000))
    observed = [counts[order] for order in permutations(range(4))]
    assert chi_square(observed, np.full(24, 500)) > RARE


def test_an_order_with_a_tie_is_drawn_again():
    script = ScriptedEntropy(np.array([5, 9, 5], np.uint64), np.array([3, 1, 2], np.uint64))
    assert random_permutation(3, entropy=script).tolist() == [1, 2, 0]
    assert not script.queue


def test_pick_one_reads_words_modulo_the_number_of_candidates():
    rows = np.array([[0, 1, 1, 1], [1, 0, 0, 1], [0, 0, 1, 0]], bool)
    words = np.array([4, 7, 9], np.uint64)
    assert pick_one(rows, ScriptedEntropy(words)).tolist() == [2, 3, 2]


def test_pick_one_passes_over_the_incomplete_last_stretch():
    """2**64 = 3 * 6148914691236517205 + 1: only the very last word is refused."""
    rows = np.ones((2, 3), bool)
    script = ScriptedEntropy(np.array([2**64 - 1, 2**64 - 2], np.uint64), np.array([1], np.uint64))
    assert pick_one(rows, script).tolist() == [1, 2]
    assert not script.queue
