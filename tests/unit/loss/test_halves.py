"""A few runs of many unrelated atoms, in two halves, against sums in 420 digits.

The literals: the laws of both data sets from exp(-k^2/(2 v)), k up to 38 standard deviations; all
pairs of outcomes of the one half of the runs, for each of them P S_0 - exp(epsilon) Q S_1 with
sums of P and Q over the outcomes of the other half whose ratio suffices (mpmath, 420 digits).
"""

from __future__ import annotations

import finite_reference as ref
import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.loss.exact.halves import Halves
from tightrope.loss.exact.likely_atoms import LikelyAtoms
from tightrope.loss.exact.multisets import choices, how_many
from tightrope.loss.exact.steps_down import onward
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.total import Total
from tightrope.plan.exact.leaves import dominating

SAMPLE = tr.DiscreteGaussian(noise_scale=3).sampled(0.1)

WITHOUT = [
    (2, 0.0, 0.018911422565778897),
    (2, 0.1, 2.589224289509773e-05),
    (2, 0.125, 3.2629322584637066e-07),
    (2, 0.1875, 1.971516751659683e-24),
    (2, 0.2099609375, 5.685428898142717e-132),
    (2, 0.2105712890625, 2.0637846769476998e-214),
    (3, 0.0, 0.023287745149830816),
    (3, 0.1, 0.0003883774971094237),
    (3, 0.1875, 6.587130369182173e-09),
    (3, 0.28125, 3.2615150066479947e-34),
    (3, 0.31494140625, 1.0166520954618848e-193),
    (4, 0.0, 0.026944732424132672),
    (4, 0.1, 0.0011973881526938987),
    (4, 0.25, 1.3785368830941477e-10),
    (4, 0.375, 5.521582831776259e-44),
    (4, 0.419921875, 5.175584274575349e-256),
]

WITH_UNIT = [
    (2, 0.0, 0.018911422565778897),
    (2, 1.0, 4.136856740672699e-19),
    (2, 3.0, 5.757251369046623e-54),
    (2, 8.0, 7.956882695479373e-159),
    (2, 12.5, 3.560496834580838e-288),
    (3, 0.0, 0.023287745149830816),
    (3, 1.0, 4.441164899860758e-18),
    (3, 3.0, 2.323110573329661e-52),
    (3, 8.0, 1.355954293570069e-144),
    (3, 12.5, 3.872826533967942e-247),
    (3, 13.5, 3.896148561078346e-273),
    (4, 0.0, 0.026944732424132672),
    (4, 1.0, 3.836211716888742e-17),
    (4, 3.0, 4.62081402849076e-51),
    (4, 8.0, 5.611888104858893e-140),
    (4, 13.5, 4.6884040188483625e-253),
]


@pytest.mark.parametrize(
    ("order", "count", "epsilon", "delta"),
    [(0, *case) for case in WITHOUT] + [(1, *case) for case in WITH_UNIT],
)
def test_both_orders(order: int, count: int, epsilon: float, delta: float) -> None:
    pair = dominating(SAMPLE)
    assert pair is not None
    assert pair.attained
    law = Halves.of(pair.orders[order].times(count))
    assert law is not None
    found = law.log_delta(np.array([epsilon]))
    with mp.workdps(30):
        truth = float(mp.log(mp.mpf(delta)))
    slack = 1e-15 * (1 - truth)
    assert found.lower[0] - slack <= truth <= found.upper[0] + slack
    # of the order that is bounded, losses near the bound are known by doubles less well
    assert found.upper[0] - found.lower[0] < (1e-9 if delta > 1e-190 else 1e-6)


@pytest.mark.parametrize(("count", "epsilon", "delta"), WITH_UNIT)
def test_of_the_event(count: int, epsilon: float, delta: float) -> None:
    """The order with the unit in it is the larger one."""
    low, high = (SAMPLE**count).delta_interval(epsilon)
    assert low * (1 - 1e-15) <= delta <= high * (1 + 1e-15)
    assert high - low <= 1e-9 * high


@pytest.mark.parametrize(("count", "epsilon", "delta"), WITH_UNIT[3:])
def test_epsilon_of_the_event(count: int, epsilon: float, delta: float) -> None:
    if not epsilon:
        return
    low, high = (SAMPLE**count).epsilon_interval(delta)
    assert low * (1 - 1e-13) <= epsilon <= high * (1 + 1e-13)
    assert high - low <= 1e-9 * high


def test_a_lower_end_below_what_is_cut_off() -> None:
    """delta at 2.908587866 is 2.2e-52: no lower end at 1e-50 lies there."""
    run = SAMPLE**2
    low, high = run.epsilon_interval(1e-50)
    assert low < high < 2.908587866
    # by the sums in 420 digits, delta lies on either side of 1e-50 at these two
    assert high > 2.8143884917
    assert low < 2.8143884918
    assert run.delta_interval(2.908587866)[1] < 2.3e-52


def test_different_kinds() -> None:
    """Two kinds, and few atoms beside them, against every choice in fifty digits."""
    kinds = [
        ([0.5, 0.3125, 0.1875], [0.3125, 0.25, 0.4375], 3),
        ([0.1, 0.2, 0.3, 0.4], [0.15, 0.3, 0.35, 0.2], 2),
    ]
    rows = [(FiniteLoss.one(np.log(np.divide(p, q)), np.array(p)), n) for p, q, n in kinds]
    law = Halves.of(Total.of(rows))
    assert law is not None
    with mp.workdps(50):
        sums = {mp.mpf(0): mp.mpf(1)}
        for p, q, n in kinds:
            for _ in range(n):
                sums = _added(sums, ref.pair(p, q))
        for epsilon in (0.0, 0.5, 1.0, 1.9):
            truth = mp.fsum(m * -mp.expm1(epsilon - s) for s, m in sums.items() if s > epsilon)
            found = law.log_delta(np.array([epsilon]))
            assert found.lower[0] <= mp.log(truth) <= found.upper[0]
            assert found.upper[0] - found.lower[0] < 1e-11


def _added(sums: dict[mp.mpf, mp.mpf], atoms: list[tuple[mp.mpf, mp.mpf]]) -> dict[mp.mpf, mp.mpf]:
    found: dict[mp.mpf, mp.mpf] = {}
    for s, m in sums.items():
        for loss, mass in atoms:
            found[s + loss] = found.get(s + loss, mp.mpf(0)) + m * mass
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_every_choice_once(count: int) -> None:
    losses, masses = np.array([0.0, 1.0, 10.0, 100.0]), np.array([0.1, 0.2, 0.3, 0.4])
    (row,) = FiniteLoss.one(losses, masses).blocks
    found = choices([(row, count)])
    assert len(found.value) == how_many([(row, count)])
    assert np.exp(found.log_mass).sum() == pytest.approx(1, rel=1e-13)
    every = np.exp(found.log_mass[found.value == 100.0 * count])
    assert every == pytest.approx([0.4**count], rel=1e-13)


def test_sums_onward() -> None:
    logs = np.log(np.random.default_rng(3).random(1000)) - np.arange(1000.0) * 3
    found, doubt = onward(logs)
    with mp.workdps(50):
        truth = [mp.log(mp.fsum(mp.exp(mp.mpf(x)) for x in logs[i:])) for i in (0, 10, 500, 999)]
    for i, value in zip((0, 10, 500, 999), truth, strict=True):
        assert abs(found[i] - value) <= doubt + 2e-16 * abs(value)
    assert doubt < 1e-11


def test_too_many_or_on_a_lattice() -> None:
    (wide,) = dominating(tr.DiscreteGaussian(noise_scale=100).sampled(0.1)).orders[1].losses
    assert Halves.of(Total.single(wide).times(5)) is None
    assert Halves.of(Total.single(wide)) is None
    assert Halves.of(Total.single(FiniteLoss.randomized_response(1.0)).times(5)) is None


@pytest.mark.parametrize(
    ("order", "count", "epsilon", "delta"),
    [(1, *case) for case in WITH_UNIT if case[0] == 4 and case[1] < 10]
    + [(0, *case) for case in WITHOUT if case[0] == 4 and case[2] > 1e-100],
)
def test_contours_of_likely_atoms(order: int, count: int, epsilon: float, delta: float) -> None:
    """What is left out never matters, at whatever depth delta is."""
    pair = dominating(SAMPLE)
    assert pair is not None
    law = LikelyAtoms.of(pair.orders[order].times(count))
    assert law is not None
    found = law.log_delta(np.array([epsilon]))
    with mp.workdps(30):
        truth = float(mp.log(mp.mpf(delta)))
    assert found.lower[0] <= truth <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 1e-3
