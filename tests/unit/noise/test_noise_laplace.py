from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from noise_bits import ScriptedEntropy
from noise_laws import equal_classes, histogram, laplace
from oracle.pearson import chi_square

from tightrope import InvalidArgument
from tightrope.noise.blocks import LIMIT, assemble, low_bits
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.laplace import discrete_laplace, geometric

SCALES = [Fraction(1, 8), 0.5, 1, Fraction(22, 7), 4.0, 63.999, 64, 100, 1000]
RARE = 1e-9
"""The seeds are fixed, so a test that passes always passes; for a new seed this is the risk."""


def fits(scale, draws, seed):
    reach = int(25 * scale) + 3
    source = InsecureEntropy(seed)
    mass = np.tanh(0.5 / float(scale)) * np.exp(
        -np.abs(np.arange(-reach, reach + 1)) / float(scale)
    )
    expected = np.append(mass, 1 - min(mass.sum(), 1)) * draws
    return chi_square(
        histogram(lambda n: discrete_laplace(scale, n, entropy=source), draws, reach), expected
    )


def wide_fits(scale, draws, seed):
    """|y| in 64 classes, with either sign: by the distribution function of |y|."""
    source = InsecureEntropy(seed)

    def class_of(values):
        level = np.minimum(np.floor(-np.expm1(-np.abs(values) / float(scale)) * 64), 63)
        return level + 64 * (values < 0)

    return equal_classes(
        lambda count: discrete_laplace(scale, count, entropy=source), class_of, draws
    )


@pytest.mark.parametrize("scale", SCALES)
def test_the_law(scale):
    assert fits(scale, 300_000, 11) > RARE


@pytest.mark.parametrize("scale", [2**20, 2**30 + 0.5, 2**50, Fraction(2**40, 3)])
def test_the_law_of_wide_noise_in_equal_classes(scale):
    assert wide_fits(scale, 300_000, 12) > RARE


@pytest.mark.parametrize("scale", [1000, 2**30, 2**45])
def test_low_bits_of_wide_noise(scale):
    """exp(-|y|/t) hardly varies over the lowest three bits, so |y| is uniform modulo 8."""
    values = discrete_laplace(scale, 300_000, entropy=InsecureEntropy(13))
    ratio = np.exp(-np.arange(8) / scale)
    both = np.bincount(np.abs(values[values > 0]) % 8, minlength=8)
    positive = ratio / ratio.sum() * both.sum()
    positive[0] -= laplace(0, scale) * 300_000  # zero itself is not counted
    assert chi_square(both, positive) > RARE


def test_geometric_is_the_laplace_without_its_sign():
    values = geometric(5, 300_000, entropy=InsecureEntropy(14))
    a = np.exp(-1 / 5)
    mass = (1 - a) * a ** np.arange(100)
    assert values.min() == 0
    assert chi_square(np.bincount(values, minlength=100)[:100], mass * 300_000) > RARE


def test_tiny_scales_give_zero():
    for scale in (1e-300, 5e-324, Fraction(1, 10**6)):
        assert not discrete_laplace(scale, 1000, entropy=InsecureEntropy(1)).any()


def test_the_widest_scale_saturates_as_often_as_it_should():
    """P(|y| >= 2**62) = 2 a**(2**62)/(1 + a) = exp(-4) at scale 2**60."""
    values = discrete_laplace(2**60, 300_000, entropy=InsecureEntropy(15))
    assert np.abs(values).max() == LIMIT
    mass = float(mp.exp(-4))
    for side in (values == LIMIT, values == -LIMIT):
        assert abs(side.mean() - mass / 2) < 6 * np.sqrt(mass / 2 / 300_000)


def test_assembling_saturates_and_nothing_else():
    blocks = np.array([-200, -129, -128, -1, 0, 127, 128, 5000])
    places = np.full(8, 7)
    expected = [min(max(h * 2**55 + 7, -(2**62)), 2**62) for h in blocks.tolist()]
    expected[1] = -LIMIT  # the block -129 lies below -2**62 as a whole
    assert assemble(blocks, places, 55).tolist() == expected
    narrow = blocks.astype(np.int16)
    assert assemble(narrow, places, 3).tolist() == [h * 8 + 7 for h in blocks.tolist()]


@pytest.mark.parametrize("bits", [0, 1, 7, 8, 9, 16, 25, 32, 33, 40, 41, 55])
def test_low_bits_fill_their_range(bits):
    places = low_bits(4000, bits, InsecureEntropy(4))
    assert places.min() >= 0
    assert places.max() < 1 << bits
    assert places.max() >= (1 << bits) * 0.99 - 1


def test_two_words_are_put_together():
    """35 bits: 32 from the first word, 3 from the top of a byte."""
    low, high = np.array([1, 2**32 - 1], np.uint32), np.array([0b101 << 5 | 31, 0], np.uint8)
    places = low_bits(2, 35, ScriptedEntropy(low, high))
    assert places.tolist() == [(5 << 32) + 1, 2**32 - 1]
    assert places.dtype == np.int64


def test_shapes():
    source = InsecureEntropy(1)
    assert discrete_laplace(3, 0, entropy=source).shape == (0,)
    assert discrete_laplace(3, (), entropy=source).shape == ()
    assert discrete_laplace(3, (20_000, 3), entropy=source).shape == (20_000, 3)
    assert discrete_laplace(3, 5).dtype == np.int64


def test_the_same_seed_gives_the_same_noise():
    first = discrete_laplace(9, 1000, entropy=InsecureEntropy(1))
    assert np.array_equal(first, discrete_laplace(9, 1000, entropy=InsecureEntropy(1)))
    assert not np.array_equal(first, discrete_laplace(9, 1000, entropy=InsecureEntropy(2)))


@pytest.mark.parametrize("scale", [0, -1, 2**60 + 1, float("nan"), float("inf"), "3", None, True])
def test_scales_that_are_none(scale):
    with pytest.raises(InvalidArgument, match="discrete_laplace: scale"):
        discrete_laplace(scale, 1)


@pytest.mark.parametrize("size", [-1, 1.0, None, (2, -1), True])
def test_sizes_that_are_none(size):
    with pytest.raises(InvalidArgument, match="discrete_laplace: size"):
        discrete_laplace(1, size)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [Fraction(1, 2), 4, 50, 1000])
def test_the_law_in_a_hundred_million(scale):
    assert fits(scale, 10**8, 16) > RARE


@pytest.mark.slow
@pytest.mark.parametrize("scale", [2**30, 2**40])
def test_wide_noise_in_a_hundred_million(scale):
    assert wide_fits(scale, 10**8, 62) > RARE
