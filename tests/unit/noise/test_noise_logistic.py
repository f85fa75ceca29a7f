from fractions import Fraction

import numpy as np
import pytest
from noise_laws import equal_classes, histogram
from oracle.pearson import chi_square
from scipy.special import expit

from tightrope import InvalidArgument
from tightrope.noise.blocks import LIMIT
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.logistic import discrete_logistic

RARE = 1e-9
"""The seeds are fixed, so a test that passes always passes; for a new seed this is the risk."""


def fits(scale, draws, seed):
    reach = int(25 * scale) + 3
    source = InsecureEntropy(seed)
    edges = expit((np.arange(-reach, reach + 2) - 0.5) / float(scale))
    expected = np.append(np.diff(edges), 0) * draws
    return chi_square(
        histogram(lambda n: discrete_logistic(scale, n, entropy=source), draws, reach), expected
    )


def wide_fits(scale, draws, seed):
    source = InsecureEntropy(seed)
    return equal_classes(
        lambda count: discrete_logistic(scale, count, entropy=source),
        lambda values: np.minimum(expit(values / scale) * 128, 127),
        draws,
    )


@pytest.mark.parametrize("scale", [Fraction(1, 5), 1, 4.5, 64, 65, 300])
def test_the_law(scale):
    assert fits(scale, 300_000, 31) > RARE


@pytest.mark.parametrize("scale", [2**20, 2**40, 2**55])
def test_the_law_of_wide_noise_in_equal_classes(scale):
    assert wide_fits(scale, 300_000, 32) > RARE


def test_the_widest_noise_saturates_as_often_as_it_should():
    values = discrete_logistic(2**60, 100_000, entropy=InsecureEntropy(33))
    mass = expit(-4.0)
    for side in (values == LIMIT, values == -LIMIT):
        assert abs(side.sum() - mass * 100_000) < 6 * np.sqrt(mass * 100_000)


@pytest.mark.parametrize("scale", [0, -1, 2**61, float("nan")])
def test_scales_that_are_none(scale):
    with pytest.raises(InvalidArgument, match="discrete_logistic: scale"):
        discrete_logistic(scale, 1)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1, 64, 200])
def test_the_law_in_a_hundred_million(scale):
    assert fits(scale, 10**8, 34) > RARE


@pytest.mark.slow
@pytest.mark.parametrize("scale", [2**30, 2**40])
def test_wide_noise_in_a_hundred_million(scale):
    assert wide_fits(scale, 10**8, 82) > RARE
