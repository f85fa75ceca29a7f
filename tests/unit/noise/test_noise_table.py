"""The table kernel on every 24-bit string, and on the strings that end at a cut."""

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from noise_bits import ScriptedEntropy, ThenZeros
from noise_laws import dyadic_counts, gaussian_total, gaussian_weight, laplace, logistic, zigzag

from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.fixed import fixed
from tightrope.noise.gaussian import gaussian_sampler
from tightrope.noise.laplace import laplace_sampler
from tightrope.noise.logistic import logistic_sampler
from tightrope.noise.refine import settle
from tightrope.noise.table import MARK, Table

HALVES = np.arange(1 << 16, dtype=np.uint16)


def draws_from_all_24_bits(sampler):
    """Every 16 bits for the look-up with every 8 bits after them, and zeros behind."""
    marked = int((sampler.table.codes == MARK).sum())
    for byte in range(256):
        more = np.full(marked, byte << 56, dtype=np.uint64)
        yield sampler.draw(1 << 16, ThenZeros(HALVES, more))


def counts_of_all_24_bits(sampler, outcomes):
    counts = np.zeros(2 * outcomes, dtype=np.int64)
    for values in draws_from_all_24_bits(sampler):
        assert np.abs(values).max() < outcomes
        counts += np.bincount(values + outcomes, minlength=2 * outcomes)
    return counts[np.array(zigzag(outcomes)) + outcomes]


@pytest.mark.parametrize("scale", [Fraction(1, 100), Fraction(1, 2), Fraction(4), Fraction(63.7)])
def test_discrete_laplace_has_its_law_to_24_bits(scale):
    outcomes = 40 + 40 * int(scale)
    masses = [laplace(y, scale) for y in zigzag(outcomes)]
    counts = counts_of_all_24_bits(laplace_sampler(scale), outcomes)
    assert np.array_equal(counts, dyadic_counts(masses, 24))
    assert counts.sum() == 1 << 24


@pytest.mark.parametrize("variance", [Fraction(1, 50), Fraction(1), Fraction(2.25), Fraction(1000)])
def test_discrete_gaussian_has_its_law_to_24_bits(variance):
    outcomes = 20 + 20 * int(variance**0.5)
    total = gaussian_total(variance)
    masses = [gaussian_weight(y, variance) / total for y in zigzag(outcomes)]
    counts = counts_of_all_24_bits(gaussian_sampler(variance), outcomes)
    assert np.array_equal(counts, dyadic_counts(masses, 24))


@pytest.mark.parametrize("scale", [Fraction(1, 20), Fraction(1), Fraction(7, 3), Fraction(64)])
def test_discrete_logistic_has_its_law_to_24_bits(scale):
    outcomes = 40 + 40 * int(scale)
    masses = [logistic(y, scale) for y in zigzag(outcomes)]
    counts = counts_of_all_24_bits(logistic_sampler(scale), outcomes)
    assert np.array_equal(counts, dyadic_counts(masses, 24))


def bits_of(x, start, count):
    return int(mp.floor(x * mp.mpf(2) ** (start + count))) & ((1 << count) - 1)


@pytest.mark.parametrize("agreeing", [64, 128, 192])
@pytest.mark.parametrize("step", [-1, 1])
def test_a_lane_that_agrees_with_a_cut_reads_on(agreeing, step):
    """U agrees with P(0) + P(-1) for 64, 128 or 192 bits and then lies a little below or above."""
    scale = Fraction(4)
    cut = laplace(0, scale) + laplace(1, scale)
    words = [bits_of(cut, start, 64) for start in range(64, agreeing, 64)]
    words.append(bits_of(cut, agreeing, 64) + step)
    script = ScriptedEntropy(*(np.array([word], dtype=">u8") for word in words))
    outcome = settle(bits_of(cut, 0, 64), 64, laplace_sampler(scale).table.cuts, script)
    assert outcome == (1 if step < 0 else 2)
    assert not script.queue


@pytest.mark.parametrize("step", [-1, 1])
def test_a_table_lane_that_agrees_with_a_cut_reads_on(step):
    scale = Fraction(4)
    cut = laplace(0, scale) + laplace(1, scale)
    half, more = bits_of(cut, 0, 16), bits_of(cut, 16, 48) << 16
    further = np.array([bits_of(cut, 64, 64) + step], dtype=">u8")
    script = ScriptedEntropy(np.array([more], np.uint64), further)
    table = laplace_sampler(scale).table
    assert table.outcomes(np.array([half], np.uint16), script).tolist() == [1 if step < 0 else 2]
    assert not script.queue


def test_a_law_of_two_outcomes():
    """Cuts that end with 1: the last outcome is as certain as any other."""
    third = Fraction(1, 3)
    table = Table(
        lambda bits: [fixed(third, bits), (1 << bits, 1 << bits)], lambda outcome: outcome
    )
    codes = table.look_up(HALVES)
    assert np.bincount(codes[codes != MARK]).tolist() == [21845, 43690]
    assert table.outcomes(HALVES, InsecureEntropy(1)).max() == 1


def test_the_last_lane_goes_on_into_the_tail():
    """64 ones lie beyond the tabulated cuts; what follows decides how far out."""
    sampler = laplace_sampler(Fraction(1, 2))
    ones, more = np.array([0xFFFF], np.uint16), np.array([2**64 - 1], np.uint64)
    seen = []
    for byte in (0, 128, 255):
        script = ThenZeros(more, np.array([byte] + [0] * 7, np.uint8))
        values = sampler.table.outcomes(ones, script)
        u = 1 - mp.mpf(2) ** -64 + mp.mpf(byte) * mp.mpf(2) ** -72
        masses = [laplace(y, Fraction(1, 2)) for y in zigzag(120)]
        below = [mp.fsum(masses[: j + 1]) for j in range(120)]
        assert values[0] == sum(total <= u for total in below)
        seen.append(values[0])
    assert seen[0] < seen[-1]
