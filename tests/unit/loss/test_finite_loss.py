"""The transform of finite pairs against fifty digits, and what the engine makes of it."""

from __future__ import annotations

import math

import finite_reference as ref
import mpmath as mp
import numpy as np
import pytest
from engine import from_pair, log_delta

from tightrope.loss.contour import laying, saddle
from tightrope.loss.exact.atoms import ExactSum
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.sieve import windows
from tightrope.loss.total import Total

P, Q = [0.5, 0.25, 0.125, 0.125], [0.25, 0.375, 0.25, 0.125]
HALF_P, HALF_Q = [0.5, 0.25, 0.25, 0.0], [0.25, 0.375, 0.0, 0.375]


def cases() -> dict[str, tuple[FiniteLoss, ref.Atoms]]:
    """Losses, and their atoms with probabilities that count only finite losses."""
    found: dict[str, tuple[FiniteLoss, ref.Atoms]] = {}
    with mp.workdps(50):
        for e in (1e-6, 0.01, 0.5, 30.0, 800.0):
            found[f"response {e}"] = FiniteLoss.randomized_response(e), ref.response(e)
        for e, k in ((0.1, 3), (2.0, 10), (1.0, 100_000)):
            found[f"{k} answers"] = FiniteLoss.categorical_response(e, k), ref.response(e, k)
        for e, shift in ((0.1, 1), (0.1, 3), (1.0, 50)):
            atoms = ref.discrete_laplace(e, shift)
            found[f"shift {shift}"] = FiniteLoss.discrete_laplace(e, shift), atoms
        found["pair"] = from_pair(P, Q), ref.pair(P, Q)
        half, other = from_pair(HALF_P, HALF_Q), from_pair(HALF_Q, HALF_P)
        found["half"], found["other half"] = (
            (half, ref.pair(HALF_P, HALF_Q)),
            (other, ref.pair(HALF_Q, HALF_P)),
        )
        found["reversed"] = half.reversed(), ref.pair(HALF_Q, HALF_P)
        lost = 1 - mp.mpf(1e-3)
        atoms = [(loss, p * lost) for loss, p in ref.response(0.5)]
        found["approx"] = FiniteLoss.approx(0.5, 1e-3), atoms
        for rate in (1e-4, 0.3, 0.99):
            base, mix = ref.mixed(ref.pair(HALF_P, HALF_Q), 0.375, rate)
            for name, loss, atoms in zip(
                ("base", "mix"), half.sampled(rate), (base, mix), strict=True
            ):
                found[f"{name} {rate}"] = loss, atoms
            base, mix = ref.mixed(ref.response(5.0), 0.0, rate)
            sampled = FiniteLoss.randomized_response(5.0).sampled(rate)
            for name, loss, atoms in zip(("base", "mix"), sampled, (base, mix), strict=True):
                found[f"response {name} {rate}"] = loss, atoms
    return found


CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_transform_is_within_its_error(name: str) -> None:
    loss, atoms = CASES[name]
    largest = float(max(abs(value) for value, _ in atoms))
    tau = np.array([0.0, 1e-3, 0.11, 0.7, math.pi / 2, math.pi, 31.4, 1234.5]) / largest
    slack = []
    with mp.workdps(50):
        for c in np.array([1e-3, 0.1, 1.0, 30.0]) / largest:
            value, error = loss.line(float(c)).transform(tau)
            for t, computed, bound in zip(tau, value, error, strict=True):
                truth = ref.transform(atoms, mp.mpc(c, t))
                off = abs(truth / mp.exp(mp.mpc(computed)) - 1)
                assert off <= mp.expm1(bound)
                slack.append(float(bound / (off + mp.mpf(1e-19))))
    assert np.median(slack) < 1000


@pytest.mark.parametrize("name", CASES)
def test_screen_and_decay_bound_the_transform(name: str) -> None:
    loss, atoms = CASES[name]
    total = Total.of([(loss, 7)])
    largest = float(max(abs(value) for value, _ in atoms))
    for c in (0.01 / largest, 0.5, 4.0):
        line = total.line(c)
        period = math.pi / total.lattice.step if total.lattice else 100 / largest
        tau = np.linspace(0, period, 400)
        size = line.transform(tau).value.real
        size -= size[0]
        assert np.all(size <= line.screen(tau) + 1e-12)
        assert np.all(np.maximum.accumulate(size[::-1])[::-1] <= line.decay_within(tau) + 1e-12)
        assert np.all(line.decay(tau) == 0)


def test_screen_of_many_rows_is_a_bound() -> None:
    total = Total.of((FiniteLoss.randomized_response(0.01 * i), i) for i in range(1, 40))
    line = total.line(3.0)
    tau = np.linspace(0, 500, 2000)
    size = line.transform(tau).value.real
    screen = line.screen(tau)
    assert np.all(size - size[0] <= screen + 1e-12)
    assert screen.min() < -10


def test_a_small_loss_run_often_keeps_its_digits() -> None:
    epsilon, count, z = 1e-4, 100_000, mp.mpc(3, 5)
    value, error = (
        Total.of([(FiniteLoss.randomized_response(epsilon), count)])
        .line(3.0)
        .transform(np.array([5.0]))
    )
    with mp.workdps(50):
        truth = count * mp.log(ref.transform(ref.response(epsilon), z))
        assert abs(truth - mp.mpc(value[0])) < error[0] < 5e-12


def test_rows_that_are_alike_become_one() -> None:
    one = FiniteLoss.randomized_response
    total = Total.of(
        [(one(0.1), 2), (one(0.2), 1), (one(0.1), 3), (FiniteLoss.one([-0.1], [0.9], 0.1), 1)]
    )
    (column,) = total.losses
    assert isinstance(column, FiniteLoss)
    assert sorted(count for rows in column.blocks for count in rows.count) == [1.0, 1.0, 5.0]


def test_lattices_come_from_formulas() -> None:
    def step(*losses: FiniteLoss) -> float | None:
        lattice = Total.of((loss, 3) for loss in losses).lattice
        return lattice.step if lattice else None

    laplace = FiniteLoss.discrete_laplace
    assert step(FiniteLoss.randomized_response(0.25)) == 0.5
    assert step(FiniteLoss.categorical_response(0.25, 5)) == 0.25
    assert step(laplace(0.1, 1), laplace(0.1, 3)) == 0.2
    assert step(laplace(0.1, 1), laplace(0.2, 1)) is None
    assert step(from_pair(P, Q)) is None
    assert step(FiniteLoss.randomized_response(1.0).sampled(0.1)[0]) == pytest.approx(
        math.log(0.9 + 0.1 * math.e) - math.log(0.9 + 0.1 / math.e)
    )


def test_equal_ratios_are_merged() -> None:
    (rows,) = from_pair([0.1, 0.2, 0.7], [0.2, 0.4, 0.4]).blocks
    assert rows.atoms == 2


def test_an_infinite_loss_is_counted_apart() -> None:
    loss = from_pair(HALF_P, HALF_Q)
    assert loss.escape == pytest.approx(-math.log(0.75), rel=1e-13)
    assert loss.reversed().escape == pytest.approx(-math.log(0.625), rel=1e-13)
    assert from_pair([1.0, 0.0], [0.0, 1.0]).escape == math.inf
    everything = log_delta(Total.of([(FiniteLoss.approx(1.0, 1.0), 2)]), np.array([3.0]))
    assert everything.lower[0] == pytest.approx(0, abs=1e-13)
    assert everything.upper[0] == 0


def test_sampling_takes_one_release() -> None:
    with pytest.raises(ValueError, match="one release"):
        FiniteLoss.together([FiniteLoss.randomized_response(e) for e in (0.1, 0.2)]).sampled(0.1)


@pytest.mark.parametrize(("epsilon", "count"), [(0.1, 1), (0.5, 10), (0.1, 1000), (0.1, 100_000)])
def test_lattice_contours_against_binomial_sums(epsilon: float, count: int) -> None:
    total = Total.of([(FiniteLoss.randomized_response(epsilon), count)])
    mean, deviation = count * epsilon * math.tanh(epsilon / 2), epsilon * math.sqrt(count)
    for at in (0.0, mean, mean + 5 * deviation, mean + 36 * deviation):
        if at > 0.95 * count * epsilon:
            continue
        c = saddle.for_epsilon(total, at)
        sums = laying.through(total, c, at).sums(np.array([at]))
        with mp.workdps(50):
            truth = mp.log(ref.binary_profile(epsilon, count, at))
        assert sums.log_lower[0] <= truth <= sums.log_upper[0]
        assert sums.log_upper[0] - sums.log_lower[0] < 1e-9


@pytest.mark.parametrize(
    "loss", [FiniteLoss.discrete_laplace(0.1, 3), FiniteLoss.categorical_response(1.0, 5)]
)
def test_lattice_contours_against_enumerated_sums(loss: FiniteLoss) -> None:
    total = Total.of([(loss, 40)])
    law = ExactSum.of(total)
    assert law is not None
    for log_target in (-1.0, -14.0):
        c, at = saddle.for_delta(total, log_target)
        sums = laying.through(total, c, at).sums(np.array([at]))
        exact = law.log_delta(np.array([at]))
        value = sums.log_scale[0] + math.log(sums.errors.sum[0])
        assert abs(value - exact.lower[0]) < 1e-10
        assert sums.log_upper[0] - sums.log_lower[0] < 1e-9


def test_a_hundred_different_responses() -> None:
    """epsilon at delta 1e-6 by a contour in arbitrary precision: 0.854586926536."""
    losses = [FiniteLoss.randomized_response(0.01 + 0.02 * i / 99) for i in range(100)]
    total = Total.of((loss, 1) for loss in losses)
    interval = log_delta(total, np.array([0.854586926536]))
    assert interval.lower[0] <= math.log(1e-6) * (1 - 1e-12)
    assert interval.upper[0] >= math.log(1e-6) * (1 + 1e-12)
    assert interval.upper[0] - interval.lower[0] < 1e-4


@pytest.mark.parametrize("c", [0.05, 1.0, 7.0])
def test_outside_its_teeth_a_transform_is_small(c: float) -> None:
    line = Total.of([(from_pair([0.5, 0.3, 0.2], [0.35, 0.33, 0.32]), 3000)]).line(c)
    found = windows(line.teeth, 20.0, 1e5, 3e4)
    assert found is not None
    tau = np.random.default_rng(5).uniform(0, found.edges[-1], 20_000)
    part = np.maximum(np.searchsorted(found.parts.low, tau, side="right") - 1, 0)
    outside = tau[tau > found.parts.high[part]]
    assert len(outside) > 5000
    tier = np.searchsorted(found.edges, outside) - 1
    size = line.transform(np.append(0.0, outside)).value.real
    assert np.all(size[1:] - size[0] <= -found.depth[tier] + 1e-9)


@pytest.mark.parametrize(("log_target", "width"), [(-1.0, 1e-9), (-14.0, 1e-9), (-690.0, 2e-8)])
def test_a_hundred_thousand_runs_of_three_atoms_on_no_lattice(
    log_target: float, width: float
) -> None:
    total = Total.of([(from_pair([0.5, 0.3, 0.2], [0.35, 0.33, 0.32]), 100_000)])
    at = np.array([saddle.for_delta(total, log_target)[1]])
    found = log_delta(total, at)
    assert found.upper[0] - found.lower[0] < width
    assert "fictitious Gaussian" in found.method
