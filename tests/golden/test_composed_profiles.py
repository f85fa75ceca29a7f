"""The engine against 25-digit references: every loss, composed 1 to 100,000 times.

The references come from ball arithmetic that shares nothing with the engine (tests/oracle).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from engine import from_pair, log_delta

import tightrope as tr
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.total import Total
from tightrope.num.precision import EXTENDED

ROWS = json.loads((Path(__file__).parent / "composed.json").read_text())
ROUNDED = 1e-13
"""What reading a reference into a double, or a parameter, may cost in log delta."""

WIDEST = 1e-9 if EXTENDED is not np.float64 else 3e-5
"""Relative width of an interval of delta; without a format beyond doubles rounding leaves more."""


def ordered(pair, args):
    return pair[1] if args["order"] == "with" else pair[0]


def floats(texts):
    return [float(text) for text in texts]


LOSSES = {
    "laplace": lambda a: LaplaceLoss.one(float(a["epsilon"])),
    "logistic": lambda a: LogisticLoss.one(float(a["epsilon"])),
    "randomized_response": lambda a: FiniteLoss.randomized_response(float(a["epsilon"])),
    "k_randomized_response": lambda a: FiniteLoss.categorical_response(
        float(a["epsilon"]), int(a["k"])
    ),
    "discrete_laplace": lambda a: FiniteLoss.discrete_laplace(
        1 / float(a["scale"]), int(a["shift"])
    ),
    "discrete_gaussian": lambda a: DiscreteGaussianLoss.one(
        float(a["sigma"]) ** 2, int(a["shift"])
    ),
    "gaussian": lambda a: GaussianLoss(float(a["mu"]) ** 2),
    "approx_dp": lambda a: FiniteLoss.approx(float(a["epsilon"]), float(a["delta"])),
    "finite": lambda a: from_pair(floats(a["p"]), floats(a["q"])),
    "poisson_gaussian": lambda a: ordered(
        GaussianMixtureLoss.sampled(1 / float(a["sigma"]), float(a["rate"])), a
    ),
    "poisson_laplace": lambda a: ordered(
        SampledLaplaceLoss.sampled(float(a["epsilon"]), float(a["rate"])), a
    ),
}


def holds(row):
    total = Total.of([(LOSSES[row["loss"]](row["args"]), int(row["n"]))])
    found = log_delta(total, np.array([float(row["epsilon"])]))
    truth = float(row["log_delta"])
    slack = ROUNDED * (1 + abs(truth))
    assert found.lower[0] <= truth + slack, row
    assert truth - slack <= found.upper[0], row
    if truth > -np.inf:
        assert found.upper[0] - found.lower[0] <= WIDEST, row


@pytest.mark.parametrize("loss", LOSSES)
def test_a_sample_of_references_lies_in_its_narrow_intervals(loss):
    rows = [row for row in ROWS if row["loss"] == loss]
    for row in rows[:: max(len(rows) // 8, 1)]:
        holds(row)


ROUNDED_OFF = [
    ("poisson_gaussian", {"sigma": "0.8", "rate": "0.001", "order": "with"}, 1000, -230.3),
    ("poisson_gaussian", {"sigma": "0.8", "rate": "0.001", "order": "with"}, 10, -22.65),
    ("poisson_gaussian", {"sigma": "9.4", "rate": "0.328", "order": "with"}, 100_000, -690.8),
    ("poisson_gaussian", {"sigma": "9.4", "rate": "0.328", "order": "without"}, 10, -690.8),
    ("poisson_gaussian", {"sigma": "0.3", "rate": "0.01", "order": "without"}, 1000, -690.8),
    ("poisson_gaussian", {"sigma": "0.8", "rate": "0.001", "order": "without"}, 1, -69.08),
    ("poisson_laplace", {"epsilon": "1", "rate": "0.1", "order": "without"}, 2, -13.86),
]
"""References where doubles alone leave more than 1e-9: each by another way to the answer."""


@pytest.mark.parametrize(("loss", "args", "runs", "near"), ROUNDED_OFF)
def test_digits_beyond_doubles_make_these_narrow(loss, args, runs, near):
    (row,) = [
        row
        for row in ROWS
        if (row["loss"], row["args"], row["n"]) == (loss, args, runs)
        and abs(float(row["log_delta"]) - near) < 0.1
    ]
    holds(row)


@pytest.mark.slow
@pytest.mark.parametrize("loss", LOSSES)
def test_every_reference_lies_in_its_narrow_interval(loss):
    for row in ROWS:
        if row["loss"] == loss:
            holds(row)


@pytest.mark.skipif(EXTENDED is np.float64, reason="there is no format beyond doubles here")
@pytest.mark.parametrize(("sigma", "rate", "runs"), [(1.0, 0.01, 1000), (10.0, 0.5, 100_000)])
def test_what_a_user_asks_is_as_narrow(sigma: float, rate: float, runs: int) -> None:
    run = tr.Gaussian(sigma).sampled(rate) ** runs
    low, high = run.delta_interval(run.epsilon(1e-300))
    assert 0 < high - low < 1e-9 * high
