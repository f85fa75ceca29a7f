"""Logarithms of likelihood ratios against mpmath."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from engine import from_pair, log_delta, whole

from tightrope.loss.finite import ratios
from tightrope.loss.total import Total

PAIRS = [
    (0.5, 0.2),
    (0.2, 0.3),
    (1e-300, 0.7),
    (0.1, np.nextafter(0.1, 1)),
    (5e-324, 1.0),
    (0.3, 0.3),
]


def log(a, b):
    with mp.workdps(60):
        return mp.log(mp.mpf(a) / mp.mpf(b))


@pytest.mark.parametrize("repeats", [1, 20])
def test_doubles(repeats):
    pairs = PAIRS * repeats
    found = ratios.of_whole([whole(a, b) for a, b in pairs])
    for (a, b), loss in zip(pairs, found.loss.tolist(), strict=True):
        exact = log(a, b)
        assert abs(loss - exact) <= found.doubt * abs(exact)


def test_few_are_rounded_once():
    found = ratios.of_whole([whole(0.5, 0.2)])
    assert found.doubt < 2.0**-52
    assert float(log(0.5, 0.2)) == found.loss[0]


def test_whole_numbers_however_large_and_close():
    big = 10**400
    pairs = [(3, 7), (big + 1, big), (big, 1), (1, big), (2**60 + 1, 2**60 - 1)]
    found = ratios.of_whole(pairs)
    with mp.workdps(900):
        for (a, b), loss in zip(pairs, found.loss.tolist(), strict=True):
            exact = mp.log(mp.mpf(a) / b)
            assert abs(loss - exact) <= found.doubt * abs(exact) + mp.mpf(2) ** -1074


def test_near_its_largest_loss_a_pair_has_a_narrow_profile():
    loss = from_pair([0.5, 0.3, 0.2], [0.2, 0.5, 0.3])
    found = log_delta(Total.of([(loss, 1)]), np.array([0.916288813]))
    with mp.workdps(40):
        exact = mp.log(mp.mpf(0.5) - mp.exp(mp.mpf(0.916288813)) * mp.mpf(0.2))
    assert found.lower[0] <= exact <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 1e-9
