"""Sums of few atoms, against sums written out in fifty digits."""

from __future__ import annotations

import itertools
import math

import finite_reference as ref
import mpmath as mp
import numpy as np
import pytest
from engine import from_pair, log_delta

from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.exact.multinomial import sums
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.total import Total

THREE = [0.5, 0.3125, 0.1875], [0.3125, 0.25, 0.4375]


def law_of(*runs: tuple[FiniteLoss, int]) -> ExactSum:
    law = ExactSum.of(Total.of(runs))
    assert law is not None
    return law


def within(law: ExactSum, epsilon: float, truth: mp.mpf, width: float = 1e-9) -> None:
    interval = law.log_delta(np.array([epsilon]))
    assert interval.lower[0] <= mp.log(truth) <= interval.upper[0]
    assert interval.upper[0] - interval.lower[0] < width
    assert abs(mp.log(truth) - interval.upper[0]) < width


@pytest.mark.parametrize(
    ("epsilon", "count"),
    [(0.1, 1), (0.1, 10), (1.0, 10), (0.01, 1000), (5.0, 1000), (0.1, 100_000)],
)
def test_binary_responses(epsilon: float, count: int) -> None:
    law = law_of((FiniteLoss.randomized_response(epsilon), count))
    mean, deviation = count * epsilon * math.tanh(epsilon / 2), epsilon * math.sqrt(count)
    with mp.workdps(50):
        for at in (0.0, mean, mean + 3 * deviation, mean + 8 * deviation, mean + 35 * deviation):
            if at < count * epsilon:
                within(law, at, ref.binary_profile(epsilon, count, at))


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_three_atoms_on_no_lattice(count: int) -> None:
    law = law_of((from_pair(*THREE), count))
    with mp.workdps(50):
        atoms = ref.pair(*THREE)
        for share in (0.0, 0.3, 0.7, 0.99):
            at = share * count * float(atoms[0][0])
            within(law, at, ref.profile(atoms, count, at), 1e-10)


def test_several_kinds_together() -> None:
    law = law_of((FiniteLoss.categorical_response(0.7, 5), 3), (from_pair(*THREE), 2))
    with mp.workdps(50):
        response, pair = ref.response(0.7, 5), ref.pair(*THREE)
        truth = mp.mpf(0)
        for drawn in itertools.product(response, response, response, pair, pair):
            loss = mp.fsum(atom[0] for atom in drawn)
            if loss > 1:
                truth += mp.fprod(atom[1] for atom in drawn) * (1 - mp.exp(1 - loss))
        within(law, 1.0, truth)


def test_the_order_of_outcomes_does_not_matter() -> None:
    p, q = THREE
    law = law_of((from_pair(p, q), 100))
    other = law_of((from_pair([p[2], p[0], p[1]], [q[2], q[0], q[1]]), 100))
    assert len(law.sums) == math.comb(102, 2)
    assert other.sums == pytest.approx(law.sums, rel=1e-12, abs=1e-12)


def test_probabilities_add_up() -> None:
    rows = from_pair(*THREE).blocks[0]
    for count in (1, 2, 17, 300):
        log_mass = sums(rows, 0, count).log_mass
        assert math.fsum(np.exp(log_mass)) == pytest.approx(1, abs=1e-12)


def test_log_probabilities_are_within_their_doubt() -> None:
    rows = FiniteLoss.categorical_response(8.0, 3).blocks[0]
    count = 200
    _, _, log_mass, doubt = sums(rows, 0, count)
    with mp.workdps(50):
        (a, p), (_, q), (_, r) = ref.response(8.0, 3)
        assert a == 8
        masses = [q, r, p]
        index = 0
        for x in range(count + 1):
            for y in range(count - x + 1):
                if (x + y) % 37 == 0:
                    times = (x, y, count - x - y)
                    truth = mp.log(
                        mp.factorial(count)
                        * mp.fprod(
                            m**n / mp.factorial(n) for m, n in zip(masses, times, strict=True)
                        )
                    )
                    off = abs(truth - log_mass[index])
                    assert off <= doubt.at(np.array([-float(truth)]))[0]
                index += 1


def test_infinite_losses_come_on_top() -> None:
    total = Total.of([(FiniteLoss.approx(0.5, 1e-3), 4)])
    found = log_delta(total, np.array([0.75, 1.9, 2.5]))
    with mp.workdps(50):
        for at, lower, upper in zip((0.75, 1.9, 2.5), found.lower, found.upper, strict=True):
            stays = (1 - mp.mpf(1e-3)) ** 4
            truth = mp.log(1 - stays + stays * ref.profile(ref.response(0.5), 4, at))
            assert lower <= truth <= upper
            assert upper - lower < 1e-10


def test_the_order_of_the_neighbours_matters() -> None:
    """Bern(.09919) and Bern(.04591) twice, at epsilon .7166: 0.00552 one way, 0 the other."""
    loss = from_pair([0.09919, 0.90081], [0.04591, 0.95409])
    at = np.array([0.7166])
    assert np.exp(law_of((loss, 2)).log_delta(at).upper[0]) == pytest.approx(0.00552, abs=5e-6)
    assert law_of((loss.reversed(), 2)).log_delta(at).upper[0] == -np.inf


def test_equal_sums_are_merged() -> None:
    law = law_of((FiniteLoss.categorical_response(0.1, 4), 50))
    assert len(law.sums) == 101
    assert law.method == "exact sums of 101 atoms"
    assert math.fsum(np.exp(law.log_mass)) == pytest.approx(1, abs=1e-12)


def test_too_many_sums_or_a_density_have_no_law() -> None:
    three = from_pair(*THREE)
    assert ExactSum.of(Total.of([(three, 1440)])) is not None
    assert ExactSum.of(Total.of([(three, 1500)])) is None
    many = [(FiniteLoss.randomized_response(0.001 * i), 1) for i in range(1, 22)]
    assert ExactSum.of(Total.of(many)) is None
    assert ExactSum.of(Total.of([(three, 1), (LaplaceLoss.one(0.1), 1)])) is None


def test_no_releases_at_all() -> None:
    law = ExactSum.of(Total.of([]))
    assert law is not None
    assert law.log_delta(np.zeros(1)).upper[0] == -np.inf
