"""Cumulative probabilities as integer intervals: each holds the true one, to any number of bits."""

from fractions import Fraction
from itertools import accumulate

import mpmath as mp
import pytest
from noise_laws import gaussian_total, gaussian_weight, laplace, logistic, zigzag

from tightrope.noise.gaussian import gaussian_sampler
from tightrope.noise.laplace import laplace_sampler
from tightrope.noise.logistic import logistic_sampler

widths = pytest.mark.parametrize("bits", [2, 64, 150])


def check(cuts, mass, bits):
    """Ends rise, hold the sums of `mass(0)`, `mass(1)`, ..., are close, and come near to 1."""
    known = cuts(bits)
    with mp.workdps(150):
        unit = mp.mpf(2) ** bits
        sums = accumulate(mass(outcome) for outcome in range(len(known)))
        for (low, high), total in zip(known, sums, strict=True):
            # both computations may say that all is counted; the sum here errs by 10**-140
            assert low <= (total + mp.mpf(10) ** -140) * unit
            assert (total - mp.mpf(10) ** -140) * unit <= high
            assert high - low <= 4
    assert known == sorted(known)
    assert [high for _, high in known] == sorted(high for _, high in known)
    assert known[-1][1] >= 2**bits - 2


@widths
@pytest.mark.parametrize("scale", [Fraction(1, 30), Fraction(5, 2), Fraction(40)])
def test_laplace(scale, bits):
    order = zigzag(20_000)
    check(laplace_sampler(scale).table.cuts, lambda outcome: laplace(order[outcome], scale), bits)


@widths
@pytest.mark.parametrize("variance", [Fraction(1, 30), Fraction(9, 7), Fraction(30**2)])
def test_gaussian(variance, bits):
    order = zigzag(20_000)
    total = gaussian_total(variance)
    mass = {m: gaussian_weight(m, variance) / total for m in range(600)}
    cuts = gaussian_sampler(variance).table.cuts
    check(cuts, lambda outcome: mass[abs(order[outcome])], bits)


@widths
@pytest.mark.parametrize("scale", [Fraction(1, 30), Fraction(9, 7), Fraction(20)])
def test_logistic(scale, bits):
    order = zigzag(20_000)
    check(logistic_sampler(scale).table.cuts, lambda j: logistic(order[j], scale), bits)
