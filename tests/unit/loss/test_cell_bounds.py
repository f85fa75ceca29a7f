"""Bounds for cells of a contour hold at every point of the cell."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tightrope.loss.cell_bounds import least_square_sine, spread_out
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.laplace.laplace import LaplaceLoss


def laplace(c):
    loss = LaplaceLoss.together([LaplaceLoss.one(1 / s) for s in np.linspace(4, 9, 30)])
    return lambda tau, half: loss.near(c, tau, half), loss.line(c)


def alike(c):
    loss = LaplaceLoss.one(0.01).times(3000)
    return lambda tau, half: loss.near(c, tau, half), loss.line(c)


def finite(c):
    kinds = [FiniteLoss.categorical_response(0.4 + 0.01 * i, 3 + i % 4) for i in range(20)]
    kinds += [FiniteLoss.randomized_response(0.1 * i).times(i) for i in range(1, 9)]
    line = FiniteLoss.together(kinds).line(c)
    return line.near, line


def discrete(c):
    kinds = [DiscreteGaussianLoss.one(Fraction(v)) for v in (0.3, 2, 5)]
    line = DiscreteGaussianLoss.together(kinds).line(c)
    return line.near, line


@pytest.mark.parametrize("case", [laplace, alike, finite, discrete])
@pytest.mark.parametrize("c", [0.05, 3.0])
def test_no_point_of_a_cell_is_above_its_bound(case, c):
    near, line = case(c)
    random = np.random.default_rng(5)
    centre = 10 ** random.uniform(-1, 5, 300)
    for half in (0.01, 0.6):
        bound = near(centre, half)
        tau = np.abs(centre[:, None] + half * np.linspace(-1, 1, 21))
        found = line.transform(np.append(0.0, tau.ravel()))
        size = (found.value.real - found.error)[1:].reshape(tau.shape)
        size -= found.value.real[0] + found.error[0]
        assert np.all(size.max(axis=1) <= bound)


@pytest.mark.parametrize("case", [laplace, finite, discrete])
def test_cells_say_something(case):
    near, _ = case(1.0)
    assert np.median(near(np.linspace(100.0, 400.0, 200), 0.05)) < -0.5


def test_sines_of_a_cell():
    tau, turns = np.linspace(0, 1e6, 999), np.array([1e-3, 0.7, 12.3])
    found = least_square_sine(tau, turns, np.full(3, 0.1))
    for shift in (-0.1, -0.03, 0.0, 0.08, 0.1):
        assert np.all(found <= np.sin(np.pi * (tau[:, None] * turns + shift)) ** 2 + 1e-5)
    assert found.max() > 0.85


def test_what_is_looked_at_is_irregular_and_covers_everything():
    chosen = spread_out(1000, 100)
    assert 90 < len(chosen) <= 100
    assert chosen.max() < 1000
    assert len(np.unique(np.diff(chosen))) > 5
    assert np.array_equal(spread_out(5, 100), np.arange(5))
