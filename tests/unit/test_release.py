"""Releasing values: what comes out, what is refused, and what the event says."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr

CONTINUOUS = (tr.Gaussian, tr.Laplace, tr.Logistic)
DISCRETE = (tr.DiscreteGaussian, tr.DiscreteLaplace)


def seeded(seed=1):
    return tr.InsecureEntropy(seed)


# --- shapes and types -------------------------------------------------------------------------


@pytest.mark.parametrize("make", DISCRETE)
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_integers_of_any_type_get_integer_noise(make, dtype):
    values = np.array([[0, 1, 1], [1, 0, 0]], dtype=dtype)
    noisy = make(2).release(values, entropy=seeded(), coordinates=1)
    assert noisy.value.dtype == np.int64
    assert noisy.value.shape == (2, 3)
    again = make(2).release(values.astype(int) * 0, entropy=seeded(), coordinates=1)
    assert (noisy.value - again.value == values.astype(int)).all()


@pytest.mark.parametrize("make", CONTINUOUS)
def test_a_number_in_is_a_number_out(make):
    assert type(make(2.0).release(3).value) is float
    assert type(make(2.0).release(np.float32(3.5)).value) is float
    assert type(make(2.0).release(True).value) is float
    assert type(tr.DiscreteLaplace(2).release(3).value) is int
    assert make(2.0).release([3.5]).value.shape == (1,)


def test_layout_does_not_matter_and_nothing_is_written():
    base = np.arange(24.0).reshape(4, 6)
    base.flags.writeable = False
    kept = base.copy()
    for view in (base[:, ::2], base[::-1], np.asfortranarray(base), base.T):
        noisy = tr.Laplace(1.0).release(view, entropy=seeded())
        plain = tr.Laplace(1.0).release(np.ascontiguousarray(view), entropy=seeded())
        assert (noisy.value == plain.value).all()
        assert noisy.value.shape == view.shape
    assert (base == kept).all()


def test_columns_of_other_libraries_are_read_through_numpy():
    class Column:
        def __array__(self, dtype=None, copy=None):
            return np.array([1.5, 2.5])

    assert tr.Gaussian(1.0).release(Column()).value.shape == (2,)


@pytest.mark.parametrize("make", CONTINUOUS + DISCRETE)
def test_empty_in_is_empty_out(make):
    for empty in ([], np.zeros((0, 3)), np.zeros(0, dtype=int)):
        assert make(2).release(empty).value.shape == np.shape(empty)
        assert make(2).release(empty).interval()[0].shape == np.shape(empty)


@pytest.mark.parametrize(
    "bad",
    [
        [Fraction(1, 3)],
        [None],
        "12",
        [1 + 2j],
        np.array(["a"]),
        np.array([1], dtype=np.longdouble),
        np.ma.masked_array([1.0, 2.0], [False, True]),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        [[1, 2], [3]],
    ],
)
def test_what_has_no_exact_reading_is_refused(bad):
    with pytest.raises(tr.InvalidArgument, match="values"):
        tr.Gaussian(1.0).release(bad)


def test_discrete_noise_is_not_for_floats():
    with pytest.raises(tr.InvalidArgument, match="whole numbers by type"):
        tr.DiscreteLaplace(1).release([1.0, 2.0])


def test_infinities_are_refused_with_their_place_or_clipped():
    with pytest.raises(tr.InvalidArgument, match=r"values\[1, 0\] is infinite.*bounds"):
        tr.Gaussian(1.0).release([[0.0, 1.0], [-math.inf, 0.0]])
    noisy = tr.Gaussian(1e-3, 1e-3).release([-math.inf, 9.0, 2.0], bounds=(1, 3), entropy=seeded())
    assert np.abs(noisy.value - [1, 3, 2]).max() < 0.01


def test_bounds_clip_integers_too():
    noisy = tr.DiscreteLaplace(Fraction(1, 50)).release([2**70, -9, 4], bounds=(0, 10))
    assert noisy.value.tolist() == [10, 0, 4]


@pytest.mark.parametrize("bounds", [(3, 1), (0, math.inf), 5, (1, 2, 3), (math.nan, 1)])
def test_bounds_that_are_none_are_refused(bounds):
    with pytest.raises(tr.InvalidArgument):
        tr.Gaussian(1.0).release(1.0, bounds=bounds)


# --- saturation -------------------------------------------------------------------------------


@pytest.mark.parametrize("big", [2**61, 2**63 - 1, 2**63, 2**64 - 1, 10**40])
def test_integers_saturate_and_the_release_says_so(big):
    for sign in (1, -1):
        noisy = tr.DiscreteGaussian(4).release([sign * big, 7], entropy=seeded(), coordinates=1)
        assert noisy.saturated.tolist() == [True, False]
        assert "SATURATED" in repr(noisy)
        assert np.isinf(noisy.interval()[(1 + sign) // 2][0])
        assert abs(int(noisy.value[0])) >= 2**61 - 64
        assert noisy.value.dtype == np.int64


def test_integers_on_a_coarse_grid_saturate_no_earlier_than_floats():
    mechanism = tr.Gaussian(2.0**50, sensitivity=2**50)
    for values in ([2**64, -(2**63)], np.array([2**63], dtype=np.uint64), [2**70]):
        noisy = mechanism.release(values, entropy=seeded(), coordinates=1)
        wanted = np.array([float(v) for v in values])
        assert np.abs(noisy.value - wanted).max() < 2.0**54
        assert not noisy.saturated.any()


def test_floats_saturate_at_a_place_that_data_do_not_move():
    noisy = tr.Laplace(1.0).release([1e300, -1e300, 0.0], entropy=seeded())
    assert np.abs(noisy.value[:2]) == pytest.approx(2.0**61 * float(2.0**-26), rel=1e-9)
    assert noisy.saturated.tolist() == [True, True, False]
    low, high = noisy.interval()
    assert high[0] == math.inf
    assert low[1] == -math.inf


@pytest.mark.parametrize("scale", [2**60, 2.0**60, 1e-320, 5e-324, 1e300, Fraction(1, 3)])
@pytest.mark.parametrize("make", [tr.Gaussian, tr.Laplace, tr.Logistic])
def test_scales_of_any_size(make, scale):
    size = Fraction(scale) if isinstance(scale, int | Fraction) else scale
    noisy = make(scale, sensitivity=size).release(float(scale), entropy=seeded())
    assert math.isfinite(noisy.value)
    assert abs(noisy.value - float(scale)) <= 60 * float(scale)


def test_wide_noise_against_a_small_sensitivity():
    event = tr.DiscreteLaplace(2**60).release(5, entropy=seeded()).event
    assert event == tr.DiscreteLaplace(2**60)
    assert tr.Gaussian(2.0**60).as_released() == tr.DiscreteGaussian(2**55, 1)


def test_noise_that_protects_nobody_is_refused():
    with pytest.raises(tr.InvalidArgument, match="are the two swapped"):
        tr.Gaussian(1e-300, sensitivity=1).release(1.0)
    with pytest.raises(tr.InvalidArgument):
        tr.Laplace(-1.0)


def test_zero_sensitivity_costs_nothing():
    for make in (tr.Gaussian, tr.Laplace):
        event = make(3.0, sensitivity=0).release([1.0, 2.0]).event
        assert event.sensitivity == 0
        assert event.epsilon(1e-9) == 0


# --- entropy ----------------------------------------------------------------------------------


def test_a_seed_marks_the_release():
    noisy = tr.Gaussian(1.0).release(1.0, entropy=seeded())
    assert not noisy.secure
    assert "INSECURE" in repr(noisy)
    assert tr.Gaussian(1.0).release(1.0).secure
    assert tr.Gaussian(1.0).release(1.0, entropy=tr.SystemEntropy()).secure
    with pytest.raises(tr.InvalidArgument, match="entropy"):
        tr.Gaussian(1.0).release(1.0, entropy=1)


def test_releases_differ():
    values = {tr.Gaussian(1.0).release(0.0).value for _ in range(20)}
    assert len(values) == 20  # equal ones: below 1e-5 by 2^24 steps; below 1e-6 for Gaussian ones


def test_why_is_that_of_the_event():
    noisy = tr.DiscreteGaussian(2).release(1)
    assert str(noisy.why(tr.ZCDP)) == str(noisy.event.why(tr.ZCDP))
    assert noisy.to(tr.ZCDP) == tr.ZCDP(0.125)


# --- coordinates ------------------------------------------------------------------------------


def test_events_of_several_entries():
    values = np.zeros((2, 2))
    assert tr.Gaussian(4.0).release(values).event == tr.DiscreteGaussianVector(2**28, 2**26 + 2, 4)
    assert tr.Gaussian(4.0).release(values, coordinates=1).event == tr.DiscreteGaussian(
        2**26, 2**24 + 1
    )
    assert tr.Laplace(4.0).release(values).event == tr.DiscreteLaplace(2**28, 2**26 + 4)
    counts = values.astype(int)
    assert tr.DiscreteGaussian(4, 3).release(counts).event == tr.DiscreteGaussianVector(4, 3, 4)
    assert tr.DiscreteLaplace(4, 3).release(counts).event == tr.DiscreteLaplace(4, 3)
    vector = tr.DiscreteGaussianVector(4, 2, 4)
    assert vector.release(counts).event == vector
    assert tr.Gaussian(4.0).release(values, coordinates=99).event.dimension == 4


def test_what_is_not_proved_is_refused():
    with pytest.raises(tr.InvalidArgument, match="one entry"):
        tr.Logistic(1.0).release([1.0, 2.0])
    with pytest.raises(tr.InvalidArgument, match="dimension"):
        tr.DiscreteGaussianVector(4, 2, 2).release([1, 2, 3])
    for coordinates in (0, -1, 1.5, None):
        with pytest.raises(tr.InvalidArgument, match="coordinates"):
            tr.Gaussian(4.0).as_released(coordinates)


def test_the_relation_travels():
    noisy = tr.Laplace(1.0, neighbors=tr.replace_one).release([1.0, 2.0])
    assert noisy.event.neighbors == tr.replace_one
    vector = tr.Gaussian(variance=3, neighbors=tr.replace_one).release([1.0, 2.0])
    assert vector.event.neighbors == tr.replace_one


@pytest.mark.parametrize("shifts", [(1, 1), (2, 1), (3, 2, 2), (5, 5), (1, 1, 1, 1)])
@pytest.mark.parametrize("scale", [0.7, 2.0, 9.0])
def test_one_entry_with_all_of_the_change_leaks_most(shifts, scale):
    """Discrete Laplace noise: by listing all outcomes, at every real epsilon."""
    z = np.arange(-int(60 * scale) - 20, int(60 * scale) + 20)

    def losses(m):
        p, q = np.exp(-np.abs(z) / scale), np.exp(-np.abs(z - m) / scale)
        top = np.round(2 * np.log(p / q) * scale / 2).astype(int)  # a whole multiple of 1/scale
        found = {}
        for loss, mass in zip(top.tolist(), (p / p.sum()).tolist(), strict=True):
            found[loss] = found.get(loss, 0.0) + mass
        return found

    def together(a, b):
        found = {}
        for x, p in a.items():
            for y, q in b.items():
                found[x + y] = found.get(x + y, 0.0) + p * q
        return found

    def delta(law, epsilon):
        return sum(p * max(0.0, -math.expm1(epsilon - x / scale)) for x, p in law.items())

    several = {0: 1.0}
    for shift in shifts:
        several = together(several, losses(shift))
    one = losses(sum(shifts))
    for epsilon in np.linspace(-sum(shifts) / scale, sum(shifts) / scale, 41):
        assert delta(several, epsilon) <= delta(one, epsilon) + 1e-12
