import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tightrope import InvalidArgument
from tightrope.noise.saturation import saturating_add

values = st.integers(-(2**61), 2**61)
noises = st.one_of(
    st.integers(-(2**70), 2**70), st.integers(2**62 - 3, 2**62 + 3), st.integers(-5, 5)
)


@settings(deadline=None)
@given(values, noises)
def test_the_sum_is_a_clipped_exact_sum(value, noise):
    sampled = np.array([min(max(noise, -(2**62)), 2**62)])
    released = saturating_add(np.array([value]), sampled)
    assert released[0] == min(max(value + noise, -(2**61)), 2**61)


@pytest.mark.parametrize("bad", [np.array([2**61 + 1]), np.array([-(2**63)])])
def test_values_out_of_range(bad):
    with pytest.raises(InvalidArgument, match="within"):
        saturating_add(bad, np.zeros(1, np.int64))


def test_floats_are_refused():
    with pytest.raises(InvalidArgument, match="64-bit integers"):
        saturating_add(np.array([1.0]), np.zeros(1, np.int64))
