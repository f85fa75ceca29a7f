"""Gauss-Legendre rules against roots of Legendre polynomials in forty digits."""

import mpmath as mp
import numpy as np
import pytest

from tightrope.num.gauss_legendre import unit_rule


@pytest.mark.parametrize("points", [1, 2, 3, 4, 5, 20, 41, 150])
def test_nodes_and_weights(points: int) -> None:
    node, mirror, weight = unit_rule(points)
    assert len(node) == len(mirror) == len(weight) == points
    with mp.workdps(40):
        for i in sorted({0, points // 3, points // 2, points - 1}):
            x = 2 * mp.mpf(node[i]) - 1
            for _ in range(4):
                x -= mp.legendre(points, x) / _slope(points, x)
            assert abs((1 + x) / 2 - mp.mpf(node[i])) < 2e-16
            assert abs((1 - x) / 2 - mp.mpf(mirror[i])) < 2e-16
            true_weight = 1 / ((1 - x * x) * _slope(points, x) ** 2)
            assert abs(true_weight / mp.mpf(weight[i]) - 1) < 1e-15 * max(points, 4)


def _slope(degree: int, x: mp.mpf) -> mp.mpf:
    return degree * (x * mp.legendre(degree, x) - mp.legendre(degree - 1, x)) / (x * x - 1)


@pytest.mark.parametrize("points", range(1, 40))
def test_powers_are_integrated(points: int) -> None:
    rule = unit_rule(points)
    degree = np.arange(2 * points)
    assert rule.node ** degree[:, None] @ rule.weight == pytest.approx(1 / (degree + 1), rel=1e-13)
    assert np.all(np.diff(rule.node) > 0)
