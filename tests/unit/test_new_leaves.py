"""Leaves that are given by their laws: mixtures, listed results, curves, vectors of integers."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tightrope as tr
from tightrope.loss.dominating import compose
from tightrope.loss.listed_pair import ListedPair
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.shift_vectors import largest_shifts
from tightrope.plan.exact import dominating, exact_profile
from tightrope.plan.floor import scalar_floor

P, Q = (0.09919, 0.90081), (0.04591, 0.95409)
"""The pair that leaks more in a mixed order than in either order kept."""

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


# --- listed results --------------------------------------------------------------------------


def brute_delta(pairs, epsilon):
    """delta of independent finite pairs, by all combinations of results."""
    total = 0.0
    for results in product(*(list(zip(p, q, strict=True)) for p, q in pairs)):
        p, q = math.prod(a for a, _ in results), math.prod(b for _, b in results)
        total += max(p - math.exp(epsilon) * q, 0.0)
    return total


def test_an_order_that_changes_between_releases_is_covered_only_if_declared():
    ahead, back = (P, Q), (Q, P)
    assert brute_delta([ahead, ahead], 0.7166) == pytest.approx(0.00552, abs=5e-6)
    assert brute_delta([back, back], 0.7166) < 1e-5
    mixed = brute_delta([ahead, back], 0.7166)
    assert mixed == pytest.approx(0.00997, abs=1e-5)
    directed, symmetric = tr.FinitePair(P, Q), tr.FinitePair(P, Q, symmetric=True)
    assert (directed**2).delta(0.7166) == pytest.approx(0.00552, abs=5e-6)
    assert (symmetric**2).delta(0.7166) >= mixed
    assert symmetric.delta(0.7166) == directed.delta(0.7166)


laws = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)


def normed(weights):
    return [Fraction(weight, sum(weights)) for weight in weights]


@settings(max_examples=8, deadline=None)
@given(laws, laws, st.sampled_from([-0.4, 0.1, 0.9]))
def test_compositions_of_listed_results(p, q, epsilon):
    p, q = normed(p), normed(q)
    directed, symmetric = tr.FinitePair(p, q), tr.FinitePair(p, q, symmetric=True)
    ahead, back = ([float(x) for x in law] for law in (p, q))
    orders = (ahead, back), (back, ahead)
    one = max(brute_delta([order], epsilon) for order in orders)
    kept = max(brute_delta([order] * 3, epsilon) for order in orders)
    every = max(brute_delta(choice, epsilon) for choice in product(orders, repeat=3))
    for event in (directed, symmetric):
        assert one - 1e-15 <= event.delta(epsilon) <= one + 1e-12
        assert event.to(tr.Profile).delta(epsilon) == event.delta(epsilon)
    assert kept - 1e-15 <= (directed**3).delta(epsilon) <= kept + 1e-11
    assert every - 1e-15 <= (symmetric**3).delta(epsilon)
    assert (directed**3).delta(epsilon) <= (symmetric**3).delta(epsilon) + 1e-11
    alpha = Fraction(1, 7)
    assert (directed**2).tradeoff(float(alpha)) <= 1 - float(alpha)


@settings(max_examples=40, deadline=None)
@given(laws, laws)
def test_both_orders_are_the_pointwise_maximum_of_the_profiles(p, q):
    pair = ListedPair.of(normed(p), normed(q))
    cover = pair.both_orders()
    kinks = {Fraction(a, b) for a, b in zip(cover.p, cover.q, strict=True) if b}
    kinks |= {Fraction(a, b) for a, b in zip(pair.p, pair.q, strict=True) if b}
    for x in [Fraction(1, 3), Fraction(2), *kinks, *(1 / k for k in kinks if k)]:
        assert profile(cover, x) == max(profile(pair, x), profile(pair.reversed(), x))
        assert profile(cover, x) == profile(cover.reversed(), x)


def profile(pair, x):
    excess = (a - x * b for a, b in zip(pair.p, pair.q, strict=True))
    return sum((max(e, Fraction(0)) for e in excess), Fraction(0)) / pair.total


def test_listed_results_in_the_scalar_notions():
    response = tr.RandomizedResponse(1.0)
    truth = float(1 / (1 + mpmath.exp(-1)))
    pair = tr.FinitePair([truth, 1 - truth], [1 - truth, truth])
    assert pair.to(tr.PureDP).epsilon == pytest.approx(1.0, rel=1e-14)
    assert pair.to(tr.GDP).mu == pytest.approx(float(response.to(tr.GDP).mu), rel=1e-13)
    assert (pair**50).epsilon_interval(1e-6) == pytest.approx(
        (response**50).epsilon_interval(1e-6), rel=1e-10
    )
    failing = tr.FinitePair([0.5, 0.5, 0], [0.5, 0.25, 0.25])
    with pytest.raises(tr.NotReachable):
        failing.to(tr.GDP)
    assert (failing**2).delta(1.0) == pytest.approx(1 - 0.75**2, rel=1e-12)
    certain = tr.FinitePair([1, 0], [0, 1])
    assert (certain + tr.Gaussian(1)).delta(3.0) == 1
    assert certain.sampled(0.1).delta(1.0) == pytest.approx(0.1, rel=1e-12)


def test_no_floor_adds_what_different_orders_leak():
    """The largest log-ratios of the two pairs lie in different orders."""
    one, other = tr.FinitePair([0.9, 0.1], [0.95, 0.05]), tr.FinitePair([0.95, 0.05], [0.9, 0.1])
    both = one + other
    assert both.epsilon(0.0) == pytest.approx(2 * math.log(2) - math.log(2) + math.log(95 / 90))
    assert scalar_floor(both, tr.PureDP) <= both.epsilon(0.0)
    assert scalar_floor(both, tr.GDP) <= both.to(tr.GDP).mu


def test_a_sample_of_listed_results_is_listed():
    pair = tr.FinitePair([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])
    sampled = tr.FinitePair([0.3125, 0.5, 0.1875], [0.25, 0.5, 0.25])
    assert (pair.sampled(0.25) ** 5).delta(0.2) == (sampled**5).delta(0.2)


def test_many_unrelated_losses_are_covered_on_a_lattice():
    rng = np.random.default_rng(5)
    p = rng.dirichlet(np.ones(80))
    q = p * np.exp(rng.normal(0, 0.3, 80))
    event = tr.FinitePair(p, q / q.sum())
    both = [brute_delta([order], 0.25) for order in ((p, q / q.sum()), (q / q.sum(), p))]
    assert event.delta(0.25) == pytest.approx(max(both), rel=1e-12)
    pair = event.alternatives()[0]
    exact = PairProfile([compose([(pair, 2)])]).log_delta(np.array([0.5]))
    covered = exact_profile(event**2).log_delta(np.array([0.5]))
    assert exact.lower[0] <= covered.upper[0] <= exact.upper[0] + 1e-3
    assert not exact_profile(event**2).attained


# --- curves ----------------------------------------------------------------------------------


def test_curves_compose_as_their_pairs_do():
    third = tr.TradeOff([0, 0.25, 1], [1, 0.25, 0])
    response = tr.PureDP(math.log(3)) ** 30
    assert exact_profile(third**30) is not None
    assert (third**30).delta(4.0) == pytest.approx(response.delta(4.0), rel=1e-9)
    assert (third**30).epsilon(1e-6) == pytest.approx(response.epsilon(1e-6), rel=1e-9)
    points = tr.Profile([1.0], [1e-6]) ** 30
    assert points.delta(9.0) == pytest.approx((tr.ApproxDP(1.0, 1e-6) ** 30).delta(9.0), rel=1e-9)


def test_two_claims_compose_better_than_one_of_them():
    event = tr.Profile([0.5, 1.0], [1e-3, 1e-6]) ** 100
    assert event.epsilon(1e-2) < (tr.ApproxDP(1.0, 1e-6) ** 100).epsilon(1e-2)
    assert event.delta(30.0) < 0.1


def test_the_curve_of_an_event_is_the_event():
    event = tr.Gaussian(1.0).sampled(0.01) ** 100
    for notion in (tr.Profile, tr.TradeOff):
        assert event.to(notion).epsilon(1e-6) == pytest.approx(event.epsilon(1e-6), rel=1e-10)
        both = event.to(notion) + tr.Gaussian(3.0)
        expected = (event + tr.Gaussian(3.0)).epsilon(1e-6)
        assert both.epsilon(1e-6) == pytest.approx(expected, rel=1e-10)


def test_certain_failures_do_not_break_compositions():
    nothing_holds = tr.TradeOff([0, 1], [0, 0])
    for event in (nothing_holds, nothing_holds**2, nothing_holds + tr.GDP(1.0)):
        assert event.delta(2.0) == 1
        assert event.epsilon(0.5) == math.inf


def test_units_that_change_together_have_no_common_direction():
    """One removed and the other added leaks more here than both removed, or both added."""
    person, home = (tr.add_or_remove.of(unit) for unit in ("person", "home"))
    first = tr.FinitePair(P, Q, neighbors=person)
    both = tr.jointly(first, tr.FinitePair(P, Q, neighbors=home))
    assert both.delta(0.7166) == pytest.approx(brute_delta([(P, Q), (Q, P)], 0.7166), rel=1e-9)


# --- vectors of integers ---------------------------------------------------------------------


def test_largest_shifts_are_those_that_cannot_grow():
    for square, dimension in product(range(8), range(1, 5)):
        every = [x for x in product(range(3), repeat=dimension) if sum(i * i for i in x) <= square]
        largest = {
            tuple(sorted((i for i in x if i), reverse=True))
            for x in every
            if not any(y != x and all(b >= a for a, b in zip(x, y, strict=True)) for y in every)
        }
        assert set(largest_shifts(square, dimension)) == largest


def test_the_norm_does_not_decide_what_a_vector_leaks():
    vector = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=4)
    one, four = tr.DiscreteGaussian(1.0, 2), tr.DiscreteGaussian(1.0) ** 4
    assert (round(one.delta(2.0), 3), round(four.delta(2.0), 3)) == (0.267, 0.315)
    assert (round(one.delta(5.0), 4), round(four.delta(5.0), 4)) == (0.0385, 0.0273)
    for epsilon in (-1.0, 0.0, 2.0, 5.0, 9.0):
        largest = max(one.delta(epsilon), four.delta(epsilon))
        assert vector.delta(epsilon) == pytest.approx(largest, rel=1e-10)
    narrow = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=1)
    assert narrow.epsilon(1e-6) == pytest.approx(one.epsilon(1e-6), rel=1e-10)


def test_releases_may_differ_in_direction():
    vector = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=4)
    one, four = tr.DiscreteGaussian(1.0, 2), tr.DiscreteGaussian(1.0) ** 4
    for epsilon in (1.0, 9.0, 16.0):
        chosen = max((four**k + one ** (3 - k)).delta(epsilon) for k in (1, 2))
        chosen = max(chosen, (one**3).delta(epsilon), (four**3).delta(epsilon))
        assert chosen <= (vector**3).delta(epsilon) <= 1.6 * chosen
    (cover,) = dominating(vector).orders
    alone = cover.law.log_delta(np.array([2.0, 5.0]))
    assert alone.upper == pytest.approx(np.log([four.delta(2.0), one.delta(5.0)]), rel=1e-8)


def test_long_vectors_have_zcdp_and_gdp():
    vector = tr.DiscreteGaussianVector(variance=25, dimension=10**6, squared_sensitivity=1000)
    assert vector.to(tr.ZCDP) == tr.ZCDP(20)
    assert vector.to(tr.GDP).mu == pytest.approx(
        math.sqrt(1000) * tr.DiscreteGaussian(5.0).to(tr.GDP).mu, rel=1e-12
    )
    assert (vector**2).epsilon(1e-6) == pytest.approx(
        tr.GDP(math.sqrt(2) * vector.to(tr.GDP).mu).epsilon(1e-6), rel=1e-12
    )
    assert vector.group(3).to(tr.ZCDP) == tr.ZCDP(180)
    still = tr.DiscreteGaussianVector(1.0, sensitivity=0, dimension=2)
    assert still.delta(0.0) == (still**5).delta(0.0) == 0
