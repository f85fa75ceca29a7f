"""The two kernels that turn a transform into a privacy profile.

With M(z) = E[exp(zL)] and c > 0,

    delta(e) = 1/(2 pi) * integral of M(z) exp(-z e) k(z) over tau,   z = c + i tau,

with k(z) = 1/(z (z + 1)), since the two-sided Laplace transform of (1 - exp(-y))_+ is that. If L
lies on a lattice of step u, tau runs over one period and

    k(z) = u * sum over m >= 0 of exp(-z (d + m u)) (1 - exp(-(d + m u))),

d in (0, u] being the distance from e to the next point of the lattice. All its coefficients are
non-negative, hence |k(z)| <= k(c).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from tightrope.loss.loss import Lattice
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import ulp
from tightrope.num.rounding import EPS


class Kernel(ABC):
    """How delta is read off the transform, at given values of epsilon."""

    @abstractmethod
    def at(self, z: Complexes) -> Complexes:
        """k at the nodes z (rows) for every epsilon (columns, or one)."""

    @abstractmethod
    def error(self, z: Complexes) -> Floats:
        """Absolute errors of ``at``, rows as z, columns as ``at``."""

    def misplaced(self, epsilon: Floats) -> Floats:
        """How far each epsilon is from where the kernel takes it to be."""
        return np.zeros_like(epsilon)

    def rise(self, c: float) -> float:
        """A bound on |k(z)| max(|tau|, c)^2 along the line through c, or a period of it."""
        return 1.0


class Continuous(Kernel):
    """Any loss."""

    def at(self, z: Complexes) -> Complexes:
        """1/(z (z + 1))."""
        return np.asarray(1 / (z * (z + 1)))[:, None]

    def error(self, z: Complexes) -> Floats:
        """A product and a quotient."""
        return np.asarray(16 * ulp(z) / np.abs(z * (z + 1)))[:, None]


class Periodic(Kernel):
    """A loss on a lattice."""

    def __init__(self, lattice: Lattice, epsilon: Floats):
        self.lattice, self.step = lattice, lattice.step
        ahead = (epsilon - lattice.origin) / lattice.step
        self.ahead = np.clip((np.floor(ahead) + 1 - ahead) * lattice.step, 0.0, lattice.step)

    def misplaced(self, epsilon: Floats) -> Floats:
        """Rounding of the lattice's points, which lie far from 0, and of d."""
        size = np.abs(epsilon) + abs(self.lattice.origin) + self.step
        return np.asarray((8 * EPS + self.lattice.doubt) * size)

    def at(self, z: Complexes) -> Complexes:
        """The sum in closed form; both terms of the numerator are positive at tau = 0."""
        u, d = self.step, self.ahead[None, :]
        z = z[:, None]
        top = -np.expm1(-d) - np.exp(-z * u - d) * np.expm1(d - u)
        return np.asarray(u * np.exp(-z * d) * top / (np.expm1(-z * u) * np.expm1(-(z + 1) * u)))

    def error(self, z: Complexes) -> Floats:
        """Both terms of the numerator round, whatever of them cancels."""
        u, d, z = self.step, self.ahead[None, :], z[:, None]
        top = -np.expm1(-d) - np.exp(-z.real * u - d) * np.expm1(d - u)
        size = u * np.exp(-z.real * d) * top / np.abs(np.expm1(-z * u) * np.expm1(-(z + 1) * u))
        return np.asarray(32 * EPS * (1 + np.abs(z) * u) * size)

    def rise(self, c: float) -> float:
        """By |exp(zu) - 1| >= exp(cu/2) 2 |tau| u/pi, and a numerator of at most u^2."""
        return math.pi**2 / 4 * math.exp(min((c + 0.5) * self.step, 700.0)) * (1 + 1e-9)
