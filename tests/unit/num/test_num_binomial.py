"""Binomial log-probabilities against mpmath, up to 1e9 trials."""

from __future__ import annotations

import random

import mpmath as mp
import numpy as np
import pytest

from tightrope.num.binomial import (
    deviance,
    log_binomial,
    log_binomial_at,
    log_binomial_error,
    stirling_rest,
)


def truth(count, k, p):
    with mp.workdps(60):
        p = mp.mpf(p)
        ways = mp.loggamma(count + 1) - mp.loggamma(k + 1) - mp.loggamma(count - k + 1)
        return ways + k * mp.log(p) + (count - k) * mp.log1p(-p)


def samples():
    draw = random.Random(20)
    for _ in range(400):
        count = int(10 ** draw.uniform(0.5, 9))
        p = draw.choice([0.5, 0.1, 1 / 3, 1e-3, 1e-9, 0.999, draw.random(), 1 - 1e-9])
        mean, deviation = count * p, (count * p * (1 - p)) ** 0.5
        k = draw.choice(
            [
                draw.randint(1, 3),
                count // 2,
                count - draw.randint(1, 3),
                draw.randint(1, count - 1),
                int(mean + draw.gauss(0, 3) * deviation),
                int(mean * draw.uniform(0.4, 2.5)),
            ]
        )
        if 0 < k < count:
            yield count, k, p


def test_errors_stay_within_the_bound_wherever_k_is():
    ratios = []
    for count, k, p in samples():
        found = log_binomial_at(count, np.array([float(k)]), p, 1 - p)
        error = abs(float(mp.mpf(float(found[0])) - truth(count, k, p)))
        ratios.append(error / float(log_binomial_error(count, found)[0]))
    assert 0.01 < max(ratios) <= 1


@pytest.mark.parametrize(("count", "p"), [(1, 0.3), (2, 0.25), (17, 1e-300), (40, 0.9375)])
def test_every_number_of_successes(count, p):
    found = log_binomial(count, p, 1 - p)
    error = log_binomial_error(count, found)
    assert len(found) == count + 1
    for k in range(count + 1):
        assert abs(float(mp.mpf(float(found[k])) - truth(count, k, p))) <= error[k]


def test_what_stirling_leaves_over():
    n = np.append(np.arange(1.0, 40.0), [1e3, 1e6, 1e9])
    with mp.workdps(40):
        for x, found in zip(n.tolist(), stirling_rest(n).tolist(), strict=True):
            stirling = (x + mp.mpf(1) / 2) * mp.log(x) - x + mp.log(2 * mp.pi) / 2
            assert abs(mp.mpf(found) - (mp.loggamma(x + 1) - stirling)) < 2.0**-52


def test_deviances_keep_their_digits_near_and_far():
    x = np.array([1.0, 3.0, 1e6, 1e6, 2.5e8, 7.0])
    mean = np.array([1 + 1e-9, 5.0, 1.6e6, 1.7e6, 2.5e8 + 1, 1e-200])
    with mp.workdps(60):
        for a, m, found in zip(x.tolist(), mean.tolist(), deviance(x, mean).tolist(), strict=True):
            exact = a * mp.log(mp.mpf(a) / mp.mpf(m)) + mp.mpf(m) - a
            assert abs(found / exact - 1) < 3e-15
