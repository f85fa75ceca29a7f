import math

import mpmath as mp
import numpy as np
from num_reference import log_spaced, worst

from tightrope.num.logistic import log_sigmoid, logit, sigmoid

SIZES = np.concatenate([log_spaced(-300, 2.84, 150, seed=4), np.linspace(0.01, 40, 200)])
REAL = np.concatenate([SIZES, -SIZES])


def test_sigmoid() -> None:
    assert worst(sigmoid, lambda x: 1 / (1 + mp.exp(-x)), REAL) < 5e-16
    assert (sigmoid(-1e4), sigmoid(1e4), sigmoid(0.0)) == (0.0, 1.0, 0.5)


def test_log_sigmoid() -> None:
    assert worst(log_sigmoid, lambda x: -mp.log1p(mp.exp(-x)), REAL) < 5e-16
    assert log_sigmoid(-1e308) == -1e308


def test_logit_in_the_tails_and_around_one_half() -> None:
    rng = np.random.default_rng(5)
    near_half = 0.5 + rng.choice([-1, 1], 200) * 10.0 ** rng.uniform(-16, -0.4, 200)
    points = np.concatenate([log_spaced(-300, -0.31, 150, seed=6), near_half, 1 - near_half / 2])
    assert worst(logit, lambda p: mp.log(p / (1 - p)), points[points != 0.5]) < 5e-16
    assert (logit(0.0), logit(0.5), logit(1.0)) == (-math.inf, 0.0, math.inf)
    assert math.isnan(logit(1.5))
