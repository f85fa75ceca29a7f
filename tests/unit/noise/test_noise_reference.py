"""The reference samplers on every bit string of a small source: no statistics, no tolerance."""

from fractions import Fraction

import mpmath as mp
import pytest
from noise_bits import tree
from noise_laws import gaussian_total, gaussian_weight, laplace, number

from tightrope.noise import reference

depths = pytest.mark.parametrize("depth", [12, pytest.param(17, marks=pytest.mark.slow)])


def check(sampler, law, depth, most_undecided):
    """The strings that lead to an outcome, with and without the undecided ones, hold its mass."""
    counts, undecided = tree(sampler, depth)
    assert undecided <= most_undecided * 2**depth
    assert len(counts) > 1
    assert sum(counts.values()) + undecided == 2**depth
    for outcome, count in counts.items():
        assert count <= law(outcome) * 2**depth <= count + undecided


@depths
@pytest.mark.parametrize("limit", [2, 3, 5, 7, 8, 100])
def test_below(limit, depth):
    check(lambda e: reference.below(limit, e), lambda _: Fraction(1, limit), depth, 0.25)


@depths
@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(5, 8), Fraction(6, 7)])
def test_bernoulli(p, depth):
    check(lambda e: reference.bernoulli(p, e), lambda heads: p if heads else 1 - p, depth, 0.01)


@depths
@pytest.mark.parametrize("x", [Fraction(1, 2), Fraction(1), Fraction(5, 3), Fraction(3)])
def test_bernoulli_exp(x, depth):
    mass = mp.exp(-number(x))
    law = {True: mass, False: 1 - mass}
    check(lambda e: reference.bernoulli_exp(x, e), law.get, depth, 0.2)


@depths
@pytest.mark.parametrize("t", [Fraction(1), Fraction(3, 2), Fraction(1, 2)])
def test_discrete_laplace(t, depth):
    check(lambda e: reference.discrete_laplace(t, e), lambda y: laplace(y, t), depth, 0.75)


@depths
@pytest.mark.parametrize("t", [Fraction(1), Fraction(2, 3)])
def test_geometric(t, depth):
    a = mp.exp(-1 / number(t))
    check(lambda e: reference.geometric(t, e), lambda g: (1 - a) * a**g, depth, 0.5)


@depths
@pytest.mark.parametrize("variance", [Fraction(1, 4), Fraction(1, 2), Fraction(2)])
def test_discrete_gaussian(variance, depth):
    total = gaussian_total(variance)

    def law(y):
        return gaussian_weight(y, variance) / total

    check(lambda e: reference.discrete_gaussian(variance, e), law, depth, 0.9)
