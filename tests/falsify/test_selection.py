"""The best of a random number of runs, by its exact law, against every bound that is claimed.

One run is a pair of laws on a few ranked results. The law of the best result is summed over the
number of runs, straight from the definition.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import tightrope as tr
from tightrope.theorems.registry import named
from tightrope.theorems.selection import shift_binomial, shift_poisson

ROUNDED = 1e-9
ORDERS = 1 + np.geomspace(1e-2, 1e3, 60)
EPSILONS = np.linspace(0.0, 8.0, 81)

LAWS = [
    tr.NegativeBinomialRepetitions(eta=1, gamma=0.1),
    tr.NegativeBinomialRepetitions(eta=0, gamma=0.05),
    tr.NegativeBinomialRepetitions(eta=-0.5, gamma=0.03),
    tr.NegativeBinomialRepetitions(eta=4, gamma=0.5),
    tr.PoissonRepetitions(10),
    tr.PoissonRepetitions(1),
    tr.PoissonRepetitions(0.1),
]


@cache
def chances(law) -> np.ndarray:
    """P(K = 0), P(K = 1), ... until what is left is negligible."""
    if isinstance(law, tr.PoissonRepetitions):
        mean = float(law.mean)
        steps = np.arange(1, 200)
        return np.exp(np.cumsum([-mean, *np.log(mean / steps)]))
    eta, gamma = float(law.eta), float(law.gamma)
    weights = [1.0]  # of k = 1; the recursion is that of the definition
    for k in range(1, 3000):
        weights.append(weights[-1] * (1 - gamma) * (eta + k) / (k + 1))
    return np.array([0.0, *weights]) / sum(weights)


def best_of(pmf: np.ndarray, law) -> np.ndarray:
    """The law of the best of K results, led by the chance that there was no run."""
    p = chances(law)
    powers = np.arange(len(p))
    below = np.minimum(np.concatenate([[0.0], np.cumsum(pmf)]), 1.0)
    at_most = np.sum(p * below[:, None] ** powers, axis=1)
    found = np.diff(at_most)
    return found if p[0] == 0 else np.concatenate([[p[0]], found])


def renyi(p: np.ndarray, q: np.ndarray, order: float) -> float:
    if order == np.inf:
        return float(np.max(np.log(p / q)))
    if order == 1:
        return float(np.sum(p * np.log(p / q)))
    logs = order * np.log(p) + (1 - order) * np.log(q)
    top = logs.max()
    return float((top + np.log(np.sum(np.exp(logs - top)))) / (order - 1))


def hockey_stick(p: np.ndarray, q: np.ndarray, epsilon: float) -> float:
    return float(np.sum(np.maximum(p - np.exp(epsilon) * q, 0)))


class Pair:
    """One run, with its exact parameters in both orders."""

    def __init__(self, p: np.ndarray, q: np.ndarray):
        self.p, self.q = p, q

    def divergence(self, order: float) -> float:
        return max(renyi(self.p, self.q, order), renyi(self.q, self.p, order), 0.0)

    def log_delta(self, epsilon):
        def one(e):
            value = max(hockey_stick(self.p, self.q, e), hockey_stick(self.q, self.p, e))
            return math.log(value) if value > 0 else -math.inf

        return np.vectorize(one, otypes=[float])(epsilon)


def pairs(count: int, seed: int) -> list[Pair]:
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        size = int(rng.integers(2, 12))
        p = rng.dirichlet(np.full(size, rng.choice([0.5, 1, 5])))
        tilt = rng.choice([0.05, 0.5, 2.0]) * np.sort(rng.normal(size=size))
        if number % 2:
            rng.shuffle(tilt)
        p = np.maximum(p, 1e-4) / np.maximum(p, 1e-4).sum()
        q = p * np.exp(tilt)
        found.append(Pair(p, q / q.sum()))
    return found


def is_binomial(law) -> bool:
    return isinstance(law, tr.NegativeBinomialRepetitions)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_no_pair_exceeds_the_renyi_curve(law):
    rule = named("select_rdp" if is_binomial(law) else "select_rdp_poisson")
    for pair in pairs(24, seed=1):
        curve = tr.RDP(pair.divergence).curve
        bound = rule(curve, law, pair.log_delta)
        selected = Pair(best_of(pair.p, law), best_of(pair.q, law))
        claimed = bound(np.array([1.0, *ORDERS, np.inf]))
        exact = np.array([selected.divergence(order) for order in (1.0, *ORDERS, np.inf)])
        assert (exact <= claimed * (1 + ROUNDED) + ROUNDED).all()


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_no_pair_exceeds_the_profile(law):
    shift = shift_binomial if is_binomial(law) else shift_poisson
    rule = named("select_profile")
    for pair in pairs(40, seed=2):
        claimed = rule(EPSILONS, law, shift(law, pair.log_delta), pair.log_delta)
        selected = Pair(best_of(pair.p, law), best_of(pair.q, law))
        exact = selected.log_delta(EPSILONS)
        seen = exact > math.log(1e-13)  # below, the sums above are rounding
        assert (exact[seen] <= claimed[seen] + 1e-9).all()


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_no_pair_exceeds_pure_and_approximate_dp(law):
    rule = named("select_pure" if is_binomial(law) else "select_pure_poisson")
    for pair in pairs(60, seed=3):
        epsilon = pair.divergence(np.inf)
        selected = Pair(best_of(pair.p, law), best_of(pair.q, law))
        assert selected.divergence(np.inf) <= rule(epsilon, law) + ROUNDED
        for stated in (epsilon / 4, epsilon / 2):
            e, failure = named("select_approx")(stated, math.exp(pair.log_delta(stated)), law)
            assert math.exp(selected.log_delta(e)) <= failure * (1 + ROUNDED) + 1e-13


@pytest.mark.parametrize("law", LAWS, ids=repr)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_pure_dp_is_attained(law, epsilon):
    """Randomised response, whose truthful answer is told at finely graded ranks."""
    grades = 4000
    truth = 1 / (1 + math.exp(-epsilon))
    p = np.concatenate([np.full(grades, truth / grades), np.full(grades, (1 - truth) / grades)])
    q = p[::-1]
    best = [generated(law, np.cumsum(x)) for x in (p, q)]
    found = np.max(np.abs(np.log(np.diff(best[0]) / np.diff(best[1]))))
    claimed = tr.PureDP(epsilon).best_of(law).to(tr.PureDP).epsilon
    assert found <= claimed + 1e-8
    assert found == pytest.approx(claimed, rel=2e-3)


def generated(law, x: np.ndarray) -> np.ndarray:
    """E[x^K] at many points."""
    if isinstance(law, tr.PoissonRepetitions):
        return np.exp(float(law.mean) * (x - 1))
    eta, gamma = float(law.eta), float(law.gamma)
    p = gamma + (1 - gamma) * (1 - x)
    if eta == 0:
        return np.log(p) / math.log(gamma)
    return (p**-eta - 1) / (gamma**-eta - 1)


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_the_generating_function_and_the_mean(law):
    p = chances(law)
    x = np.linspace(0, 1, 11)
    assert np.allclose(np.sum(p * x[:, None] ** np.arange(len(p)), axis=1), generated(law, x))
    assert float(law.mean) == pytest.approx(np.sum(p * np.arange(len(p))), rel=1e-9)
    assert float(law.mean) >= np.sum(p * np.arange(len(p))) * (1 - 1e-9)


def test_without_the_chance_of_no_run_the_poisson_bound_would_be_false():
    """For a mean below 1 the published formula, log mu/(a - 1) and no more, turns negative."""
    law, order = tr.PoissonRepetitions(0.1), 2.0
    pair = Pair(np.array([0.6, 0.4]), np.array([0.4, 0.6]))
    selected = Pair(best_of(pair.p, law), best_of(pair.q, law))
    chance = math.exp(pair.log_delta(math.log(order / (order - 1))))
    published = pair.divergence(order) + 0.1 * chance + math.log(0.1) / (order - 1)
    assert published < 0 < selected.divergence(order)
