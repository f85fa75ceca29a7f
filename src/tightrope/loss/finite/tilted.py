"""Finite pairs seen from a vertical line: their probabilities tilted, and the spread of phases.

On the line through c the loss has the tilted probabilities w = p exp(c L)/M(c), and

    M(c + i tau) = M(c) exp(i tau a) (1 + Y),   Y = sum of w (exp(i theta) - 1),

with theta = tau (L - a) and a the heaviest atom, whose own term is 0. Y is summed from
exp(i theta) - 1 = 2 sin(theta/2) (i cos(theta/2) - sin(theta/2)), so a small loss keeps its digits,
which matters because a release may be run 100,000 times. And log M(c) is the log1p of
sum p (exp(c L) - 1), since the probabilities add up to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tightrope.loss.finite.pairs import Rows
from tightrope.num.arrays import Floats, Indices
from tightrope.num.rounding import EPS


class Axis(NamedTuple):
    """Rows where the line meets the real axis.

    Attributes:
        log_m: log M(c) of one run, given that the loss is finite.
        error: how far log_m may be off.
        anchor: the heaviest atom.
        drift: how far the anchor may be off.
    """

    log_m: Floats
    error: Floats
    anchor: Floats
    drift: Floats


@dataclass(frozen=True, eq=False)
class Tilted:
    """All atoms of rows but the heaviest.

    Attributes:
        gap: their losses, less that of the heaviest; rows x (atoms - 1).
        weight: their tilted probabilities.
        count: how often each row is run.
        least: a bound on the error of Y, whatever tau is.
        slope: another one, per tau.
        drift: what the losses' own doubt adds to either, per tau.
    """

    gap: Floats
    weight: Floats
    count: Floats
    least: Floats
    slope: Floats
    drift: Floats

    @cached_property
    def reach(self) -> Floats:
        """|Y| is at most this times tau."""
        return np.asarray((self.weight * np.abs(self.gap)).sum(axis=1))

    @cached_property
    def typical(self) -> Floats:
        """-log |M/M(c)| of all runs of each row, averaged over phases as if there were two atoms.

        Nothing that is proved depends on it.
        """
        heaviest = 1 - self.weight.sum(axis=1)
        even = 1 - heaviest**2 - (self.weight**2).sum(axis=1)
        return np.asarray(-self.count * np.log((1 + np.sqrt(np.maximum(1 - 2 * even, 0))) / 2))

    def take(self, index: Indices) -> Tilted:
        """Some of the rows."""
        parts = (self.gap, self.weight, self.count, self.least, self.slope, self.drift)
        return Tilted(*(part[index] for part in parts))

    def spread(self, tau: Floats) -> tuple[Floats, Floats]:
        """Y, as its real and its imaginary part; nodes x rows."""
        half = tau[:, None, None] * (self.gap / 2)
        sine, cosine = np.sin(half), np.cos(half)
        real = -2 * np.einsum("nra,ra->nr", sine * sine, self.weight)
        return real, 2 * np.einsum("nra,ra->nr", sine * cosine, self.weight)

    def log_bound(self, tau: Floats) -> Floats:
        """A bound on log |1 + Y| of all runs of all rows: real arithmetic, no logarithm a row.

        Of two atoms, |1 + Y|^2 = 1 - 4 w w' sin^2(theta/2).
        """
        error = np.minimum(self.least.max(), tau * self.slope.max()) + tau * self.drift.max()
        if self.gap.shape[1] == 1:
            both = 4 * self.weight * (1 - self.weight)
            square = 1 - np.sin(tau[:, None] * (self.gap[:, 0] / 2)) ** 2 * both[:, 0]
        else:
            real, imaginary = self.spread(tau)
            square = (1 + real) ** 2 + imaginary**2
        square = np.minimum(square + (3 * error + 16 * EPS)[:, None], 1)
        if self.count.min() == self.count.max():
            together = np.maximum(np.prod(square, axis=1), 1e-300)
            return np.asarray(np.log(together) * (self.count[0] / 2))
        return np.asarray(np.log(square) @ self.count / 2)

    def error(self, tau: Floats) -> Floats:
        """How far Y may be off."""
        grown = np.minimum(self.least, tau[:, None] * self.slope)
        return np.asarray(grown + tau[:, None] * self.drift)


def tilt(rows: Rows, c: float) -> tuple[Axis, Tilted]:
    """Rows on the line through c."""
    doubt = rows.loss_doubt[:, None] + 2 * EPS
    exponent = rows.log_probabilities + c * rows.losses
    error = rows.mass_error + 2 * EPS * np.abs(exponent) + c * rows.size * doubt
    top = exponent.max(axis=1, keepdims=True)
    weight = np.exp(exponent - top)
    total = weight.sum(axis=1, keepdims=True)
    weight /= total
    common = (weight * error).sum(axis=1)[:, None] + (8 + rows.atoms) * EPS
    far = (top + np.log(total))[:, 0]
    log_m = _near_one(rows, c, far, common[:, 0] + 4 * EPS * np.abs(far))
    heaviest = np.argmax(weight, axis=1)[:, None]
    anchor = np.take_along_axis(rows.losses, heaviest, axis=1)
    others = np.arange(rows.atoms) != heaviest
    gap, weight, size, error = (
        part[others].reshape(len(part), -1)
        for part in (rows.losses - anchor, weight, rows.size, error + common + 40 * EPS)
    )
    return Axis(*log_m, anchor[:, 0], (np.abs(anchor) * doubt)[:, 0]), Tilted(
        gap,
        weight,
        rows.count,
        least=(2 * weight * error).sum(axis=1),
        slope=(weight * np.abs(gap) * error).sum(axis=1),
        drift=(weight * (size + np.abs(anchor)) * doubt).sum(axis=1),
    )


def _near_one(rows: Rows, c: float, far: Floats, far_error: Floats) -> tuple[Floats, Floats]:
    """log M(c) and its error: by log1p where no c L is above 1, else as given."""
    near = c * rows.size.max(axis=1) < 1
    if not near.any():
        return far, far_error
    exponent = np.where(near[:, None], c * rows.losses, 0.0)
    p, lifted = np.exp(rows.log_probabilities), np.expm1(exponent)
    excess = (p * lifted).sum(axis=1)
    doubt = (p * np.abs(lifted) * (rows.mass_error + (8 + rows.atoms) * EPS)).sum(axis=1)
    doubt += (p * (1 + lifted) * np.abs(exponent)).sum(axis=1) * (rows.loss_doubt + 2 * EPS)
    log_m = np.log1p(excess)
    error = doubt / (1 + excess) + 4 * EPS * np.abs(log_m)
    return np.where(near, log_m, far), np.where(near, error, far_error)


def log_size(real: Floats, imaginary: Floats) -> Floats:
    """log |1 + Y|, at least log EPS; near -1 the real part of 1 + Y is the one without error."""
    change = real * (2 + real) + imaginary**2
    result = np.log1p(np.maximum(change, -0.5)) / 2
    small = change < -0.5
    size = np.hypot(1 + real[small], imaginary[small])
    result[small] = np.log(np.maximum(size, EPS))
    return np.asarray(result)
