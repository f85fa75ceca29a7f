"""The losses of normal and of discrete Gaussian noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx

from tightrope.verify.exact.single import Single
from tightrope.verify.numbers import ball
from tightrope.verify.outcome import NotChecked

MOST_TERMS = 20_000
"""Most terms of a theta function."""


@dataclass(frozen=True)
class Normal(Single):
    """The pair N(mu, 1), N(0, 1), by the square of mu."""

    square: Fraction

    def rho(self) -> arb:
        """mu^2/2."""
        return ball(self.square / 2)

    def transform(self, z: acb) -> acb:
        """exp(mu^2 z (z + 1)/2)."""
        return (ball(self.square / 2) * z * (z + 1)).exp()

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        return float(self.square) * c * (c + 1) / 2


@dataclass(frozen=True)
class DiscreteNormal(Single):
    """N_Z(0, v) against itself, shifted by D: L = (D/v)(X + D/2)."""

    variance: Fraction
    shift: int

    @property
    def square(self) -> Fraction:
        """D^2/v, the square of mu of the continuous law."""
        return Fraction(self.shift) ** 2 / self.variance

    def rho(self) -> arb:
        """D^2/(2v) (Canonne, Kamath and Steinke, 2020, Theorem 4)."""
        return ball(self.square / 2)

    def transform(self, z: acb) -> acb:
        """exp(z (z + 1) D^2/(2v)) times a ratio of two theta functions, by Poisson summation."""
        grown = (ball(self.square / 2) * z * (z + 1)).exp()
        return grown * self._theta(z) / self._theta(acb(0)).real

    def line(self, c: Fraction, step: arb, nodes: int) -> list[acb]:
        """The same at many points, of which all but two exponentials are powers."""
        half, start, whole = ball(self.square / 2), ball(c), self._theta(acb(0)).real
        turned = acb(0, 2 * arb.pi() * self.shift * start).exp()
        found = []
        for j in range(nodes + 1):
            tau = step * j
            z = acb(start, tau)
            phase = turned * (-2 * arb.pi() * self.shift * tau).exp()
            found.append((half * z * (z + 1)).exp() * self._theta_at(tau, phase) / whole)
        return found

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        return float(self.square) * c * (c + 1) / 2

    def _theta(self, z: acb) -> acb:
        return self._theta_at(z.imag, (acb(0, 2) * arb.pi() * self.shift * z).exp())

    def _theta_at(self, tau: arb, phase: acb) -> acb:
        """The sum of exp(-2 pi^2 n^2 v) phase^n over all integers n, phase = exp(2 pi i z D)."""
        leaning = float(abs(tau).upper()) * self.shift
        per_step = 2 * math.pi**2 * float(self.variance)
        last = math.ceil(min(leaning / (math.pi * float(self.variance)), MOST_TERMS) + 1)
        while per_step * last**2 - 2 * math.pi * leaning * last < ctx.prec * 0.7 + 10:
            last += 1
            if last > MOST_TERMS:
                raise NotChecked("discrete Gaussian noise of so little variance")
        total, up, back = acb(1), acb(1), 1 / phase
        down = acb(1)
        for weight in _theta_weights(self.variance, last, ctx.prec):
            up, down = up * phase, down * back
            total += weight * (up + down)
        rest = 4 * arb(-per_step * last**2 + 2 * math.pi * leaning * last + 1).exp()
        return total + acb(arb(0, rest), arb(0, rest))


@lru_cache(maxsize=4096)
def _theta_weights(variance: Fraction, last: int, precision: int) -> list[arb]:
    """exp(-2 pi^2 n^2 v) for n = 1, ..., last at the current precision."""
    turn = -2 * arb.pi() ** 2 * ball(variance)
    return [(turn * n * n).exp() for n in range(1, last + 1)]
