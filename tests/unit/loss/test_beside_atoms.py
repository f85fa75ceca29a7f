"""Finite pairs beside Laplace, logistic and sampled Laplace releases, by brute force in mpmath."""

from __future__ import annotations

import math

import mpmath as mp
import noise_mixes
import numpy as np
import pytest

from tightrope.loss.exact.beside_atoms import BesideAtoms
from tightrope.loss.exact.one_sampled_laplace import OneSampledLaplace
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total


def response(epsilon: float) -> list[tuple[mp.mpf, mp.mpf]]:
    x = mp.mpf(epsilon)
    return [(x, 1 / (1 + mp.exp(-x))), (-x, mp.exp(-x) / (1 + mp.exp(-x)))]


@pytest.mark.parametrize("epsilon", [0.1, 0.7, 5.0])
@pytest.mark.parametrize(
    ("laplace", "logistic"), [((0.5,), ()), ((0.5, 0.3), ()), ((), (0.9,)), ((1.0,), (0.4,))]
)
def test_randomized_response_beside(
    epsilon: float, laplace: tuple[float, ...], logistic: tuple[float, ...]
) -> None:
    runs = [(FiniteLoss.randomized_response(epsilon), 1)]
    runs += [(LaplaceLoss.one(x), 1) for x in laplace]
    runs += [(LogisticLoss.one(x), 1) for x in logistic]
    law = BesideAtoms.of(Total.of(runs))
    assert law is not None
    at = np.array([0.0, 0.4, 0.9]) * (epsilon + sum(laplace) + sum(logistic))
    found = law.log_delta(at)
    with mp.workdps(80):
        for e, lower, upper in zip(at, found.lower, found.upper, strict=True):
            truth = noise_mixes.log_profile(laplace, logistic, e, response(epsilon))
            assert lower <= truth <= upper
            assert upper - lower < 1e-11


def test_infinite_losses_are_counted_once() -> None:
    total = Total.of([(FiniteLoss.approx(0.0, 1e-5), 1), (LaplaceLoss.one(1.0), 3)])
    assert isinstance(total.law, BesideAtoms)
    found = OrderProfile(total).log_delta(np.array([1.5]))
    with mp.workdps(60):
        delta = mp.mpf(1e-5)
        inside = mp.exp(noise_mixes.log_profile((1.0, 1.0, 1.0), (), 1.5))
        truth = mp.log(delta + (1 - delta) * inside)
        assert found.lower[0] <= truth <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 1e-11


@pytest.mark.parametrize("with_unit", [True, False])
@pytest.mark.parametrize(("epsilon", "rate"), [(1.0, 0.1), (0.01, 0.5), (8.0, 0.9), (3.0, 1e-6)])
def test_one_sampled_release(epsilon: float, rate: float, with_unit: bool) -> None:
    loss = SampledLaplaceLoss.sampled(epsilon, rate)[with_unit]
    law = OneSampledLaplace.of(Total.of([(loss, 1)]))
    assert law is not None
    at = np.array([0.0, 0.1, 0.5, 0.9]) * loss.highest
    found = law.log_delta(at)
    with mp.workdps(40):
        for e, lower, upper in zip(at, found.lower, found.upper, strict=True):
            truth = mp.log(noise_mixes.sampled(epsilon, rate, with_unit, e))
            assert lower <= truth <= upper
            assert upper - lower < (1e-12 if epsilon < 5 or with_unit else 1e-9)


@pytest.mark.parametrize("with_unit", [True, False])
def test_a_sampled_release_beside_a_response(with_unit: bool) -> None:
    epsilon, rate, other = 1.0, 0.1, 0.3
    loss = SampledLaplaceLoss.sampled(epsilon, rate)[with_unit]
    total = Total.of([(loss, 1), (FiniteLoss.randomized_response(other), 1)])
    assert isinstance(total.law, BesideAtoms)
    at = np.array([0.0, 0.2, 0.33])
    found = total.law.log_delta(at)
    with mp.workdps(40):
        for e, lower, upper in zip(at, found.lower, found.upper, strict=True):
            truth = mp.mpf(0)
            for atom, mass in response(other):
                truth += mass * noise_mixes.sampled(epsilon, rate, with_unit, mp.mpf(e) - atom)
            assert lower <= mp.log(truth) <= upper
            assert upper - lower < 1e-11


def test_nothing_is_left_beyond_the_largest_loss() -> None:
    loss = SampledLaplaceLoss.sampled(1.0, 0.1)[1]
    law = OneSampledLaplace.of(Total.of([(loss, 1)]))
    assert law is not None
    found = law.log_delta(np.array([0.16, 50.0, 1e6]))
    assert (found.lower == -math.inf).all()
    assert (found.upper == -math.inf).all()
