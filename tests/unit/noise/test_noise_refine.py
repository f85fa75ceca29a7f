"""Exact coins: on every 16-bit string, at float estimates that are wrong, and at ties."""

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from noise_bits import ScriptedEntropy, ThenZeros, ZeroEntropy

from tightrope.noise.entropy import InsecureEntropy
from tightrope.noise.fixed import exp_minus, fixed
from tightrope.noise.refine import SLACK, coin, decide, rising
from tightrope.noise.rejection import first_kept

HALVES = np.arange(1 << 16, dtype=np.uint16)


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1), Fraction(1, 3), Fraction(1, 2**40)])
@pytest.mark.parametrize("error", [-SLACK, 0, SLACK])
def test_coins_are_exact_however_the_estimate_errs(p, error):
    """With zeros behind its 16 bits U is a multiple of 2**-16: a share ceil(2**16 p) is below p."""
    estimate = np.full(1 << 16, float(p) + error)
    heads = decide(estimate, lambda _: lambda bits: fixed(p, bits), ThenZeros(HALVES))
    assert heads.sum() == -(-p.numerator * 2**16 // p.denominator)


def test_each_lane_asks_for_its_own_probability():
    estimate = np.array([0.25, 0.5])
    exact = [Fraction(1, 4) - Fraction(1, 2**70), Fraction(1, 2) + Fraction(1, 2**70)]
    halves = np.array([1 << 14, 1 << 15], np.uint16)  # both U begin exactly at the estimate
    heads = decide(estimate, lambda i: lambda bits: fixed(exact[i], bits), ThenZeros(halves))
    assert heads.tolist() == [False, True]


@pytest.mark.parametrize("agreeing", [0, 64, 128])
@pytest.mark.parametrize("step", [-1, 1])
def test_a_coin_reads_on_while_it_agrees(agreeing, step):
    """U agrees with exp(-1) for 16 + `agreeing` bits and then lies a little below or above it."""
    low, _ = exp_minus(Fraction(1), 400)
    bits = 16 + agreeing + 64
    u = (low >> (400 - bits)) + step
    words = [u >> start & (2**64 - 1) for start in range(agreeing, -1, -64)]
    script = ScriptedEntropy(*(np.array([word], dtype=">u8") for word in words))
    assert coin(u >> (bits - 16), 16, lambda b: exp_minus(Fraction(1), b), script) == (step < 0)
    assert not script.queue


def test_certain_coins_need_no_more_bits():
    script = ScriptedEntropy()
    assert coin(2**16 - 1, 16, lambda bits: (1 << bits, 1 << bits), script)
    assert not coin(0, 16, lambda bits: (0, 0), script)


def test_ends_are_made_to_rise():
    assert rising([(1, 3), (0, 2), (4, 9), (5, 8)]) == [(1, 2), (1, 2), (4, 8), (5, 8)]


def test_first_kept_gives_as_many_as_asked_in_order():
    def propose(count):
        values = np.arange(count)
        return values, values % 10 == 0

    assert first_kept(3, 0.5, propose)[:2].tolist() == [0, 10]
    assert len(first_kept(1000, 0.9, propose)) == 1000
    assert len(first_kept(0, 0.9, propose)) == 0


def test_a_coin_of_zeros_lands_below_any_positive_probability():
    assert coin(0, 16, lambda bits: exp_minus(Fraction(60), bits), ZeroEntropy())


def test_coins_on_average():
    p = Fraction(0.3)
    heads = decide(np.full(10**6, 0.3), lambda _: lambda b: fixed(p, b), InsecureEntropy(3))
    assert abs(heads.mean() - 0.3) < 6 * 0.46 / 1000


ELEMENTARY = [
    (np.exp, mp.exp, -np.linspace(0, 50, 2001)),
    (np.expm1, mp.expm1, -np.linspace(2.0**-60, 1 / 32, 2001)),
    (np.log, mp.log, (np.linspace(1, 2**32, 2001).round()) * 2.0**-32),
    (np.log, mp.log, 1 - np.arange(1, 2001) * 2.0**-32),
    (np.log, mp.log, np.geomspace(2.0**-32, 23, 2001)),
]


@pytest.mark.parametrize(("function", "truth", "points"), ELEMENTARY)
def test_elementary_functions_are_as_good_as_the_margins_suppose(function, truth, points):
    """The margin of 2**-40 is argued from a relative error of 2**-49."""
    for x, value in zip(points.tolist(), function(points).tolist(), strict=True):
        exact = truth(mp.mpf(x))
        assert abs(value - exact) <= abs(exact) * 2.0**-49
