"""What is printed of a guarantee promises no more than the guarantee, also when it is read back."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tightrope as tr


def computed(guarantee):
    """The guarantee as something that was derived, and so is printed to four digits."""
    return guarantee.derived(lambda: None)


near = st.builds(
    lambda whole, power, ulps: (
        math.nextafter(whole * 10.0**power, math.copysign(9e9, ulps))
        if ulps
        else whole * 10.0**power
    ),
    st.integers(1, 9999),
    st.integers(-9, 3),
    st.sampled_from([-1, 0, 1]),
)


@settings(deadline=None, max_examples=300)
@given(near, st.floats(0, 5e-12))
def test_losses_read_back_as_no_less(value, excess):
    for number in (value, value * (1 + excess), value * (1 - excess)):
        for notion in (tr.PureDP, tr.GDP, tr.ZCDP, tr.BoundedRange, tr.LogisticDP):
            exact = notion(number)
            assert tr.parse(repr(computed(exact))).values[0] >= exact.values[0]


@settings(deadline=None, max_examples=300)
@given(st.floats(1.0001, 1e6), st.floats(0, 5e-12))
def test_the_reach_of_tcdp_reads_back_as_no_more(omega, excess):
    for number in (omega, round(omega, 1) * (1 + excess), round(omega, 1) * (1 - excess)):
        if number > 1:
            exact = tr.TCDP(0.1, number)
            assert tr.parse(repr(computed(exact))).omega <= exact.omega


def test_a_reach_is_rounded_down_everywhere():
    event = tr.TCDP(0.1, 10.12345).group(2)
    found = event.to(tr.TCDP)
    assert repr(found).startswith("TCDP(rho=0.4, omega=5.061")
    assert "omega=5.062" not in repr(event.why(tr.TCDP))


def test_what_is_a_little_above_a_round_number_is_not_printed_as_round():
    assert repr(computed(tr.GDP(2.0))) == "GDP(mu=2.0)"
    assert repr(computed(tr.GDP(math.nextafter(2.0, 3)))) == "GDP(mu=2.0000000000000004)"
    assert repr(computed(tr.GDP(2.0000000001))) == "GDP(mu=2.001)"
    assert repr(computed(tr.GDP(1.9999999999))) == "GDP(mu=2.0)"


def test_calibrated_values_are_printed_with_all_digits():
    scale = tr.calibrate(lambda s: tr.Gaussian(s), tr.GDP(0.3))
    event = tr.Gaussian(scale)
    assert tr.parse(repr(event)).noise_scale == scale
    assert tr.parse(repr(event)).to(tr.GDP).mu <= 0.3
    chosen = tr.Laplace.for_(tr.PureDP(0.3))
    assert tr.parse(repr(chosen)) == chosen


@pytest.mark.parametrize(("claim", "words"), [(1.0, "nothing to spare"), (1.2199, "18 % to spare")])
def test_what_is_to_spare_is_rounded_down(claim, words):
    """1 - 1/1.2199 = 0.18026."""
    assert words in tr.check(tr.Gaussian(1.0), tr.GDP(claim)).sentence


def test_spare_is_never_rounded_up():
    """1 - 1/1.2475 = 0.198397, which is nearer to 20 than to 19 %."""
    assert tr.check(tr.Gaussian(1.0), tr.GDP(1.2475)).sentence == "holds, with 19 % to spare"
