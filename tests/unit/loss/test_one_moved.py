"""One weight of a Gaussian moved: M by sums on the real axis, and its decay by moments.

The truth is the trapezoid rule with 40 digits and a step at which its error is below 1e-38.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import mpmath as mp
import numpy as np
import pytest

from tightrope.loss.mixture import axis_rule
from tightrope.loss.mixture.moments import moments
from tightrope.loss.mixture.one_moved import OneMoved
from tightrope.loss.mixture.spread import Spread

CASES = [  # weight, offset, c
    (0.328, 1 / 9.4, 2.8),
    (0.01, 1.0, 3.0),
    (0.001, 1.25, 6.4),
    (0.999, 0.25, 6.0),
    (1e-6, 0.5, 9.0),
    (0.3, 1.7, 0.4),
]

BOTH = [(weight, offset, c, order) for weight, offset, c in CASES for order in (1.0, -1.0)]


def one_moved(weight: float, offset: float, c: float, order: float) -> OneMoved:
    return OneMoved(weight, offset, c + 1 if order > 0 else -c, order)


@cache
def law(moved: OneMoved) -> SimpleNamespace:
    """log S at fine nodes, phi there, and the moments under phi S^e."""
    with mp.workdps(40):
        q, d = mp.mpf(moved.weight), mp.mpf(moved.offset)
        step = mp.mpf(1) / 16
        ends = sorted((0, int(moved.power * moved.offset)))
        nodes = [step * k for k in range(16 * (ends[0] - 15), 16 * (ends[1] + 15) + 1)]
        logs = [mp.log(1 - q + q * mp.exp(d * u - d * d / 2)) for u in nodes]
        share = step / mp.sqrt(2 * mp.pi)
        density = [share * mp.exp(-u * u / 2) for u in nodes]
        mass = [p * mp.exp(moved.power * log) for p, log in zip(density, logs, strict=True)]
        total = mp.fsum(mass)
        mean = mp.fsum(w * log for w, log in zip(mass, logs, strict=True)) / total

        def central(power: int) -> mp.mpf:
            terms = (w * (log - mean) ** power for w, log in zip(mass, logs, strict=True))
            return mp.fsum(terms) / total

        terms = [
            w * (1 + mp.exp(d * d / 2 - d * u) * (1 - q) / q) / d
            for w, u in zip(mass, nodes, strict=True)
        ]
        rises = (abs(b - a) for a, b in pairwise(terms))
        return SimpleNamespace(
            logs=logs,
            mass=mass,
            total=total,
            variance=central(2),
            fourth=central(4),
            variation=mp.fsum(rises) / (step * total),
        )


def log_transform(moved: OneMoved, tau: float) -> mp.mpc:
    with mp.workdps(40):
        known = law(moved)
        turns = (mp.expj(moved.turn * tau * log) for log in known.logs)
        return mp.log(mp.fsum(w * turn for w, turn in zip(known.mass, turns, strict=True)))


def off(value: complex, true: mp.mpc) -> float:
    with mp.workdps(40):
        return float(abs(mp.exp(mp.mpc(value) - true) - 1))


@pytest.mark.parametrize("case", BOTH)
def test_the_transform_is_within_its_error(case: tuple[float, float, float, float]) -> None:
    moved = one_moved(*case)
    tau = np.array([0.0, 0.3, 1.0, 4.0])
    found = axis_rule.transform(moved, tau, 1.0)
    assert found is not None
    for value, error, t in zip(found.value, found.error, tau.tolist(), strict=True):
        assert off(value, log_transform(moved, t)) <= math.expm1(error)
    assert (found.error < 1e-12).all()


def test_a_small_log_is_known_to_its_own_digits() -> None:
    found = axis_rule.transform(OneMoved(1e-4, 0.5, 2.0, 1.0), np.zeros(1), 1.0)
    assert found is not None
    assert 1e-9 < found.value[0].real < 1e-7
    assert found.error[0] < 1e-17


@pytest.mark.parametrize(
    "case", [(0.3, 1.7, 0.4, 1.0), (0.3, 1.7, 0.4, -1.0), (0.1, 1.0, 2.0, 1.0)]
)
def test_what_a_coarse_rule_loses_is_in_its_error_and_in_no_other(
    case: tuple[float, float, float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(axis_rule, "STEPS", (1.0,))
    monkeypatch.setattr(axis_rule, "ENOUGH", math.inf)
    moved, tau = one_moved(*case), np.array([1.0, 2.0])
    whole = axis_rule.transform(moved, tau, 1.0)
    monkeypatch.setattr(OneMoved, "log_error", lambda self, step, farthest: -math.inf)
    without = axis_rule.transform(moved, tau, 1.0)
    assert whole is not None
    assert without is not None
    gaps = [
        off(value, log_transform(moved, t))
        for value, t in zip(whole.value, tau.tolist(), strict=True)
    ]
    assert all(gap <= math.expm1(error) for gap, error in zip(gaps, whole.error, strict=True))
    assert any(gap > math.expm1(error) for gap, error in zip(gaps, without.error, strict=True))


def test_other_rules_are_left_what_they_do_better() -> None:
    plain = OneMoved(0.01, 1.0, 4.0, 1.0)
    assert axis_rule.transform(plain, np.array([1e3]), 1.0) is None  # too far from the axis
    assert axis_rule.transform(plain, np.linspace(0, 1, 1000), 1.0) is None  # too many
    assert axis_rule.transform(plain, np.array([1.0]), 1e9) is None  # too many runs for doubles
    assert axis_rule.transform(OneMoved(0.5, 2.0, 19.0, 1.0), np.ones(1), 1.0) is None  # phi ends


@pytest.mark.parametrize("case", BOTH)
def test_moments_have_the_truth_between_their_ends(
    case: tuple[float, float, float, float],
) -> None:
    moved = one_moved(*case)
    found, true = moments(moved), law(moved)
    assert found is not None
    assert found.log_ends[0] <= mp.log(true.total) <= found.log_ends[1]
    assert found.log_ends[1] - found.log_ends[0] < 1e-11
    assert found.least <= true.variance <= found.most
    assert found.most < found.least * (1 + 1e-5)
    assert true.fourth <= found.fourth
    assert true.variation <= found.variation < 2.5 * true.variation


@pytest.mark.parametrize("case", BOTH)
def test_the_decay_is_bounded_from_there_on(case: tuple[float, float, float, float]) -> None:
    moved = one_moved(*case)
    found = moments(moved)
    assert found is not None
    spread = Spread(found)
    tau = math.sqrt(spread.turn) * np.array([0.0, 0.01, 0.3, 0.8, 0.999, 1.0, 1.2, 1.5, 3.0, 30.0])
    bound = spread.log_bound(tau)
    assert (np.diff(bound) <= 0).all()
    peak = float(law(moved).total)
    for t, most in zip(tau.tolist(), bound.tolist(), strict=True):
        assert float(log_transform(moved, t).real) - math.log(peak) <= most + 1e-14


def test_many_runs_of_small_shifts_are_served() -> None:
    """The training of benchmark a3; with few runs, or large shifts, more has to be looked at."""
    small, large = (moments(one_moved(*case)) for case in (BOTH[0], BOTH[2]))
    assert small is not None
    assert large is not None
    assert Spread(small).serves(2000)
    assert not Spread(small).serves(20)
    assert not Spread(large).serves(10000)
