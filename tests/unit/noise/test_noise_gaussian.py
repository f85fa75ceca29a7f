from dataclasses import replace
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from noise_bits import FixedProposals, ThenZeros
from noise_laws import chi_square, histogram
from scipy.special import ndtr

from tightrope import InvalidArgument
from tightrope.noise.blocks import LIMIT
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.gaussian import discrete_gaussian, gaussian_sampler

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


@pytest.mark.parametrize(
    "variance", [0.06, Fraction(1, 3), 1, 16, 99.5, 250**2, 256**2, 257**2, Fraction(10**7, 3)]
)
def test_the_law(variance):
    assert fits(variance, 300_000, 21) > RARE


@pytest.mark.parametrize("sigma", [2**20, 2**30, 2**40, 2**50])
def test_the_law_of_wide_noise_in_equal_classes(sigma):
    """128 classes of equal mass; the grid is finer than their edges by a factor of 10**5."""
    values = discrete_gaussian(sigma**2, 300_000, entropy=InsecureEntropy(22))
    level = np.minimum((ndtr(values / sigma) * 128).astype(int), 127)
    assert chi_square(np.bincount(level, minlength=128), np.full(128, 300_000 / 128)) > RARE


@pytest.mark.parametrize("size", [0, 1, 300, 900, 4000])
@pytest.mark.parametrize("variance", [Fraction(300**2), Fraction(10**6, 7)])
def test_proposals_are_kept_with_their_chance_on_every_string(size, variance):
    """All 65,536 coins for one proposal: a share of ceil(2**16 exp(-x)) is kept."""
    sampler = gaussian_sampler(variance)
    coins = ThenZeros(np.arange(1 << 16, dtype=np.uint16))
    proposals = FixedProposals(sampler.proposals.scale, np.full(1 << 16, -size))
    _, kept = replace(sampler, proposals=proposals).propose(1 << 16, coins)
    t = int(mp.floor(mp.sqrt(mp.mpf(variance.numerator) / variance.denominator))) + 1
    v = mp.mpf(variance.numerator) / variance.denominator
    chance = mp.exp(-((size - v / t) ** 2) / (2 * v))
    assert kept.sum() == int(mp.ceil(chance * 2**16))


@pytest.mark.parametrize("size", [0, 1, 2**61, 2**62 + 12345])
@pytest.mark.parametrize("variance", [Fraction(10**6, 7), Fraction(2**118 + 1, 3)])
def test_exact_chances_enclose_the_truth(size, variance):
    v = mp.mpf(variance.numerator) / variance.denominator
    chance = mp.exp(-((size - v / (int(mp.floor(mp.sqrt(v))) + 1)) ** 2) / (2 * v))
    low, high = gaussian_sampler(variance).exact(size)(200)
    assert low <= chance * mp.mpf(2) ** 200 <= high
    assert high - low <= 2


def test_saturated_proposals_get_their_true_size():
    """Beyond the limit the proposal is geometric again: 2**62 + g, E g = t about."""
    sampler = gaussian_sampler(Fraction(2**100))
    sizes = np.array([LIMIT] * 2000 + [LIMIT - 1, 5])
    true = sampler.saturated(sizes, InsecureEntropy(25))
    assert list(true) == list(range(2000))
    excess = [(size - LIMIT) / float(sampler.proposals.scale) for size in true.values()]
    assert min(excess) >= 0
    assert abs(np.mean(excess) - 1) < 6 / 2000**0.5


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
