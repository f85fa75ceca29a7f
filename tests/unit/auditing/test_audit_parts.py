"""The parts of an audit: outputs, last bits, enumeration, canaries, results, and refusals."""

import json
import math
from fractions import Fraction
from io import StringIO

import numpy as np
import pytest
from rich.console import Console

import tightrope as tr
from tightrope.auditing.enumeration import one_release
from tightrope.auditing.outputs import read_outputs
from tightrope.auditing.precision import last_place
from tightrope.noise import reference

NORMAL = np.random.default_rng(11)


# --- outputs --------------------------------------------------------------------------------


def test_outputs_of_any_kind_become_patterns_and_numbers():
    first = [("above", 0.5), ("below", 0.5), None, {"b": 1, "a": True}, np.array([1.0, 2.0])]
    second = [("above", 7), float("nan"), None, {"a": 0, "b": 2}, 10**400]
    here, there = read_outputs(first, second)
    assert here.patterns[0] == there.patterns[0] != here.patterns[1]
    assert here.patterns[2] == there.patterns[2]
    assert here.patterns[3] == there.patterns[3]
    assert len({*here.patterns, *there.patterns}) == 7
    assert here.numbers[3].tolist() == [1.0, 1.0]
    assert there.numbers[3].tolist() == [0.0, 2.0]
    assert np.isnan(there.numbers[1]).all()


def test_arrays_are_read_as_lists_are():
    array = np.array([[1.0, np.nan], [2.0, 3.0], [np.inf, 1.0], [4.0, np.nan]])
    fast = read_outputs(array, array)[0]
    slow = read_outputs(array.tolist(), array.tolist())[0]
    assert [[a == b for b in fast.patterns] for a in fast.patterns] == [
        [a == b for b in slow.patterns] for a in slow.patterns
    ]


@pytest.mark.parametrize("x", [0.75, -12.0, 1 + 2.0**-52, 5e-324, 1e300, 3 * 2.0**-1000])
def test_last_places_are_those_of_the_fraction(x):
    exact = Fraction(x)
    place = int(last_place(np.array([x]))[0])
    assert (exact / Fraction(2) ** place).denominator == 1
    assert (exact / Fraction(2) ** (place + 1)).denominator == 2


def test_last_bits_take_a_few_outputs():
    """One output in four is no multiple of 2^-53 without the 1, and none is with it."""
    program = tr.Batched(lambda x, n: x + NORMAL.normal(size=n))
    found = tr.audit(program, tr.GDP(0.9), neighbors=(0.0, 1.0), trials=1000)
    assert [finding.name for finding in found.findings if finding.refuted] == ["last bits"]


# --- enumeration ----------------------------------------------------------------------------


def test_a_reference_sampler_has_its_law():
    law = tr.exact_law(lambda entropy: reference.discrete_laplace(Fraction(1), entropy), bits=12)
    a = math.exp(-1)
    low, high = law.distance(lambda y: (1 - a) / (1 + a) * a ** abs(y))
    assert low == 0
    assert high <= law.undecided / 2**12 + 1e-12
    assert law.undecided < 2**12 / 4


def test_a_wrong_law_is_told_apart_for_certain():
    law = tr.exact_law(lambda entropy: reference.discrete_laplace(Fraction(1), entropy), bits=14)
    a = math.exp(-0.5)
    assert law.distance(lambda y: (1 - a) / (1 + a) * a ** abs(y))[0] > 0.1


def test_undecided_strings_favour_the_claim():
    def stubborn(x, entropy):
        while entropy.bits(1):
            pass
        return x

    found = tr.audit_exactly(stubborn, tr.PureDP(1.0), neighbors=(0, 1), bits=6)
    assert found.refuted  # 63/64 of the mass is on the input itself
    assert "1 of 64 strings undecided" in found.findings[0].statistic
    found = tr.audit_exactly(stubborn, tr.PureDP(4.2), neighbors=(0, 1), bits=6)
    assert not found.refuted  # log 63 = 4.14


def test_one_lane_of_a_release_has_the_law_of_a_response():
    run = one_release(tr.RandomizedResponse(math.log(3)))
    seen = [run(0, tr.InsecureEntropy(seed)) for seed in range(400)]
    assert 60 <= sum(seen) <= 140


@pytest.mark.slow
def test_releases_are_enumerated():
    found = tr.audit_exactly(tr.RandomizedResponse(1.0), tr.PureDP(0.999))
    assert found.refuted
    assert 0.9998 < found.lower_bounds[0].subject.epsilon <= 1.0


# --- canaries -------------------------------------------------------------------------------


def canaries(count, mu, seed):
    source = np.random.default_rng(seed)
    included = source.random(count) < 0.5
    return mu * included + source.normal(size=count), included


def test_one_run_bounds_mu_from_below():
    scores, included = canaries(200_000, 1.0, 3)
    found = tr.audit_canaries(scores, included, tr.GDP(1.0), confidence=0.95)
    mu = next(b.subject.mu for b in found.lower_bounds if isinstance(b.subject, tr.GDP))
    assert 0.95 < mu <= 1.0
    assert not found.refuted
    assert tr.audit_canaries(scores, included, tr.GDP(0.9), confidence=0.95).refuted


def test_guesses_need_no_independence_and_bound_epsilon():
    """Answers that are the truth with odds e: half a million guesses show it to two digits."""
    source = np.random.default_rng(4)
    included = source.random(400_000) < 0.5
    told = np.where(source.random(400_000) < math.e / (1 + math.e), included, ~included)
    found = tr.audit_canaries(told, included, tr.PureDP(1.0))
    assert [finding.name for finding in found.findings] == ["error rates", "guesses"]
    assert not found.refuted
    assert 0.95 < found.findings[1].bounds[0].subject.epsilon <= 1.0
    assert tr.audit_canaries(told, included, tr.PureDP(0.95)).refuted


def test_bounds_of_one_run_hold():
    """In 200 runs at 90 % more than 36 bounds above the truth have a probability below 2e-4."""
    wrong = 0
    for seed in range(200):
        scores, included = canaries(400, 1.0, seed)
        found = tr.audit_canaries(scores, included, tr.GDP(1.0), confidence=0.9)
        wrong += max(b.subject.mu for b in found.lower_bounds if hasattr(b.subject, "mu")) > 1
    assert wrong <= 36


# --- results --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def refuted():
    source = tr.InsecureEntropy(3)
    return tr.audit(tr.Laplace(2.0), tr.PureDP(0.4), trials=60_000, entropy=source)


def test_an_audit_says_what_it_did(refuted):
    assert refuted.verdict == "refuted"
    assert refuted.samples == 120_000
    assert not refuted.secure
    assert repr(refuted).startswith(
        "Audit(PureDP(epsilon=0.4) of Laplace(noise_scale=2.0): refuted"
    )
    values = refuted.findings[0]
    assert values.p_value <= 1e-3 / 4
    assert values.samples == 60_000
    assert values.claimed == "epsilon 0.4"
    assert values.detectable.endswith("times that")
    assert 0.4 < refuted.lower_bounds[0].subject.epsilon <= 0.5


def test_a_lower_bound_never_becomes_a_guarantee(refuted):
    bound = refuted.lower_bounds[0]
    assert isinstance(bound, tr.LowerBound)
    with pytest.raises(tr.NotAGuarantee):
        bound.to(tr.GDP)


def test_json_has_all_digits(refuted):
    told = json.loads(refuted.to_json())
    assert told["verdict"] == "refuted"
    assert told["p_value"] == refuted.p_value
    assert told["lower_bounds"][0] == {
        "notion": "PureDP",
        "at_least": {"epsilon": refuted.lower_bounds[0].subject.epsilon},
        "reason": refuted.lower_bounds[0].reason,
    }
    assert [finding["name"] for finding in told["findings"]] == [
        finding.name for finding in refuted.findings
    ]


def test_a_terminal_shows_the_verdict_first(refuted):
    console = Console(file=StringIO(), width=100)
    console.print(refuted)
    text = console.file.getvalue()
    assert text.splitlines()[1].startswith("refuted, p = ")
    assert "REFUTED" in text
    assert "Drawn from a fixed seed" in text


def test_an_audit_repeats_itself_with_its_seed():
    first, second = (
        tr.audit(tr.RandomizedResponse(1.0), trials=500, entropy=tr.InsecureEntropy(5))
        for _ in range(2)
    )
    assert first == second


MECHANISMS = [
    tr.Laplace(2.0),
    tr.Gaussian(2.0, 3),
    tr.Logistic(1.0),
    tr.DiscreteLaplace(2),
    tr.DiscreteGaussian(2, 3),
    tr.DiscreteGaussianVector(3.0, 2, 4),
    tr.DiscreteGaussianVector(3.0, squared_sensitivity=5, dimension=3),
    tr.RandomizedResponse(1.0, 4),
    tr.Exponential(1.0),
    tr.PermuteAndFlip(1.0),
    tr.ReportNoisyMax(1.0),
    tr.ReportNoisyMax(1.0, "laplace"),
    tr.ReportNoisyMax(1.0, "gumbel", monotone=True),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)
def test_every_mechanism_is_audited_by_its_name(mechanism):
    found = tr.audit(mechanism, trials=4000, entropy=tr.InsecureEntropy(6))
    assert not found.refuted, found
    assert len(found.findings) == (4 if hasattr(mechanism, "sensitivity") else 2)


def test_vectors_of_a_mechanism():
    pair = ([0.0, 5.0], [1.0, 5.0])
    found = tr.audit(tr.Gaussian(1.0), neighbors=pair, trials=4000, entropy=tr.InsecureEntropy(1))
    assert found.claim.startswith("DiscreteGaussianVector(")
    assert not found.refuted


def test_steps_are_told():
    told = []
    tr.audit(lambda x: x, tr.GDP(1.0), (0, 1), trials=200, step=told.append)
    assert told[0].startswith("drawing 400 outputs of")
    assert told[-1] == "looking for an event that the claim forbids"


REFUSED = [
    (lambda: tr.audit(3, tr.GDP(1)), "a program from an input to an output"),
    (lambda: tr.audit(abs), "a program needs claim="),
    (lambda: tr.audit(abs, tr.GDP(1)), "neighbors="),
    (lambda: tr.audit(abs, 1.0, (0, 1)), "claim must be a guarantee"),
    (lambda: tr.audit(abs, tr.GDP(1), 3), "neighbors must be a pair"),
    (lambda: tr.audit(abs, tr.GDP(1), (0, 1), trials=5), "trials must be a whole number from 100"),
    (lambda: tr.audit(abs, tr.GDP(1), (0, 1), confidence=1), "strictly between 0 and 1"),
    (lambda: tr.audit(abs, tr.GDP(1), ("a", 1)), "raised TypeError"),
    (lambda: tr.audit(abs, tr.GDP(1), (0, 1), law=tr.Exponential(1)), "law must be a mechanism"),
    (
        lambda: tr.audit(str, tr.GDP(1), ("a", "b"), law=tr.Laplace(1), trials=100),
        "law needs outputs",
    ),
    (lambda: tr.audit(abs, tr.GDP(1), (0, 1), entropy=tr.InsecureEntropy(1)), "has its own"),
    (lambda: tr.audit(tr.Laplace(1), law=tr.Laplace(1)), "law is for programs"),
    (lambda: tr.audit(tr.GaussianMixture([1], [1], 1.0)), "has no release"),
    (lambda: tr.audit(tr.Batched(lambda x, n: [x]), tr.GDP(1), (0, 1)), "gave 1 outputs for"),
    (lambda: tr.audit_exactly(abs), "a program needs claim="),
    (lambda: tr.exact_law(lambda entropy: 0, bits=30), "bits must be a whole number from 1 to 24"),
    (lambda: tr.audit_canaries([1.0], [1, 0], tr.GDP(1)), "have one length"),
    (lambda: tr.audit_canaries([1.0, 2.0], [1, 3], tr.GDP(1)), "True or False"),
    (lambda: tr.audit_canaries([1.0, 2.0], [1, 0], tr.GDP(1)), "eight canaries"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_misuse_is_refused_in_words(call, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        call()
