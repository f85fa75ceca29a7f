"""Gauss-Legendre rules on (0, 1) whose weights and distances from both ends keep their digits."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tightrope.num.elementwise import FloatArray

__all__ = ["UnitRule", "unit_rule"]

_STEPS = 6


class UnitRule(NamedTuple):
    """A rule on (0, 1).

    Attributes:
        node: the nodes, rising.
        mirror: one minus the nodes.
        weight: the weights; they add up to 1.
    """

    node: FloatArray
    mirror: FloatArray
    weight: FloatArray


@lru_cache(maxsize=64)
def unit_rule(points: int) -> UnitRule:
    """Return the rule that integrates all polynomials of degree below `2 * points`.

    With x = cos(a), Newton's method runs in the angle a up to pi/2, where the roots are evenly
    spaced, and 1 - x stands for x. For up to 400 points, nodes and mirrors err by at most 2e-16,
    weights by a relative `1e-15 * points`.

    >>> rule = unit_rule(2)
    >>> [round(weight, 14) for weight in rule.weight.tolist()], round(float(rule.node[0]), 14)
    ([0.5, 0.5], 0.21132486540519)
    """
    index = np.arange(0.75, points / 2 + 0.5)
    angle: FloatArray = np.asarray(np.pi * index / (points + 0.5), dtype=np.float64)
    for _ in range(_STEPS):
        at, change = _legendre(points, angle)
        # d/da of P(cos a) is -points (P_below - x P)/sin(a)
        slope = change - 2 * np.sin(angle / 2) ** 2 * at
        angle = angle - at * np.sin(angle) / (points * slope)
    at, change = _legendre(points, angle)
    weight = (np.sin(angle) / (points * (at - change))) ** 2
    near, far = np.sin(angle / 2) ** 2, np.cos(angle / 2) ** 2
    rest = slice(points // 2 - 1, None, -1) if points > 1 else slice(0, 0)
    return UnitRule(
        np.concatenate([near, far[rest]]),
        np.concatenate([far, near[rest]]),
        np.concatenate([weight, weight[rest]]),
    )


def _legendre(degree: int, angle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The Legendre polynomial at cos(angle), and by how much it differs from the one below."""
    distance = 2 * np.sin(angle / 2) ** 2
    at, change = 1 - distance, -distance
    for k in range(1, degree):
        change = (k * change - (2 * k + 1) * distance * at) / (k + 1)
        at = at + change
    return at, change
