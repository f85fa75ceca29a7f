"""A finite dominating pair as atoms of the privacy loss, which keep digits that curves lose.

An atom is a loss `l = log(q/p)` and the larger of its two masses.  Neither products of atoms nor
sums of their masses cancel, so each step costs a few units of rounding, and these are counted:

    the curve lies above that of a pair (P, Q) of laws whose outcomes fall into the atoms, such
    that in each atom the masses of P and Q are those stated up to a factor `exp(+-mass_error)`,
    and the log-ratio of every outcome is the loss stated up to `+-loss_error`.

From it, with p_i, q_i the masses stated and for every real e,

    delta(e) <= exp(mass_error) sum_i q_i (1 - exp(e - l_i - loss_error))_+.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tightrope.notions.piecewise_vertices import Rising, Vertices
from tightrope.num.elementwise import FloatArray
from tightrope.num.logspace import log1mexp
from tightrope.num.normal import quantile_of_log
from tightrope.num.rounding import EPS, up

__all__ = ["EXTENDED", "SMALLEST", "LossAtoms", "largest_finite"]

_LOG_NORMAL = -700.0
_ALIKE = 1e-12
_UNDERFLOW = 2.0**-1060  # above the error of a sum of some thousand products that are subnormal

SMALLEST = 2.0**-1000
"""Least weight of an atom, far enough above the least double for relative errors to hold."""

EXTENDED = float(np.finfo(np.longdouble).eps)
"""Twice the rounding of one addition in the widest type there is; in it, sums are formed."""


@dataclass(frozen=True, eq=False)
class LossAtoms:
    """A dominating pair of laws.

    Attributes:
        loss: log-ratios of the second law to the first, falling; infinite where one mass is 0.
        weight: the larger of the two masses of each atom.
        mass_error: worst error of the logarithm of a mass.
        loss_error: worst error of a loss.
    """

    loss: FloatArray
    weight: FloatArray
    mass_error: float
    loss_error: float

    @property
    def log_masses(self) -> tuple[FloatArray, FloatArray]:
        """Logarithms of the masses under the first and the second law."""
        log_weight = np.log(self.weight)
        return log_weight - np.maximum(self.loss, 0), log_weight + np.minimum(self.loss, 0)

    @property
    def masses(self) -> tuple[FloatArray, FloatArray]:
        """The masses under the first and the second law."""
        with np.errstate(under="ignore"):
            first = self.weight * np.exp(-np.maximum(self.loss, 0))
            return first, self.weight * np.exp(np.minimum(self.loss, 0))

    @property
    def failure(self) -> float:
        """The probability of outcomes of infinite loss, rounded up."""
        infinite = float(np.sum(self.weight, where=self.loss == np.inf))
        return min(up(infinite * (1 + self.mass_error)), 1.0) if infinite > 0 else 0.0

    @property
    def largest_loss(self) -> float:
        """The largest finite size of a log-ratio, rounded up."""
        largest = largest_finite(self.loss)
        return up(largest + self.loss_error) if self.loss_error > 0 else largest

    @property
    def symmetric(self) -> bool:
        """Whether exchanging the laws changes nothing but rounding."""
        other = self.mirrored()
        return self.loss.shape == other.loss.shape and bool(
            np.allclose(self.loss, other.loss, rtol=_ALIKE, atol=_ALIKE)
            and np.allclose(self.weight, other.weight, rtol=_ALIKE, atol=0)
        )

    def mirrored(self) -> LossAtoms:
        """The same pair with its laws exchanged."""
        return LossAtoms(-self.loss[::-1], self.weight[::-1], self.mass_error, self.loss_error)

    def log_delta(self, epsilon: FloatArray) -> FloatArray:
        """The logarithm of the hockey-stick divergence at every real epsilon, rounded up."""
        ahead = self._log_excess(np.maximum(epsilon, 0))
        behind = self.mirrored()._log_excess(np.maximum(-epsilon, 0))
        size = np.abs(epsilon)
        mirrored = np.logaddexp(log1mexp(size), behind - size)
        value = np.where(epsilon < 0, mirrored, ahead)
        error = 4 * EPS * (1 + np.abs(value, where=np.isfinite(value), out=np.zeros_like(value)))
        return np.minimum(value + error, 0.0)

    def _log_excess(self, epsilon: FloatArray) -> FloatArray:
        """Sum `q_i (1 - exp(epsilon - l_i))_+` for `epsilon >= 0`, where q_i is the weight."""
        ahead = self.loss > -self.loss_error
        loss, weight = self.loss[ahead], self.weight[ahead]
        gap = np.where(np.isinf(loss), np.inf, loss - np.minimum(epsilon, 1e300)[..., None])
        gap = np.maximum(gap * (1 + EPS * np.sign(gap)) + self.loss_error, 0)
        with np.errstate(under="ignore", divide="ignore"):
            total = np.sum(weight * -np.expm1(-gap), axis=-1, dtype=np.longdouble)
            floor = np.any(gap > 0, axis=-1) * _UNDERFLOW
            value = np.log((total + floor).astype(np.float64))
        return np.asarray(value + (self.mass_error + 4 * EPS + EXTENDED * loss.size))

    def vertices(self) -> Vertices:
        """The corners of a curve that the true one does not cross, rounded to the safe side.

        With A and B the sums of the masses of P on one side of a vertex and of Q on the other, the
        true curve lies above the polygons through (exp(-2 loss_error) A, B) and through
        (A, exp(-2 loss_error) B).  The first is used on the left and the second on the right;
        moving a vertex with A, B <= 1/2 by both changes from one to the other.  If there is no
        such vertex, an edge is cut at A = 1/2.
        """
        p, q = self.masses
        alpha, power = _sums(p), _sums(q)
        if not ((alpha.low <= 0.5) & (power.high <= 0.5)).any():
            k = int(np.count_nonzero(alpha.low <= 0.5)) - 1
            part = (0.5 - alpha.low[k]) / p[k]
            alpha, power = (_sums(_cut(masses, k, part)) for masses in (p, q))
        start = int(self.loss[0] == np.inf)
        error = self.mass_error + 2 * self.loss_error + 4 * EPS + EXTENDED * p.size
        return Vertices(alpha[start:], power[start:]).lowered(error).hull()

    def gaussian_parameter(self) -> float:
        """The least mu such that the curve lies above G_mu, rounded up; infinite if there is none.

        G_mu is convex, so it is enough to compare at the corners: with alpha the type I error and
        `1 - beta` the power there, mu is the largest `Phi^-1(1 - beta) - Phi^-1(alpha)`.
        """
        if np.isinf(self.loss).any():
            return np.inf
        log_p, log_q = self.log_masses
        error = self.mass_error + 2 * self.loss_error + EXTENDED * log_p.size
        power = _quantiles(log_q, error)
        alpha = _quantiles(log_p, -error)
        rounding = 5 * EPS * (np.abs(power) + np.abs(alpha))
        return float(np.max(power - alpha + rounding, initial=0.0))


def largest_finite(loss: FloatArray) -> float:
    """The largest finite size of a loss, or 0."""
    size = np.abs(loss)
    return float(np.max(size, initial=0.0, where=np.isfinite(size)))


def _sums(masses: FloatArray) -> Rising:
    """Partial sums of masses from both ends."""
    extended = np.append(0.0, masses).astype(np.longdouble)
    low = np.cumsum(extended).astype(np.float64)
    high = np.append(np.cumsum(extended[:0:-1])[::-1], 0.0).astype(np.float64)
    return Rising(low, high)


def _cut(masses: FloatArray, k: int, part: float) -> FloatArray:
    return np.concatenate([masses[:k], masses[k] * np.array([part, 1 - part]), masses[k + 1 :]])


def _quantiles(log_masses: FloatArray, error: float) -> FloatArray:
    """Normal quantiles of the inner partial sums of masses, whose logarithms move by `error`."""
    below, above = _log_sums(log_masses), _log_sums(log_masses[::-1])[::-1]
    lower = quantile_of_log(below + error + np.sign(error) * EPS * (4 + np.abs(below)))
    upper = quantile_of_log(above - error - np.sign(error) * EPS * (4 + np.abs(above)))
    return np.asarray(np.where(below < above, lower, -upper))


def _log_sums(log_masses: FloatArray) -> FloatArray:
    """Logarithms of all but the last partial sum, also of those that a double cannot hold."""
    with np.errstate(under="ignore", divide="ignore"):
        direct = np.log(np.cumsum(np.exp(log_masses[:-1]), dtype=np.longdouble).astype(np.float64))
    if np.all(direct > _LOG_NORMAL):
        return direct
    return np.where(direct > _LOG_NORMAL, direct, np.logaddexp.accumulate(log_masses[:-1]))
