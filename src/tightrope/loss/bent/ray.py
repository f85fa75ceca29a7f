"""Integrals over a ray of complex losses: bounds, and the trapezoid rule.

The moment function of l is M(z) = integral of f(l) exp(z l) dl over the positive axis, and by
Cauchy's theorem over any ray l = lambda exp(i angle) with 0 < angle < pi/4 as well, because |f(l)|
falls there like exp(-lambda^2 cos(2 angle)/(2 mu^2)). With omega = Re(z exp(i angle)),

    |M(z)| <= A(omega) = integral of |f(l)| exp(omega lambda) d lambda,

which rises with omega, and is finite however large z is. In s = log lambda the integrand is
analytic, and a shift of s by i eta is a turn of the ray by eta. Hence the trapezoid rule with step
h in s errs by at most [A_+ + A_-]/(exp(2 pi eta/h) - 1), A_+- being A on the rays at angle +- eta.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from tightrope.loss.bent.density import ROOT, SampledDensity
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import real_format, turn_by, ulp

CELL = 0.04
"""Width in log lambda of a cell in which a bound is one number."""

BLOCK = 1 << 16
"""Values that are held in an array at once."""

ROWS = 16
"""Points z that are taken together."""

SMALL = 0.5
"""Exponents up to this one are expanded."""

SUNK = 1e-6
"""What may as well be 0, in units in the last place of 1."""

NEGLIGIBLE = 80.0
"""-log of the relative size of terms that are left out."""


class RayBound:
    """log A for the ray at an angle.

    Args:
        density: of l.
        angle: of the ray.
        most: the largest omega that will be asked for.
        depth: minus the logarithm of what may be left to the crude bounds at both ends.
    """

    def __init__(self, density: SampledDensity, angle: float, most: float, depth: float):
        start, end = density.ends(angle, most, depth)
        s = start + CELL / 2 + CELL * np.arange(math.ceil((end - start) / CELL) + 1.0)
        self.size = np.exp(s)
        at = density.at(s, angle)
        widest = self.size * math.exp(CELL / 2) + ROOT
        slope = (at.spread + CELL / 2 * widest) * widest / density.mu**2
        slope += 1 + ROOT + density.mixed * widest
        self.top = at.value.real + at.error + CELL / 2 * slope + math.log(CELL) + 1e-9
        ends = np.array([s[0] - CELL / 2, s[-1] + CELL / 2])
        self.ends, edge = np.exp(ends), density.at(ends, angle)
        self.edge = edge.value.real + edge.error + 1e-9

    def log(self, omega: Floats) -> Floats:
        """log A(omega), rounded up; a flat array."""
        width = max(1, BLOCK // len(self.size))
        parts = [omega[i : i + width, None] for i in range(0, len(omega), width)]
        return np.concatenate([self._log(part) for part in parts])

    def _log(self, omega: Floats) -> Floats:
        most = self.size * np.exp(np.copysign(CELL / 2, omega))
        inside = self.top + omega * most
        outside = self.edge + np.maximum(omega, 0) * self.ends * [1, 0] + omega * self.ends * [0, 1]
        return np.logaddexp(_log_sum(inside), _log_sum(outside))


class RayRule:
    """M(z) - 1, or M(z), by the trapezoid rule along a ray.

    Args:
        density: of l; if it is mixed, 1 is subtracted.
        angle: of the ray.
        s: the nodes in log lambda, evenly spaced, their multiples being exact.
        most: the largest Re(z exp(i angle)) that will be asked for.
        floor: the error of the rule.
    """

    def __init__(
        self,
        density: SampledDensity,
        angle: float,
        s: Floats,
        most: float,
        floor: float,
    ):
        step = float(s[1] - s[0])
        at = density.at(s, angle)
        s = np.asarray(s, dtype=real_format(at.value))
        self.gain, self.turn, self.unit = density.mixed, turn_by(angle, s), ulp(s)
        power = max(most, 0.0) if self.gain else most
        log_step = np.log(s.dtype.type(step))
        log_size = at.value.real + log_step + power * np.exp(s)
        kept = log_size > log_size.max() - NEGLIGIBLE
        below = 0.0 if self.gain else max(-float(log_size.max()), 0.0)
        self.sunk = below - math.log(SUNK * self.unit)
        self.floor = floor + 2.02 * float(np.exp(log_size[~kept]).sum())
        self.size = np.exp(s[kept])
        self.weight = np.exp(at.value[kept] + log_step)
        mass = np.abs(self.weight)
        doubt = mass * (at.error[kept] + self.unit * (30 + math.log2(len(s))))
        self.sizes = np.stack([mass, doubt, mass * self.size, doubt * self.size], axis=1)

    def sums(self, z: Complexes) -> tuple[Complexes, Floats]:
        """Values and errors; z is such that |z| rises and Re(z exp(i angle)) falls, roughly."""
        parts = [self._block(z[i : i + ROWS]) for i in range(0, len(z), ROWS)]
        value, error = (np.concatenate(column) for column in zip(*parts, strict=True))
        return value, 1.01 * (error + self.floor)

    def _block(self, z: Complexes) -> tuple[Complexes, Floats]:
        """Small exponents by moments, those near -infinity not at all."""
        most = float((z * self.turn).real.max())
        first = int(np.searchsorted(self.size, SMALL / np.abs(z).max()))
        last = int(np.searchsorted(self.size, self.sunk / -most)) if most < 0 else len(self.size)
        last = max(first, last)
        value, error = self._direct(z, slice(first, last))
        gains, more = self._moments(z, slice(first))
        lost = float(self.sizes[last:, 0].sum()) * math.exp(-self.sunk)
        if self.gain:
            value -= self.weight[first:].sum()
            return value + gains, error + more + lost + self.sizes[first:, 1].sum()
        mass, doubt, _, _ = self.sizes[:first].sum(axis=0)
        error += more + lost + doubt + self.unit * mass
        return value + (gains + self.weight[:first].sum()), error

    def _direct(self, z: Complexes, here: slice) -> tuple[Complexes, Floats]:
        """The sum of exp(z l): z is off by 8 ulps, l by 7, their product by 2."""
        exponent = z[:, None] * (self.size[here] * self.turn)
        value = (np.exp(exponent) * self.weight[here]).sum(axis=1)
        growth = np.exp(exponent.real) @ self.sizes[here]
        mass, doubt, first_moment, _ = growth.T
        return value, doubt + self.unit * (12 * mass + 17 * np.abs(z) * first_moment)

    def _moments(self, z: Complexes, here: slice) -> tuple[Complexes, Floats]:
        """The sum of exp(z l) - 1 where |z l| is at most SMALL, by its series."""
        most = float(np.abs(z).max())
        degrees = _degrees(self.unit)
        terms = np.empty((len(degrees), len(self.size[here])), dtype=self.weight.dtype)
        np.divide(self.size[here] * (most * self.turn), degrees[:, None], terms)
        terms[0] *= self.weight[here]
        moments = np.multiply.accumulate(terms, axis=0, out=terms).sum(axis=1)
        powers = np.multiply.accumulate(np.broadcast_to(z / most, (len(degrees), len(z))), axis=0)
        _, _, mass, doubt = self.sizes[here].sum(axis=0)
        return moments @ powers, 1.3 * np.abs(z) * (doubt + 60 * self.unit * mass)


@cache
def _degrees(unit: float) -> Floats:
    """The powers of an expansion; what is left out of it is below 1/200 of a unit."""
    last = next(n for n in range(2, 99) if SMALL**n / math.factorial(n) < unit / 200)
    return np.arange(1.0, last)


def _log_sum(rows: Floats) -> Floats:
    """log of the sum of exp, by row."""
    top = rows.max(axis=1, keepdims=True)
    return np.asarray(top[:, 0] + np.log(np.exp(rows - top).sum(axis=1)))
