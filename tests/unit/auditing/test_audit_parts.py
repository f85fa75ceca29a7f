"""The parts of an audit: outputs, last bits, shared noise, enumeration, and canaries."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tightrope.auditing.enumeration import one_release
from tightrope.auditing.freshness import _at_least, freshness
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


# --- shared noise ---------------------------------------------------------------------------


class Restarted:
    """Noise of the right law, from a generator that starts anew with every input."""

    def __init__(self, shift):
        self.shift, self.sources = shift, {}

    def __call__(self, x):
        source = self.sources.setdefault(x, np.random.default_rng(self.shift * len(self.sources)))
        return x + float(np.rint(source.laplace(scale=30.0)))


def test_a_seed_used_for_either_input_is_caught():
    found = tr.audit(Restarted(0), tr.PureDP(0.5), neighbors=(0.0, 7.0), trials=2000)
    assert [finding.name for finding in found.findings if finding.refuted] == ["fresh noise"]
    fresh = tr.audit(Restarted(1), tr.PureDP(0.5), neighbors=(0.0, 7.0), trials=2000)
    assert not fresh.refuted


def test_a_seed_used_for_every_batch_is_caught():
    """Of floats: the differences are the same but for their rounding."""
    program = tr.Batched(lambda x, n: x + np.random.default_rng(5).normal(size=n))
    found = tr.audit(program, tr.GDP(3.0), neighbors=(0.0, 1.0), trials=4000)
    assert "fresh noise" in [finding.name for finding in found.findings if finding.refuted]


@pytest.mark.parametrize("values", [2, 50])
def test_fresh_noise_raises_no_more_alarms_than_stated(values):
    """Of 400 pairs, more than 62 with p <= 0.1 have a probability below 2e-4."""
    source = np.random.default_rng(6)
    alarms = 0
    for _ in range(400):
        pair = read_outputs(*source.integers(values, size=(2, 200)).astype(float))
        alarms += freshness(pair, 0.1).p_value <= 0.1
    assert alarms <= 62


def test_the_p_value_of_shared_noise_is_hypergeometric():
    """Drawing 3 of 2 marked and 4 others: both marked ones with probability 4/20."""
    assert _at_least(2, 3, 2, 6) == pytest.approx(0.2, rel=1e-5)
    assert _at_least(0, 3, 2, 6) == pytest.approx(1.0, rel=1e-5)


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
