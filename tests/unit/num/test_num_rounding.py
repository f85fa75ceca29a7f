"""Directed rounding is tested against exact rational arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.num.rounding import (
    down,
    float_down,
    float_up,
    quotient_up,
    sqrt_up,
    sum_up,
    two_product,
    two_sum,
    up,
)

MAX = 1.7976931348623157e308
TINY = 5e-324
finite = st.floats(allow_nan=False, allow_infinity=False)
ulps = st.floats(0, 1e6)


@given(finite, ulps)
def test_up_covers_the_stated_relative_error(x: float, n: float) -> None:
    moved = up(x, n)
    assert moved > x
    if math.isfinite(moved):
        assert Fraction(moved) >= Fraction(x) + abs(Fraction(x)) * Fraction(n) / 2**52


@given(st.floats(1e-290, 1e290), st.integers(0, 1000))
def test_up_is_not_wasteful(x: float, n: int) -> None:
    assert Fraction(up(x, n)) <= Fraction(x) * (1 + Fraction(n + 2, 2**52))


@given(finite, ulps)
def test_down_mirrors_up_and_arrays_follow_scalars(x: float, n: float) -> None:
    assert down(x, n) == -up(-x, n)
    assert up(np.array([x]), n)[0] == up(x, n)
    assert down(np.array([x]), n)[0] == down(x, n)


@pytest.mark.parametrize(
    ("x", "above"),
    [
        (0.0, TINY),
        (-0.0, TINY),
        (-TINY, 0.0),
        (TINY, 2 * TINY),
        (MAX, math.inf),
        (math.inf, math.inf),
        (-math.inf, -MAX),
    ],
)
def test_up_at_the_ends_of_the_doubles(x: float, above: float) -> None:
    assert up(x) == above
    assert up(np.array([x]))[0] == above
    assert math.isnan(up(math.nan))


@given(st.one_of(st.integers(), st.fractions(), finite))
def test_float_up_and_down_are_the_neighbouring_doubles(x: int | Fraction | float) -> None:
    above, below = float_up(x), float_down(x)
    if math.isfinite(above) and math.isfinite(below):
        assert Fraction(below) <= Fraction(x) <= Fraction(above)
        assert above in (below, math.nextafter(below, math.inf))
        assert (above == below) == (Fraction(above) == Fraction(x))


def test_float_up_and_down_beyond_the_doubles() -> None:
    huge, small = 10**400, Fraction(1, 10**400)
    assert (float_down(huge), float_up(huge)) == (MAX, math.inf)
    assert (float_down(-huge), float_up(-huge)) == (-math.inf, -MAX)
    assert (float_down(small), float_up(small)) == (0.0, TINY)
    assert (float_down(-small), float_up(-small)) == (-TINY, 0.0)
    assert float_up(np.int64(2**53 + 1)) == 2.0**53 + 2
    assert float_up(math.inf) == math.inf


weighted = st.lists(st.tuples(st.floats(0, 1e300), st.integers(0, 10**40)), max_size=12)


@given(weighted)
def test_sum_up_is_the_exact_sum_rounded_up_once(pairs: list[tuple[float, int]]) -> None:
    values, counts = [v for v, _ in pairs], [n for _, n in pairs]
    assert sum_up(values, counts) == float_up(sum(Fraction(v) * n for v, n in pairs))
    assert sum_up(values) == float_up(sum(Fraction(v) for v in values))


def test_sum_up_of_infinite_and_overflowing_sums() -> None:
    assert sum_up([1.0, math.inf]) == math.inf
    assert sum_up([1.0, math.inf], [3, 1]) == math.inf
    assert sum_up([1.0, math.inf], [3, 0]) == 3.0
    assert sum_up([MAX, MAX]) == math.inf
    assert sum_up([MAX], [2]) == math.inf
    assert sum_up([]) == 0.0


@pytest.mark.parametrize(
    ("values", "counts"),
    [([-1.0], None), ([math.nan], None), ([1.0], [-1]), ([math.nan], [0])],
)
def test_sum_up_refuses(values: list[float], counts: list[int] | None) -> None:
    with pytest.raises(ValueError, match="sum_up: "):
        sum_up(values, counts)


def test_sum_up_needs_as_many_counts_as_values() -> None:
    with pytest.raises(ValueError, match="shorter"):
        sum_up([1.0, 2.0], [1])


@given(st.floats(-1e100, 1e100), st.floats(-1e100, 1e100))
def test_two_product_is_exact(a: float, b: float) -> None:
    product, error = two_product(np.array([a]), np.array([b]))
    truth = Fraction(a) * Fraction(b)
    if truth == 0 or abs(truth) > Fraction(1, 10**250):
        assert Fraction(product[0]) + Fraction(error[0]) == truth


@given(st.floats(-1e150, 1e150), st.floats(-1e150, 1e150))
def test_two_sum_is_exact(a: float, b: float) -> None:
    total, error = two_sum(np.array([a]), np.array([b]))
    assert Fraction(total[0]) + Fraction(error[0]) == Fraction(a) + Fraction(b)


@given(st.one_of(st.fractions(), st.floats(-1e150, 1e150)), st.floats(1e-150, 1e150))
def test_quotient_up_is_the_least_double_above(a: Fraction | float, b: float) -> None:
    found = quotient_up(a, b)
    assert Fraction(found) * Fraction(b) >= Fraction(a)
    assert Fraction(math.nextafter(found, -math.inf)) * Fraction(b) < Fraction(a)


def test_quotients_of_doubles_and_beyond_them() -> None:
    assert quotient_up(1.0, 3.0) == 0.33333333333333337  # 1/3 lies above the nearest double
    assert quotient_up(2.0, 3.0) == 0.6666666666666667
    assert quotient_up(1e300, 1e-300) == math.inf
    assert quotient_up(-1e300, 1e-300) == -MAX
    assert quotient_up(1e-300, 1e300) == TINY
    assert quotient_up(0, 5e-324) == 0.0


@given(st.one_of(st.fractions(min_value=0), st.floats(0, 1e308), st.integers(0)))
def test_sqrt_up_is_the_least_double_whose_square_is_above(x: Fraction | float) -> None:
    exact = Fraction(x)
    root = sqrt_up(exact)
    assert Fraction(root) ** 2 >= exact
    assert root == 0 or Fraction(math.nextafter(root, 0.0)) ** 2 < exact


def test_square_roots_at_the_ends_of_the_doubles() -> None:
    assert sqrt_up(Fraction(1, 10**646)) == 3 * TINY  # 1e-323 is 2.02 times the least double
    assert sqrt_up(Fraction(1, 10**700)) == TINY
    assert sqrt_up(10**616) == 1e308
    assert sqrt_up(10**618) == math.inf
