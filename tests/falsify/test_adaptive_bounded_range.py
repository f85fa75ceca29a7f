"""Bounded range does not add when a release is chosen after seeing another one.

An e-bounded-range release has its log-ratios in an interval [l, l + e] with l in [-e, 0], and l may
depend on what was seen before. The first release of log-ratios r or r - e1 is followed by one that
goes up to e2 after the former answer, and by one that goes down to -e2 after the latter: together
they range over e1 + 2 e2.
"""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import numpy as np
import pytest
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from pools import coins
from runs import adaptive, alike

import tightrope as tr
from tightrope.theorems.registry import named

FAR = -25.0
"""Log-odds of an answer so rare that the other one says nothing."""


def upwards(epsilon: float) -> FinitePairs:
    """Coins with log-ratios epsilon and (to ten digits) 0."""
    return coins(np.array([FAR - epsilon]), np.array([FAR]))


def released(*epsilons: float) -> FinitePairs:
    """Each release after the first goes on in the direction in which the ratio already leans."""
    joint = coins(np.array([-epsilons[0] / 2]), np.array([epsilons[0] / 2]))
    for epsilon in epsilons[1:]:
        up, down = upwards(epsilon), upwards(epsilon).swapped()
        joint = adaptive(joint, [up if loss > 0 else down for loss in joint.loss[0]])
    return joint


def composed(*epsilons: float) -> float:
    rule = named("compose_bounded_range")
    return float(rule(np.array(epsilons), [1] * len(epsilons)))


@pytest.mark.parametrize("epsilons", [(1.0, 1.0), (0.1, 2.0), (0.5, 0.6), (3.0, 5.0)])
def test_the_sum_is_false(epsilons: tuple[float, float]) -> None:
    first, second = coins(np.array([-0.5]), np.array([0.5])), upwards(epsilons[1])
    assert oracle.bounded_range(first)[0] == pytest.approx(1.0, rel=1e-12)
    assert oracle.bounded_range(second)[0] == pytest.approx(epsilons[1], rel=1e-9)
    own = oracle.bounded_range(released(*epsilons))[0]
    assert own > sum(epsilons) * 1.3
    assert own == pytest.approx(epsilons[0] + 2 * epsilons[1], rel=1e-9)


@pytest.mark.parametrize(
    "epsilons", [(1.0, 1.0), (0.1, 2.0), (1.0, 0.5, 0.2), (2.0, 1.0, 0.5, 0.1)]
)
def test_twice_the_sum_less_the_least_holds_and_is_attained(epsilons: tuple[float, ...]) -> None:
    """In whichever order they come; attained if the least comes first."""
    claim = 2 * sum(epsilons) - min(epsilons)
    assert composed(*epsilons) == pytest.approx(claim, rel=1e-14)
    assert composed(*epsilons) >= claim * (1 - 1e-16)
    ranges = [oracle.bounded_range(released(*order))[0] for order in permutations(epsilons)]
    assert max(ranges) == pytest.approx(claim, rel=1e-9)
    assert max(ranges) <= composed(*epsilons) * (1 + 1e-9)


def test_releases_chosen_at_random_stay_within_it() -> None:
    count = 2000
    first, *others = (alike(oracle.bounded_range, seed, count) for seed in (5, 6))
    stated = [
        oracle.bounded_range(first[0]),
        np.max([oracle.bounded_range(part) for part in others[0]], axis=0),
    ]
    claim = 2 * np.sum(stated, axis=0) - np.min(stated, axis=0)
    own = oracle.bounded_range(adaptive(first[0], others[0]))
    assert (own <= claim * (1 + 1e-12)).all()
    assert (own > np.sum(stated, axis=0) * (1 + 1e-9)).any()  # the sum is refuted at random too


def test_releases_that_are_fixed_beforehand_do_add() -> None:
    """What the rule gives away if nothing depends on anything: ranges of a product add."""
    pairs = [upwards(1.0), upwards(0.5).swapped(), coins(np.array([0.2]), np.array([-0.2]))]
    product = pairs[0].product(pairs[1]).product(pairs[2])
    own = [float(oracle.bounded_range(pair)[0]) for pair in pairs]
    assert oracle.bounded_range(product)[0] == pytest.approx(sum(own), rel=1e-12)
    assert composed(*own) > sum(own)


def test_the_planner_uses_the_adaptive_rule() -> None:
    for epsilons in ((1.0, 1.0), (0.1, 2.0)):
        run = tr.compose(*(tr.BoundedRange(e) for e in epsilons))
        assert (
            run.to(tr.BoundedRange).epsilon >= oracle.bounded_range(released(*epsilons))[0] - 1e-9
        )
        assert run.to(tr.PureDP).epsilon == pytest.approx(sum(epsilons), rel=1e-14)
        assert run.to(tr.GDP).mu >= oracle.tight_mu(released(*epsilons))[0]


def test_ranges_of_a_chain_of_neighbours_do_add() -> None:
    """Group privacy is another matter: along a chain nothing is chosen."""
    laws = [coins(np.array([u]), np.array([u])).log_p for u in (-2.0, -1.5, 0.1, 0.3)]
    steps = [float(oracle.bounded_range(FinitePairs(p, q))[0]) for p, q in pairwise(laws)]
    whole = float(oracle.bounded_range(FinitePairs(laws[0], laws[-1]))[0])
    assert whole == pytest.approx(math.fsum(steps), rel=1e-12)
    assert whole <= float(named("group_bounded_range")(max(steps), 3))
