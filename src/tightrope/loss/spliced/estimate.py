"""A quick log M of a spliced loss, to search with; nothing is proved of it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tightrope.loss.spliced.half_line import HalfLine
from tightrope.loss.spliced.half_ratio import HalfRatio
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import log1p

FURTHEST = 60.0
"""Where the nodes end; the few transforms that reach farther are computed with care."""

MARGIN = 9.0


class _Grid(NamedTuple):
    v: Floats
    s: Floats
    weight: Floats


def estimate(mu: float, rate: float, z: Complexes) -> Complexes:
    """log M at any points with a positive real part, to a few digits."""
    v, s, weight = _grid(mu, rate)
    end = (float(z.real.max()) + 1) * mu + MARGIN
    used = slice(np.searchsorted(v, end) + 1)
    with np.errstate(over="ignore", invalid="ignore"):
        power = z[..., None] * s[used]
        product = np.expm1(power + s[used]) * -np.expm1(-power)
        value = log1p(np.asarray(product @ weight[used], dtype=complex))
        if end < FURTHEST:
            return value
        last = weight[-1] * np.exp((z.real + 1) * s[-1])
        beyond = (last > 1e-9 * np.abs(np.expm1(value))) | ~np.isfinite(value)
    for index in zip(*np.nonzero(beyond), strict=True):
        value[index] = _far(mu, rate, complex(z[index]))
    return value


def _far(mu: float, rate: float, z: complex) -> complex:
    line = HalfLine(mu, rate, z.real)
    value = complex(line.transform(np.array([abs(z.imag)])).value[0])
    return value if z.imag >= 0 else value.conjugate()


@lru_cache(maxsize=64)
def _grid(mu: float, rate: float) -> _Grid:
    """Four points in each of many cells."""
    width = min(0.5, 1 / mu)
    points, weights = np.polynomial.legendre.leggauss(4)
    left = np.arange(0.0, FURTHEST, width)
    v = (left[:, None] + width / 2 * (points + 1)).ravel()
    ratio = HalfRatio(mu, rate)
    density = np.exp(ratio.log_density(v))
    return _Grid(v, ratio.log(v), density * np.tile(width / 2 * weights, len(left)))
