"""Skellam noise against mpmath's Bessel functions: on all short strings of bits, and in bulk."""

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from noise_bits import ThenZeros
from noise_laws import dyadic_counts, histogram, zigzag
from oracle.pearson import chi_square

from tightrope import InvalidArgument
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.skellam import _cuts, skellam, skellam_sampler
from tightrope.num import bessel

RARE = 1e-9
"""The seeds are fixed, so a test that passes always passes; for a new seed this is the risk."""

HALVES = np.arange(1 << 16, dtype=np.uint16)


def masses(variance, reach, digits=60):
    """P(0), ..., P(reach) by the Bessel function itself."""
    with mp.workdps(digits + 20):
        v = mp.mpf(Fraction(variance).numerator) / Fraction(variance).denominator
        return [mp.exp(-v) * mp.besseli(y, v) for y in range(reach + 1)]


@pytest.mark.parametrize("variance", [Fraction(1, 50), Fraction(1), Fraction(2.25), Fraction(400)])
def test_the_law_on_all_strings_of_24_bits(variance):
    """Every 16 bits for the look-up with every 8 bits after them, and zeros behind."""
    outcomes = 20 + 20 * int(variance**0.5)
    sampler = skellam_sampler(variance)
    marked = int((sampler.table.codes == sampler.table.codes.min()).sum())
    counts = np.zeros(2 * outcomes, dtype=np.int64)
    for byte in range(256):
        more = np.full(marked, byte << 56, dtype=np.uint64)
        values = sampler.draw(1 << 16, ThenZeros(HALVES, more))
        counts += np.bincount(values + outcomes, minlength=2 * outcomes)
    law = masses(variance, outcomes)
    with mp.workdps(80):
        expected = dyadic_counts([law[abs(y)] for y in zigzag(outcomes)], 24)
    assert np.array_equal(counts[np.array(zigzag(outcomes)) + outcomes], expected)
    assert counts.sum() == 1 << 24


@pytest.mark.parametrize("bits", [1, 64, 128, 300])
@pytest.mark.parametrize(
    "variance", [Fraction(1, 1000), Fraction(1, 3), Fraction(16), Fraction(5000)]
)
def test_cuts_hold_the_cumulative_probabilities(variance, bits):
    cuts = _cuts(variance, bits)
    reach = min(len(cuts) // 2, 60)
    law = masses(variance, reach, 120)
    with mp.workdps(140):
        upto = mp.mpf(0)
        for (low, high), y in zip(cuts, zigzag(reach), strict=False):
            upto += law[abs(y)]
            assert low <= upto * mp.mpf(2) ** bits <= high
            assert high - low <= 2
        left = 1 - mp.mpf(cuts[-1][0]) / mp.mpf(2) ** bits
    assert left <= mp.mpf(2) ** (2 - bits)


@pytest.mark.parametrize("x", [Fraction(1e-9), Fraction(1, 7), Fraction(30), Fraction(2**20)])
def test_weights_are_quotients_of_bessel_functions(x):
    bits = 200
    found = bessel.weights(x, 50, bits, bits + 40)
    with mp.workdps(120):
        v = mp.mpf(x.numerator) / x.denominator
        for g in (0, 1, 2, 17, 49):
            true = mp.besseli(g, v) / mp.besseli(0, v) * mp.mpf(2) ** bits
            assert found[g][0] <= true <= found[g][1]
            assert found[g][1] - found[g][0] <= 2000


@pytest.mark.parametrize("x", [Fraction(1e-9), Fraction(1, 7), Fraction(30), Fraction(2000)])
def test_reach_leaves_out_what_it_says(x):
    last = bessel.reach(x, 100)
    with mp.workdps(60):
        v = mp.mpf(x.numerator) / x.denominator
        rest = mp.nsum(lambda j: mp.besseli(j, v), [last + 1, last + 400], method="direct")
        assert rest <= mp.besseli(0, v) * mp.mpf(2) ** -100
        assert rest >= mp.besseli(0, v) * mp.mpf(2) ** -180


def fits(variance, draws, seed):
    reach = int(9 * variance**0.5) + 12
    law = masses(variance, reach, 15)
    expected = np.array([float(law[abs(y)]) for y in range(-reach, reach + 1)] + [0.0]) * draws
    source = InsecureEntropy(seed)
    return chi_square(
        histogram(lambda n: skellam(variance, n, entropy=source), draws, reach), expected
    )


@pytest.mark.parametrize("variance", [0.06, 1, 16, 99.5])
def test_the_law(variance):
    assert fits(variance, 300_000, 31) > RARE


@pytest.mark.parametrize("variance", [2**20, 2**20 + 1, 2**24, 2**26])
def test_wide_noise_has_the_moments_of_its_law(variance):
    """Mean 0, variance v, fourth central moment 3 v^2 + v; limits are six standard deviations."""
    draws = 40_000
    values = skellam(variance, draws, entropy=InsecureEntropy(32)) / variance**0.5
    assert abs(values.mean()) < 6 / draws**0.5
    assert abs((values**2).mean() - 1) < 6 * (2 / draws) ** 0.5
    assert abs((values**4).mean() - 3) < 6 * (96 / draws) ** 0.5


def test_the_parts_of_a_wide_law_have_its_variance():
    """In parts of one variance, at most 2^20, each of which is inverted exactly."""
    sampler = skellam_sampler(Fraction(3 * 2**20 + 1))
    assert sampler.parts == 4
    whole = sampler.draw(1000, InsecureEntropy(5))
    source = InsecureEntropy(5)
    assert np.array_equal(whole, sum(sampler.one.draw(1000, source) for _ in range(4)))


def test_shapes_and_seeds():
    source = InsecureEntropy(1)
    assert skellam(10, (7, 2), entropy=source).shape == (7, 2)
    assert skellam(10**7, (), entropy=source).shape == ()
    first = skellam(100, 1000, entropy=InsecureEntropy(1))
    assert np.array_equal(first, skellam(100, 1000, entropy=InsecureEntropy(1)))


@pytest.mark.parametrize("variance", [0, -1.0, 2**26 + 1, float("nan"), "1"])
def test_variances_that_are_none(variance):
    with pytest.raises(InvalidArgument, match="skellam: variance"):
        skellam(variance, 1)


def test_tiny_variances_give_zero():
    assert not skellam(1e-200, 1000, entropy=InsecureEntropy(1)).any()


@pytest.mark.slow
@pytest.mark.parametrize("variance", [0.25, 16, 10_000])
def test_the_law_in_a_hundred_million(variance):
    assert fits(variance, 10**8, 34) > RARE
