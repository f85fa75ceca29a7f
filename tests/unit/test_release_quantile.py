"""Private quantiles: the law on every point, its range between neighbours, and what is refused."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import mpmath as mp
import numpy as np
import pytest
from oracle.pearson import fit_of

import tightrope as tr
from tightrope.grid import read
from tightrope.mechanisms.quantiles import Stretches, _sorted_points

RARE = 1e-8
SHARES = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]


def misses(records, q, points):
    """By how many records each point misses the rank, from the definition."""
    n = len(records)
    below = [sum(x < point for x in records) for point in points]
    above = [sum(x > point for x in records) for point in points]
    return [max(0, b - q * n, a - (1 - q) * n) for b, a in zip(below, above, strict=True)]


def law(records, q, points, epsilon, moved):
    weights = [mp.exp(-mp.mpf(epsilon) * m / (2 * moved)) for m in misses(records, q, points)]
    return [w / mp.fsum(weights) for w in weights]


def test_stretches_have_the_scores_of_all_their_points():
    """Every data set of up to four records among six points: all scores, each counted as one."""
    points = range(-2, 4)
    for count in range(5):
        for records in combinations_with_replacement(points, count):
            stretches = Stretches.of(np.array(records, dtype=np.int64), -2, 3)
            for q in SHARES:
                scores = stretches.scores(q) / q.denominator
                spread = np.repeat(scores, stretches.sizes)
                places = [
                    s + i
                    for s, n in zip(stretches.starts, stretches.sizes, strict=True)
                    for i in range(n)
                ]
                assert places == list(points)
                exact = misses(records, q, points)
                assert spread.tolist() == pytest.approx([-float(m) for m in exact], abs=1e-12)


@pytest.mark.parametrize("q", SHARES)
def test_log_ratios_of_all_neighbours_range_over_epsilon_at_most(q):
    """Bounded range, over all data sets of up to four records among five points, by exact laws."""
    points, worst = range(5), {"add": 0, "replace": 0}
    moved = max(q, 1 - q)
    for count in range(4):
        for records in combinations_with_replacement(points, count):
            for other in points:
                grown = [*records, other]
                pairs = [("add", records, grown, moved)]
                pairs += [("replace", grown, [*records, x], 1) for x in points]
                for kind, first, second, size in pairs:
                    a, b = (misses(x, q, points) for x in (first, second))
                    change = [Fraction(x - y) / (2 * size) for x, y in zip(a, b, strict=True)]
                    worst[kind] = max(worst[kind], max(change) - min(change))
    assert worst["add"] <= 1
    assert worst["replace"] <= 1
    assert max(worst.values()) >= Fraction(1, 2)


@pytest.mark.parametrize("neighbors", [tr.add_or_remove, tr.replace_one])
@pytest.mark.parametrize("q", [0.5, 0.1])
def test_the_law_on_every_point(q, neighbors):
    records, draws = [2, 2, 2, 3, 7, 7, 9], 1_500
    exact = Fraction(q).limit_denominator(100)
    moved = max(exact, 1 - exact) if neighbors is tr.add_or_remove else 1
    expected = law(records, exact, range(11), 2.0, moved)
    source = tr.InsecureEntropy(41)
    observed = Counter(
        tr.quantile(
            records, q, (0, 10), epsilon=2.0, step=1, neighbors=neighbors, entropy=source
        ).value
        for _ in range(draws)
    )
    assert fit_of(observed, dict(enumerate(expected))) > RARE
    wrong = law(records, exact, range(11), 4.0, moved)
    assert fit_of(observed, dict(enumerate(wrong))) < RARE


def test_intervals_are_chosen_by_their_length():
    """Of [0, 1] one record at 1/4 leaves a quarter below: at epsilon 0 that is its probability."""
    source, draws = tr.InsecureEntropy(42), 2_000
    found = [
        tr.quantile([0.25], 0.5, (0, 1), epsilon=0, entropy=source).value for _ in range(draws)
    ]
    assert abs(sum(x < 0.25 for x in found) - draws / 4) < 6 * math.sqrt(draws * 3 / 16)
    assert all(0 <= x <= 1 and x * 2**30 == int(x * 2**30) for x in found)


def test_no_weight_underflows():
    """IBM 107: weights of ranks far away became 0, and their sum NaN."""
    records = np.arange(2_000_000) % 1001
    assert tr.quantile(records, 0.5, (0, 1000), epsilon=1e6, step=1).value == 500
    assert tr.quantile(records, 1, (0, 10**6), epsilon=1e6, step=1).value >= 1000
    far = tr.quantile([1e300] * 1000, 0.5, (0, 1e300), epsilon=100)
    assert far.value == pytest.approx(1e300, rel=2**-29)  # the last point within the bounds
    assert 0 <= tr.quantile([-1e300] * 9, 0.5, (0, 1e-300), epsilon=1).value <= 1e-300


def test_what_comes_back():
    found = tr.quantile([3, 4, 5], 0.5, (0, 10), epsilon=900, step=1)
    assert (found.value, type(found.value)) == (4, int)
    assert found.secure
    assert found.event == tr.Exponential(900)
    assert found.event.to(tr.BoundedRange).epsilon == 900
    replaced = tr.quantile(
        [3.0], 0.5, (0, 10), epsilon=1, neighbors=tr.replace_one, entropy=tr.InsecureEntropy(1)
    )
    assert type(replaced.value) is float
    assert replaced.event == tr.Exponential(1, neighbors=tr.replace_one)
    assert not replaced.secure
    assert type(tr.quantile([3], 0.5, (0, 10), epsilon=1, step=0.5).value) is float
    assert tr.quantile([3], 0.5, (0, 2**70), epsilon=1, step=2**20).value % 2**20 == 0


def test_the_grid_does_not_depend_on_the_records():
    """Neither on their values nor on their type: no record, whole and real ones, near and far."""
    for records in ([], [1], [0.1], [1e-30], [1e30, -1e30], np.array([7], np.uint8)):
        source = tr.InsecureEntropy(43)
        for _ in range(20):
            value = tr.quantile(records, 0.5, (-3, 5.5), epsilon=1, entropy=source).value
            assert (Fraction(value) * 2**27).denominator == 1
            assert -3 <= value <= 5.5


def test_a_record_is_the_same_in_any_company():
    """A float beside it makes NumPy read an integer as one, which rounds another way."""
    record = 2**62 + 2**14 + 1
    found = []
    for company in ([], [0.5], [2**70]):
        column = read([record, *company], "test")
        found.append(set(_sorted_points(column, 15, 0, 2**60).tolist()) - {0, 2**55})
    assert found == [{2**47}] * 3


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, np.float16, np.float32])
def test_records_of_any_type_and_layout(dtype):
    records = np.array([[1, 90], [7, 90], [100, 90]], dtype=dtype)[:, 0]
    records.flags.writeable = False
    assert tr.quantile(records, 0.5, (0, 200), epsilon=900, step=1).value == 7
    assert records.tolist() == [1, 7, 100]
    assert tr.quantile([True, True, False], 0.5, (0, 1), epsilon=900, step=1).value == 1


def test_records_of_any_size():
    ends = [-(2**63), 2**63 - 1, 2**64, -(10**400)]
    assert tr.quantile(ends, 1, (-5, 5), epsilon=900, step=1).value == 5
    assert tr.quantile(ends, 0, (-5, 5), epsilon=900, step=1).value == -5
    assert tr.quantile([-math.inf, math.inf, math.inf], 0.5, (-5, 5), epsilon=900).value == 5
    assert 2 <= tr.quantile([], 0.5, (2, 3), epsilon=900).value <= 3
    assert tr.quantile([1.0], 0.5, (2.5, 2.5), epsilon=1).value == 2.5
    assert tr.quantile([[1, 9], [9, 9]], 0.5, (0, 10), epsilon=900, step=1).value == 9


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"values": [1.0, math.nan]}, r"values\[1\] is not a number"),
        ({"values": ["a"]}, "values must be numbers"),
        ({"q": 1.5}, r"q must be a probability in \[0, 1\]"),
        ({"q": math.nan}, r"q must be a probability"),
        ({"q": [0.1, 0.9]}, r"q must be a probability"),
        ({"bounds": (3, 1)}, "low must be at most high"),
        ({"bounds": 3}, "bounds must be"),
        ({"bounds": (0, math.inf)}, "a finite number"),
        ({"epsilon": -1}, "epsilon must be"),
        ({"epsilon": 1e-300}, "0, or a number from"),
        ({"step": 3}, "step must be a power of two"),
        ({"step": 0}, "step must be a power of two"),
        ({"step": 2.0**-60}, "too fine for bounds"),
        ({"step": 16, "bounds": (3, 5)}, "no multiple of step=16 is within"),
        ({"neighbors": "replace_one"}, "neighbors must be"),
        ({"neighbors": tr.Neighbors(tr.add_or_remove.changes * 2)}, "neighbors must be"),
        ({"entropy": 5}, "entropy must be a source"),
    ],
)
def test_arguments_that_are_refused(given, told):
    arguments = {"values": [1, 2], "q": 0.5, "bounds": (0, 10), "epsilon": 1} | given
    with pytest.raises(tr.InvalidArgument, match=told):
        tr.quantile(**arguments)
