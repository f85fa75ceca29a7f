"""Finite pairs, and curves that are composed by way of them."""

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
from tightrope.loss.finite.listed import ListedPair
from tightrope.loss.pair_profile import PairProfile
from tightrope.plan.exact.profile import exact_profile
from tightrope.plan.floor import scalar_floor

P, Q = (0.09919, 0.90081), (0.04591, 0.95409)
"""The pair that leaks more in a mixed order than in either order kept."""


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
