"""Scales at the ends of what a double can hold: an answer on the safe side, or the exact limit."""

import math
import warnings

import pytest

import tightrope as tr

SCALES = (1e-300, 1e-150, 1e150, 1e300)


@pytest.mark.parametrize("kind", [tr.Gaussian, tr.Laplace])
@pytest.mark.parametrize("scale", SCALES)
def test_three_releases_lie_between_one_and_three_times_the_sum(kind, scale):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, run = kind(scale), kind(scale) ** 3
        epsilon = run.epsilon(1e-6)
        assert one.epsilon(1e-6) <= epsilon
        if kind is tr.Laplace:
            assert epsilon <= 3 / scale * (1 + 1e-12)
        else:  # one Gaussian of sqrt(3) times the mu
            alone = tr.Gaussian(noise_scale=scale, sensitivity=math.sqrt(3)).epsilon(1e-6)
            assert epsilon == pytest.approx(alone, rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
def test_beside_an_ordinary_release_nothing_is_lost_or_raised(scale):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = tr.compose(tr.Gaussian(scale), tr.Laplace(1.0))
        alone = max(tr.Gaussian(scale).epsilon(1e-6), tr.Laplace(1.0).epsilon(1e-6))
        assert run.epsilon(1e-6) >= alone * (1 - 1e-12)
        if scale > 1:  # noise that hides everything costs next to nothing
            assert run.epsilon(1e-6) <= 1.05


@pytest.mark.slow
def test_a_sample_of_next_to_no_noise_is_no_guarantee():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (tr.Gaussian(1e-300).sampled(0.1) ** 3).epsilon(1e-6) == math.inf


@pytest.mark.parametrize(
    "event",
    [
        tr.PureDP(2),
        tr.LogisticDP(2),
        tr.ApproxDP(1, 0),
        tr.Laplace(1),
        tr.Laplace(1) ** 3,
        tr.RandomizedResponse(1) ** 5,
        tr.Gaussian(1).sampled(0.1) ** 10,
        tr.FinitePair([0.5, 0.5], [0.4, 0.6]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("alpha", [1e-17, 1e-200, 1e-300])
def test_a_type_ii_error_is_below_one_where_any_test_has_power(event, alpha):
    """The truth is below 1 by about alpha, which no double shows: 1.0 would be above it."""
    assert event.tradeoff(alpha) < 1
    assert event.tradeoff(0.0) == 1
