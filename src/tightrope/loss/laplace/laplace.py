"""The Laplace loss: two atoms, and a part with a density between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tightrope.loss.cell_bounds import least_square_sine, log_product, spread_out
from tightrope.loss.epsilons import EpsilonLoss
from tightrope.loss.loss import Transform
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1_parts, log1p
from tightrope.num.rounding import EPS

MOST_SCREENED = 48
"""Kinds that the sieve looks at."""

MOST_NEAR = 128
"""Kinds that are looked at for whole cells of a contour."""


@dataclass(frozen=True, eq=False)
class LaplaceLoss(EpsilonLoss):
    """Laplace(0, 1) against Laplace(epsilon, 1); both orders are alike.

    With w = z + 1/2, M(z) = exp(-epsilon/2) [cosh(epsilon w) + sinh(epsilon w)/(2 w)]: the atoms
    at -epsilon and epsilon, and the density between them.

    Source: Dong, Roth and Su (2022), Proposition A.6 (the trade-off curve of the pair).
    """

    def estimate(self, z: Complexes) -> Complexes:
        """log M = epsilon z + log(1 + bracket), which loses no digits for a small z."""
        return self._log_m(z, self._bracket(z))

    def rounding(self, z: Complexes) -> Floats:
        """The bracket errs by 16 EPS of itself and 2 EPS of epsilon z; all of M may vanish."""
        return self._doubt(z, self._bracket(z))

    def transform(self, z: Complexes) -> Transform:
        """Both, from one bracket."""
        bracket = self._bracket(z)
        return Transform(self._log_m(z, bracket), self._doubt(z, bracket))

    def _bracket(self, z: Complexes) -> Complexes:
        """(exp(-2 epsilon w) - 1) (1/2 - 1/(4 w)), where 2 w - 1 = 2 z."""
        w = (z + 0.5)[..., None]
        real, imag, _ = expm1_parts(w.real * (-2 * self.epsilon), w.imag * (-2 * self.epsilon))
        return np.asarray((real + 1j * imag) * (z[..., None] / (2 * w)))

    def _log_m(self, z: Complexes, bracket: Complexes) -> Complexes:
        return np.asarray((self.epsilon * z[..., None] + log1p(bracket)) @ self.count)

    def _doubt(self, z: Complexes, bracket: Complexes) -> Floats:
        size = np.abs(z)[..., None] * self.epsilon
        left = np.maximum(np.abs(1 + bracket), EPS)
        each = 2 * size + (32 * np.abs(bracket) + 4 * size) / left
        return np.asarray(EPS * each @ self.count)

    def decay(self, c: float, tau: Floats) -> Floats:
        """|cosh| and |sinh| are at most cosh on the axis; the density's part falls as 1/tau."""
        w = c + 0.5
        atoms, at_c = self._on_axis(w, self.epsilon)
        size = np.hypot(w, tau)[..., None]
        bound = atoms * (1 + 1 / (2 * size)) / at_c
        return np.asarray(np.minimum(np.log(bound) + 8 * EPS, 0) @ self.count)

    def screen(self, c: float, tau: Floats) -> Floats:
        """|cosh(x + iy)|^2 = cosh(x)^2 - sin(y)^2, in the kinds with the most to say."""
        w = c + 0.5
        chosen = np.argsort(-self.count * self.epsilon)[:MOST_SCREENED]
        epsilon, count = self.epsilon[chosen], self.count[chosen]
        atoms, at_c = self._on_axis(w, epsilon)
        turn = tau[..., None] * epsilon
        sine = np.maximum(np.abs(np.sin(turn)) - 4 * EPS * turn, 0)
        lost = np.square(sine / np.cosh(np.minimum(epsilon * w, 300.0)))
        size = np.hypot(w, tau)[..., None]
        bound = atoms * (np.sqrt(1 - lost) + 1 / (2 * size)) / at_c
        return np.asarray(np.minimum(np.log(bound) + 32 * EPS, 0) @ count)

    def near(self, c: float, tau: Floats, half: float) -> Floats:
        """The same for whole cells; (sqrt(x) + b)^2 <= x + 2 b + b^2 for x up to 1."""
        w = c + 0.5
        chosen = np.argsort(self.epsilon)[spread_out(len(self.epsilon), MOST_NEAR)]
        epsilon, count = self.epsilon[chosen], self.count[chosen]
        atoms, at_c = self._on_axis(w, epsilon)
        share = (atoms / at_c) ** 2
        dense = 1 / (2 * np.hypot(w, np.maximum(tau - half, 0)))
        turns = epsilon / math.pi
        squares = least_square_sine(tau, turns, turns * half)
        squares *= (-share / np.cosh(np.minimum(epsilon * w, 300.0)) ** 2).astype(np.float32)
        squares += np.outer((1 + dense) ** 2, share).astype(np.float32)
        return log_product(squares, count)

    def _on_axis(self, w: float, epsilon: Floats) -> tuple[Floats, Floats]:
        """cosh(epsilon w) and the whole bracket at the real w, both times exp(-epsilon w)."""
        small = np.expm1(-2 * epsilon * w)
        return 1 + small / 2, 1 + small / 2 - small / (4 * w)
