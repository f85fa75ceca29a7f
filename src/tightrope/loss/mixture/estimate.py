"""A quick log M of a pair of Gaussian mixtures, to search with; nothing is proved of it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from tightrope.loss.mixture.pair import MixturePair
from tightrope.loss.mixture.strip_quadrature import window
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1, log1p

FURTHEST = 320.0
"""Where the common nodes end; a transform that reaches farther gets its own."""

MARGIN = 10.0
"""Standard deviations beyond the outermost shift."""

MIDDLE = 20.0
"""This far to the right of P, p is multiplied by r^z before it is a double."""

DEPTH = 30.0
"""log of what may be left out."""

CUT = 42.0
"""log of how far below M the integrand has to be where results are left out: no quadrature gets
across such an end unless it hardly matters."""

HOPELESS = 1e200 + 0j
"""For a log M beyond reach."""

_COMPLEX: tuple[Any, Any] = (expm1, log1p)
_REAL: tuple[Any, Any] = (np.expm1, np.log1p)
"""How exp(z) - 1 and log(1 + z) are found."""


class _Grid(NamedTuple):
    x: Floats
    loss: Floats
    log_weight: Floats
    weight: Floats


def estimate(pair: MixturePair, z: Complexes) -> Complexes:
    """log M at any points with a positive real part, to a few digits."""
    grid = _grid(pair)
    c = float(z.real.max())
    end = min((c + 1) * pair.reach + c * pair.left.width + MARGIN, pair.furthest)
    used = int(np.searchsorted(grid.x, end)) + 1
    with np.errstate(over="ignore", invalid="ignore"):
        value = _log_sum(z, grid.loss[:used], grid.log_weight[:used], grid.weight)
        if end == pair.furthest:
            last = grid.log_weight[used - 1] + z.real * grid.loss[used - 1]
            value[last > value.real - CUT] = HOPELESS
        if end < FURTHEST:
            return value
        ends = (z.real + 1) * pair.reach > FURTHEST - MARGIN
        beyond = grid.log_weight[-1] + z.real * grid.loss[-1] > value.real - 20
        for index in zip(*np.nonzero(ends | beyond), strict=True):
            value[index] = far(pair, complex(z[index]))
    return value


def _log_sum(z: Complexes, loss: Floats, log_weight: Floats, weight: Floats) -> Complexes:
    """log of 1 plus the sum of w (exp(z l) - 1), wholly by logarithms where it is large."""
    middle = min(len(weight), len(loss))
    power: Any
    power, (change, log) = (z, _COMPLEX) if z.imag.any() else (z.real, _REAL)
    total = change(power[..., None] * loss[:middle]) @ weight[:middle]
    if middle < len(loss):
        beyond = power[..., None] * loss[middle:] + log_weight[middle:]
        total += np.exp(beyond).sum(axis=-1)
    large = ~(np.abs(total) < 1e100)
    if not large.any():
        return np.asarray(log(total), dtype=complex)
    value = np.asarray(log(np.where(large, 0, total)), dtype=complex)
    exponent = power[large][..., None] * loss + log_weight
    top = exponent.real.max(axis=-1)
    value[large] = top + np.log(np.exp(exponent - top[:, None]).sum(axis=-1))
    return value


def far(pair: MixturePair, z: complex) -> complex:
    """log M at a point where the common nodes do not suffice."""
    if pair.hopeless(z.real):
        return HOPELESS
    cells = window(pair, z.real, 0.0, DEPTH)
    grid = _over(pair, cells.left, cells.width)
    return complex(_log_sum(np.array([z]), grid.loss, grid.log_weight, grid.weight)[0])


def step_for(width: float) -> float:
    """The distance of nodes that a pair so wide needs."""
    return max(min(0.5, 0.5 / width), 0.01) if width else 0.5


@lru_cache(maxsize=64)
def _grid(pair: MixturePair) -> _Grid:
    step = step_for(pair.width)
    return _over(pair, np.arange(-MARGIN, FURTHEST, step), step)


def _over(pair: MixturePair, x: Floats, step: float) -> _Grid:
    at = pair.on_line(x.astype(complex))
    log_weight = at.density.value.real + math.log(step)
    return _Grid(x, at.loss.value.real, log_weight, np.exp(log_weight[x < pair.reach + MIDDLE]))
