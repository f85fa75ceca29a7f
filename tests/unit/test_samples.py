"""Samples of a fixed or bounded size, and shuffled reports: events, and what is proved of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tightrope as tr
from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.plan.exact.leaves import dominating
from tightrope.theorems.sampled_curve import SampledCurve

PERSON = tr.replace_one.of("person").keeping("the number of persons")
INNER = tr.Gaussian(noise_scale=1.0, neighbors=tr.replace_one)

EVENTS = [
    INNER.without_replacement(100, 10_000),
    INNER.without_replacement(100, 10_000, neighbors=tr.add_or_remove),
    tr.Laplace(2.0, neighbors=PERSON).with_replacement(7, 5, neighbors=tr.add_or_remove) ** 3,
    (tr.Gaussian(1.0) + tr.Laplace(2.0)).sampled(0.01, max_batch=150, population=10_000),
    tr.RandomizedResponse(1.0, categories=3).shuffled(1000),
    tr.Gaussian(2.0).restated(tr.replace_one).without_replacement(10, 100).then("a step"),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_every_sample_is_read_back(event):
    again = tr.parse(repr(event))
    assert again == event
    assert hash(again) == hash(event)
    assert again.neighbors == event.neighbors


def test_the_relation_of_a_fixed_size_sample():
    inner = tr.Gaussian(1.0, neighbors=PERSON)
    assert inner.without_replacement(1, 2).neighbors == PERSON
    outer = inner.without_replacement(1, 2, neighbors=tr.add_or_remove).neighbors
    assert str(outer) == (
        "add or remove one person, among data sets that agree on the number of persons"
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tr.Gaussian(1.0).without_replacement(1, 2), "neighbors=tr.replace_one"),
        (lambda: tr.Gaussian(1.0).with_replacement(1, 2), "restated"),
        (lambda: INNER.without_replacement(3, 2), "are the two swapped"),
        (lambda: INNER.without_replacement(1.5, 2), "whole number"),
        (lambda: INNER.with_replacement(0, 2), "batch_size must be"),
        (lambda: INNER.with_replacement(1, -2), "population must be"),
        (lambda: INNER.without_replacement(2, 2, neighbors=tr.add_or_remove), "no batch of 2"),
        (lambda: INNER.with_replacement(2, 1, neighbors=tr.add_or_remove), "nothing to draw"),
        (
            lambda: tr.Gaussian(1.0, neighbors=PERSON).without_replacement(
                1, 2, neighbors=tr.add_or_remove.of("row")
            ),
            "of the unit of the event inside",
        ),
        (lambda: tr.Gaussian(1.0).sampled(0.1, max_batch=3), "together, or neither"),
        (lambda: tr.Gaussian(1.0).sampled(0.1, max_batch=0, population=3), "max_batch must be"),
        (lambda: tr.Gaussian(1.0).sampled(1.1, max_batch=1, population=3), "are the two swapped"),
        (lambda: tr.PureDP(1.0).shuffled(10), "neighbors=tr.replace_one"),
        (lambda: tr.RandomizedResponse(1.0).shuffled(0), "reports must be"),
    ],
)
def test_what_is_refused(make, words):
    with pytest.raises(tr.TightropeError, match=words):
        make()


def test_exact_limits():
    assert INNER.without_replacement(5, 5) is INNER
    assert tr.Gaussian(1.0).sampled(0.1, max_batch=11, population=10) == tr.Gaussian(1.0).sampled(
        0.1
    )
    assert tr.Gaussian(1.0).sampled(0, max_batch=1, population=10) == tr.Gaussian(1.0).sampled(0)
    response = tr.RandomizedResponse(1.0)
    assert response.shuffled(1) is response


# --- what is proved ----------------------------------------------------------------------------


def test_a_batch_without_replacement_is_like_a_poisson_sample():
    pure = tr.PureDP(1.0, neighbors=tr.replace_one)
    for outer in (tr.replace_one, tr.add_or_remove):
        sample = pure.without_replacement(1, 10, neighbors=outer)
        assert sample.to(tr.PureDP).epsilon == pytest.approx(math.log1p(0.1 * math.expm1(1)), 1e-14)
    poisson = tr.Gaussian(1.0).sampled(0.01)
    sample = INNER.without_replacement(100, 10_000)
    assert sample.delta(0.5) == pytest.approx(poisson.delta(0.5), rel=1e-12)
    assert sample.to(tr.GDP).mu == 1
    assert sample.to(tr.ZCDP).rho == 0.5


def test_what_is_drawn_with_replacement_may_be_drawn_twice():
    pure = tr.PureDP(1.0, neighbors=tr.replace_one)
    drawn = pure.with_replacement(20, 100)
    assert drawn.to(tr.PureDP).epsilon == pytest.approx(20 * math.log1p(math.expm1(1) / 100), 1e-14)
    assert drawn.to(tr.PureDP).epsilon > pure.without_replacement(20, 100).to(tr.PureDP).epsilon
    gaussian = INNER.with_replacement(100, 10_000)
    assert gaussian.delta(0.1) > INNER.without_replacement(100, 10_000).delta(0.1)
    with pytest.raises(tr.NotReachable):
        gaussian.to(tr.GDP)


def test_failures_on_batches():
    inner = tr.ApproxDP(1.0, 1e-6, neighbors=tr.replace_one)
    amplified = math.log1p(0.1 * math.expm1(1))
    sample = inner.without_replacement(1, 10)
    assert sample.delta(amplified * (1 + 1e-9)) == pytest.approx(1e-7, rel=1e-12)
    one = inner.with_replacement(1, 10)
    assert one.delta(amplified * (1 + 1e-9)) == pytest.approx(1e-7, rel=1e-9)
    assert 1e-6 < inner.with_replacement(10, 10).delta(2.0) < 1e-5


def test_a_truncated_sample_costs_what_a_full_batch_may_show():
    plain = tr.Gaussian(1.0).sampled(0.01)
    rarely = tr.Gaussian(1.0).sampled(0.01, max_batch=200, population=10_000)
    often = tr.Gaussian(1.0).sampled(0.01, max_batch=100, population=10_000)
    assert rarely.delta(0.3) == pytest.approx(plain.delta(0.3), rel=1e-9)
    assert often.delta(0.3) > 2 * plain.delta(0.3)
    pure = tr.PureDP(1.0).sampled(0.1, max_batch=1, population=5)
    assert pure.to(tr.PureDP).epsilon == pytest.approx(math.log1p(0.1 * math.expm1(2)), 1e-14)


def test_a_truncated_sample_of_what_replaces_a_unit_gains_nothing():
    for inner in (INNER, tr.RandomizedResponse(1.0)):
        cut = inner.sampled(0.1, max_batch=3, population=10)
        assert cut.delta(0.5) == pytest.approx(inner.delta(0.5), rel=1e-6)


def test_shuffling_keeps_what_a_report_guarantees():
    response = tr.RandomizedResponse(1.0, categories=3)
    mixed = response.shuffled(100)
    for notion in (tr.PureDP, tr.ZCDP):
        assert mixed.to(notion) == response.to(notion)
    assert mixed.to(tr.GDP).mu < response.to(tr.GDP).mu / 5
    assert "shuffled" in repr(mixed.why(tr.PureDP)) or "lost" in repr(mixed.why(tr.PureDP))


def test_derivations_name_the_sample():
    told = repr(INNER.without_replacement(100, 10_000).why(tr.GDP))
    assert "batch = 100, population = 10000" in told
    assert "replace one unit" in told


# --- Renyi curves --------------------------------------------------------------------------------


class _Pair(RenyiCurve):
    """The larger of the divergences of two finite laws, in both orders."""

    max_order = np.inf

    def __init__(self, p: np.ndarray, q: np.ndarray):
        self.p, self.q = p, q

    def bound(self, orders: np.ndarray) -> np.ndarray:
        return np.max(
            [_divergence(*pair, orders) for pair in ((self.p, self.q), (self.q, self.p))], 0
        )


def _divergence(p: np.ndarray, q: np.ndarray, orders: np.ndarray) -> np.ndarray:
    ratio, found = np.log(p / q), np.empty(len(orders))
    for i, a in enumerate(orders):
        if a == 1:
            found[i] = p @ ratio
        elif np.isinf(a):
            found[i] = ratio.max()
        else:
            found[i] = np.logaddexp.reduce(np.log(q) + a * ratio) / (a - 1)
    return found


def test_no_sampled_pair_exceeds_the_sampled_curve():
    rng = np.random.default_rng(2)
    orders = np.array([1.0, 1.3, 2.0, 2.5, 5.5, 10.0, 40.0, 100.0, 300.0])
    for _ in range(20):
        p, q = rng.dirichlet(np.ones(3) * rng.choice([0.5, 5, 50]), 2) + 1e-9
        p, q = p / p.sum(), q / q.sum()
        rate = 10 ** rng.uniform(-3, -0.01)
        truth = _Pair((1 - rate) * q + rate * p, q)(orders)
        assert (truth <= SampledCurve(_Pair(p, q), rate)(orders) * (1 + 1e-9) + 1e-15).all()


def test_a_sampled_zcdp_event_gains_at_low_orders_and_nothing_far_out():
    curve = tr.ZCDP(0.5).sampled(0.01).to(tr.RDP).curve
    gaussian = tr.Gaussian(1.0).sampled(0.01).to(tr.RDP).curve
    assert gaussian(3.0) <= curve(3.0) < 1.02 * gaussian(3.0)  # the other order is bounded
    assert curve(8.0) == pytest.approx(gaussian(8.0), rel=1e-9)
    assert curve(2.0) < 0.001
    assert curve(1e6) == pytest.approx(0.5e6, rel=1e-12)
    assert (tr.ZCDP(0.01).sampled(0.01) ** 1000).epsilon(1e-6) < 1


def test_truncated_concentrated_dp_follows_with_room():
    """Bun, Dwork, Rothblum and Steinke (2018): (13 rate^2 rho, log(1/rate)/(4 rho))."""
    for rate, rho in ((0.1, 0.05), (0.01, 0.01), (0.001, 0.1), (0.03, 1e-3)):
        curve = tr.ZCDP(rho).sampled(rate).to(tr.RDP).curve
        omega = math.log(1 / rate) / (4 * rho)
        orders = np.geomspace(1.001, min(omega, 250.0), 60)
        assert (curve(orders) <= 13 * rate**2 * rho * orders).all()
        assert (curve(orders) <= 2.5 * rate**2 * rho * orders).all()


@pytest.mark.parametrize("draws", [1, 10, 100])
def test_one_batch_with_replacement_is_the_mean_of_its_kinds(draws):
    """The number of copies of the unit is binomial, and that pair is drawn and told."""
    run = tr.Gaussian(2, neighbors=tr.replace_one).with_replacement(draws, 10_000)
    low, high = run.epsilon_interval(1e-6)
    assert 0 < low <= high <= low * (1 + 1e-9)
    lower, upper = run.delta_interval(high)
    assert lower <= 1e-6 <= upper * (1 + 1e-9)


@pytest.mark.parametrize(
    ("epsilon", "truth"), [(0.05, 0.0425033035693355), (0.2, 0.0301977675580348)]
)
@pytest.mark.parametrize("outer", [tr.add_or_remove, tr.replace_one])
def test_one_batch_for_several_responses(epsilon, truth, outer):
    """The sum of max(0.9 q + 0.1 p - exp(epsilon) q, 0) over the outcomes of both responses."""
    both = tr.RandomizedResponse(1.0, neighbors=tr.replace_one) ** 2
    batch = both.without_replacement(10, 100, neighbors=outer)
    assert truth <= batch.delta(epsilon) <= truth * (1 + 1e-5)


@pytest.mark.parametrize(
    "inner", [tr.Logistic(2), tr.Laplace(2) ** 2, tr.DiscreteGaussian(400), tr.Exponential(0.1)]
)
def test_a_sample_of_a_cover_claims_no_lower_end(inner):
    """Polygons, lattices and shallow cuts cover a pair: nobody need be able to reach them."""
    assert not dominating(inner.sampled(0.1)).attained


@pytest.mark.parametrize(
    "inner",
    [
        tr.ZCDP(0.1, neighbors=tr.replace_one),
        tr.Logistic(2, neighbors=tr.replace_one),
        tr.Laplace(2, neighbors=tr.replace_one) ** 2,
    ],
)
def test_a_batch_of_a_cover_claims_no_lower_end(inner):
    batch = inner.without_replacement(10, 100, neighbors=tr.add_or_remove)
    assert not dominating(batch).attained
