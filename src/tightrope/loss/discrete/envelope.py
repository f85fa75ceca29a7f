"""How small the transform of a discrete Gaussian loss is away from its revivals.

Let x be the distance from t to the next multiple of the period T, as a part of T, and let
w = pi^2 s^2. By Poisson summation, whatever c,

    |M(c + it)|/M(c) <= F(x) = sum over k of exp(-2 w (x + k)^2)/theta,
    theta = 1 - 2 exp(-2 w) + 2 exp(-8 w) - ...,

and F falls up to x = 1/2, as every factor of the product for the theta function does. For a small
variance two neighbouring integers, of tilted probabilities p and p', say more:

    |M(c + it)|/M(c) <= 1 - p - p' + |p + p' exp(2 pi i x)|,

which falls as well.
"""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.discrete.theta import ThetaRows
from tightrope.loss.sieve import NO_TEETH, Teeth
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

SMOOTH = 0.5
"""The variance from which F is used; there exp(-2 w) < 6e-5."""

_OTHERS = 1.001
"""What else is in F is below a thousandth of its terms with k = -1 and x = 0, k = 1."""


def log_envelope(rows: ThetaRows, c: float, tau: Floats, half: float = 0.0) -> Floats:
    """A bound on log |M(c + it)| - log M(c), for all t within ``half`` of tau, a flat array."""
    turns = tau[:, None] / rows.period
    part = np.abs(turns - np.rint(turns)) - 6 * EPS * turns - half / rows.period
    part = np.maximum(part, 0)
    smooth = rows.variance >= SMOOTH
    bound = np.empty(part.shape)
    bound[:, smooth] = _smooth(rows.variance[smooth], part[:, smooth])
    bound[:, ~smooth] = _steep(rows.where(~smooth), c, part[:, ~smooth])
    bound *= rows.count
    return np.asarray(np.minimum(bound, 0).sum(axis=-1) * (1 - 32 * EPS))


def teeth(rows: ThetaRows, depth: float) -> Teeth:
    """Beyond these teeth |M(c + it)| < exp(-depth) M(c), for any c, by one row at a time."""
    rows = rows.where(rows.variance >= SMOOTH)
    if not len(rows.count):
        return NO_TEETH
    width = math.pi**2 * rows.variance
    drop = depth / rows.count + _log_rise(width, np.full(len(width), 0.5))
    most = np.minimum(np.sqrt(drop / (2 * width)), 0.5)
    drop = depth / rows.count + _log_rise(width, most)
    reach = np.sqrt(drop / (2 * width)) * rows.period
    return Teeth(rows.period, reach * (1 + 1e-9))


def _smooth(variance: Floats, part: Floats) -> Floats:
    """log F, rounded up."""
    width = math.pi**2 * variance
    return np.asarray(_log_rise(width, part) - 2 * width * part**2)


def _log_rise(width: Floats, part: Floats) -> Floats:
    """A bound on log(F(x) exp(2 w x^2)), which rises with x."""
    first = np.exp(-2 * width)
    others = _OTHERS * (np.exp(-2 * width * (1 - 2 * part)) + first)
    return np.asarray(np.log1p(others) - np.log1p(-2 * first) + 8 * EPS)


def _steep(rows: ThetaRows, c: float, part: Floats) -> Floats:
    """The bound by two integers; eight others norm the law to 2e-11, and p may be too small."""
    middle = c * rows.shift
    at = np.abs(middle - np.rint(middle))
    law = np.exp(-((np.arange(-4.0, 6.0) - at[:, None]) ** 2) / (2 * rows.variance[:, None]))
    sure = np.maximum(1 - 1e-10 - 4 * EPS * middle / rows.variance, 0)
    law *= (sure / law.sum(axis=-1))[:, None]
    nearest, next_ = law[:, 4], law[:, 5]
    both = nearest + next_
    lost = 4 * nearest * next_ * np.sin(math.pi * part) ** 2
    short = lost / np.maximum(both + np.sqrt(np.maximum(both**2 - lost, 0)), 1e-300)
    return np.asarray(np.log1p(-short) + 8 * EPS)
