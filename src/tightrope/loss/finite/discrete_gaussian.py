"""Discrete Gaussian noise as a finite pair: its sample has no theta function of its own."""

from __future__ import annotations

import math

import numpy as np

from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.pairs import Rows, Scalars
from tightrope.num.logspace import logsumexp
from tightrope.num.rounding import EPS

DEEP = 745.0
"""Tails of probability exp(-745), below every double but the least, count as an infinite loss."""

SHALLOW = 80.0
"""Where the others are too many, those of exp(-80) do: that only covers the pair."""

MOST_ATOMS = 20_000
"""Of more, a cover by a polygon is cheaper to compose."""


def itself(loss: DiscreteGaussianLoss) -> FiniteLoss | None:
    """One release, whole but for what no double tells from 0; None if it is too wide."""
    return _cut(loss, DEEP)


def covered(loss: DiscreteGaussianLoss) -> FiniteLoss | None:
    """One release, or a narrow cover of it; None if it is too wide."""
    return _cut(loss, DEEP) or _cut(loss, SHALLOW)


def _cut(loss: DiscreteGaussianLoss, depth: float) -> FiniteLoss | None:
    """One release, cut off where its tails are below exp(-depth).

    With X of variance parameter v and shift D, the loss is D (2 X + D)/(2 v). Values from
    -K - D to K are kept, which keeps the pair symmetric. P(X > K) <= exp(-K^2/(2 v)), as X is
    subgaussian (Canonne, Kamath and Steinke 2020, Lemma 34); below -K - D, where P is smaller
    still, it is added to the lowest value.
    """
    ((variance, shift), count), *others = loss.runs.items()
    if others or count != 1:
        return None
    reach = math.ceil(math.sqrt(2 * depth * float(variance)))
    if 2 * reach + shift > MOST_ATOMS:
        return None
    x = np.arange(-reach - shift, reach + 1.0)
    v = float(variance)
    wide = np.arange(-2.0 * reach - shift - 40, 2.0 * reach + shift + 41)
    log_theta = logsumexp(-wide * (wide / (2 * v)))
    logs = -x * (x / (2 * v)) - log_theta
    logs[0] = np.logaddexp(logs[0], -depth)
    tail = math.exp(-depth)
    escape = -math.log1p(-tail)
    known = Scalars(escape, tail, float(shift / variance), loss_doubt=4 * EPS, mass_doubt=16 * EPS)
    losses = float(shift / variance) * (x + shift / 2)
    return FiniteLoss((Rows.one(losses, logs + escape, known),))
