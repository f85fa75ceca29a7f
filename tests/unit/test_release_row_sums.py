"""Sums of rows: exact, of a norm that holds for what is computed, and released as vectors."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr

NORMS = ["L1", "L2", "Linf"]


def norm_of(row, norm):
    """Exactly; the square of an L2 norm."""
    sizes = [abs(x) for x in row]
    return {"L1": sum(sizes), "L2": sum(x * x for x in sizes), "Linf": max(sizes)}[norm]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("bound", [1, 0.1, Fraction(7, 3), 1e-290, 1e300])
def test_one_row_moves_the_sum_by_the_bound_at_most(norm, bound):
    """In exact arithmetic, for rows next to the bound and far beyond it."""
    random = np.random.default_rng(1)
    rows = random.normal(size=(40, 7)) * 10.0 ** random.integers(-3, 3, size=(40, 1))
    rows = np.clip(rows, -1e4, 1e4) * float(bound)
    whole = tr.bounded_row_sum(rows, norm, bound)
    limit = Fraction(bound) ** 2 if norm == "L2" else Fraction(bound)
    largest = 0
    for i in range(len(rows)):
        without = tr.bounded_row_sum(np.delete(rows, i, axis=0), norm, bound)
        change = [a - b for a, b in zip(whole.exact, without.exact, strict=True)]
        largest = max(largest, norm_of(change, norm) / limit)
    assert 1 - Fraction(1, 10**8) < largest <= 1


@pytest.mark.parametrize("norm", NORMS)
def test_the_sum_is_that_of_clipped_rows(norm):
    rows = np.random.default_rng(2).normal(size=(300_001, 2))
    total = tr.bounded_row_sum(rows, norm, 1.5)
    expected = tr.clip(rows, norm, 1.5)
    for column in range(2):
        assert abs(float(total.exact[column]) - math.fsum(expected[:, column])) < 300_001 * 2**-30
    backwards = tr.bounded_row_sum(rows[::-1], norm, 1.5)
    assert total.exact == backwards.exact


def test_sensitivities_in_other_norms():
    rows = np.zeros((3, 4))
    l1, l2, linf = (tr.bounded_row_sum(rows, norm, 3) for norm in NORMS)
    assert [x.sensitivity_in("L1") for x in (l1, l2, linf)] == [3, 6, 12]
    assert [x.sensitivity_in("L2") for x in (l1, l2, linf)] == [3, 3, 6]
    replaced = tr.bounded_row_sum(rows, "L2", 3, neighbors=tr.replace_one)
    assert (replaced.sensitivity, replaced.sensitivity_in("L2")) == (6, 6)
    odd = tr.bounded_row_sum(np.zeros((1, 3)), "L2", 1)
    assert Fraction(odd.sensitivity_in("L1")) ** 2 >= 3


def test_the_release_is_that_of_a_vector():
    total = tr.bounded_row_sum(np.full((1000, 5), 0.25), "L2", 1.0)
    noisy = tr.Gaussian(noise_scale=2.0).release(total, entropy=tr.InsecureEntropy(1))
    assert noisy.value.shape == (5,)
    assert abs(noisy.value - 250).max() < 14  # seven standard deviations
    assert noisy.event == tr.Gaussian(noise_scale=2.0).as_released(coordinates=5)
    with pytest.raises(tr.InvalidArgument, match="coordinates must be 5, or left out"):
        tr.Gaussian(noise_scale=2.0).release(total, coordinates=1)
    l1 = tr.bounded_row_sum(np.full((1000, 5), 0.1), "L1", 1.0)
    noisy = tr.Laplace(noise_scale=2.0).release(l1)
    assert noisy.event.to(tr.PureDP).epsilon == pytest.approx(0.5, rel=1e-6)


@pytest.mark.parametrize(
    ("mechanism", "norm", "enough"),
    [
        (tr.Gaussian, "L1", 1),
        (tr.Gaussian, "L2", 1),
        (tr.Gaussian, "Linf", 2),
        (tr.Laplace, "L1", 1),
        (tr.Laplace, "L2", 2),
        (tr.Laplace, "Linf", 4),
    ],
)
def test_too_small_a_sensitivity_is_refused(mechanism, norm, enough):
    """Of a sum clipped in one norm, released by noise for another."""
    total = tr.bounded_row_sum(np.zeros((3, 4)), norm, 1)
    mechanism(8.0, enough).release(total)
    with pytest.raises(tr.InvalidArgument, match="is less than that of the sum"):
        mechanism(8.0, enough * 0.999).release(total)


def test_relations_and_whole_noise():
    total = tr.bounded_row_sum(np.ones((3, 4)), "L2", 1, neighbors=tr.replace_one)
    with pytest.raises(tr.NeighborsMismatch):
        tr.Gaussian(1.0, 2).release(total)
    with pytest.raises(tr.InvalidArgument, match="whole numbers by type"):
        tr.DiscreteGaussian(1.0, 9, neighbors=tr.replace_one).release(total)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.float16, np.float32, bool])
def test_rows_of_any_type_and_layout(dtype):
    rows = np.ones((6, 4), dtype=dtype)[::2, ::2]
    rows.flags.writeable = False
    assert tr.bounded_row_sum(rows, "Linf", 1).exact == [3, 3]
    halves = tr.bounded_row_sum(rows, "L1", 1).exact
    assert all(Fraction(3, 2) - Fraction(1, 2**28) < half <= Fraction(3, 2) for half in halves)


def test_hostile_rows():
    most = tr.bounded_row_sum([[2**63 - 1, -(2**63)], [10**400, 0]], "Linf", 5)
    assert most.exact == [10, -5]
    assert tr.bounded_row_sum([[math.inf, -math.inf]], "Linf", 5).exact == [5, -5]
    assert tr.bounded_row_sum(np.zeros((0, 3)), "L2", 1).exact == [0, 0, 0]
    many = tr.bounded_row_sum(np.full((2**19, 1), 1e300), "L1", 1e300)
    assert many.exact == [pytest.approx(2**19 * Fraction(1e300), rel=1e-8)]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rows": [[1.0, math.nan]]}, r"rows\[0, 1\] is not a number"),
        ({"rows": [[1.0, math.inf]]}, r"rows\[0, 1\] is infinite"),
        ({"rows": [1.0, 2.0]}, "rows must have two axes"),
        ({"rows": 3.0}, "rows must have two axes"),
        ({"rows": np.zeros((3, 0))}, "rows must have two axes"),
        ({"rows": [["a"]]}, "rows must be numbers"),
        ({"norm": "L3"}, "bounded_row_sum: norm must be"),
        ({"bound": 0}, "bounded_row_sum: bound must be"),
        ({"bound": math.inf}, "bounded_row_sum: bound must be"),
        ({"neighbors": 3}, "neighbors must be"),
    ],
)
def test_arguments_that_are_refused(given, told):
    arguments = {"rows": [[1.0, 2.0]], "norm": "L2", "bound": 1} | given
    with pytest.raises(tr.InvalidArgument, match=told):
        tr.bounded_row_sum(**arguments)
