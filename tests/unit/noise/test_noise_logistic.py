from dataclasses import replace
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from noise_bits import FixedProposals, ThenZeros
from noise_laws import chi_square, histogram, laplace, logistic, number
from scipy.special import expit

from tightrope import InvalidArgument
from tightrope.noise.blocks import LIMIT
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.logistic import discrete_logistic, logistic_sampler

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


@pytest.mark.parametrize("scale", [Fraction(1, 5), 1, 4.5, 64, 65, 300])
def test_the_law(scale):
    assert fits(scale, 300_000, 31) > RARE


@pytest.mark.parametrize("scale", [2**20, 2**40, 2**55])
def test_the_law_of_wide_noise_in_equal_classes(scale):
    values = discrete_logistic(scale, 300_000, entropy=InsecureEntropy(32))
    level = np.minimum((expit(values / scale) * 128).astype(int), 127)
    assert chi_square(np.bincount(level, minlength=128), np.full(128, 300_000 / 128)) > RARE


@pytest.mark.parametrize("size", [0, 1, 70, 2000])
@pytest.mark.parametrize("scale", [Fraction(65), Fraction(1000, 3)])
def test_proposals_are_kept_with_their_chance_on_every_string(size, scale):
    """All 65,536 coins for one proposal: what is kept is in proportion to logistic over Laplace."""
    sampler = logistic_sampler(scale)
    coins = ThenZeros(np.arange(1 << 16, dtype=np.uint16))
    proposals = FixedProposals(scale, np.full(1 << 16, size))
    _, kept = replace(sampler, proposals=proposals).propose(1 << 16, coins)
    h = 1 / (2 * number(scale))
    most = 2 * mp.sinh(h) / mp.tanh(h)  # of the ratio of the laws, towards infinity
    chance = logistic(size, scale) / laplace(size, scale) / most
    assert kept.sum() == int(mp.ceil(chance * 2**16))


@pytest.mark.parametrize("size", [0, 1, 1000, 2**62 + 12345])
@pytest.mark.parametrize("scale", [Fraction(65), Fraction(2**60, 7)])
def test_exact_chances_enclose_the_truth(size, scale):
    h = 1 / (2 * number(scale))
    most = 2 * mp.sinh(h) / mp.tanh(h)
    chance = logistic(size, scale) / laplace(size, scale) / most
    low, high = logistic_sampler(scale).exact(size)(200)
    with mp.workdps(200):
        assert low <= chance * mp.mpf(2) ** 200 <= high
    assert high - low <= 8


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
