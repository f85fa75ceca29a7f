from fractions import Fraction

import numpy as np
import pytest
from noise_laws import equal_classes, histogram
from oracle.pearson import chi_square
from scipy.special import ndtr

from tightrope import InvalidArgument
from tightrope.noise.blocks import LIMIT
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.gaussian import discrete_gaussian

RARE = 1e-9
"""The seeds are fixed, so a test that passes always passes; for a new seed this is the risk."""


def fits(variance, draws, seed):
    reach = int(12 * float(variance) ** 0.5) + 5
    weight = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * float(variance)))
    expected = np.append(weight / weight.sum(), 0) * draws
    source = InsecureEntropy(seed)
    return chi_square(
        histogram(lambda n: discrete_gaussian(variance, n, entropy=source), draws, reach), expected
    )


def wide_fits(sigma, draws, seed):
    """The grid is finer than the edges of the classes by a factor of 10**5."""
    source = InsecureEntropy(seed)
    return equal_classes(
        lambda count: discrete_gaussian(sigma**2, count, entropy=source),
        lambda values: np.minimum(ndtr(values / sigma) * 128, 127),
        draws,
    )


@pytest.mark.parametrize(
    "variance", [0.06, Fraction(1, 3), 1, 16, 99.5, 250**2, 256**2, 257**2, Fraction(10**7, 3)]
)
def test_the_law(variance):
    assert fits(variance, 300_000, 21) > RARE


@pytest.mark.parametrize("sigma", [2**20, 2**30, 2**40, 2**50])
def test_the_law_of_wide_noise_in_equal_classes(sigma):
    assert wide_fits(sigma, 300_000, 22) > RARE


def test_the_widest_noise_saturates_as_often_as_it_should():
    """sigma = 2**60: beyond +-2**62 lie four standard deviations."""
    sigma = 2**60 - 1
    values = discrete_gaussian(sigma**2, 100_000, entropy=InsecureEntropy(23))
    assert np.abs(values).max() <= LIMIT
    mass = ndtr(-4.0)
    for side in (values == LIMIT, values == -LIMIT):
        assert abs(side.sum() - mass * 100_000) < 6 * np.sqrt(mass * 100_000) + 3
    inside = values[np.abs(values) < LIMIT] / sigma
    assert abs(np.mean(inside**2) - 1) < 0.03


def test_shapes_and_seeds():
    source = InsecureEntropy(1)
    assert discrete_gaussian(10, (7, 2), entropy=source).shape == (7, 2)
    assert discrete_gaussian(10**6, (), entropy=source).shape == ()
    first = discrete_gaussian(10**6, 1000, entropy=InsecureEntropy(1))
    assert np.array_equal(first, discrete_gaussian(10**6, 1000, entropy=InsecureEntropy(1)))


@pytest.mark.parametrize("variance", [0, -1.0, 2**120, float("nan"), "1"])
def test_variances_that_are_none(variance):
    with pytest.raises(InvalidArgument, match="discrete_gaussian: variance"):
        discrete_gaussian(variance, 1)


def test_tiny_variances_give_zero():
    assert not discrete_gaussian(5e-324, 1000, entropy=InsecureEntropy(1)).any()


@pytest.mark.slow
@pytest.mark.parametrize("variance", [Fraction(1, 4), 16, 100**2, 256**2, 300**2])
def test_the_law_in_a_hundred_million(variance):
    assert fits(variance, 10**8, 24) > RARE


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [2**30, 2**40])
def test_wide_noise_in_a_hundred_million(sigma):
    assert wide_fits(sigma, 10**8, 72) > RARE
