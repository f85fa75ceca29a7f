"""What one person's number may change: the sum by its sensitivity, and nothing that is public."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tightrope as tr
from tightrope.grid import floor_log2, read, to_points
from tightrope.mechanisms.noisy_threshold import QueryGrid

HUGE = st.integers(-(2**70), 2**70)
RECORDS = st.one_of(
    st.integers(-3, 200),
    HUGE,
    st.sampled_from([2**53, 2**53 + 1, 2**60 + 2**30 + 1, -(2**62) - 1, 2**63, 2**64 + 1]),
    st.floats(allow_nan=False),
    st.floats(-2, 200),
    st.booleans(),
    st.integers(0, 255).map(np.uint8),
    st.integers(-(2**63), 2**63 - 1).map(np.int64),
    st.floats(width=32, allow_nan=False).map(np.float32),
    st.floats(width=16, allow_nan=False).map(np.float16),
)
ENDS = st.one_of(
    st.integers(-200, 200),
    st.integers(-(2**62), 2**62),
    st.sampled_from([0, 2**30, 2**35 + 1, 2**40, 2**40 + 1, 2.0**53, 1e300, 0.1, 5e-324]),
    st.floats(-200, 200),
    st.fractions(-5, 5, max_denominator=7),
)
BOUNDS = st.tuples(ENDS, ENDS).map(sorted).map(tuple)
RELATIONS = st.sampled_from([tr.add_or_remove, tr.replace_one])


def in_a_list(records):
    return list(records)


def inferred(records):
    """NumPy's type for these very records: it may differ between neighbours."""
    return np.array(records)


def mean_total(values, bounds, **options):
    return tr.bounded_mean(values, bounds, **options).total


def told(call):
    """What is returned, or the words of the refusal."""
    try:
        return call()
    except tr.InvalidArgument as refused:
        return str(refused)


def public(total):
    return total.exponent, total.sensitivity, repr(total)


@settings(max_examples=300, deadline=None)
@given(
    records=st.lists(RECORDS, max_size=12),
    record=RECORDS,
    other=RECORDS,
    place=st.integers(0, 12),
    bounds=BOUNDS,
    neighbors=RELATIONS,
    build=st.sampled_from([tr.bounded_sum, mean_total]),
    held=st.sampled_from([in_a_list, inferred]),
)
def test_no_record_of_any_type_moves_a_sum_too_far(
    records, record, other, place, bounds, neighbors, build, held
):
    mine = [*records[:place], record, *records[place:]]
    yours = [*records[:place], other, *records[place:]]
    if neighbors == tr.add_or_remove:
        yours = records
    here, there = (build(held(x), bounds, neighbors=neighbors) for x in (mine, yours))
    assert abs(here.exact - there.exact) <= Fraction(here.sensitivity)
    assert here.sensitivity == there.sensitivity
    if held is in_a_list:
        assert public(here) == public(there)


@settings(max_examples=100, deadline=None)
@given(records=st.lists(RECORDS, max_size=12), bounds=BOUNDS, exponent=st.integers(-9, 9))
def test_with_a_declared_step_nothing_depends_on_types(records, bounds, exponent):
    step = Fraction(2) ** exponent
    empty = told(lambda: tr.bounded_sum([], bounds, step=step))
    if isinstance(empty, str):
        assert told(lambda: tr.bounded_sum(records, bounds, step=step)) == empty
        return
    for held in (in_a_list, inferred):
        total = tr.bounded_sum(held(records), bounds, step=step)
        assert public(total) == public(empty)
        assert total.exact % step == 0
    assert total == tr.bounded_sum(records, bounds, step=step)


ONES = [1] * 1000
PAIRS = [
    (tr.add_or_remove, ONES, [*ONES, 2.5]),
    (tr.add_or_remove, [], [2.5]),
    (tr.add_or_remove, [], [2]),
    (tr.add_or_remove, [1], [1, 2**70]),
    (tr.replace_one, [*ONES, 1], [*ONES, 2.5]),
    (tr.replace_one, [*ONES, 1], [*ONES, -(2**70)]),
    (tr.replace_one, [2**60 + 1] * 9, [2**60 + 1] * 8 + [0.5]),
]


@pytest.mark.parametrize(("neighbors", "mine", "yours"), PAIRS)
@pytest.mark.parametrize("build", [tr.bounded_sum, mean_total])
@pytest.mark.parametrize(
    "bounds", [(0, 119), (0, 120), (0.5, 2), (0, 2**40), (0, 2**41), (0, 2**62)]
)
def test_the_type_of_one_record_moves_nothing_else(build, bounds, neighbors, mine, yours):
    """A thousand ones and a 2.5: the type of all was decided by one, and so was the centre."""
    here, there = (build(x, bounds, neighbors=neighbors) for x in (mine, yours))
    assert public(here) == public(there)
    assert abs(here.exact - there.exact) <= Fraction(here.sensitivity)


def test_the_centre_of_a_mean_is_the_middle_of_its_bounds():
    """For whole records between bounds of odd sum too, where it lies between two points."""
    for values in (np.array([1] * 1000), [1] * 1000, np.ones(1000)):
        mean = tr.bounded_mean(values, (0, 119))
        assert mean.total.exact == -58_500
        assert (mean.total.sensitivity, mean.origin) == (59.5, 59.5)
    assert tr.bounded_mean(np.array([1]), (0, 119)).total.exponent == -1
    assert tr.bounded_mean(np.array([1]), (0, 120)).total.exponent == 0
    assert tr.bounded_mean([1], (0, 120), step=1).total.exponent == 0
    public_count = tr.bounded_mean([1, 2, 3], (0, 1), neighbors=tr.replace_one)
    assert Fraction(public_count.sensitivity) >= Fraction(1, 3)


@pytest.mark.parametrize(
    ("values", "exponent"),
    [
        (np.array([1, 2]), 0),
        (np.array([], dtype=int), 0),
        (np.array([True]), 0),
        (np.array([1.0]), -24),
        (np.array([]), -24),
        (np.array([1, 2], dtype=object), -24),
        ([1, 2], -24),
        ([], -24),
        ((1,), -24),
        (1, -24),
        (np.int64(1), -24),
        (pd.Series([1, 2]), 0),
        (pd.Series([], dtype="Int64"), 0),
        (pd.Series([1, 2], dtype=object), -24),
        (pl.Series([], dtype=pl.UInt8), 0),
        (pl.Series([1.0]), -24),
    ],
)
def test_the_grid_comes_from_a_type_that_is_declared_or_from_the_bounds(values, exponent):
    total = tr.bounded_sum(values, (0, 120))
    assert (total.exponent, total.sensitivity) == (exponent, 120)
    assert tr.bounded_sum(values, (0, 120), step=1).exponent == 0
    assert tr.bounded_sum(values, (0, 2**41)).exponent == 11
    assert tr.bounded_sum(values, (0, 120.5)).exponent == -24


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (3, "a power of two"),
        (0, "a power of two"),
        (-1, "a power of two"),
        (True, "a power of two"),
        (2.0**-40, "too fine for bounds"),
        (256, "no multiple of step=256"),
    ],
)
def test_steps_that_are_refused(step, told):
    for build in (tr.bounded_sum, tr.bounded_mean):
        with pytest.raises(tr.InvalidArgument, match=told):
            build([7], (3, 120), step=step)
    coarse = tr.bounded_sum([7, 9, 200], (3, 120), step=8)
    assert (coarse.exact, coarse.sensitivity) == (8 + 8 + 120, 120)
    assert tr.bounded_sum([1], (0, 1), step=2.0**-40).exponent == -40
    assert tr.bounded_sum([0.3], (0, 0), step=1).exact == 0


def test_discrete_noise_asks_for_a_declared_step():
    noise = tr.DiscreteLaplace(240, sensitivity=120)
    for records in ([34, 51], [34.5, 51.0], []):
        with pytest.raises(tr.InvalidArgument, match="declare step=1"):
            noise.release(tr.bounded_sum(records, (0, 120)))
        assert type(noise.release(tr.bounded_sum(records, (0, 120), step=1)).value) is int


# --- numbers in the company of others ---------------------------------------------------------

TIE = 2**59 + 2**14
"""Half of a step of 2^15: one more is rounded up, and as a double it is rounded to even."""


@pytest.mark.parametrize("company", [1, 1.5, 2**70, -math.pi, True, np.float32(0.5)])
@pytest.mark.parametrize("make", [tr.Gaussian, tr.Laplace])
def test_an_entry_of_a_list_is_the_same_in_any_company(make, company):
    """Else an entry that a unit cannot touch would move by a step if a float comes beside it."""
    mechanism = make(2.0**41, sensitivity=2**40)
    assert mechanism.grid_step() in (2**14, 2**15, 2**16)
    for whole in (TIE + 1, TIE - 1, 3 * TIE + 1, 2**60 + 2**15 + 1):
        alone = mechanism.release([whole, 0], coordinates=1, entropy=tr.InsecureEntropy(5))
        beside = mechanism.release([whole, company], coordinates=1, entropy=tr.InsecureEntropy(5))
        assert alone.value[0] == beside.value[0]
        assert alone.event == beside.event


@settings(max_examples=150, deadline=None)
@given(start=HUGE, size=st.integers(1, 2**40), beside=st.sampled_from([None, 0.5, 2**80]))
def test_queries_move_by_no_more_than_is_charged(start, size, beside):
    """Whole numbers read as doubles lie up to their spacing farther apart than they are."""
    grid = QueryGrid.of(size, "test")
    company = [] if beside is None else [beside]
    here, there = (
        grid.points(read([x, *company], "test", "queries"))[0] for x in (start, start + size)
    )
    assert abs(int(there) - int(here)) <= grid.moved


@settings(max_examples=150, deadline=None)
@given(start=HUGE, size=st.integers(1, 2**40), beside=st.sampled_from([None, 0.5, 2**80]))
def test_values_move_by_no_more_than_is_charged(start, size, beside):
    company = [] if beside is None else [beside]
    mechanism = tr.Gaussian(size, sensitivity=size)
    exponent = floor_log2(mechanism.grid_step())
    points = []
    for x in (start, start + size):
        [(_, block)] = read([x, *company], "test").blocks()
        points.append(int(to_points(block, exponent)[0]))
    assert abs(points[1] - points[0]) <= mechanism.as_released().sensitivity


def test_types_of_results_do_not_come_from_values():
    for values in ([1, 2], [1, 2.5], [True, 2**70], [], np.array([1, 2]), np.zeros(0)):
        assert tr.Gaussian(2.0).release(values).value.dtype == np.float64
        assert tr.clip(values, "L2", 1).dtype == np.float64
    for values in ([1, 2], [True, 2**70], [], np.array([1], dtype=np.uint8)):
        assert tr.DiscreteLaplace(2).release(values).value.dtype == np.int64
    for values in ([1, 2], [1.5], []):
        assert type(tr.quantile(values, 0.5, (0, 9), epsilon=1).value) is float
        assert type(tr.quantile(values, 0.5, (0, 9), epsilon=1, step=1).value) is int
        total = tr.bounded_row_sum([[x, 0] for x in [*values, 1]], "L2", 1)
        assert (total.exponent, total.sensitivity) == (-30, 1)


@settings(max_examples=100, deadline=None)
@given(rows=st.lists(st.tuples(RECORDS, RECORDS), max_size=6), row=st.tuples(RECORDS, RECORDS))
def test_rows_of_any_type_move_a_sum_by_their_norm(rows, row):
    """Entrywise, since infinite ones are refused by the other norms."""
    more = tr.bounded_row_sum([list(r) for r in [*rows, row]], "Linf", 3)
    fewer = tr.bounded_row_sum([list(r) for r in rows] or np.zeros((0, 2)), "Linf", 3)
    assert max(abs(a - b) for a, b in zip(more.exact, fewer.exact, strict=True)) <= 3
    assert (more.exponent, more.sensitivity) == (fewer.exponent, fewer.sensitivity)
