"""What values print of themselves: numbers of curves, units of releases, and what to do next."""

import collections

import pandas as pd
import pytest

import tightrope as tr

RUN = tr.Gaussian(noise_scale=2).sampled(rate=0.1) ** 100


def test_computed_curves_print_some_points():
    """Renyi divergences of N(0, 1) and N(1, 1) are half their orders."""
    assert (
        repr(tr.GDP(1).to(tr.RDP)) == "RDP(<2: 1.0, 4: 2.0, 8: 4.0, 16: 8.0, 32: 16.0, 64: 32.0>)"
    )
    profile = repr(tr.GDP(1).to(tr.Profile))  # 4.37718 and 6.17394 by mpmath
    assert profile == "GDP(mu=1).to(Profile)  # epsilon 4.378 at delta 1e-05, 6.174 at delta 1e-09"
    curve = repr(tr.GDP(1).to(tr.TradeOff))  # Phi(Phi^-1(1 - alpha) - 1)
    assert "beta 0.9076 at alpha 0.01, 0.7404 at alpha 0.05, 0.6108 at alpha 0.1" in curve


@pytest.mark.parametrize("notion", [tr.Profile, tr.TradeOff])
def test_what_is_printed_of_curves_reads_back_also_within_others(notion):
    curve = RUN.to(notion)
    for event in (curve, curve + tr.GDP(1), curve.sampled(0.5), tr.parallel(curve, tr.GDP(1))):
        assert tr.parse(repr(event)) == event
    assert "#" not in repr(curve + tr.GDP(1))


def test_a_derivation_in_every_notion_says_how_to_ask_for_epsilon():
    assert "ask why(tr.ApproxDP, delta=1e-6)" in repr(RUN.why()).splitlines()[-1]
    assert "ask why" not in repr(RUN.why(tr.GDP))


def test_fits_are_called_estimates():
    assert "an estimate, no guarantee" in repr(tr.fit_gdp(tr.GDP(1)))


def test_releases_tell_their_noise_in_the_units_of_the_values():
    noise = tr.Gaussian(noise_scale=42.2, sensitivity=10)
    found = noise.release(1234.5, entropy=tr.InsecureEntropy(1))
    assert found.noise_scale == pytest.approx(42.2, rel=1e-9)
    assert ", noise scale 42.2, by DiscreteGaussian(" in repr(found)
    assert f" in steps of 2**{found.exponent}, INSECURE" in repr(found)
    for noise in (tr.Laplace(3.0), tr.Logistic(3.0), tr.DiscreteLaplace(3.0)):
        assert noise.release(5).noise_scale == 3.0
    assert "in steps" not in repr(tr.DiscreteLaplace(3.0).release(5))


@pytest.mark.parametrize(
    "event",
    [tr.Gaussian(1) + tr.Laplace(1), tr.Gaussian(1) ** 3, tr.Gaussian(1).sampled(0.1), tr.GDP(1)],
    ids=repr,
)
def test_what_is_no_mechanism_says_how_to_release(event):
    with pytest.raises(AttributeError, match="Release with each mechanism by itself, and add up"):
        event.release(3)
    assert not hasattr(event, "relese")


def test_targets_for_other_neighbours_are_told_where_to_state_them():
    words = r"state it there, as in tr\.ApproxDP\(\.\.\., neighbors=tr\.replace_one\)"
    with pytest.raises(tr.NeighborsMismatch, match=words):
        tr.Gaussian.for_(tr.ApproxDP(1, 1e-6), neighbors=tr.replace_one)
    stated = tr.ApproxDP(1, 1e-6, neighbors=tr.replace_one)
    assert tr.Gaussian.for_(stated, neighbors=tr.replace_one).neighbors == tr.replace_one


def test_counts_are_no_records():
    people = pd.Series(["tea"] * 500 + ["coffee"] * 400)
    noise = tr.DiscreteLaplace(1)
    assert set(tr.stable_histogram(people, noise, 1e-9).value) == {"coffee", "tea"}
    with pytest.raises(tr.InvalidArgument, match=r"pass the records: series, and not"):
        tr.stable_histogram(people.value_counts(), noise, 1e-9)
    with pytest.raises(tr.InvalidArgument, match=r"one entry for each person; you passed Counter"):
        tr.stable_histogram(collections.Counter(people), noise, 1e-9)


@pytest.mark.parametrize(
    ("values", "words"),
    [(["a"], "you passed texts"), ([1j], "complex numbers"), ([b"a"], "bytes")],
)
def test_kinds_of_values_are_told_in_words(values, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        tr.Laplace(1.0).release(values)
