"""Leaves that are given by their laws: how they are written, and mixtures of Gaussians."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import tightrope as tr
from tightrope.plan.exact.profile import dominating

P, Q = (0.09919, 0.90081), (0.04591, 0.95409)

EVENTS = [
    tr.GaussianMixture([0, 1], [0.9, 0.1], 2.0),
    tr.GaussianMixture([Fraction(1, 3)], [1], 1, neighbors=tr.add_or_remove.of("person")),
    tr.GaussianMixture(np.array([0.0, 2.5]), np.array([0.5, 0.5]), noise_scale=np.float64(3)),
    tr.FinitePair(P, Q),
    tr.FinitePair([Fraction(1, 3), Fraction(2, 3)], [1, 0], symmetric=True),
    tr.FinitePair([0.5, 0.5], [0.25, 0.75], True, neighbors=tr.replace_one),
    tr.DiscreteGaussianVector(1.0, 2, 4),
    tr.DiscreteGaussianVector(variance=Fraction(7, 2), dimension=3, squared_sensitivity=3),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: repr(event)[:40])
def test_repr_round_trips(event):
    assert tr.parse(repr(event)) == event
    assert hash(tr.parse(repr(event))) == hash(event)
    both = event**3 + tr.GDP(1, neighbors=event.neighbors)
    assert tr.parse(repr(both)) == both


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tr.GaussianMixture([-1], [1], 1), "shifts[0] must be a finite number of at"),
        (lambda: tr.GaussianMixture([0, 1], [1], 1), "shifts and weights must have one length; 2"),
        (lambda: tr.GaussianMixture([0, 1], [0.5, 0.4], 1), "weights must add up to 1 within 1e-9"),
        (lambda: tr.GaussianMixture([0, 1], [1.5, -0.5], 1), "weights[0] must be a probability in"),
        (lambda: tr.GaussianMixture([0], [1], 0), "noise_scale must be a finite number above 0"),
        (
            lambda: tr.GaussianMixture([], [], 1),
            "shifts must have 1 to 10,000 entries; you passed 0",
        ),
        (lambda: tr.GaussianMixture(1, [1], 1), "shifts must be a sequence of numbers; you pa"),
        (lambda: tr.GaussianMixture([1], ["1"], 1), "weights[0] must be a probability in [0, 1]"),
        (
            lambda: tr.GaussianMixture([1], [1], 1, neighbors=tr.replace_one),
            "the relation must be adding or removing one",
        ),
        (lambda: tr.FinitePair([1], [0.5, 0.5]), "FinitePair: p and q must have one length; 1 and"),
        (lambda: tr.FinitePair([0.5, 0.4], [1, 0]), "FinitePair: p must add up to 1 within 1e-9"),
        (lambda: tr.FinitePair([1], [math.nan]), "FinitePair: q[0] must be a probability"),
        (lambda: tr.FinitePair("1", [1]), "FinitePair: p must be a sequence of numbers"),
        (lambda: tr.FinitePair([1], [1], symmetric=1), "symmetric must be True or False"),
        (lambda: tr.FinitePair([1], [1], neighbors=tr.replace_one), "pass symmetric=True"),
        (lambda: tr.FinitePair([1e-4] * 10_001, [1]), "p must have 1 to 10,000 entries"),
        (lambda: tr.DiscreteGaussianVector(1.0, 2), "dimension must be a whole number of at least"),
        (lambda: tr.DiscreteGaussianVector(1.0, dimension=2), "give sensitivity or squared_sens"),
        (lambda: tr.DiscreteGaussianVector(1.0, 1.5, 2), "sensitivity must be a whole number"),
        (
            lambda: tr.DiscreteGaussianVector(1.0, 1, 2, squared_sensitivity=1),
            "one of the two; you passed sensitivity=1, squared_sensitivity=1",
        ),
        (
            lambda: tr.DiscreteGaussianVector(1.0, dimension=2, squared_sensitivity=0.5),
            "squared_sensitivity must be a whole number",
        ),
    ],
)
def test_invalid_arguments_say_what_is_admissible(call, words):
    with pytest.raises(tr.InvalidArgument) as caught:
        call()
    assert words in str(caught.value)


# --- mixtures of Gaussians -------------------------------------------------------------------


def mixture_delta(shifts, weights, epsilon):
    """delta of both orders with noise 1, by where the likelihood ratio is exp(+-epsilon)."""
    with mpmath.workdps(30):
        law = [(mpmath.mpf(s), mpmath.mpf(w)) for s, w in zip(shifts, weights, strict=True)]

        def log_ratio(x):
            return mpmath.log(sum(w * mpmath.exp(s * x - s * s / 2) for s, w in law))

        def above(x):
            return sum(w * mpmath.ncdf(s - x) for s, w in law), mpmath.ncdf(-x)

        at = mpmath.findroot(
            lambda x: log_ratio(x) - epsilon, (-20, 20), solver="bisect", tol=1e-30
        )
        with_, without = above(at)
        deltas = [with_ - mpmath.exp(epsilon) * without]
        if -epsilon > mpmath.log(sum(w for s, w in law if s == 0)):
            at = mpmath.findroot(
                lambda x: log_ratio(x) + epsilon, (-20, 5), solver="bisect", tol=1e-30
            )
            with_, without = above(at)
            deltas.append((1 - without) - mpmath.exp(epsilon) * (1 - with_))
        return float(max(deltas))


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0, 4.0])
def test_one_mixture_leaks_what_its_law_says(epsilon):
    shifts, weights = [0, 0.5, 2], [0.75, 0.125, 0.125]
    event = tr.GaussianMixture([2 * s for s in shifts], weights, noise_scale=2)
    truth = mixture_delta(shifts, weights, epsilon)
    assert truth * (1 - 1e-14) <= event.delta(epsilon) <= truth * (1 + 1e-6)


def test_a_sampled_gaussian_is_a_mixture():
    sampled = tr.Gaussian(2.0, 3.0).sampled(0.25)
    mixture = tr.GaussianMixture([0.0, 3.0], [0.75, 0.25], 2.0)
    thinned = tr.GaussianMixture([0.0, 3.0], [0.5, 0.5], 2.0).sampled(0.5)
    for n in (1, 40):
        for event in (mixture, thinned):
            assert (event**n).delta(1.5) == pytest.approx((sampled**n).delta(1.5), rel=1e-6)
    assert mixture.to(tr.GDP) == tr.GDP(1.5)
    assert mixture.to(tr.ZCDP) == tr.ZCDP(1.125)
    assert (mixture**4).to(tr.ZCDP) == tr.ZCDP(4.5)


def test_a_mixture_of_one_shift_is_a_gaussian():
    one = tr.GaussianMixture([1, 7, 1], [0.5, 0, 0.5], 2)
    assert one.epsilon(1e-6) == tr.Gaussian(2).epsilon(1e-6)
    assert (one**9).delta(1.0) == (tr.Gaussian(2) ** 9).delta(1.0)
    assert tr.GaussianMixture([0], [1], 1).epsilon(0.0) == 0


def test_weights_are_rounded_to_larger_shifts():
    tenth = tr.GaussianMixture([3, 2, 1, 0], [0.1, 0.2, 0.3, 0.4], 1)
    (mixture,) = dominating(tenth).orders[1].losses
    side = mixture.pairs[0].right
    given, left = [Fraction(0.3), Fraction(0.2), Fraction(0.1)], Fraction(0)
    total = sum(given) + Fraction(0.4)
    for weight, exact in zip(side.weights[::-1], given[::-1], strict=True):
        left += exact / total
        assert Fraction(weight) >= exact / total
    assert abs(sum(map(Fraction, side.weights)) + Fraction(side.still) - 1) < 2**-53
    tiny = tr.GaussianMixture([0, 1], [1e-20, 1], 1)
    assert tiny.delta(1.0) >= tr.Gaussian(1).delta(1.0) * (1 - 1e-12)


def test_extreme_mixtures_give_numbers():
    for shift, weight in ((1e-3, 0.5), (4, 1e-3), (0, 0.5), (5e-324, 1e-3)):
        event = tr.GaussianMixture([0, shift], [1 - weight, weight], 1)
        assert 0 <= event.delta(1.0) <= (event**3).delta(1.0) <= 1
        assert 0 <= event.tradeoff(0.1) <= 0.9
