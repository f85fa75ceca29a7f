"""Sparse vectors: what comes back, and what is refused."""

import math
from fractions import Fraction
from itertools import count

import numpy as np
import pytest

import tightrope as tr

MECHANISMS = [tr.SparseVector(4.0), tr.GaussianSparseVector(mu=2.0, length=2**20)]
every = pytest.mark.parametrize("mechanism", MECHANISMS, ids=["laplace", "gaussian"])


@every
def test_what_comes_back(mechanism):
    found = mechanism.release([0, -5, 10_000, 20_000], 5000)
    assert found.value.dtype == bool
    assert (found.value.tolist(), found.indices.tolist()) == ([False, False, True], [2])
    assert found.halted
    assert found.secure
    assert found.event is mechanism
    assert found.to(tr.TradeOff)
    assert "Crossings([2] of 3, by" in repr(found)
    none = mechanism.release([0, 1], 9e9, entropy=tr.InsecureEntropy(1))
    assert (none.value.tolist(), none.halted, none.secure) == ([False, False], False, False)
    assert "INSECURE" in repr(none)
    empty = mechanism.release([], 1)
    assert (len(empty.value), empty.indices.tolist(), empty.halted) == (0, [], False)


def test_it_stops_at_the_cut_off():
    queries = np.zeros(700_000)
    queries[[5, 300_000, 600_000, 699_999]] = 1e6
    found = tr.SparseVector(50.0, cutoff=3).release(queries, 5e5)
    assert found.indices.tolist() == [5, 300_000, 600_000]
    assert len(found.value) == 600_001
    assert found.halted
    assert not tr.SparseVector(50.0, cutoff=5).release(queries, 5e5).halted


@every
def test_an_iterator_is_taken_no_further_than_needed(mechanism):
    queries = iter([0, 1, 10**6, "never looked at"])
    assert mechanism.release(queries, 5e5).indices.tolist() == [2]
    assert next(queries) == "never looked at"
    endless = (1e6 if i == 300 else 0.0 for i in count())
    assert mechanism.release(endless, 5e5).indices.tolist() == [300]


def test_the_gaussian_variant_answers_no_more_than_its_length():
    mechanism = tr.GaussianSparseVector(mu=1.0, length=3)
    endless = iter(lambda: 0, 1)
    assert len(mechanism.release(endless, 1e9).value) == 3
    with pytest.raises(tr.InvalidArgument, match="there are 4 queries, and length=3"):
        mechanism.release([0] * 4, 1e9)


@every
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, np.float16, np.float32])
def test_queries_of_any_type_and_layout(mechanism, dtype):
    """An unsigned difference would wrap around."""
    queries = np.array([0, 9, 120, 9, 1, 9], dtype=dtype)[::2]
    queries.flags.writeable = False
    assert mechanism.release(queries, 60, 0.25).indices.tolist() == [1]


@every
def test_queries_of_any_size(mechanism):
    assert mechanism.release([True, False], 0.5, 1e-3).indices.tolist() == [0]
    assert mechanism.release([-(2**63), 2**63 - 1], 0).indices.tolist() == [1]
    assert mechanism.release(np.array([0, 2**64 - 1], np.uint64), 1e9).indices.tolist() == [1]
    assert mechanism.release([-(10**400), 10**400], 0).indices.tolist() == [1]
    assert mechanism.release([-1e308, 1e308], Fraction(1, 10**300), 1e-300).indices.tolist() == [1]


@every
@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ([0.0, math.nan], r"queries\[1\] is not a number"),
        ([0.0, 1.0, -math.inf], r"queries\[2\] is infinite"),
        (3.0, "queries must be a sequence"),
        ([[1, 2], [3, 4]], "queries must be a sequence"),
        (["a"], "queries must be numbers"),
        ([Fraction(1, 2)], "Fraction"),
    ],
)
def test_queries_that_are_refused(mechanism, queries, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        mechanism.release(queries, 1e9)


@every
@pytest.mark.parametrize(
    ("queries", "told"),
    [
        ([0.0, math.nan], r"queries\[1\] is not a number"),
        ([0.0, math.inf], r"queries\[1\] is infinite"),
        ([0.0, [1, 2]], r"queries\[1\] must be one number"),
        ([None], r"queries\[0\] is missing"),
        (["a"], r"queries\[0\] must be numbers"),
    ],
)
def test_items_of_an_iterator_that_are_refused(mechanism, queries, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        mechanism.release(iter(queries), 1e9)


@every
def test_arguments_that_are_refused(mechanism):
    for bad in (0, -1, math.inf, math.nan, "1", None):
        with pytest.raises(tr.InvalidArgument, match="sensitivity must be"):
            mechanism.release([1, 2], 0, bad)
    for bad in (math.inf, math.nan, "1", None, [1]):
        with pytest.raises(tr.InvalidArgument, match="threshold must be"):
            mechanism.release([1, 2], bad)
    with pytest.raises(tr.InvalidArgument, match="entropy must be a source"):
        mechanism.release([1, 2], 0, entropy=7)


def test_noise_that_no_integer_holds_is_refused():
    with pytest.raises(tr.InvalidArgument, match="epsilon/cutoff must be at least"):
        tr.SparseVector(1.0, cutoff=2**29).release([1], 0)
    with pytest.raises(tr.InvalidArgument, match="epsilon/cutoff must be at least"):
        tr.SparseVector(0).release([1], 0)
    for mu in (0, 65):
        with pytest.raises(tr.InvalidArgument, match="mu must be a number from"):
            tr.GaussianSparseVector(mu=mu, length=5).release([1], 0)
    with pytest.raises(tr.InvalidArgument, match="monotone must be True or False"):
        tr.GaussianSparseVector(mu=1, length=5, monotone=1)
