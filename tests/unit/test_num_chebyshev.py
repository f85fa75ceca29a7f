"""Interpolation at Chebyshev points of functions that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tightrope.num import chebyshev
from tightrope.num.chebyshev import Places


@pytest.mark.parametrize("count", [2, 7, 36, 160])
def test_polynomials_come_back(count: int) -> None:
    rng = np.random.default_rng(count)
    place = np.concatenate([rng.uniform(0, 1, 200), [0.0, 1.0, 0.5, 1e-12, 1 - 1e-12]])
    rows = chebyshev.interpolation(count, Places(place, 1 - place))
    degree = min(count - 1, 12)
    node = chebyshev.nodes(count).place
    off = rows @ (2 * node - 1) ** degree - (2 * place - 1) ** degree
    assert np.abs(off).max() < chebyshev.rounding(count)
    assert np.abs(rows).sum(axis=1).max() <= chebyshev.lebesgue(count) * (1 + 1e-12)


def test_nodes_come_back() -> None:
    node = chebyshev.nodes(9)
    assert np.abs(chebyshev.interpolation(9, node) - np.eye(9)).max() < 1e-14
    assert np.abs(node.place + node.mirror - 1).max() < 4e-16


@pytest.mark.parametrize("room", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("count", [8, 20, 40])
def test_what_interpolation_leaves(room: float, count: int) -> None:
    """1/(x + room) in an ellipse that reaches up to 0.8 of the way to its pole."""
    half = 1 + 2 * 0.8 * room
    radius = half + math.sqrt(half * half - 1)
    sup = np.array([1 / (0.2 * room)])
    place = np.linspace(0, 1, 501)
    rows = chebyshev.interpolation(count, Places(place, 1 - place))
    off = np.abs(rows @ (1 / (chebyshev.nodes(count).place + room)) - 1 / (place + room)).max()
    bound = float(chebyshev.truncation(sup, radius, count)[0])
    assert off <= bound + chebyshev.rounding(count) / room
