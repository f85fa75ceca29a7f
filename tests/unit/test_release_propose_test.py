"""Propose, test, release: exact laws of all neighbours, and what is refused."""

import math
from collections import Counter
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from oracle import threshold_laws as oracle

import tightrope as tr

DELTA = 0.05
NOISES = {
    "laplace": (tr.DiscreteLaplace(noise_scale=0.8), oracle.discrete_laplace(0.8, 30)),
    "gaussian": (tr.DiscreteGaussian(noise_scale=1.2), oracle.discrete_gaussian(1.44, 12)),
}
every = pytest.mark.parametrize(("noise", "law"), NOISES.values(), ids=NOISES.keys())


def result(distance, threshold, law, answer):
    """The law of what is seen: nothing, or a draw from the law of the answer."""
    passes = mp.fsum(p for y, p in law.items() if distance + y >= threshold)
    return {None: 1 - passes} | {value: passes * p for value, p in answer.items()}


@every
@pytest.mark.parametrize("lower", [0, 1])
def test_what_is_accounted_for_covers_all_neighbours(noise, law, lower):
    """Exact answers; between unstable neighbours they differ. A threshold lower by one fails."""
    release = tr.propose_test_release(0, lambda: 1, noise, DELTA)
    threshold = release.threshold - lower
    allowed = {epsilon: release.event.delta(epsilon) for epsilon in (0.0, 1.25, 3.0)}
    worst = 0
    pairs = [(0, 0, "x", "y")] + [(d, d + step, "x", "x") for d in range(9) for step in (0, 1)]
    for first, second, one, other in pairs:
        p = result(first, threshold, law, {one: 1})
        q = result(second, threshold, law, {other: 1})
        for epsilon, delta in allowed.items():
            exact = max(oracle.hockey_stick(p, q, epsilon), oracle.hockey_stick(q, p, epsilon))
            worst = max(worst, exact / delta)
    if lower:
        assert worst > 1.5
    else:
        assert 0.9 < worst <= 1 + 1e-9


@every
def test_a_guarded_release_is_covered_too(noise, law):
    """The answer is a count with noise for a sensitivity of 1; where unstable it moves by 9."""
    inner = tr.DiscreteLaplace(noise_scale=1.5)
    release = tr.propose_test_release(0, lambda: inner.release(3), noise, DELTA, guarded=inner)
    threshold, of_count = release.threshold, oracle.discrete_laplace(1.5, 25)

    def moved(by):
        return {y + by: p for y, p in of_count.items() if abs(y) < 25}

    worst = 0
    for first, second, by in [(0, 0, 9), (0, 1, 1), (1, 0, 1), (2, 3, 1), (5, 4, 1), (3, 3, 1)]:
        p = result(first, threshold, law, moved(0))
        q = result(second, threshold, law, moved(by))
        for epsilon in (0.0, 0.7, 1.4, 2.2):
            exact = max(oracle.hockey_stick(p, q, epsilon), oracle.hockey_stick(q, p, epsilon))
            allowed = release.event.delta(epsilon) + 1e-6  # what the finite noise leaves out
            assert exact <= allowed
            worst = max(worst, exact / allowed)
    assert worst > 0.5


@every
@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-4])
def test_the_mass_at_the_threshold_counts(noise, law, delta):
    threshold = tr.propose_test_release(0, lambda: 1, noise, delta).threshold
    assert mp.fsum(p for y, p in law.items() if y >= threshold) <= delta
    assert threshold == 1 or mp.fsum(p for y, p in law.items() if y >= threshold - 1) > delta


@every
def test_how_often_the_test_is_passed(noise, law):
    source, draws = tr.InsecureEntropy(61), 600
    for distance in (0, 2):
        found = [
            tr.propose_test_release(distance, lambda: 1, noise, DELTA, entropy=source)
            for _ in range(draws)
        ]
        p = float(sum(p for y, p in law.items() if distance + y >= found[0].threshold))
        passed = sum(each.passed for each in found)
        assert abs(passed - draws * p) < 6 * math.sqrt(draws * p * (1 - p))  # 2e-9 by chance
        assert Counter(each.value for each in found) == {1: passed, None: draws - passed}


def test_what_comes_back():
    noise = tr.DiscreteLaplace(noise_scale=1)
    calls = []
    far = tr.propose_test_release(10**6, lambda: calls.append(1) or "mode", noise, 1e-9)
    near = tr.propose_test_release(0, lambda: calls.append(2) or "mode", noise, 1e-9)
    assert (far.passed, far.value, far.secure) == (True, "mode", True)
    assert (near.passed, near.value) == (False, None)
    assert calls == [1]  # an answer that is not given is not computed
    assert far.event == near.event
    assert far.threshold == near.threshold == 21
    assert far.to(tr.ApproxDP, delta=1e-9).epsilon == pytest.approx(1, rel=1e-6)
    assert far.event.delta(1.0) == pytest.approx(float(mp.exp(-21) / (1 + mp.exp(-1))), rel=1e-6)
    seeded = tr.propose_test_release(2**61, lambda: 1, noise, 0.5, entropy=tr.InsecureEntropy(1))
    assert not seeded.secure


def test_what_a_guarded_release_costs():
    noise = tr.DiscreteGaussian(noise_scale=2, neighbors=tr.replace_one)
    inner = tr.Gaussian(noise_scale=3, sensitivity=0.5, neighbors=tr.replace_one)
    found = tr.propose_test_release(
        np.int64(500), lambda: inner.release(7.5), noise, 1e-6, guarded=inner.as_released()
    )
    assert found.value.interval()[0] < found.value.value
    parts = noise + inner.as_released()
    assert found.event.epsilon(delta=1e-5) > parts.epsilon(delta=1e-5)
    assert found.event.epsilon(delta=1e-5) < parts.epsilon(delta=5e-6)
    seeded = tr.propose_test_release(
        500,
        lambda: inner.release(7.5, entropy=tr.InsecureEntropy(1)),
        noise,
        1e-6,
        guarded=inner.as_released(),
    )
    assert not seeded.secure


LAPLACE = tr.DiscreteLaplace(noise_scale=1)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"distance": -1}, "distance must be a whole number"),
        ({"distance": 1.5}, "distance must be a whole number"),
        ({"distance": math.nan}, "distance must be a whole number"),
        ({"distance": math.inf}, "distance must be a whole number"),
        ({"distance": 2**61 + 1}, "distance must be a whole number"),
        ({"distance": True}, "distance must be a whole number"),
        ({"answer": 7}, "answer must be a function"),
        ({"noise": tr.Laplace(noise_scale=1)}, "noise must be"),
        ({"noise": tr.DiscreteLaplace(noise_scale=1, sensitivity=3)}, "of sensitivity 1"),
        ({"delta": 0}, "delta must be"),
        ({"delta": Fraction(2, 3)}, "delta must be"),
        ({"guarded": 3}, "guarded must be the event"),
        ({"entropy": 3}, "entropy must be a source"),
        ({"answer": lambda: LAPLACE.release(3)}, "answer ran DiscreteLaplace.*guarded=None"),
        ({"guarded": LAPLACE}, "answer ran None"),
        (
            {"answer": lambda: LAPLACE.release(3), "guarded": tr.DiscreteLaplace(noise_scale=2)},
            "is accounted for",
        ),
    ],
)
def test_arguments_that_are_refused(given, told):
    arguments = {"distance": 10**6, "answer": lambda: 1, "noise": LAPLACE, "delta": 1e-6} | given
    with pytest.raises(tr.InvalidArgument, match=told):
        tr.propose_test_release(**arguments)


def test_relations_do_not_mix():
    inner = tr.DiscreteLaplace(noise_scale=1, neighbors=tr.replace_one)
    with pytest.raises(tr.NeighborsMismatch):
        tr.propose_test_release(0, lambda: inner.release(3), LAPLACE, 1e-6, guarded=inner)
