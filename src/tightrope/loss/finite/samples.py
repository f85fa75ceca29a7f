"""Samples of a mechanism that is known by a finite symmetric pair, when a unit is replaced.

A pair (P, Q) is symmetric if its profile is also that of (Q, P): the loss -l has under Q the
probability that l has under P. So the atoms with a positive loss tell all. For the theorems see
docs/theory.md.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.finite.laid import on_lattice_if_many
from tightrope.loss.finite.pairs import Scalars
from tightrope.num.arrays import Floats
from tightrope.num.logspace import log_mixture
from tightrope.num.rounding import EPS

ASYMMETRY = 1e-6
"""By how much masses on the two sides of 0 may differ: rounding of a polygon does not matter."""

DOUBT = 64 * EPS
"""Relative error that the formulas add to losses and log-probabilities."""


class _Half(NamedTuple):
    """What a symmetric pair is known by.

    Attributes:
        loss: the positive losses, ascending.
        on_p: their probabilities under P.
        on_q: the same under Q.
        still: the probability that the loss is 0.
        gone: that it is infinite.
        loss_doubt: the relative error of the losses.
        mass_doubt: that of the masses.
    """

    loss: Floats
    on_p: Floats
    on_q: Floats
    still: float
    gone: float
    loss_doubt: float
    mass_doubt: float


def fixed_size(loss: FiniteLoss, rate: float) -> FiniteLoss:
    """The cover of a sample of fixed size, one unit being replaced.

    Where P/Q = exp(l) > 1 let r = 1 + rate (exp(l) - 1). The loss is log r with probability Q r,
    -log r with probability Q, and 0 with what is left, a sum of positive terms (``SplicedLoss``).

    Args:
        loss: the inner mechanism under replace-one, one release, symmetric.
        rate: the part of the units that is sampled, in (0, 1).

    Raises:
        ValueError: the loss is not one symmetric pair.
    """
    half = _half(loss)
    s = log_mixture(half.loss, rate)
    moved = math.fsum(half.on_q * np.expm1(half.loss)) + half.gone
    losses = np.concatenate([-s[::-1], [0.0], s])
    masses = np.concatenate(
        [half.on_q[::-1], [half.still + (1 - rate) * moved], half.on_q * np.exp(s)]
    )
    return _finite(losses, masses, rate * half.gone, half)


def poisson_replaced(loss: FiniteLoss, rate: float) -> FiniteLoss:
    """A Poisson sample, one unit being replaced.

    Let g be the density of P by Q on a unit interval, the largest values first. The pair is
    1 - rate + rate g(u) against 1 - rate + rate g(1 - u). It is symmetric about u = 1/2, so the
    left half is enough.

    Args:
        loss: the inner mechanism for adding or removing a unit, one release, symmetric.
        rate: the probability that a unit is sampled, in (0, 1].

    Raises:
        ValueError: the loss is not one symmetric pair.
    """
    half = _half(loss)
    down = np.concatenate([half.loss[::-1], [0.0], -half.loss])
    widths = np.concatenate([half.on_q[::-1], [half.still], half.on_p])
    up = np.append(-np.inf, down[::-1])
    high, low = np.cumsum(widths), np.cumsum(np.append(half.gone, widths[::-1]))
    marks = np.unique(np.concatenate([[0.0], high[high < 0.5], low[low < 0.5], [0.5]]))
    same = 4 * half.mass_doubt + 4 * EPS * len(down)  # marks may be off, and meet, by so much
    marks = marks[np.append(True, np.diff(marks) > same * marks[1:])]
    middle, width = (marks[1:] + marks[:-1]) / 2, np.diff(marks) + 2 * same * marks[1:]
    top = log_mixture(_at(down, high, middle), rate)
    bottom = log_mixture(_at(up, low, middle), rate)
    rise, slack = top - bottom, 4 * EPS * (np.abs(top) + np.abs(bottom))
    losses = np.concatenate([slack - rise, (rise + slack)[::-1]])
    masses = np.concatenate([width * np.exp(bottom), (width * np.exp(top))[::-1]])
    rounded = half._replace(mass_doubt=half.mass_doubt + 4 * same)
    return _finite(losses, masses, rate * half.gone, rounded)


def _at(values: Floats, ends: Floats, place: Floats) -> Floats:
    """The values of a step function whose steps have these ends."""
    return np.asarray(values[np.minimum(np.searchsorted(ends, place), len(values) - 1)])


def _half(loss: FiniteLoss) -> _Half:
    if not loss.alone:
        raise ValueError("a sample of a finite pair takes one release")
    row = loss.blocks[0]
    losses, log_p = row.losses[0], row.log_probabilities[0] - float(row.escape[0])
    above, p, log_q = losses > 0, np.exp(log_p), log_p - losses
    gone = -math.expm1(-float(row.escape[0]))
    on_p, on_q = p[above], np.exp(log_q[above])
    still = 1 - math.fsum(on_p) - math.fsum(on_q) - gone
    uneven = max(-still, abs(math.fsum(p[losses < 0]) - math.fsum(on_q)))
    if uneven > ASYMMETRY or abs(float(row.absent[0]) - gone) > ASYMMETRY:
        raise ValueError("the pair must be symmetric: cover both of its orders first")
    error = row.mass_error[0] + 4 * EPS * np.abs(log_p) + float(row.loss_doubt[0]) * np.abs(losses)
    doubt = float(error.max())
    return _Half(losses[above], on_p, on_q, max(still, 0.0), gone, float(row.loss_doubt[0]), doubt)


def _finite(losses: Floats, masses: Floats, gone: float, half: _Half) -> FiniteLoss:
    kept = masses > 0
    escape = -math.log1p(-gone) if gone < 0.5 else -math.log(math.fsum(masses[kept]))
    known = Scalars(
        escape=escape,
        absent=gone,
        loss_doubt=DOUBT + half.loss_doubt,
        mass_doubt=DOUBT + half.mass_doubt,
    )
    return on_lattice_if_many(losses[kept], masses[kept], known)
