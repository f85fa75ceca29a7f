"""What an audit says of itself, which mechanisms it knows, and what it refuses."""

import json
import random
import warnings
from decimal import Decimal
from io import StringIO

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.console import Console

import tightrope as tr
from tightrope.auditing.sparse_vectors import draw_answers

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
    assert values.p_value <= 1e-3 / 5
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
    assert told["outcome"] == "refuted"
    assert told["p_value"] == refuted.p_value
    assert told["lower_bounds"][0] == {
        "notion": "pure",
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
    tr.SparseVector(2.0),
    tr.SparseVector(2.0, cutoff=9),
    tr.SparseVector(2.0, cutoff=2, monotone=True),
    tr.GaussianSparseVector(mu=1.0, length=1),
    tr.GaussianSparseVector(mu=1.0, length=20),
    tr.GaussianSparseVector(mu=1.0, length=20, monotone=True),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=repr)
def test_every_mechanism_is_audited_by_its_name(mechanism):
    found = tr.audit(mechanism, trials=4000, entropy=tr.InsecureEntropy(6))
    assert not found.refuted, found
    assert len(found.findings) == (5 if hasattr(mechanism, "sensitivity") else 3)


def test_vectors_of_a_mechanism():
    pair = ([0.0, 5.0], [1.0, 5.0])
    found = tr.audit(tr.Gaussian(1.0), neighbors=pair, trials=4000, entropy=tr.InsecureEntropy(1))
    assert found.claim.startswith("DiscreteGaussianVector(")
    assert not found.refuted


@pytest.mark.parametrize(
    "noise",
    [
        tr.Gaussian(2.0),
        tr.DiscreteGaussian(2, 1),
        tr.DiscreteGaussian(2, 3),
        tr.DiscreteGaussianVector(2.0, 2, 3),
    ],
    ids=repr,
)
def test_noisy_max_is_audited_by_its_name(noise):
    found = tr.audit(noise.argmax, trials=4000, entropy=tr.InsecureEntropy(7))
    assert found.subject == f"argmax of {noise!r}"
    assert not found.refuted
    assert tr.audit(noise.argmax, tr.GDP(0.05), trials=40_000).refuted


def test_answers_of_a_sparse_vector_stop_where_a_release_does():
    mechanism = tr.SparseVector(200.0, cutoff=2)
    draw = draw_answers(mechanism, tr.InsecureEntropy(1))
    assert draw([5, -5, 5, 5, -5], 3).tolist() == [[1, 0, 1, -1, -1]] * 3
    assert mechanism.release([5, -5, 5, 5, -5], 0).value.tolist() == [True, False, True]


def test_the_claim_is_that_of_the_release():
    source = tr.InsecureEntropy(2)
    ages, older = [1, 2, 3, 4], [1, 2, 3, 4, 8]

    def median(records):
        return tr.quantile(records, 0.5, (0, 8), epsilon=2.0, step=1, entropy=source)

    found = tr.audit(median, neighbors=(ages, older), trials=400)
    assert found.claim == "Exponential(epsilon=2.0)"
    assert not found.refuted

    def words(keys):
        return tr.stable_histogram(keys, tr.DiscreteLaplace(1), delta=0.1, entropy=source)

    found = tr.audit(words, neighbors=(["a"], ["a", "b"]), trials=400)
    assert found.claim.startswith("(DiscreteLaplace(noise_scale=1) + ApproxDP(epsilon=0, delta=")
    assert not found.refuted


def test_steps_are_told():
    told = []
    tr.audit(lambda x: x, tr.GDP(1.0), (0, 1), trials=200, step=told.append)
    assert told[0].startswith("drawing 400 outputs of")
    assert told[-1] == "looking for an event that the claim forbids"


REFUSED = [
    (lambda: tr.audit(3, tr.GDP(1)), "a program from an input to an output"),
    (lambda: tr.audit(abs), "a program needs neighbors="),
    (lambda: tr.audit(abs, neighbors=(0, 1)), "a program needs claim="),
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
    (lambda: tr.audit(tr.Gaussian(1).argmax, law=tr.Laplace(1)), "law is for programs"),
    (lambda: tr.audit_exactly(abs), "a program needs claim="),
    (lambda: tr.audit_exactly(tr.Exponential(1.0)), "draws several numbers"),
    (lambda: tr.audit_exactly(tr.DiscreteGaussianVector(3.0, 2, 4)), "draws several numbers"),
    (lambda: tr.audit_exactly(tr.Gaussian(1.0), bits=2), "ends before there is an output"),
    (lambda: tr.exact_law(lambda entropy: 0, bits=30), "bits must be a whole number from 1 to 24"),
    (lambda: tr.audit_canaries([1.0], [1, 0], tr.GDP(1)), "have one length"),
    (lambda: tr.audit_canaries([1.0, 2.0], [1, 3], tr.GDP(1)), "True or False"),
    (lambda: tr.audit_canaries([1.0, 2.0], [1, 0], tr.GDP(1)), "eight canaries"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_misuse_is_refused_in_words(call, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        call()


class Opaque:
    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda x: pd.Series([x]),
        lambda x: pl.Series([x]),
        lambda x: pd.DataFrame({"a": [x]}),
        lambda x: {x},
        lambda x: Decimal(x),
        lambda x: complex(0, x),
        lambda x: tr.Bounds(0, 1 + x),
        lambda x: 2**53 + round(x),
        lambda x: 2**61 + round(x),
        lambda x: np.array([2**53 + round(x)]),
    ],
)
def test_outputs_of_any_kind_are_looked_into(wrapped):
    state = random.Random(1)
    found = tr.audit(
        lambda x: wrapped(x + state.random() / 100), tr.PureDP(0.1), neighbors=(1, 2), trials=500
    )
    assert found.verdict == "refuted"


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(tr.InvalidArgument, match="type Opaque cannot be compared"):
        tr.audit(Opaque, tr.PureDP(1.0), neighbors=(0, 1), trials=200)


def test_an_input_is_no_neighbour_of_itself():
    with pytest.raises(tr.InvalidArgument, match="two inputs that differ"):
        tr.audit(lambda x: x, tr.PureDP(1.0), neighbors=(0, 0), trials=200)


def test_a_tiny_claim_divides_nothing_by_zero():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tr.audit(
            tr.GaussianSparseVector(0.1, length=100), entropy=tr.InsecureEntropy(1), trials=500
        )
    assert not found.refuted
