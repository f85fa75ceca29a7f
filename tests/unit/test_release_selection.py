"""Releasing selections: which law, which factor, which event, and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tightrope.mechanisms.laplace_argmax import steps_of_noise

DRAWS = 2500
OUTLIER = 5.5
"""Standard deviations: a false alarm has probability 4e-8."""

MECHANISMS = {
    "exponential": tr.Exponential(1.0),
    "permute-and-flip": tr.PermuteAndFlip(1.0),
    "gumbel": tr.ReportNoisyMax(1.0, noise="gumbel"),
    "noisy exponential": tr.ReportNoisyMax(1.0),
    "laplace": tr.ReportNoisyMax(1.0, noise="laplace"),
}
every = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS.keys())


def share_of_first(release, draws=DRAWS):
    source = tr.InsecureEntropy(11)
    return sum(release(source) == 0 for _ in range(draws)) / draws


def assert_share(found, expected, draws=DRAWS):
    spread = math.sqrt(expected * (1 - expected) / draws)
    assert abs(found - expected) < OUTLIER * spread


# of two candidates, the probability of the one that is better by `gap` noise scales
LAWS = {
    "exponential": lambda gap: 1 / (1 + math.exp(-gap)),
    "permute-and-flip": lambda gap: 1 - math.exp(-gap) / 2,
    "laplace": lambda gap: 1 - (2 + gap) * math.exp(-gap) / 4,
}
LAWS["gumbel"] = LAWS["exponential"]
LAWS["noisy exponential"] = LAWS["permute-and-flip"]


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize(("gap", "sensitivity"), [(2, 1), (0.75, 0.25)])
def test_the_noise_is_twice_the_sensitivity_over_epsilon(name, gap, sensitivity):
    mechanism = MECHANISMS[name]
    found = share_of_first(
        lambda source: mechanism.release([gap, 0.0], sensitivity, entropy=source).value
    )
    scales = gap / (2 * sensitivity)
    assert_share(found, LAWS[name](scales))
    wrong = [LAWS[name](2 * scales), LAWS[name](scales / 2)]
    assert min(abs(found - other) for other in wrong) > 0.03  # a factor of two would be seen


@pytest.mark.parametrize("noise", ["gumbel", "exponential", "laplace"])
def test_monotone_scores_need_half_the_noise(noise):
    mechanism = tr.ReportNoisyMax(1.0, noise=noise, monotone=True)
    found = share_of_first(lambda source: mechanism.release([1, 0], entropy=source).value)
    name = {"gumbel": "gumbel", "exponential": "noisy exponential", "laplace": "laplace"}[noise]
    assert_share(found, LAWS[name](1.0))
    assert mechanism.release([1, 0]).event == mechanism


def test_a_monotone_exponential_mechanism_too():
    mechanism = tr.Exponential(1.0)

    def release(source):
        return mechanism.release([1, 0], monotone=True, entropy=source).value

    assert_share(share_of_first(release), 1 / (1 + math.exp(-1)))


def test_top_peels():
    """P(first 0, then 1) = p0 p1/(1 - p0), with weights e, 1, 1/e here."""
    weights = np.exp([1.0, 0.0, -1.0])
    source = tr.InsecureEntropy(3)
    mechanism = tr.Exponential(2.0)
    found = [mechanism.top([1, 0, -1], 2, entropy=source).value.tolist() for _ in range(DRAWS)]
    for first in range(3):
        for second in {0, 1, 2} - {first}:
            left = weights.sum() - weights[first]
            expected = weights[first] / weights.sum() * weights[second] / left
            assert_share(found.count([first, second]) / DRAWS, expected)


def test_top_costs_as_many_exponential_mechanisms():
    mechanism = tr.Exponential(0.5)
    top = mechanism.top(np.arange(9.0), 4)
    assert top.event == mechanism**4
    assert sorted(set(top.value.tolist())) == sorted(top.value.tolist())
    for bad in (0, 10, 1.5, True, "2"):
        with pytest.raises(tr.InvalidArgument, match=r"Exponential\.top: count must be a whole"):
            mechanism.top(np.arange(9.0), bad)


@every
def test_what_comes_back(mechanism):
    release = mechanism.release([0, 10_000, 5])
    assert type(release.value) is int
    assert release.value == 1
    assert release.event is mechanism
    assert release.secure
    assert not mechanism.release([1.0, 2.0], entropy=tr.InsecureEntropy(1)).secure
    assert mechanism.release([3.5]).value == 0


@every
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.int64, np.float16, np.float32])
def test_scores_of_any_type(mechanism, dtype):
    """An unsigned difference would wrap around."""
    assert mechanism.release(np.array([0, 100, 1], dtype=dtype), sensitivity=0.25).value == 1


@every
@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ([], "one or more numbers"),
        (3.0, "one or more numbers"),
        ([[1, 2], [3, 4]], "one by one"),
        ([1.0, math.nan], r"scores\[1\] is not a number"),
        ([1.0, 2.0, -math.inf], r"scores\[2\] is infinite"),
        ([0, 2**53 + 1], r"scores\[1\] is a whole number beyond"),
        ([0, 2**80], r"scores\[1\] is a whole number beyond"),
        (["a"], "scores must be numbers"),
        (np.array([1, 2], dtype=np.longdouble), "scores must be numbers"),
        (np.ma.masked_array([1.0, 2.0], [False, True]), "scores are masked"),
    ],
)
def test_scores_that_are_refused(mechanism, scores, told):
    with pytest.raises(tr.InvalidArgument, match=told):
        mechanism.release(scores)


@every
def test_arguments_that_are_refused(mechanism):
    for bad in (0, -1, math.inf, math.nan, "1", None):
        with pytest.raises(tr.InvalidArgument, match="sensitivity must be"):
            mechanism.release([1, 2], bad)
    with pytest.raises(tr.InvalidArgument, match="entropy must be a source"):
        mechanism.release([1, 2], entropy=7)
    with pytest.raises(tr.InvalidArgument, match=r"sensitivity\) must be 0, or a number"):
        mechanism.release([1, 2], Fraction(1, 2**1000))


def test_monotone_is_a_flag():
    with pytest.raises(tr.InvalidArgument, match="monotone must be True or False"):
        tr.Exponential(1).release([1, 2], monotone=1)


def test_no_epsilon_is_a_fair_choice():
    for mechanism in (tr.Exponential(0), tr.PermuteAndFlip(0), tr.ReportNoisyMax(0)):
        found = share_of_first(lambda s, m=mechanism: m.release([900, 0], entropy=s).value, 1000)
        assert_share(found, 0.5, 1000)
    with pytest.raises(tr.InvalidArgument, match="epsilon must be at least"):
        tr.ReportNoisyMax(0, noise="laplace").release([1, 2])


@pytest.mark.parametrize("epsilon", [Fraction(1, 2**20), 0.1, 1, 7.5, 400])
@pytest.mark.parametrize("sensitivity", [1, 0.3, Fraction(10, 7), 2.0**-900, 1e200])
def test_laplace_noise_covers_what_rounding_adds(epsilon, sensitivity):
    """Half to even, .5 becomes 0 and .5 + D may become D + 1 steps: that is what is charged for."""
    exponent = math.floor(math.log2(sensitivity)) - 24
    steps = Fraction(sensitivity) / Fraction(2) ** exponent
    moved = math.floor(steps) + 1
    for monotone, factor in ((False, 2), (True, 1)):
        scale = steps_of_noise(Fraction(epsilon), Fraction(sensitivity), exponent, monotone)
        assert Fraction(factor * moved, scale) * (1 + Fraction(1, 2**41)) < Fraction(epsilon)
        assert scale < 2**47
        assert scale - 1 < factor * moved / Fraction(epsilon) * (1 + Fraction(1, 2**39))


# --- complaints about other libraries ---------------------------------------------------------


def test_permute_and_flip_is_charged_as_pure_dp():
    """opendp 2911: noisy max ran permute-and-flip and charged epsilon^2/8, as if bounded-range."""
    epsilon = 1.0
    for mechanism in (tr.PermuteAndFlip(epsilon), tr.ReportNoisyMax(epsilon)):
        event = mechanism.release([1, -1]).event
        assert event.to(tr.BoundedRange).epsilon == 2 * epsilon
        assert event.to(tr.ZCDP).rho > 0.4  # epsilon tanh(epsilon/2) = 0.4621
    ranged = tr.Exponential(epsilon).release([1, -1]).event
    assert ranged.to(tr.ZCDP).rho <= epsilon**2 / 8
    assert ranged.to(tr.BoundedRange).epsilon == epsilon


@every
def test_low_scores_do_not_underflow(mechanism):
    """IBM 107: weights exp(-1e6) summed to 0, and probabilities became NaN."""
    assert mechanism.release([-1e6, -2e6, -1.5e6]).value == 0
    found = share_of_first(
        lambda source: mechanism.release([-1e6, -1e6], entropy=source).value, 1000
    )
    assert_share(found, 0.5, 1000)
    assert mechanism.release([-1e308, 1e308]).value == 1
