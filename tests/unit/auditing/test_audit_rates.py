"""Bounds and p-values, held to exact binomial probabilities by enumeration."""

import math

import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.auditing.claim import claim_of, epsilon_of, mu_of
from tightrope.auditing.rates import Hits, at_least, at_most, detectable, p_value

TRIALS = 12


def binomial(hits, trials, rate):
    return math.comb(trials, hits) * rate**hits * (1 - rate) ** (trials - hits)


@pytest.mark.parametrize("miss", [0.2, 0.01, 1e-6])
def test_bounds_cover_every_rate(miss):
    counts = np.arange(TRIALS + 1)
    low, high = at_least(counts, TRIALS, miss), at_most(counts, TRIALS, miss)
    for rate in np.linspace(0.0, 1.0, 201):
        masses = [binomial(k, TRIALS, rate) for k in range(TRIALS + 1)]
        assert sum(m for m, end in zip(masses, low, strict=True) if end > rate) <= miss
        assert sum(m for m, end in zip(masses, high, strict=True) if end < rate) <= miss


def test_bounds_are_those_of_clopper_and_pearson():
    """The rate at which so many hits, or more, have just that probability."""
    for hits in (1, 7, 11):
        rate = mp.mpf(float(at_least(hits, TRIALS, 0.01)))
        tail = mp.fsum(
            mp.binomial(TRIALS, k) * rate**k * (1 - rate) ** (TRIALS - k)
            for k in range(hits, TRIALS + 1)
        )
        assert 0.01 * (1 - 1e-6) < tail <= 0.01


CLAIMS = [tr.PureDP(1.0), tr.ApproxDP(0.5, 0.05), tr.GDP(1.0), tr.ZCDP(0.5)]


@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_p_values_are_valid_on_the_edge_of_the_claim(claim):
    known = claim_of(claim, "test")
    values = {
        (k, m): p_value(known, Hits(k, TRIALS, m, TRIALS))
        for k in range(TRIALS + 1)
        for m in range(TRIALS + 1)
    }
    for q in (0.01, 0.1, 0.3, 0.6):
        p = float(known.most(np.array([q]))[0])
        for level in (0.1, 0.01, 1e-3):
            chance = sum(
                binomial(k, TRIALS, p) * binomial(m, TRIALS, q)
                for (k, m), value in values.items()
                if value <= level
            )
            assert chance <= level


@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_a_refutation_is_a_bound_that_exceeds_the_claim(claim):
    """The p-value falls to the level exactly where the two bounds contradict the claim."""
    known, level = claim_of(claim, "test"), 0.01
    for k in range(0, TRIALS + 1, 3):
        for m in range(0, TRIALS + 1, 2):
            p = at_least(k, TRIALS, level / 2)
            q = np.atleast_1d(at_most(m, TRIALS, level / 2))
            broken = bool(p > known.most(q)[0])
            value = p_value(known, Hits(k, TRIALS, m, TRIALS))
            assert broken == (value <= level) or value == pytest.approx(level, rel=0.02)


@pytest.mark.parametrize("claim", CLAIMS[:3], ids=repr)
def test_what_a_claim_allows_is_what_its_tradeoff_curve_says(claim):
    q = np.array([1e-4, 0.05, 0.3, 0.7])
    allowed = claim_of(claim, "test").most(q)
    assert allowed == pytest.approx(1 - claim.tradeoff(q), rel=1e-9)


@pytest.mark.parametrize(
    "claim",
    [tr.ZCDP(0.5), tr.Exponential(1.0), tr.DiscreteLaplace(2, 3), tr.Laplace(1.0).as_released()],
    ids=repr,
)
def test_an_event_allows_no_less_than_its_tradeoff_curve_and_hardly_more(claim):
    q = np.array([1e-3, 0.05, 0.3, 0.7])
    allowed, exact = claim_of(claim, "test").most(q), 1 - claim.tradeoff(q)
    assert (allowed >= exact - 1e-12).all()
    assert allowed == pytest.approx(exact, rel=0.03)


def test_losses_of_an_event():
    p, q = np.array([0.6, 0.3]), np.array([0.2, 0.1])
    direct = [math.log(0.5 / 0.2), math.log(0.2 / 0.1)]
    assert epsilon_of(p, q, 0.1) == pytest.approx(direct)
    assert epsilon_of(1 - q, 1 - p, 0.1) == pytest.approx(direct)  # of the complement
    quantile = mp.sqrt(2) * (mp.erfinv(0.2) - mp.erfinv(-0.6))
    assert mu_of(p, q)[0] == pytest.approx(float(quantile))


def test_what_is_detectable_is_detected():
    """A response with so much more loss is refuted in about nine audits of ten, or more."""
    claim, level, trials = tr.PureDP(1.0), 1e-3, 2000
    known = claim_of(claim, "test")
    epsilon = detectable(known, (trials, trials), level)
    rate = 1 / (1 + math.exp(-epsilon))
    source = np.random.default_rng(5)
    first, second = (source.binomial(trials, r, size=400) for r in (rate, 1 - rate))
    values = [
        p_value(known, Hits(int(k), trials, int(m), trials))
        for k, m in zip(first, second, strict=True)
    ]
    assert 0.85 < np.mean(np.array(values) <= level) < 1
