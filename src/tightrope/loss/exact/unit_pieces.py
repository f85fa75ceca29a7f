"""Sums of alike variables on [0, 1] with atoms of 1/2 at both ends and a density between them.

The variables are tau of ``UnitDensity``. The sum of m has atoms of C(m, k)/2^m at k = 0, ..., m,
and a density phi_k on each (k, k + 1). Of two sums with densities phi_i and psi_j the piece k of
the whole is the sum over i and j of

    integral of phi_i(u) psi_j(tau - u) over u from 0 to tau         for i + j = k,
    integral of phi_i(u) psi_j(1 + tau - u) over u from tau to 1     for i + j = k - 1,

and of the atoms of each times the pieces of the other. The density of one variable is analytic in
a convex domain with 0 and 1 in it, so every piece is: the integrals run along straight lines inside
of it. That also bounds their sizes there, and so how far they are from their interpolants at
Chebyshev points of s, and how far integrals over s are from Gauss's rules (``unit_halves``). Pieces
are kept as densities in s, where those of tau are steep.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from tightrope.loss.exact import unit_halves
from tightrope.loss.exact.unit_halves import Halves
from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.loss.laplace.unit_domain import UnitDomain
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.rounding import EPS

COUNTS = range(24, 232, 8)
"""Numbers of nodes."""

TURNS = (2.8, 2.0, 1.55)
"""Sizes of the domain."""

GOAL = 1e-12
"""What may be left of a density by its interpolant, relative to the largest piece or so."""

HUGE = 1e250
"""A bound on a density that tells nothing."""

SHIFT = 64 * EPS
"""How far places and mirrors may be off, relative to themselves."""


def sups(domain: UnitDomain, runs: int) -> list[Floats]:
    """Bounds on the pieces, in tau, of sums of 1, ..., so many; one is added at a time."""
    found = [np.array([domain.sup])]
    with np.errstate(over="ignore"):  # infinity says that nothing is known
        for m in range(1, runs):
            found.append(beside(found[-1]) * (0.5 + domain.along) + atoms(m) * domain.sup)
    return found


class Pieces(NamedTuple):
    """The densities of a sum.

    Attributes:
        values: at Chebyshev points, a column for each piece.
        off: how far these may be off.
        left: how far the pieces are from the interpolants of true values.
        turning: a bound on the slopes of pieces and of interpolants, see ``chebyshev.turning``.
    """

    values: Floats
    off: Floats
    left: Floats
    turning: Floats

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self.values)

    @property
    def runs(self) -> int:
        """Of variables."""
        return len(self.left)

    @property
    def doubt(self) -> Floats:
        """How far values may be off that are interpolated from true ones, at places that are off.

        The largest size of an interpolant is next to a node, never farther than pi/(2 count) in a.
        """
        most = np.abs(self.values).max(axis=0) + 2 * self.turning / self.nodes
        lost = chebyshev.rounding(self.nodes) * most
        moved = (1 + chebyshev.lebesgue(self.nodes)) * SHIFT * self.turning
        return np.asarray(self.left + lost + moved)

    @property
    def most_off(self) -> Floats:
        """How far interpolated values may be off in all."""
        return np.asarray(self.doubt + chebyshev.lebesgue(self.nodes) * self.off.max(axis=0))


class Sums(NamedTuple):
    """All that is known of the densities of a sum.

    Attributes:
        domain: where they are analytic.
        sup: a bound on their sizes in its ellipse.
        pieces: their values.
    """

    domain: UnitDomain
    sup: float
    pieces: Pieces


class _Sums:
    """Sums of up to so many variables, by halves.

    Attributes:
        count: of nodes.
        radius: of the ellipse in which pieces are bounded.
        sups: bounds on their sizes there.
        halves: rules for two that add up to each node, or to each node and 1.
        vain: what the rules leave of the integral of a function that is at most 1.
    """

    def __init__(self, domain: UnitDomain, runs: int, count: int):
        density = domain.density
        self.count, self.radius = count, domain.radius
        self.sups = [bound * domain.stretch for bound in sups(domain, runs)]
        radius = unit_halves.radius(domain, count)
        # what the rules leave is to be less than what interpolation does
        most, all_runs = float(self.sups[runs // 2].max()), float(self.sups[-1].max())
        large = most * (most / all_runs)
        left = float(chebyshev.truncation(np.ones(1), self.radius, count)[0]) / large
        points = next((k for k in range(16, count, 8) if gauss(radius, k) < left), count)
        self.vain = gauss(radius, points)
        ways = (
            unit_halves.upward(density, count, points),
            unit_halves.downward(density, count, points),
        )
        self.halves = [_Rows.of(way, count) for way in ways]
        value = density.at(chebyshev.nodes(count))[:, None]
        self.known = {1: self._pieces(value, density.error * value)}

    def of(self, runs: int) -> Pieces:
        """The sum of so many."""
        if runs not in self.known:
            one, other = self.of(runs // 2), self.of(runs - runs // 2)
            self.known[runs] = self._pieces(*self._convolved(one, other))
        return self.known[runs]

    def _pieces(self, values: Floats, off: Floats) -> Pieces:
        """From values that may be off so far at nodes that are off as well."""
        left = chebyshev.truncation(self.sups[values.shape[1] - 1], self.radius, self.count)
        error = left + chebyshev.lebesgue(self.count) * off.max(axis=0)
        # of a polynomial of this size, by Bernstein's inequality, and of what interpolation leaves
        wild = self.count * error * (1 + self.radius / (self.radius - 1))
        turning = chebyshev.turning(values) + wild
        return Pieces(values, off + 4 * EPS * turning, left, turning)

    def _convolved(self, one: Pieces, other: Pieces) -> tuple[Floats, Floats]:
        """The values of the sum of both, and how far they may be off."""
        m, n = one.runs, other.runs
        values, off = np.zeros((2, self.count, m + n))
        # integrands are at most the product of two sups, once with either as the lesser one
        vain = 2 * self.vain * np.outer(self.sups[m - 1], self.sups[n - 1])
        for up, rows in enumerate(self.halves):
            both, doubt = rows.integrals(one, other)
            for i in range(m):
                values[:, i + up : i + up + n] += both[:, i]
                off[:, i + up : i + up + n] += doubt[:, i] + vain[i]
        for mass, pieces in ((atoms(m), other), (atoms(n), one)):
            for k, share in enumerate(mass.tolist()):
                values[:, k : k + pieces.runs] += share * pieces.values
                off[:, k : k + pieces.runs] += share * pieces.off
        return values, 1.01 * off + EPS * (8 * self.count + 128) * np.abs(values)


class _Rows(NamedTuple):
    """Interpolation at the places of ``Halves``.

    Attributes:
        lesser: rows.
        other: rows.
        weight: of the rule at every node.
    """

    lesser: Floats
    other: Floats
    weight: Floats

    @classmethod
    def of(cls, halves: Halves, count: int) -> _Rows:
        """The rows."""
        lesser = chebyshev.interpolation(count, halves.lesser)
        return cls(lesser, chebyshev.interpolation(count, halves.other), halves.weight)

    def integrals(self, one: Pieces, other: Pieces) -> tuple[Floats, Floats]:
        """Of all pairs of pieces, at every node; and how far they may be off."""
        m, weight = one.runs, self.weight[:, :, None]
        values = np.hstack([one.values, other.values])
        near, far = self.lesser @ values, self.other @ values
        total = near[..., :m].transpose(0, 2, 1) @ (weight * far[..., m:])
        total += far[..., :m].transpose(0, 2, 1) @ (weight * near[..., m:])
        off = np.zeros_like(total)
        for factors, rows in ((near, self.other), (far, self.lesser)):
            found = _Factors.of(weight * factors, rows)
            off += found.moved(slice(m, None), one).transpose(0, 2, 1)
            off += found.moved(slice(m), other)
        whole = self.weight.sum(axis=1)[:, None, None]
        return total, off + 2 * whole * np.outer(one.most_off, other.most_off)


class _Factors(NamedTuple):
    """Functions that interpolants are integrated with.

    Attributes:
        parts: sizes of the integrals with the polynomial of each node.
        sizes: integrals of the sizes.
    """

    parts: Floats
    sizes: Floats

    @classmethod
    def of(cls, factors: Floats, rows: Floats) -> _Factors:
        """From factors times weights, and rows."""
        return cls(np.abs(factors.transpose(0, 2, 1) @ rows), np.abs(factors).sum(axis=1))

    def moved(self, some: slice, pieces: Pieces) -> Floats:
        """What integrals with some may be off by, as values at nodes and interpolation are."""
        lost = EPS * (8 * pieces.nodes + 64) * pieces.most_off
        flat = self.sizes[:, some, None] * (pieces.doubt + lost)
        return np.asarray(self.parts[:, some] @ pieces.off + flat)


@lru_cache(maxsize=16)
def sums_of(density: UnitDensity, runs: int) -> Sums | None:
    """The densities of a sum of so many; None if that takes too many nodes."""
    domains = [UnitDomain(density, turn) for turn in TURNS]
    most = [float(sups(domain, runs)[-1].max()) * domain.stretch for domain in domains]
    mass = float(density.at(chebyshev.nodes(max(COUNTS))).mean())
    goal = GOAL * (1 + mass) ** runs / runs
    for count in COUNTS:
        for domain, sup in zip(domains, most, strict=True):
            if sup < HUGE and chebyshev.truncation(np.array(sup), domain.radius, count) < goal:
                return Sums(domain, sup, _Sums(domain, runs, count).of(runs))
    return None


def gauss(radius: float, count: int) -> float:
    """What a rule on a part of [0, 1] leaves of a function of size 1 in the ellipse.

    Source: Trefethen (2019), "Approximation Theory and Approximation Practice", Theorem 19.3.
    """
    if radius <= 1:
        return math.inf
    return float(32 / 15 * radius ** (-2.0 * count) / (1 - radius**-2.0))


def atoms(m: int) -> Floats:
    """Masses of the atoms of a sum of m."""
    return np.array([math.comb(m, k) for k in range(m + 1)]) * 0.5**m


def beside(pieces: Floats) -> Floats:
    """Sums of neighbours, one more of them."""
    return np.asarray(np.append(pieces, 0.0) + np.append(0.0, pieces))
