"""The transform of logistic losses against fifty digits, and its bounds."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
from engine import log_delta

from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total

EPSILONS = [1e-6, 1e-3, 0.1, 1.0, 5.0, 50.0, 700.0]


def log_m(epsilon: float, z: mp.mpc) -> mp.mpc:
    """From the density, proportional to exp(l/2) on (-epsilon, epsilon)."""
    e, half = mp.mpf(epsilon), mp.mpf(1) / 2
    return mp.log(mp.sinh(e * (z + half)) / (2 * (z + half) * mp.sinh(e / 2)))


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_transform_is_within_its_error_and_its_bounds(epsilon: float) -> None:
    scale = math.pi / epsilon
    loss = LogisticLoss.one(epsilon)
    slack = []
    with mp.workdps(50):
        for c in (1e-3, 0.5, 20.0, 1000.0):
            tau = np.sort(np.concatenate([scale * np.array([0, 0.1, 0.5, 1, 1.5, 7]), [c, 30 * c]]))
            line = loss.line(c)
            value, error = line.transform(tau)
            decay, screen = line.decay(tau), line.screen(tau)
            top = log_m(epsilon, mp.mpf(c)).real
            sizes = []
            for i, t in enumerate(tau):
                truth = log_m(epsilon, mp.mpc(c, t))
                off = abs(mp.exp(truth - mp.mpc(value[i])) - 1)
                assert off <= mp.expm1(error[i])
                slack.append(float(error[i] / (off + mp.mpf(1e-20))))
                sizes.append(truth.real - top)
                assert sizes[-1] <= screen[i] + 1e-40
            assert all(max(sizes[i:]) <= decay[i] + 1e-40 for i in range(len(tau)))
    assert np.median(slack) < 1000


def test_one_logistic_release_in_closed_form() -> None:
    """delta(e) = (exp(eps/2) - exp(e/2))^2/(exp(eps) - 1)."""
    at = np.array([0.0, 0.3, 0.9])
    found = log_delta(Total.of([(LogisticLoss.one(1.0), 1)]), at)
    truth = 2 * np.log(np.exp(0.5) - np.exp(at / 2)) - np.log(np.expm1(1.0))
    assert np.all(found.lower <= truth + 1e-14)
    assert np.all(truth - 1e-14 <= found.upper)
    assert np.all(found.upper - found.lower < 1e-10)


@pytest.mark.parametrize("count", [80, 1000, 100_000])
def test_many_releases_have_narrow_intervals(count: int) -> None:
    total = Total.of([(LogisticLoss.one(0.5), count)])
    mean = count * (0.5 / math.tanh(0.25) - 2)
    at = mean + 0.25 * math.sqrt(count) * np.array([0.0, 3.0, 12.0])
    found = log_delta(total, at[at < 0.5 * count])
    assert np.all(found.upper - found.lower < 1e-9)
