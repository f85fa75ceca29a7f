"""Bounded sums and means, and rows clipped to a norm."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr


def test_whole_records_are_added_as_they_are():
    total = tr.bounded_sum(np.array([3, 200, -7, 11]), (0, 100))
    assert total == tr.bounded_sum([3, 200, -7, 11], (0, 100), step=1)
    assert (total.exact, total.sensitivity, total.exponent) == (114, 100, 0)
    assert tr.bounded_sum([3], (-20, 100), neighbors=tr.replace_one).sensitivity == 120
    assert tr.bounded_sum([True, False, True], (0, 1)).exact == 2
    assert tr.bounded_sum([], (0, 1)).exact == 0
    assert tr.bounded_sum([1.5], (0, 0)).sensitivity == 0


def test_floats_are_rounded_before_they_are_added():
    values = np.random.default_rng(2).normal(size=1000) * 50
    total = tr.bounded_sum(values, (-60.5, 100))
    step = Fraction(2) ** total.exponent
    truth = sum(round(min(max(Fraction(v), Fraction(-60.5)), 100) / step) for v in values.tolist())
    assert total.exact == truth * step
    assert total.sensitivity == 100


@pytest.mark.parametrize("neighbors", [tr.add_or_remove, tr.replace_one])
@pytest.mark.parametrize("bounds", [(0.1, 0.7), (-0.3, 0.2), (-5, -1.25), (0, 1e-310)])
def test_no_record_moves_the_sum_by_more_than_the_sensitivity(neighbors, bounds):
    low, high = bounds
    records = [low, high, (low + high) / 2, math.nextafter(low, high), -math.inf, math.inf]
    for build in (tr.bounded_sum, lambda *a, **k: tr.bounded_mean(*a, **k).total):
        rest = [0.3 * high] * 3
        none = build(rest, bounds, neighbors=neighbors)
        sums = [build([*rest, record], bounds, neighbors=neighbors) for record in records]
        near = [*sums, none] if neighbors == tr.add_or_remove else sums
        pairs = (
            ((none, s) for s in sums)
            if neighbors == tr.add_or_remove
            else itertools.combinations(near, 2)
        )
        most = max(abs(a.exact - b.exact) for a, b in pairs)
        assert most == Fraction(none.sensitivity)  # attained, and never more
        width = Fraction(high) - Fraction(low)
        if build is tr.bounded_sum:
            change = max(map(abs, bounds)) if neighbors == tr.add_or_remove else width
            assert Fraction(change) * (1 - Fraction(1, 2**28)) <= most <= Fraction(change)


def test_sums_are_released_with_at_least_their_sensitivity():
    total = tr.bounded_sum(np.full(1000, 0.75), (0, 1), neighbors=tr.replace_one)
    mechanism = tr.Laplace(2.0, neighbors=tr.replace_one)
    noisy = mechanism.release(total, entropy=tr.InsecureEntropy(3))
    assert type(noisy.value) is float
    assert abs(noisy.value - 750) < 60
    assert noisy.event == mechanism.as_released()
    with pytest.raises(tr.InvalidArgument, match="less than that of the sum"):
        tr.Laplace(2.0, 0.5, neighbors=tr.replace_one).release(total)
    with pytest.raises(tr.NeighborsMismatch):
        tr.Laplace(2.0).release(total)
    with pytest.raises(tr.InvalidArgument, match="whole numbers by type"):
        tr.DiscreteLaplace(2, neighbors=tr.replace_one).release(total)


def test_a_sum_of_many_steps_is_not_cut_short():
    """2^33 records at the bound are 2^63 steps of the records' grid; they fit the release's."""
    total = tr.BoundedSum(2**63, -30, 1, tr.add_or_remove)
    assert tr.Laplace(1.0).release(total, entropy=tr.InsecureEntropy(1)).value == pytest.approx(
        2.0**33, rel=1e-8
    )


def test_the_sum_is_not_in_its_repr():
    assert "114" not in repr(tr.bounded_sum([114], (0, 1000)))


def test_means():
    values = np.random.default_rng(4).uniform(0, 10, size=5000)
    public = tr.bounded_mean(values, (0, 10), neighbors=tr.replace_one)
    assert public.sensitivity == pytest.approx(10 / 5000)
    assert public.total.sensitivity == 10
    assert public.of(public.total.exact) == pytest.approx(values.mean(), abs=1e-7)
    private = tr.bounded_mean(values, (0, 10))
    assert (private.total.sensitivity, private.count.sensitivity) == (5, 1)
    assert private.sensitivity is None
    total = tr.Laplace(10.0, 5).release(private.total, entropy=tr.InsecureEntropy(1))
    count = tr.DiscreteLaplace(2).release(private.count, entropy=tr.InsecureEntropy(2))
    assert private.of(total, count) == pytest.approx(values.mean(), abs=0.1)
    assert private.of(0, -3) == pytest.approx(5, abs=1e-8)
    for mean, given in ((private, (0,)), (public, (0, 1))):
        with pytest.raises(tr.InvalidArgument, match="count"):
            mean.of(*given)


@pytest.mark.parametrize("call", [tr.bounded_sum, tr.bounded_mean])
def test_what_sums_refuse(call):
    with pytest.raises(tr.InvalidArgument, match=r"values\[2\] is not a number"):
        call([0.0, 1.0, math.nan], (0, 1))
    with pytest.raises(tr.InvalidArgument, match="swapped"):
        call([0.0], (1, 0))
    with pytest.raises(tr.InvalidArgument, match="neighbors"):
        call([0.0], (0, 1), neighbors="replace")
    with pytest.raises(tr.InvalidArgument, match="pair"):
        call([0.0], 1)


@pytest.mark.parametrize("norm", ["L1", "L2", "Linf"])
@pytest.mark.parametrize("bound", [1, 0.1, 1e-290, 1e200])
def test_clipped_rows_are_within_the_norm_exactly(norm, bound):
    random = np.random.default_rng(6)
    sizes = 10.0 ** random.uniform(-8, 3, size=(200, 1)) * bound
    rows = random.normal(size=(200, 17)) * sizes
    clipped = tr.clip(rows, norm, bound)
    for row, kept in zip(rows.tolist(), clipped.tolist(), strict=True):
        exact, before = ([abs(Fraction(x)) for x in r] for r in (kept, row))
        if norm == "L1":
            assert sum(exact) <= Fraction(bound)
            assert row == kept or sum(before) > Fraction(bound) * (1 - Fraction(1, 10**12))
        elif norm == "L2":
            assert sum(x * x for x in exact) <= Fraction(bound) ** 2
        else:
            assert max(exact) <= Fraction(bound)
    assert (tr.clip(clipped, norm, bound) == clipped).all()


def test_clip_of_odd_rows():
    assert tr.clip([0.0, 0.0], "L2", 1).tolist() == [0.0, 0.0]
    assert tr.clip([1e308, 1e308], "L2", 1).tolist() == pytest.approx([0.5**0.5] * 2)
    assert tr.clip([10**400, 0], "L1", 2).tolist() == pytest.approx([2.0, 0.0])
    assert tr.clip([5e-324], "L1", 1).tolist() == [5e-324]
    assert tr.clip([[math.inf, -2.0]], "Linf", 1).tolist() == [[1.0, -1.0]]
    assert tr.clip(np.zeros((0, 3)), "L1", 1).shape == (0, 3)
    assert tr.clip([3, -4], "L1", 7.1).tolist() == [3.0, -4.0]
    for bad, norm in (([math.nan], "Linf"), ([math.inf], "L2"), ([1.0], "L3")):
        with pytest.raises(tr.InvalidArgument):
            tr.clip(bad, norm, 1)
    with pytest.raises(tr.InvalidArgument):
        tr.clip([1.0], "L2", 0)
