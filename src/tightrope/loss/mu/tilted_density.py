"""How dense the loss can be under any exponential tilt, where that is known for every tilt at once.

Tilted by exp(c L), the loss has the characteristic function M(c + it)/M(c). Composed with a
fictitious Gaussian release of a small mu = eta (that only overstates), its density is at most

    J = 1/(2 pi) * integral of |M(c + it)|/M(c) exp(-eta^2 t^2/2) over all t,

and so delta(e) <= M(c) exp(eta^2 c (c + 1)/2 - c e) J/(c (c + 1)), as the integral of
exp(-c y) (1 - exp(-y)) over y > 0 is 1/(c (c + 1)). On a lattice no mass is above step J, with the
integral over one period and no fictitious release. For Gaussian and discrete Gaussian losses the
modulus has bounds that do not depend on c (see ``envelope``); of other losses it is at most 1.
"""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np

from tightrope.loss.discrete import envelope
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

NEAR, FAR = 1500, 12
"""Intervals of the main peak, and others for each further width of it."""

MOST_INTERVALS = 1 << 14
"""Intervals beyond the main peak."""

MOST_ROWS = 80
"""Kinds of release, the heaviest first, that are taken into account."""

PEAK = 7.0
"""Widths of the main peak that are taken finely."""


def log_density(total: Total, eta: float) -> float:
    """log of J, rounded up; infinite where nothing is known."""
    last = 8.0 / eta
    rest = math.exp(-((eta * last) ** 2) / 2) / (eta**2 * last)
    return math.log((_area(total, last, eta) + rest) / math.pi) + 1e-12


def log_mass(total: Total) -> float:
    """log of the largest probability of a point of the loss's lattice under any tilt, rounded up.

    That is at most step/(2 pi) times the integral of |M(c + it)|/M(c) over one period.
    """
    assert total.lattice is not None
    step = total.lattice.step
    half = math.pi / step * (1 + 8 * EPS)
    return min(math.log(_area(total, half, 0.0) * step / math.pi) + 1e-12, 0.0)


def _area(total: Total, last: float, eta: float) -> float:
    """The integral of |M(c + it)|/M(c) exp(-eta^2 t^2/2) over t from 0 to ``last``, rounded up."""
    square = sum(known_square(loss) for loss in total.losses)
    if not square:
        return math.inf
    width = min(PEAK / math.sqrt(square), last)
    count = min(math.ceil((last - width) / width * FAR) + 1, MOST_INTERVALS)
    ends = np.append(np.linspace(0, width, NEAR), np.linspace(width, last, count + 1)[1:])
    left, right = ends[:-1], ends[1:]
    log_size = -(eta**2) * left**2 / 2
    for loss in total.losses:
        log_size = log_size + log_modulus(loss, left, right)
    return float(((right - left) * np.exp(log_size)).sum())


@singledispatch
def known_square(loss: Any) -> float:
    """About the variance of the part of the loss that is as smooth as it looks."""
    return 0.0


@known_square.register
def _(loss: GaussianLoss) -> float:
    return loss.square


@known_square.register
def _(loss: DiscreteGaussianLoss) -> float:
    rows = loss.rows
    return float(((rows.variance >= envelope.SMOOTH) * rows.count * rows.square).sum())


@singledispatch
def log_modulus(loss: Any, left: Floats, right: Floats) -> Floats:
    """Bounds on log |M(c + it)| - log M(c) for every t between two points, whatever c."""
    return np.zeros_like(left)


@log_modulus.register
def _(loss: GaussianLoss, left: Floats, right: Floats) -> Floats:
    return -(1 - 8 * EPS) * loss.square / 2 * left**2


@log_modulus.register
def _(loss: DiscreteGaussianLoss, left: Floats, right: Floats) -> Floats:
    """Each row at the point of the interval that is nearest to a revival of it."""
    bound = np.zeros_like(left)
    smooth = np.flatnonzero(loss.rows.variance >= envelope.SMOOTH)
    for row in smooth[:MOST_ROWS]:
        only = loss.rows.where(slice(row, row + 1))
        first, last = left / only.period, right / only.period
        revived = np.floor(last) >= np.ceil(first)
        nearer = np.abs(first - np.rint(first)) < np.abs(last - np.rint(last))
        revival = np.rint((first + last) / 2) * only.period
        at = np.where(revived, revival, np.where(nearer, left, right))
        bound += envelope.log_envelope(only, 1.0, at)
    return bound
