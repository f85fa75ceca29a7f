"""The largest of many scores with normal noise: the law, the cost, and what is refused."""

import math
from itertools import product

import mpmath as mp
import numpy as np
import pytest
from oracle.pearson import chi_square

import tightrope as tr

DRAWS = 1_500
RARE = 1e-8

MECHANISMS = {
    "real": tr.Gaussian(2.0),
    "whole": tr.DiscreteGaussian(2.0),
    "vector": tr.DiscreteGaussianVector(noise_scale=2.0, sensitivity=1, dimension=9),
}
every = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS.keys())


def winners(scores, sigma, reach=14):
    """P(i wins) for discrete noise, ties broken fairly, from all values of it."""
    weights = {y: mp.exp(-mp.mpf(y * y) / (2 * sigma**2)) for y in range(-reach, reach + 1)}
    total = mp.fsum(weights.values())
    law = [mp.mpf(0)] * len(scores)
    for noise in product(weights, repeat=len(scores)):
        noisy = [s + y for s, y in zip(scores, noise, strict=True)]
        best = [i for i, value in enumerate(noisy) if value == max(noisy)]
        chance = math.prod(weights[y] for y in noise) / total ** len(scores)
        for i in best:
            law[i] += chance / len(best)
    return [float(p) for p in law]


def fit(mechanism, scores, law):
    source = tr.InsecureEntropy(31)
    found = [mechanism.argmax(scores, entropy=source).value for _ in range(DRAWS)]
    return chi_square(np.bincount(found, minlength=len(scores)), np.array(law) * DRAWS)


def test_the_law_of_whole_scores():
    scores, sigma = [1, 0, 2], 1.5
    with mp.workdps(20):
        law, wrong = winners(scores, sigma, 8), winners(scores, 2 * sigma, 16)
    mechanism = tr.DiscreteGaussian(sigma)
    assert fit(mechanism, scores, law) > RARE
    assert fit(mechanism, scores, wrong) < RARE


def test_the_law_of_two_real_scores():
    """The difference of the noises has the scale sqrt(2) sigma."""
    law = math.erfc(-0.75 / 2.0) / 2
    assert fit(tr.Gaussian(1.0), [1.0, 0.25], [law, 1 - law]) > RARE


@every
def test_the_cost_is_that_of_the_vector(mechanism):
    """Not that of one score, and not half of it where scores are monotone."""
    scores = [0, 500, 9, 0]
    chosen = mechanism.argmax(scores)
    vector = mechanism.release(scores).event
    assert chosen.value == 1
    assert type(chosen.value) is int
    assert chosen.secure
    assert chosen.event == vector.then("number of the largest")
    assert chosen.event.to(tr.ZCDP).rho >= 1 / 8
    assert chosen.event.epsilon(delta=1e-6) == vector.epsilon(delta=1e-6)
    one = mechanism.argmax(scores, coordinates=1, entropy=tr.InsecureEntropy(1))
    assert not one.secure
    assert one.event == mechanism.release(scores, coordinates=1).event.then("number of the largest")


@every
def test_no_noise_as_wide_as_the_gap_still_ends(mechanism):
    assert mechanism.argmax([3]).value == 0
    assert mechanism.argmax([-(2**63), 2**63 - 1]).value == 1
    tie = [
        mechanism.argmax([2**63 - 1] * 2, entropy=tr.InsecureEntropy(i)).value for i in range(40)
    ]
    assert {0, 1} == set(tie)  # both saturate: a fair coin, which fails to show both at 2^-39


@every
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64])
def test_scores_of_any_type_and_layout(mechanism, dtype):
    scores = np.array([0, 9, 120, 9, 1, 9], dtype=dtype)[::2]
    scores.flags.writeable = False
    assert mechanism.argmax(scores).value == 1
    assert mechanism.argmax([False, True] * 2).value in range(4)


@every
@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ([], r"argmax: scores must be a sequence of one or more"),
        (3, r"argmax: scores must be a sequence of one or more"),
        ([[1, 2], [3, 4]], "one by one"),
        ([1.0, math.nan], r"argmax: scores\[1\] is not a number"),
        ([1.0, -math.inf], r"argmax: scores\[1\] is infinite"),
        (["a"], "scores must be numbers"),
    ],
)
def test_scores_that_are_refused(mechanism, scores, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        mechanism.argmax(scores)


def test_arguments_that_are_refused():
    with pytest.raises(tr.InvalidArgument, match=r"argmax: entropy must be a source"):
        tr.Gaussian(1.0).argmax([1, 2], entropy=7)
    with pytest.raises(tr.InvalidArgument, match="coordinates must be a whole number"):
        tr.Gaussian(1.0).argmax([1, 2], coordinates=0)
    with pytest.raises(tr.InvalidArgument, match="whole numbers by type"):
        tr.DiscreteGaussian(1.0).argmax([1.0, 2.5])
