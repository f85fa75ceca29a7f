"""Wide noise: every string of the table and of the coins, and the algebra of the two parts."""

from functools import cache
from itertools import accumulate, islice, pairwise

import mpmath as mp
import numpy as np
import pytest
from noise_bits import ScriptedEntropy, ThenZeros
from noise_laws import dyadic_counts
from noise_wide import WIDE

from tightrope.noise.blocks import signed
from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.stepped import Stepped, block_bits
from tightrope.noise.table import MARK

HALVES = np.arange(1 << 16, dtype=np.uint16)

every = pytest.mark.parametrize(("sampler", "weight"), WIDE.values(), ids=WIDE.keys())


@cache
def masses_of(sampler, weight):
    """Both parts of block m of either sign, m = 0, 1, ..., by the definition."""
    size = 1 << sampler.bits
    known = [weight(0)]
    while known[-1] > mp.mpf(10) ** -50:
        known.append(weight(len(known) * size))
    total = 2 * mp.fsum(known)
    return [part / total for w, after in pairwise(known) for part in (after, w - after) * 2]


def chance_of(sampler, weight, block, offset):
    size = 1 << sampler.bits
    end = weight((block + 1) * size)
    return (weight(block * size + offset) - end) / (weight(block * size) - end)


@pytest.mark.parametrize("scale", [64.0, 65.0, 256.5, 1000.0, 2.0**30, 2.0**60])
def test_the_size_of_a_block(scale):
    assert scale / 64 < 2 ** block_bits(scale) <= scale / 32


@pytest.mark.parametrize("name", ["laplace 1000", "gaussian 257", "logistic 65"])
def test_blocks_have_their_law_to_24_bits(name):
    """Outcome 4m + 2s is the even part of block m of sign s, 4m + 2s + 1 the rest."""
    sampler, weight = WIDE[name]
    masses = masses_of(sampler, weight)
    counts = np.zeros(len(masses), dtype=np.int64)
    for byte in range(256):
        script = ScriptedEntropy(np.full(1 << 16, byte << 56, dtype=np.uint64))
        counts += np.bincount(sampler.table.outcomes(HALVES, script), minlength=len(masses))
    assert np.array_equal(counts, dyadic_counts(masses, 24))


@every
@pytest.mark.parametrize("bits", [2, 64, 150])
def test_cuts_enclose_the_cumulative_probabilities(sampler, weight, bits):
    known = sampler.table.cuts(bits)
    sums = list(accumulate(masses_of(sampler, weight)))
    for place in [*range(20), *range(20, min(len(known), len(sums)), 97)]:
        (low, high), total = known[place], sums[place]
        assert low <= (total + mp.mpf(10) ** -47) * 2**bits
        assert (total - mp.mpf(10) ** -47) * 2**bits <= high
        assert high - low <= 4
    assert known == sorted(known)
    assert known[-1][1] >= 2**bits - 2


@every
def test_a_look_up_gives_nothing_but_even_parts(sampler, weight):
    codes = sampler.table.codes
    assert 0.93 < (codes != MARK).mean() < 0.99
    words = HALVES[codes != MARK]
    zeros = sampler.table.outcomes(words, ThenZeros(np.zeros(len(words), np.uint64)))
    assert not (zeros & 1).any()
    assert np.array_equal(signed(zeros >> 1), codes[codes != MARK])


@every
@pytest.mark.parametrize("block", [0, 1, 5, 200])
def test_the_rest_is_kept_with_its_chance_on_every_string(sampler, weight, block):
    """Some places of a block of either sign with all 65,536 coins; none has the chance 0."""
    size = 1 << sampler.bits
    for sign, place in {(0, 0), (0, size // 3), (0, size - 1), (1, 1), (1, size - 1)}:
        outcomes = np.full(1 << 16, 4 * block + 2 * sign + 1)
        kept = sampler.keeps(outcomes, np.full(1 << 16, place), ThenZeros(HALVES))
        chance = chance_of(sampler, weight, block, size - place if sign else place)
        assert kept.sum() == int(mp.ceil(chance * 2**16))


@every
@pytest.mark.parametrize("block", [0, 3, 2000])
def test_exact_chances_enclose_the_truth(sampler, weight, block):
    for offset in {0, 1, 1 << sampler.bits >> 1, 1 << sampler.bits}:
        chance = chance_of(sampler, weight, block, offset)
        for bits in (16, 80, 200):
            low, high = sampler.chance(block, offset)(bits)
            with mp.workdps(90):
                assert low <= chance * 2**bits + mp.mpf(10) ** -9
                assert chance * 2**bits - mp.mpf(10) ** -9 <= high
            assert high - low <= 3


@every
def test_weights_enclose_the_truth(sampler, weight):
    """The n-th to 4 (n + 1)^2 units; and f(0) is from 1/2 to 1."""
    assert 0.5 <= weight(0) <= 1
    known = islice(sampler.law.weights(1 << sampler.bits, 200), 1500)
    for n, (low, high) in enumerate(known):
        if n % 100 < 3:
            with mp.workdps(100):
                assert low <= weight(n << sampler.bits) * mp.mpf(2) ** 200 <= high
        assert high - low <= 4 * (n + 1) ** 2


@every
def test_a_drop_in_floats_is_correct_to_44_bits(sampler, weight):
    size = 1 << sampler.bits
    for block in (0, 1, 17, 400):
        for offset in (1, size // 2, size):
            start = block * size
            drop = sampler.law.drop(np.array([float(start)]), np.array([float(offset)]))[0]
            true = 1 - weight(start + offset) / weight(start)
            assert abs(drop / true - 1) < 2.0**-44


@pytest.mark.parametrize("name", [name for name, (one, _) in WIDE.items() if one.bits <= 32])
def test_where_a_proposal_lies(name):
    """Even parts: block m, or its mirror image, and the place counted upward."""
    sampler, weight = WIDE[name]
    outcomes = np.array([0, 2, 4 * 7, 4 * 7 + 2])
    masses = np.cumsum([0, *map(float, masses_of(sampler, weight))])
    halves = ((masses[outcomes] + masses[outcomes + 1]) * 2**15).astype(np.uint16)

    class Places(InsecureEntropy):
        def words(self, count, dtype=np.uint64):
            return halves if dtype is np.uint16 and count == 4 else super().words(count, dtype)

    values, kept = sampler.propose(4, Places(3))
    size = 1 << sampler.bits
    assert (values // size).tolist() == [0, -1, 7, -8]
    assert kept.all()


def test_samples_are_proposals_that_were_kept(monkeypatch):
    """Half of the rest is refused: about 1 % of all."""
    proposed, propose = [], Stepped.propose

    def recorded(*arguments):
        proposed.append(propose(*arguments))
        return proposed[-1]

    monkeypatch.setattr(Stepped, "propose", recorded)
    samples = WIDE["laplace 1000"][0].draw(90_000, InsecureEntropy(4))
    [(values, kept)] = proposed
    assert 0.98 < kept.mean() < 0.995
    assert np.array_equal(samples, values[kept][:90_000])
