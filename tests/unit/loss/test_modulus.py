"""The bound by the size of M alone: above delta, and close to it at the saddle."""

import math

import numpy as np
import pytest

import tightrope as tr
from tightrope.loss.contour import modulus, saddle
from tightrope.plan.exact.profile import exact_profile

RUNS = {
    "training": tr.Gaussian(noise_scale=9.4).sampled(rate=0.328) ** 2000,
    "rare": tr.Gaussian(noise_scale=0.8).sampled(rate=0.001) ** 100_000,
    "Laplaces": tr.Laplace(noise_scale=10) ** 300,
    "Gaussian": tr.compose(tr.Gaussian(1.0), tr.Laplace(5.0)),
    "logistic": tr.LogisticDP(0.2) ** 50,
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("log_delta", [-2.0, -11.5, -60.0])
def test_it_is_never_below_delta(name, log_delta):
    for order, _ in exact_profile(RUNS[name]).orders:
        c, epsilon = saddle.for_delta(order.total, log_delta)
        for at in (0.7 * c, c, 1.5 * c):
            for e in (max(epsilon, 0.0), max(epsilon, 0.0) / 2):
                bound = modulus.log_delta_most(order.total.line(at), at, e)
                assert bound >= order.log_delta(np.array([e])).lower[0]


def test_of_a_long_training_it_is_within_a_sixth():
    for order, _ in exact_profile(RUNS["training"]).orders:
        c, _ = saddle.for_delta(order.total, math.log(1e-5))
        epsilon = RUNS["training"].epsilon(1e-5)
        bound = modulus.log_delta_most(order.total.line(c), c, epsilon)
        truth = order.log_delta(np.array([epsilon])).upper[0]
        assert truth <= bound <= truth + math.log(7 / 6) + 0.02
