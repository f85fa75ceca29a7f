from fractions import Fraction

import mpmath as mp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noise_laws import number

from tightrope.noise import fixed

rationals = st.builds(Fraction, st.integers(0, 10**30), st.integers(1, 10**30))
widths = st.integers(1, 400)


def holds(interval, value, bits, width):
    low, high = interval
    with mp.workdps(200):
        assert low <= value() * mp.mpf(2) ** bits <= high
    assert high - low <= width


@settings(deadline=None)
@given(rationals, widths)
def test_rationals(x, bits):
    holds(fixed.fixed(x, bits), lambda: number(x), bits, 1)


@settings(deadline=None)
@given(rationals, widths)
def test_exponentials(x, bits):
    holds(fixed.exp_minus(x, bits), lambda: mp.exp(-number(x)), bits, 2)


@settings(deadline=None)
@given(st.integers(0, 300), st.integers(1, 50), widths)
def test_exponentials_of_plain_numbers(top, bottom, bits):
    x = Fraction(top, bottom)
    holds(fixed.exp_minus(x, bits), lambda: mp.exp(-number(x)), bits, 2)


@pytest.mark.parametrize("x", [Fraction(10) ** 300, Fraction(2) ** -1074, Fraction(5e-324)])
@pytest.mark.parametrize("bits", [1, 64, 300])
def test_exponentials_far_out(x, bits):
    low, high = fixed.exp_minus(x, bits)
    assert (low, high) == ((0, 1) if x > 1 else ((1 << bits) - 1, 1 << bits))


@settings(deadline=None)
@given(rationals.filter(bool), widths)
def test_logarithms(x, bits):
    holds(fixed.logarithm(x, bits), lambda: mp.log(number(x)), bits, 2)


@pytest.mark.parametrize("bits", [1, 10, 64, 500])
@pytest.mark.parametrize("x", [Fraction(1), Fraction(2), Fraction(1, 2), 1 - Fraction(1, 2**200)])
def test_logarithms_near_powers_of_two(x, bits):
    holds(fixed.logarithm(x, bits), lambda: mp.log(number(x)), bits, 2)


@settings(deadline=None)
@given(st.fractions(-300, 300), widths)
def test_logistic_tails(x, bits):
    holds(fixed.logistic_tail(x, bits), lambda: 1 / (1 + mp.exp(number(x))), bits, 4)


@settings(deadline=None)
@given(rationals, rationals.filter(bool), st.integers(1, 200))
def test_arithmetic_keeps_the_true_value_inside(x, y, bits):
    a, b = fixed.fixed(x, bits), fixed.fixed(y, bits)
    low, high = fixed.multiply(a, b, bits)
    assert low <= x * y * 2**bits <= high
    low, high = fixed.coarser(a, 1)
    assert low <= x * 2 ** (bits - 1) <= high
    low, high = fixed.complement(a, bits)
    assert low <= (1 - x) * 2**bits <= high
    if b[0]:
        low, high = fixed.divide(a, b, bits)
        assert low <= x / y * 2**bits <= high
