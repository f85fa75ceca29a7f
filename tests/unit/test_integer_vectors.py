"""Discrete Gaussian noise on vectors whose change is bounded in the L2 norm."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import tightrope as tr
from tightrope.loss.discrete.shift_vectors import largest_shifts
from tightrope.plan.exact.profile import dominating


def test_largest_shifts_are_those_that_cannot_grow():
    for square, dimension in product(range(8), range(1, 5)):
        every = [x for x in product(range(3), repeat=dimension) if sum(i * i for i in x) <= square]
        largest = {
            tuple(sorted((i for i in x if i), reverse=True))
            for x in every
            if not any(y != x and all(b >= a for a, b in zip(x, y, strict=True)) for y in every)
        }
        assert set(largest_shifts(square, dimension)) == largest


def test_the_norm_does_not_decide_what_a_vector_leaks():
    vector = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=4)
    one, four = tr.DiscreteGaussian(1.0, 2), tr.DiscreteGaussian(1.0) ** 4
    assert (round(one.delta(2.0), 3), round(four.delta(2.0), 3)) == (0.267, 0.315)
    assert (round(one.delta(5.0), 4), round(four.delta(5.0), 4)) == (0.0385, 0.0273)
    for epsilon in (-1.0, 0.0, 2.0, 5.0, 9.0):
        largest = max(one.delta(epsilon), four.delta(epsilon))
        assert vector.delta(epsilon) == pytest.approx(largest, rel=1e-10)
    narrow = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=1)
    assert narrow.epsilon(1e-6) == pytest.approx(one.epsilon(1e-6), rel=1e-10)


def test_releases_may_differ_in_direction():
    vector = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=4)
    one, four = tr.DiscreteGaussian(1.0, 2), tr.DiscreteGaussian(1.0) ** 4
    for epsilon in (1.0, 9.0, 16.0):
        chosen = max((four**k + one ** (3 - k)).delta(epsilon) for k in (1, 2))
        chosen = max(chosen, (one**3).delta(epsilon), (four**3).delta(epsilon))
        assert chosen <= (vector**3).delta(epsilon) <= 1.6 * chosen
    (cover,) = dominating(vector).orders
    alone = cover.law.log_delta(np.array([2.0, 5.0]))
    assert alone.upper == pytest.approx(np.log([four.delta(2.0), one.delta(5.0)]), rel=1e-8)


def test_long_vectors_have_zcdp_and_gdp():
    vector = tr.DiscreteGaussianVector(variance=25, dimension=10**6, squared_sensitivity=1000)
    assert vector.to(tr.ZCDP) == tr.ZCDP(20)
    assert vector.to(tr.GDP).mu == pytest.approx(
        math.sqrt(1000) * tr.DiscreteGaussian(5.0).to(tr.GDP).mu, rel=1e-12
    )
    assert (vector**2).epsilon(1e-6) == pytest.approx(
        tr.GDP(math.sqrt(2) * vector.to(tr.GDP).mu).epsilon(1e-6), rel=1e-12
    )
    assert vector.group(3).to(tr.ZCDP) == tr.ZCDP(180)
    still = tr.DiscreteGaussianVector(1.0, sensitivity=0, dimension=2)
    assert still.delta(0.0) == (still**5).delta(0.0) == 0
