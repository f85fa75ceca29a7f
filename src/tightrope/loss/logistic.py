"""The logistic loss: the worst pair of bounded range and of logistic differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tightrope.loss.epsilons import EpsilonLoss
from tightrope.num.arrays import Complexes, Floats, Indices
from tightrope.num.complexes import expm1, log1p
from tightrope.num.rounding import EPS

MOST_SCREENED = 16
"""Kinds of release whose |M| makes the sieve."""


@dataclass(frozen=True, eq=False)
class LogisticLoss(EpsilonLoss):
    """Logistic(0, 1) against Logistic(epsilon, 1); both orders are alike.

    The loss has a density proportional to exp(l/2) on (-epsilon, epsilon), so with w = z + 1/2

        M(z) = sinh(epsilon w)/(2 w sinh(epsilon/2)).

    Source: Chen, Pandey and Awan (2026), Definition 12 (the trade-off curve of the pair).
    """

    def estimate(self, z: Complexes) -> Complexes:
        """Near 0, a difference of logs of sinh(x)/x; else epsilon z + log(1 + bracket).

        Neither loses digits for a small z.
        """
        x = self.epsilon * (z + 0.5)[..., None]
        near = np.abs(x) < 1
        close = _log_shc(np.where(near, x, 0.0)) - _log_shc(np.minimum(self.epsilon, 2.0) / 2)
        far = self.epsilon * z[..., None] + log1p(self._bracket(z))
        return np.asarray(np.where(near, close, far) @ self.count)

    def _bracket(self, z: Complexes) -> Complexes:
        """(1 - exp(-2 epsilon w))/(2 w (1 - exp(-epsilon))) - 1, where 2 w = 1 + 2 z."""
        z = z[..., None]
        rest = np.expm1(-self.epsilon)
        change = 2 * z * rest - np.exp(-self.epsilon) * expm1(-2 * self.epsilon * z)
        return np.asarray(change / (-rest * (1 + 2 * z)))

    def rounding(self, z: Complexes) -> Floats:
        """The bracket errs by 24 EPS of z/w; all of M may vanish."""
        w, bracket = (z + 0.5)[..., None], self._bracket(z)
        size = np.abs(z[..., None])
        left = np.maximum(np.abs(1 + bracket), EPS)
        far = 2 * self.epsilon * size + (24 * size / np.abs(w) + 20 * np.abs(bracket)) / left
        near = np.abs(self.epsilon * w)
        return np.asarray(EPS * np.where(near < 1, 16 * near**2, far) @ self.count)

    def decay(self, c: float, tau: Floats) -> Floats:
        """|M|^2 falls as far as epsilon tau = pi, and from pi/2 on it is below an envelope.

        With x + iy = epsilon w, |M|^2 is proportional to (sinh(x)^2 + sin(y)^2)/(x^2 + y^2). Up to
        pi it falls, since y cos(y) <= sin(y); and with 1 for sin(y)^2 it falls everywhere.
        """
        turn = np.minimum(tau[..., None] * self.epsilon, math.pi / 2)
        return self._log_size(c, tau, np.sin(turn), slice(None))

    def screen(self, c: float, tau: Floats) -> Floats:
        """|M| itself, of the kinds with the most to say."""
        chosen = np.argsort(-self.count * self.epsilon)[:MOST_SCREENED]
        turn = tau[..., None] * self.epsilon[chosen]
        return self._log_size(c, tau, np.abs(np.sin(turn)) + 4 * EPS * turn, chosen)

    def _log_size(self, c: float, tau: Floats, sine: Floats, kinds: Indices | slice) -> Floats:
        """A bound on log |M(c + i tau)| - log M(c), from a bound on |sin(epsilon tau)|."""
        w = c + 0.5
        drop = np.log1p((tau / w) ** 2)[..., None] * (1 - 8 * EPS)
        rise = np.log1p((sine / np.sinh(np.minimum(self.epsilon[kinds] * w, 300.0))) ** 2)
        each = np.minimum(rise * (1 + 8 * EPS) + 8 * EPS - drop, 0) / 2
        return np.asarray(each @ self.count[kinds])


def _log_shc(x: Complexes | Floats) -> Complexes:
    """log(sinh(x)/x) for |x| <= 1, with an error relative to |x|^2."""
    square = np.asarray(x, dtype=complex) ** 2
    series = np.zeros_like(square)
    for k in range(10, 0, -1):
        series = (series + 1) * square / ((2 * k) * (2 * k + 1))
    return log1p(series)
