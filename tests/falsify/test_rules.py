"""Composition, group privacy and sampling: no run of releases, chain or sample refutes a rule."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from compositions import COMPOSITIONS
from groups import GROUPS, SIZES, ends, leaking
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from pools import coins
from runs import mixtures
from samples import SAMPLES, alone, far_out, wide
from trials import Trial, delta_at

from tightrope.theorems.registry import Grade, named
from tightrope.theorems.registry import theorems as registered

FEW, MANY = 90, 1200
TOO_STRONG = 0.05

TRIALS = COMPOSITIONS | GROUPS | SAMPLES

SLACK = {
    "compose_logistic": "a product of logistic pairs is far from a logistic pair",
    "compose_basic": "failures and log-ratios of different releases do not add up at once",
    "compose_advanced": "a concentration inequality",
    "group_zcdp": "the harmonic number: the bound at order 1 is used at every order",
    "group_tcdp": "only orders up to omega/k are kept",
    "group_rdp": "the order of the chain is spent step by step, though not optimally",
    "sample_logistic": "nothing is gained from sampling",
    "sample_rdp": "nothing is gained from sampling",
    "sample_tcdp": "nothing is gained from sampling",
}
"""Loose rules, and where they lose."""

SHARP = sorted(set(TRIALS) - set(SLACK))


@cache
def trials(name: str, count: int) -> list[Trial]:
    return TRIALS[name](count)


def assert_not_refuted(name: str, count: int) -> None:
    for one in trials(name, count):
        assert not np.isnan(one.claim).any()
        for row in np.flatnonzero(one.refuted())[:1]:
            pytest.fail(f"{name}: claims {one.claim[row]!r}, true is {one.truth[row]!r}")


def test_every_rule_is_tried() -> None:
    rules = [t for kind in ("composition", "group", "sampling") for t in registered(kind)]
    assert {t.name for t in rules} == set(TRIALS) | {"sample_tradeoff"}  # tried by itself below
    assert {t.name for t in rules if t.grade is Grade.LOOSE} == set(SLACK)


@pytest.mark.parametrize("name", TRIALS)
def test_nothing_refutes_a_rule(name: str) -> None:
    assert_not_refuted(name, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIALS)
def test_nothing_among_many_refutes_a_rule(name: str) -> None:
    assert_not_refuted(name, MANY)


@pytest.mark.parametrize("name", SHARP)
def test_something_refutes_what_is_five_percent_too_strong(name: str) -> None:
    counted = sum(int(one.refuted(TOO_STRONG).sum()) for one in trials(name, FEW))
    print(f"{name}: refuted by {counted} runs")
    assert counted > 0


def test_the_group_rule_of_zcdp_is_sharp_without_an_offset() -> None:
    """Shifted Gaussians: k^2 rho less 5 % is refuted."""
    plain = [one for one in trials("group_zcdp", FEW) if one.pairs.log_p.shape[1] == 100]
    assert len(plain) == 3
    assert all(one.refuted(TOO_STRONG).all() for one in plain)


def test_counts_are_repeated_columns() -> None:
    pairs = {
        "compose_pure": ((0.3, 0.1),),
        "compose_logistic": ((0.3, 0.1),),
        "compose_bounded_range": ((0.3, 0.1),),
        "compose_gdp": ((0.3, 0.1),),
        "compose_zcdp": ((0.3, 0.1), (0.01, 0.2)),
        "compose_tcdp": ((0.3, 0.1), (20.0, 30.0)),
        "compose_basic": ((0.3, 0.1), (1e-6, 1e-5)),
    }
    for name, columns in pairs.items():
        counted = named(name)(*(np.array(c) for c in columns), [2, 3])
        written = named(name)(*(np.repeat(np.array(c), [2, 3]) for c in columns), [1] * 5)
        assert counted == pytest.approx(written, rel=1e-15)


def test_mixing_over_samples_loses_bounded_range() -> None:
    """Two states of the other units lead to different answers, with ranges [-e, 0] and [0, e]."""
    epsilon, never = 1.0, np.full((1, 2), -np.inf)
    down = coins(np.array([-10.0]), np.array([-10 - epsilon]))
    up = coins(np.array([-10 - epsilon]), np.array([-10.0]))
    states = FinitePairs(
        np.vstack([np.hstack([down.log_p, never]), np.hstack([never, up.log_p])]),
        np.vstack([np.hstack([down.log_q, never]), np.hstack([never, up.log_q])]),
    )
    assert oracle.bounded_range(states) == pytest.approx([epsilon, epsilon], rel=1e-12)
    mixed = mixtures(states, np.array([0.99]), np.array([0.5]))
    assert oracle.bounded_range(mixed)[0] > 1.9 * epsilon


# --- rules that circulate and are false --------------------------------------------------------


def test_an_offset_does_not_grow_by_the_size_of_the_group_alone() -> None:
    """(k xi, k^2 rho) is refuted where (k (1 + 1/2 + ... + 1/k) xi, k^2 rho) holds."""
    harmonic = {k: sum(1 / j for j in range(1, k + 1)) for k in SIZES}
    offsets = [one for one in trials("group_zcdp", FEW) if one.note is not None]
    assert any((one.truth > one.claim / harmonic[one.note] * 1.05).any() for one in offsets)


def test_sampling_does_not_shrink_the_tail() -> None:
    """rate^2 rho is refuted by two Gaussians, rate mu by coins 30 deviations out."""
    rate = 0.9
    for pairs, parameter, power in ((wide(), oracle.rho_star, 2), (far_out(), oracle.tight_mu, 1)):
        sampled = alone(pairs, rate)[2]
        assert (parameter(sampled) > parameter(pairs) * rate**power * 1.05).all()


def test_failures_of_neighbours_in_a_chain_grow_faster_than_linearly() -> None:
    """(k epsilon, k delta) is refuted: the rule's factor is (e^(k epsilon) - 1)/(e^epsilon - 1)."""
    for size in SIZES:
        chain, epsilon = leaking(size), np.array([0.1, 0.5, 1.0])
        delta = np.array([1e-6, 1e-4, 1e-9])
        assert (delta_at(ends(chain), size * epsilon) > size * delta * 1.04).all()


def coin_curve(alpha, type_one, power):
    """The trade-off curve of a coin with these chances of heads, heads being the likelier sign."""
    steep = 1 - alpha * power / type_one
    flat = (1 - power) * (1 - alpha) / (1 - type_one)
    return np.where(alpha <= type_one, steep, flat)


@pytest.mark.parametrize("rate", [0.01, 0.3, 0.9])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_curve_of_a_sample_is_that_of_the_worse_order_of_sampled_coins(rate, epsilon):
    truth = 1 / (1 + np.exp(-epsilon))
    mixed = rate * truth + (1 - rate) * (1 - truth)  # heads with the unit in the data
    alpha = np.linspace(0, 1, 101)

    def base(a):
        return coin_curve(np.asarray(a, dtype=float), 1 - truth, truth)

    found = named("sample_tradeoff")(alpha, rate, base)
    added = coin_curve(alpha, 1 - truth, mixed)
    removed = coin_curve(alpha, 1 - mixed, truth)  # tails speak for the data without the unit
    assert (found <= np.minimum(added, removed) + 1e-15).all()
    assert found == pytest.approx(np.minimum(added, removed), abs=1e-12)
