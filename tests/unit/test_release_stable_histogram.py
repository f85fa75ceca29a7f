"""Histograms of unknown keys: the law, what the threshold costs, and what is refused."""

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

import mpmath as mp
import numpy as np
import pytest
from oracle import threshold_laws as oracle
from oracle.pearson import fit_of

import tightrope as tr
from tightrope.mechanisms.stable_histogram import least_told

RARE = 1e-8
DELTA = 1e-3


def tail(law, least):
    return mp.fsum(p for y, p in law.items() if y >= least)


def told(counts, law, threshold):
    """The law of what is told: for each key held, its noisy count if that reaches the threshold."""
    found = {(): mp.mpf(1)}
    for key, count in sorted(counts.items()):
        longer = defaultdict(lambda: mp.mpf(0))
        for result, chance in found.items():
            for y, p in law.items():
                noisy = count + y
                more = ((key, noisy),) if noisy >= threshold else ()
                longer[result + more] += chance * p
        found = longer
    return dict(found)


NOISES = {
    "laplace": (tr.DiscreteLaplace(noise_scale=0.5), oracle.discrete_laplace(0.5, 14)),
    "gaussian": (tr.DiscreteGaussian(noise_scale=0.8), oracle.discrete_gaussian(0.64, 7)),
}
every = pytest.mark.parametrize(("noise", "law"), NOISES.values(), ids=NOISES.keys())


@every
@pytest.mark.parametrize("contributions", [1, 2])
def test_what_is_accounted_for_covers_all_neighbours(noise, law, contributions):
    """Exact laws, both orders: the keys of the person are held by others, or by nobody."""
    release = tr.stable_histogram([], noise, DELTA, contributions=contributions)
    before = {"a": 1}
    tightness = 0
    for held in [c for k in (1, 2) for c in combinations("abc", k) if k <= contributions]:
        after = Counter(before) + Counter(held)
        p, q = (told(counts, law, release.threshold) for counts in (before, after))
        for epsilon in (0.0, 0.7, 2.0, 2.0 * contributions, 6.0):
            allowed = release.event.delta(epsilon) + 1e-9  # what the finite noise leaves out
            exact = max(oracle.hockey_stick(p, q, epsilon), oracle.hockey_stick(q, p, epsilon))
            assert exact <= allowed
            tightness = max(tightness, exact / allowed)
    assert tightness > 0.2


def test_replacing_a_person_is_covered_too():
    """One who alone held b comes to hold c; or a, which another one holds."""
    noise = tr.DiscreteLaplace(noise_scale=0.5, neighbors=tr.replace_one)
    release = tr.stable_histogram([], noise, 0.05)
    law = oracle.discrete_laplace(0.5, 12)
    first = told({"a": 1, "b": 1}, law, release.threshold)
    tightness = 0
    for counts in ({"a": 1, "c": 1}, {"a": 2}):
        second = told(counts, law, release.threshold)
        for epsilon in (0.0, 1.0, 2.0, 4.0):
            for p, q in ((first, second), (second, first)):
                exact = oracle.hockey_stick(p, q, epsilon)
                allowed = release.event.delta(epsilon) + 1e-9
                assert exact <= allowed
                tightness = max(tightness, exact / allowed)
    assert tightness > 0.9


@every
@pytest.mark.parametrize("contributions", [1, 3, 40])
@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-3])
def test_the_mass_at_the_threshold_counts(noise, law, contributions, delta):
    """opendp 2922 and google 101: delta was that of a threshold higher by one."""
    release = tr.stable_histogram([], noise, delta, contributions=contributions)
    threshold = release.threshold
    assert contributions * tail(law, threshold - 1) <= delta
    assert threshold == 2 or contributions * tail(law, threshold - 2) > delta
    _, left = least_told(noise._on_grid(1)[1], Fraction(delta), contributions)
    assert left <= delta
    assert left == pytest.approx(float(contributions * tail(law, threshold - 1)), rel=1e-6)


@pytest.mark.parametrize("delta", [1e-30, 1e-12])
def test_thresholds_far_out(delta):
    """Of scale t, P(Y >= m) = a^m/(1 + a)."""
    law = tr.DiscreteLaplace(noise_scale=7.5)._on_grid(1)[1]
    a = mp.exp(-1 / mp.mpf("7.5"))
    threshold, left = least_told(law, Fraction(delta), 2**31)
    exact = 2**31 * a ** (threshold - 1) / (1 + a)
    assert exact <= left <= exact * (1 + mp.mpf(2) ** -40)
    assert left <= delta
    assert 2**31 * a ** (threshold - 2) / (1 + a) > delta


@every
def test_the_law_of_what_is_told(noise, law):
    people = ["a"] * 2 + ["b"] * 4 + ["c"]
    draws, source = 1_000, tr.InsecureEntropy(51)
    releases = [tr.stable_histogram(people, noise, 0.05, entropy=source) for _ in range(draws)]
    observed = Counter(tuple(each.value.items()) for each in releases)
    exact = told({"a": 2, "b": 4, "c": 1}, law, releases[0].threshold)
    assert fit_of(observed, exact) > RARE


def test_the_order_of_people_and_of_their_keys_does_not_show():
    people = [["b", "a"], ["a", 7], [7, b"z"], "b", {"a"}, ("a", "b", 7, b"z")] * 40
    backwards = [tuple(p)[::-1] if not isinstance(p, str) else p for p in people[::-1]]
    noise = tr.DiscreteLaplace(noise_scale=1)
    found = [
        tr.stable_histogram(x, noise, 1e-6, contributions=4, entropy=tr.InsecureEntropy(52)).value
        for x in (people, backwards)
    ]
    assert list(found[0].items()) == list(found[1].items())
    assert list(found[0]) == [b"z", 7, "a", "b"]


def test_nobody_counts_more_than_was_declared():
    people = [["a", "b", "c", "a"]] * 3000 + [[]]
    noise, source = tr.DiscreteLaplace(noise_scale=1), tr.InsecureEntropy(53)
    found = tr.stable_histogram(people, noise, 1e-6, contributions=2, entropy=source)
    assert sum(found.value.values()) == pytest.approx(6000, abs=60)
    for count in found.value.values():  # 2000 each, with a standard deviation of 26
        assert abs(count - 2000) < 200
    same = tr.stable_histogram([["a"] * 9] * 3000, noise, 1e-6, entropy=tr.InsecureEntropy(54))
    assert same.value["a"] == pytest.approx(3000, abs=40)


def test_the_event():
    laplace = tr.DiscreteLaplace(noise_scale=2)
    added = tr.stable_histogram(["a"], laplace, 1e-9, contributions=3)
    left = least_told(laplace._on_grid(1)[1], Fraction(1e-9), 3)[1]
    assert added.event == (laplace**3 + tr.ApproxDP(0, left)).for_one_unit()
    assert 0.6e-9 < left <= 1e-9
    assert added.to(tr.ApproxDP, delta=1e-9).epsilon == pytest.approx(1.5, rel=1e-6)
    assert added.event.delta(1.5) == pytest.approx(left, rel=1e-9)
    replaced = tr.DiscreteGaussian(noise_scale=2, neighbors=tr.replace_one.of("person"))
    found = tr.stable_histogram(["a"], replaced, 1e-9, contributions=3)
    left = least_told(replaced._on_grid(1)[1], Fraction(1e-9), 3)[1]
    assert found.event.event == replaced**6 + tr.ApproxDP(0, left, neighbors=replaced.neighbors)
    assert found.secure
    assert tr.stable_histogram([], laplace, 1e-9).value == {}


def test_keys_of_numpy_look_like_those_of_python():
    noise = tr.DiscreteLaplace(noise_scale=Fraction(1, 10))
    for keys in (
        np.full(50, "tea"),
        [np.str_("tea")] * 50,
        np.full((50, 1), "tea"),
        iter(["tea"] * 50),
    ):
        [key] = tr.stable_histogram(keys, noise, 1e-9).value
        assert type(key) is str
    for keys in (np.full(100, 3, np.uint8)[::2], [3] * 50, [np.int64(3)] * 50, [[3, 3]] * 50):
        [(key, count)] = tr.stable_histogram(keys, noise, 1e-9).value.items()
        assert (type(key), key, type(count)) == (int, 3, int)
        assert abs(count - 50) < 5
    assert list(tr.stable_histogram([2**80, -(2**63)] * 50, noise, 1e-9).value) == [-(2**63), 2**80]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("tea", "one entry for each person"),
        ({"tea": 3}, "one entry for each person"),
        (7, "one entry for each person"),
        (["tea", None], r"keys\[1\] is missing"),
        ([1, True], r"keys\[1\] must be .* a bool"),
        (np.array([True]), r"keys\[0\] must be .* a bool"),
        ([0.5], r"keys\[0\] must be .* a float"),
        ([1, math.nan], r"keys\[1\] must be .* a float"),
        ([["a"], [("b", "c")]], r"keys\[1\] must be .* a tuple"),
    ],
)
def test_keys_that_are_refused(keys, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        tr.stable_histogram(keys, tr.DiscreteLaplace(noise_scale=1), 1e-6)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"noise": tr.Laplace(noise_scale=1)}, "noise must be"),
        ({"noise": tr.DiscreteLaplace(noise_scale=1, sensitivity=2)}, "of sensitivity 1"),
        ({"noise": 3}, "noise must be"),
        ({"delta": 0}, "delta must be"),
        ({"delta": 0.6}, "delta must be"),
        ({"delta": math.nan}, "delta must be"),
        ({"contributions": 0}, "contributions must be"),
        ({"contributions": 1.5}, "contributions must be"),
        ({"entropy": 3}, "entropy must be a source"),
    ],
)
def test_arguments_that_are_refused(given, told):
    arguments = {"keys": ["a"], "noise": tr.DiscreteLaplace(noise_scale=1), "delta": 1e-6} | given
    with pytest.raises(tr.InvalidArgument, match=told):
        tr.stable_histogram(**arguments)


@pytest.mark.parametrize("size", [2, 3, 4, 6])
@pytest.mark.parametrize("scale", [1, 3])
def test_a_group_that_shares_a_new_key_is_not_hidden_by_the_threshold(size, scale):
    """Nobody else holds it, so its mass is in delta at every epsilon."""
    found = tr.stable_histogram(["a"] * 100, tr.DiscreteLaplace(noise_scale=scale), delta=1e-9)
    told = math.exp(-(found.threshold - size) / scale) / (1 + math.exp(-1 / scale))
    event = found.event.group(size)
    for epsilon in (0.5, size / scale, 10.0):
        assert event.delta(epsilon) >= told
    assert event.epsilon(delta=told * 0.99) == math.inf
    assert event.to(tr.ApproxDP, epsilon=size / scale).delta < 4 * size * told


def test_a_person_replaced_by_another_is_a_group_of_two():
    found = tr.stable_histogram(["a"] * 100, tr.DiscreteLaplace(noise_scale=1), delta=1e-9)
    told = math.exp(-(found.threshold - 2)) / (1 + math.exp(-1))
    assert found.event.restated(tr.replace_one).delta(epsilon=2.0) >= told
