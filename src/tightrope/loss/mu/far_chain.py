"""The far tail of a profile, by Chernoff's bound at many exponents.

delta(e) <= kappa(c) M(c) exp(-c e) for every c > 0, and with what ``tilted_density`` knows the
front factor is that of the saddle point. Such a bound is a line in e; a chain of them, each used
between its crossings with its neighbours, takes the place of contours far out.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.loss.contour import saddle
from tightrope.loss.mu.tilted_density import known_square, log_density, log_mass
from tightrope.loss.mu.worth import mu_at
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS

SPACING = 0.016
"""Relative distance of exponents: a mu is overstated by an eighth of its square."""

SMOOTHING = 1e-5, 4e-5
"""By how much fictitious Gaussian releases may overstate mu; the larger one smooths a lattice."""

MOST_LINES = 600
"""Exponents of a chain, which span a factor of 10,000; a longer one is not laid."""


class Far(NamedTuple):
    """What a chain proves.

    Attributes:
        mu: delta is at most delta_mu from the start of the chain to its end.
        log_alpha: beyond the end, no best test has a larger type I error.
    """

    mu: float
    log_alpha: float


def far_chain(total: Total, start: float, exponent: float, log_alpha: float) -> Far:
    """A chain from the epsilon ``start``, where the saddle is at about ``exponent``.

    It ends where best tests have about the type I error asked for.
    """
    if not 0 < exponent < math.inf:
        return Far(math.inf, 0.0)
    c = _exponents(total, exponent, log_alpha)
    if len(c) < 2:
        return Far(math.inf, 0.0)
    log_m = np.array([total.log_most(float(one)) for one in c])
    height = log_m + _log_front(total, c)
    crossing = np.diff(height) / np.diff(c)
    at = np.maximum(np.maximum.accumulate(crossing), start)
    line = np.maximum(height[:-1] - c[:-1] * at, height[1:] - c[1:] * at)
    line = np.append(height[0] - c[0] * start, line)
    at = np.append(start, at)
    line += 8 * EPS * (np.abs(line) + c * at)
    if not np.isfinite(line).all():
        return Far(math.inf, 0.0)
    end = float(at[-1])
    last = log_m[-1] - (c[-1] + 1) * end
    return Far(float(mu_at(at, line).max()), float(last) + 1e-9 * abs(last))


def _exponents(total: Total, first: float, log_alpha: float) -> Floats:
    """Geometric, up to the saddle of that type I error."""
    last, best = first, math.inf
    while (reach := _reach(total, 2 * last, log_alpha)) < best:
        last, best = 2 * last, reach
    last *= math.sqrt(2)
    count = math.ceil(math.log(last / first) / math.log1p(SPACING)) + 1
    most = count if count <= MOST_LINES else 0
    return np.asarray(first * (1 + SPACING) ** np.arange(most))


def _reach(total: Total, c: float, log_alpha: float) -> float:
    """No best test of that type I error has a larger epsilon, by Chernoff's bound; about."""
    value = float(total.estimate(np.array([c + 0j])).real[0])
    return (value - log_alpha) / (c + 1) if math.isfinite(value) else math.inf


def _log_front(total: Total, c: Floats) -> Floats:
    """log of kappa(c), or of the bound by the density, or by the largest mass on a lattice."""
    square = sum(known_square(loss) for loss in total.losses)
    front = saddle.log_kappa(c)
    if not square:
        return front + 8 * EPS
    if total.lattice is not None:
        front = np.minimum(front, _of_masses(total.lattice.step, log_mass(total), c))
    for overstated in SMOOTHING:
        eta = math.sqrt(2 * overstated * square)
        smooth = eta**2 * c * (c + 1) / 2 + log_density(total, eta) - np.log(c) - np.log1p(c)
        front = np.minimum(front, smooth + 8 * EPS * np.abs(smooth))
    return front + 8 * EPS


def _of_masses(step: float, log_mass: float, c: Floats) -> Floats:
    """log of the largest sum of exp(-c y)(1 - exp(-y)) over y = t, t + step, ..., times the mass.

    It is exp(-c t)/((c + 1)(1 - exp(-c step))) at the best t, where
    exp(-t) = c (1 - exp(-(c + 1) step))/((c + 1)(1 - exp(-c step))).
    """
    short, long = log1mexp(c * step), log1mexp((c + 1) * step)
    most = np.log1p(1 / c)
    t = np.clip(most + short - long, 0, step)
    error = 16 * EPS * (4 + c * (np.abs(short) + np.abs(long) + most))
    return np.asarray(log_mass - c * t - np.log1p(c) - short + error)
