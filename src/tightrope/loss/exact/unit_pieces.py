"""Sums of alike variables on [0, 1] with atoms of 1/2 at both ends and a density between them.

The sum of m has atoms of C(m, k)/2^m at k = 0, ..., m, and a density phi_k on each (k, k + 1). Of
two sums with densities phi_i and psi_j the piece k of the whole is the sum over i and j of

    integral of phi_i(u) psi_j(tau - u) over u from 0 to tau         for i + j = k,
    integral of phi_i(u) psi_j(1 + tau - u) over u from tau to 1     for i + j = k - 1,

and of the atoms of each times the pieces of the other. If the density of one variable is analytic
in an ellipse with foci 0 and 1, so is every piece: the integrals run along straight lines inside
of it, as it is convex. That also bounds their sizes there, and so how far their interpolants at
Chebyshev points are from them. Integrals of two polynomials are taken exactly by Gauss's rule.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.chebyshev import Places
from tightrope.num.gauss_legendre import unit_rule
from tightrope.num.rounding import EPS

COUNTS = (36, 48, 64, 96, 128, 160)
"""Numbers of nodes."""

SHARES = np.array([0.8, 0.7, 0.55, 0.4])
"""Parts of the way to the singularity that the ellipse takes up."""

GOAL = 1e-13
"""What may be left of a density by its interpolant."""

SHIFT = 4 * EPS
"""How far places may be off."""


class Ellipse(NamedTuple):
    """Where the density of one variable is bounded.

    Attributes:
        radius: see ``chebyshev.truncation``; 1 for the interval itself.
        sup: of the density.
        along: of its integrals along lines from 0 or 1.
    """

    radius: float
    sup: float
    along: float

    @classmethod
    def of(cls, density: UnitDensity, radius: float) -> Ellipse | None:
        """The ellipse, unless it is too large."""
        sup = density.sup(radius)
        return cls(radius, sup, density.along(radius)) if math.isfinite(sup) else None

    def sups(self, runs: int) -> list[Floats]:
        """Bounds on the pieces of sums of 1, ..., so many variables; one is added at a time."""
        found = [np.array([self.sup])]
        for m in range(1, runs):
            found.append(beside(found[-1]) * (0.5 + self.along) + atoms(m) * self.sup)
        return found


def slopes(density: UnitDensity, runs: int) -> list[Floats]:
    """Bounds on the slopes of all these pieces: ends of integrals move, and what is integrated.

    The variation of a convex density is at most the sum of its ends.
    """
    sups = Ellipse(1.0, float(density.ends.max()), density.mass).sups(runs)
    varied = float(density.ends.sum() + density.ends.max())
    found = [np.array([density.steepest])]
    for m in range(1, runs):
        slope = beside(found[-1]) / 2 + beside(sups[m - 1]) * varied
        found.append(slope + atoms(m) * density.steepest)
    return found


class Pieces(NamedTuple):
    """The densities of a sum.

    Attributes:
        values: at Chebyshev points, a column for each piece.
        error: how far the interpolants may be off anywhere.
        slope: a bound on the slopes of pieces and of interpolants.
    """

    values: Floats
    error: Floats
    slope: Floats

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self.values)

    @property
    def runs(self) -> int:
        """Of variables."""
        return len(self.error)

    @property
    def most(self) -> Floats:
        """The largest sizes of the interpolants; no point is farther than 1/count from a node."""
        return np.asarray(np.abs(self.values).max(axis=0) + self.slope / self.nodes)

    @property
    def doubt(self) -> Floats:
        """How far values may be off that are interpolated at places that are off as well."""
        lost = chebyshev.rounding(self.nodes) * self.most
        return self.error + lost + (1 + chebyshev.lebesgue(self.nodes)) * SHIFT * self.slope

    @property
    def mass(self) -> Floats:
        """Bounds on the integrals of the sizes."""
        rule = unit_rule(self.nodes)
        rows = chebyshev.interpolation(self.nodes, Places(rule.node, rule.mirror))
        return np.asarray(rule.weight @ np.abs(rows @ self.values) + 4 * self.doubt)


class _Sums:
    """Sums of up to so many variables, by halves.

    Attributes:
        count: of nodes.
        ellipse: which bounds the errors of interpolants.
    """

    def __init__(self, density: UnitDensity, runs: int, count: int, ellipse: Ellipse):
        self.count, self.ellipse = count, ellipse
        self.sups, self.slopes = ellipse.sups(runs), slopes(density, runs)
        value = density.at(chebyshev.nodes(count).place)[:, None]
        self.known = {1: self._pieces(value, density.error * value.max(axis=0))}

    def of(self, runs: int) -> Pieces:
        """The sum of so many."""
        if runs not in self.known:
            one, other = self.of(runs // 2), self.of(runs - runs // 2)
            self.known[runs] = self._pieces(*_convolved(one, other))
        return self.known[runs]

    def _pieces(self, values: Floats, doubt: Floats) -> Pieces:
        """From values that may be off so far at nodes that are off as well."""
        m, radius = values.shape[1], self.ellipse.radius
        left = chebyshev.truncation(self.sups[m - 1], radius, self.count)
        slope = self.slopes[m - 1]
        error = left + chebyshev.lebesgue(self.count) * (doubt + SHIFT * slope)
        # of polynomials by Markov's inequality; |T_k'| <= 2 k^2 in what interpolation leaves
        wild = 8 * self.count**2 * error * (1 + radius**3 / (radius - 1) ** 2)
        return Pieces(values, error, slope + wild)


@lru_cache(maxsize=16)
def pieces_of(density: UnitDensity, runs: int) -> Pieces | None:
    """The densities of a sum of so many; None if that takes too many nodes."""
    half = 1 + 2 * SHARES * density.room
    radii = (half + np.sqrt(half * half - 1)).tolist()
    ellipses = [one for radius in radii if (one := Ellipse.of(density, radius)) is not None]
    for count in COUNTS:
        for ellipse in ellipses:
            sup = ellipse.sups(runs)[-1].max()
            if chebyshev.truncation(sup, ellipse.radius, count) < GOAL:
                return _Sums(density, runs, count, ellipse).of(runs)
    return None


def _convolved(one: Pieces, other: Pieces) -> tuple[Floats, Floats]:
    """The values of the sum of both, and how far they may be off."""
    count, m, n = one.nodes, one.runs, other.runs
    tau, weight = chebyshev.nodes(count), unit_rule(count).weight
    values = np.zeros((count, m + n))
    for up, length in ((0, tau.place), (1, tau.mirror)):
        rows = _rows(count)[up]
        mine, theirs = rows @ one.values, (rows @ other.values)[:, ::-1] * weight[:, None]
        both = (mine.transpose(0, 2, 1) @ theirs) * length[:, None, None]
        for i in range(m):
            values[:, i + up : i + up + n] += both[:, i]
    for mass, pieces in ((atoms(m), other), (atoms(n), one)):
        for k, share in enumerate(mass.tolist()):
            values[:, k : k + pieces.runs] += share * pieces.values
    doubt = beside(np.convolve(one.doubt, other.mass) + np.convolve(one.mass, other.doubt))
    doubt = doubt + np.convolve(atoms(m), other.error) + np.convolve(atoms(n), one.error)
    return values, doubt + EPS * (8 * count + 32) * np.abs(values).max(axis=0)


@lru_cache(maxsize=4)
def _rows(count: int) -> tuple[Floats, Floats]:
    """Interpolation at the nodes of rules on (0, tau) and on (tau, 1), tau being every node."""
    tau, rule = chebyshev.nodes(count), unit_rule(count)
    place, mirror = tau.place[:, None], tau.mirror[:, None]
    low = Places(place * rule.node, mirror + place * rule.mirror)
    high = Places(place + mirror * rule.node, mirror * rule.mirror)
    return chebyshev.interpolation(count, low), chebyshev.interpolation(count, high)


def atoms(m: int) -> Floats:
    """Masses of the atoms of a sum of m."""
    return np.array([math.comb(m, k) for k in range(m + 1)]) * 0.5**m


def beside(pieces: Floats) -> Floats:
    """Sums of neighbours, one more of them."""
    return np.asarray(np.append(pieces, 0.0) + np.append(0.0, pieces))
