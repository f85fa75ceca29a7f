"""Trees of dp_accounting, by classes that only look like its own."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from peers import Recorder, composed, fake, gaussian, poisson, repeated

import tightrope as tr
from tightrope.adapters import from_dp_accounting

LAPLACE = fake("LaplaceDpEvent", noise_multiplier=2.0)
NOTHING = fake("NoOpDpEvent")
RESPONSE = fake("RandomizedResponseDpEvent", noise_parameter=0.5, num_buckets=3)


def test_dp_sgd():
    read = from_dp_accounting(repeated(poisson(0.01, gaussian(1.0)), 10_000))
    assert read == tr.Gaussian(1.0).sampled(0.01) ** 10_000


def test_replacing_a_unit_moves_a_sum_twice_as_far():
    """Exact value of the Gaussian mechanism with mu = 2 at delta 1e-5."""
    read = from_dp_accounting(gaussian(1.0), neighbors=tr.replace_one)
    assert read == tr.Gaussian(1.0, 2, neighbors=tr.replace_one)
    assert read.epsilon(1e-5) == pytest.approx(9.997256, abs=5e-7)
    assert from_dp_accounting(LAPLACE, tr.replace_one).to(tr.PureDP).epsilon == 1.0


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (LAPLACE, tr.Laplace(2.0)),
        (
            fake("DiscreteLaplaceDpEvent", noise_parameter=0.5, sensitivity=3),
            tr.DiscreteLaplace(Fraction(2), 3),
        ),
        (fake("ZCDpEvent", rho=0.5, xi=0.1), tr.ZCDP(0.5, xi=0.1)),
        (fake("EpsilonDeltaDpEvent", epsilon=1.0, delta=1e-6), tr.ApproxDP(1.0, 1e-6)),
        (fake("ExponentialMechanismDpEvent", epsilon=0.5), tr.Exponential(0.5)),
        (fake("PermuteAndFlipDpEvent", epsilon=0.5), tr.PermuteAndFlip(0.5)),
        (NOTHING, tr.PureDP(0)),
        (poisson(1.0, gaussian(2.0)), tr.Gaussian(2.0)),
        (repeated(gaussian(2.0), 0), tr.PureDP(0)),
        (repeated(gaussian(2.0), 1), tr.Gaussian(2.0)),
        (composed(), tr.PureDP(0)),
        (composed(NOTHING, gaussian(2.0), repeated(NOTHING, 5)), tr.Gaussian(2.0)),
        (
            composed(gaussian(2.0), repeated(composed(LAPLACE, gaussian(2.0)), 3)),
            tr.Gaussian(2.0) ** 4 + tr.Laplace(2.0) ** 3,
        ),
        (
            fake("RepeatAndSelectDpEvent", event=gaussian(2.0), mean=10, shape=math.inf),
            tr.Gaussian(2.0).best_of(tr.PoissonRepetitions(10)),
        ),
    ],
    ids=repr,
)
def test_leaves_and_nodes(event, expected):
    assert from_dp_accounting(event) == expected


def test_every_statement_is_about_the_relation_of_the_caller():
    people = tr.replace_one.of("person")
    events = (gaussian(1.0), LAPLACE, fake("ZCDpEvent", rho=0.5, xi=0), RESPONSE, NOTHING)
    for event in (*events, poisson(0.1, gaussian(1.0))):
        assert from_dp_accounting(event, people).neighbors == people


def test_a_poisson_sample_under_replace_one_is_restated():
    read = from_dp_accounting(poisson(0.01, gaussian(1.0)), neighbors=tr.replace_one)
    assert read == tr.Gaussian(1.0).sampled(0.01).restated(tr.replace_one)
    assert read.epsilon(1e-5) < from_dp_accounting(gaussian(1.0), tr.replace_one).epsilon(1e-5)


def test_randomised_response_by_its_exact_odds():
    """Truth 1 - p + p/k against p/k: the odds of p = 1/2, k = 3 are (1/2 + 1/6)/(1/6) = 4."""
    read = from_dp_accounting(RESPONSE, neighbors=tr.replace_one)
    assert read.categories == 3
    found = read.to(tr.PureDP).epsilon
    assert math.log(4) <= found <= math.log(4) * (1 + 1e-15)
    even = fake("RandomizedResponseDpEvent", noise_parameter=1, num_buckets=3)
    assert from_dp_accounting(even, tr.replace_one).to(tr.PureDP).epsilon == 0
    single = fake("RandomizedResponseDpEvent", noise_parameter=0, num_buckets=1)
    assert from_dp_accounting(single, tr.replace_one).to(tr.PureDP).epsilon == 0


def test_private_selection_with_a_negative_binomial_law():
    event = fake("RepeatAndSelectDpEvent", event=gaussian(4.0), mean=10.0, shape=1.0)
    read = from_dp_accounting(event)
    assert read.times.eta == 1.0
    assert read.times.mean == pytest.approx(10, rel=1e-12)
    assert read.times.mean >= 10


def test_samples_of_a_fixed_size(monkeypatch):
    recorder = Recorder(monkeypatch, "without_replacement", "with_replacement")
    for name, method in (
        ("SampledWithoutReplacementDpEvent", "without_replacement"),
        ("SampledWithReplacementDpEvent", "with_replacement"),
    ):
        event = fake(name, source_dataset_size=1000, sample_size=10, event=gaussian(1.0))
        from_dp_accounting(event, neighbors=tr.replace_one)
        called, inside, _, sizes = recorder.calls.pop()
        assert called == method
        assert inside == tr.Gaussian(1.0, 2, neighbors=tr.replace_one)
        assert sizes == {"batch_size": 10, "population": 1000}
        with pytest.raises(tr.InvalidArgument, match="samples of a fixed size"):
            from_dp_accounting(event)


def test_capped_poisson_samples(monkeypatch):
    recorder = Recorder(monkeypatch, "sampled")
    sizes = {"dataset_size": 1000, "truncated_batch_size": 20, "noise_multiplier": 1.0}
    event = fake("TruncatedSubsampledGaussianDpEvent", sampling_probability=0.01, **sizes)
    from_dp_accounting(event)
    _, inside, args, kwargs = recorder.calls.pop()
    assert inside == tr.Gaussian(1.0)
    assert (args, kwargs) == ((0.01,), {"max_batch": 20, "population": 1000})
    never = fake("TruncatedSubsampledGaussianDpEvent", sampling_probability=0, **sizes)
    assert from_dp_accounting(never) == tr.PureDP(0)


def test_mixtures_of_gaussians():
    law = {"standard_deviation": 2.0, "sampling_probs": [0.9, 0.1]}
    event = fake("MixtureOfGaussiansDpEvent", sensitivities=[0, 1], **law)
    assert from_dp_accounting(event) == tr.GaussianMixture([0, 1], [0.9, 0.1], 2.0)
    still = fake("MixtureOfGaussiansDpEvent", sensitivities=[0, 0], **law)
    assert from_dp_accounting(still) == tr.PureDP(0)


@pytest.mark.parametrize("depth", [10_000])
def test_deep_trees_do_not_recurse(depth):
    event = gaussian(1.0)
    for level in range(depth):
        event = composed(event, LAPLACE) if level % 2 else repeated(event, 1)
    assert from_dp_accounting(event) == tr.Gaussian(1.0) + tr.Laplace(2.0) ** (depth // 2)


@pytest.mark.parametrize(
    ("event", "neighbors", "words"),
    [
        (gaussian(0), tr.add_or_remove, "noise_multiplier is 0, and without noise nothing"),
        (poisson(0.1, gaussian(0.0)), tr.add_or_remove, "without noise nothing is private"),
        (gaussian(-1.0), tr.add_or_remove, "noise_multiplier must be a finite number above 0"),
        (poisson(1.5, gaussian(1.0)), tr.add_or_remove, "sampling rate must be"),
        (repeated(gaussian(1.0), 2.5), tr.add_or_remove, "count must be a whole number"),
        (fake("NonPrivateDpEvent"), tr.add_or_remove, "promises nothing"),
        (
            fake("UnsupportedDpEvent"),
            tr.add_or_remove,
            "an UnsupportedDpEvent is not supported; supported are ComposedDpEvent",
        ),
        (composed(gaussian(1.0), 3), tr.add_or_remove, "an int is not supported"),
        (
            fake("GaussianDpEvent"),
            tr.add_or_remove,
            "a GaussianDpEvent must have the attribute 'noise_multiplier'",
        ),
        (RESPONSE, tr.add_or_remove, "pass neighbors=tr.replace_one"),
        (
            fake("RandomizedResponseDpEvent", noise_parameter=0, num_buckets=2),
            tr.replace_one,
            "noise_parameter is 0",
        ),
        (
            fake(
                "MixtureOfGaussiansDpEvent",
                standard_deviation=1.0,
                sensitivities=[0, 1],
                sampling_probs=[0.5, 0.5],
            ),
            tr.replace_one,
            "about adding or removing a unit",
        ),
        (
            poisson(0.1, fake("ZCDpEvent", rho=0.5, xi=0)),
            tr.replace_one,
            "only additive noise can be read inside of one",
        ),
        (gaussian(1.0), "replace", "neighbors must be tr.add_or_remove or tr.replace_one"),
        (gaussian(1.0), fake("N", name="REPLACE_SPECIAL"), "pass neighbors=tr.add_or_remove"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused(event, neighbors, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        from_dp_accounting(event, neighbors)
