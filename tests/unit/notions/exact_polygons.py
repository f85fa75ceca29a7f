"""Trade-off polygons in rational arithmetic, straight from the definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from mpmath import mp, mpf


class Polygon(NamedTuple):
    """Corners (alpha, beta), from alpha = 0 to (1, 0), convex."""

    x: list[Fraction]
    y: list[Fraction]

    def at(self, alpha: Fraction) -> Fraction:
        for (a, b), (u, v) in zip(pairwise(self.x), pairwise(self.y), strict=True):
            if a <= alpha <= b:
                return u + (v - u) * (alpha - a) / (b - a)
        raise ValueError(alpha)

    def delta(self, epsilon: float) -> mpf:
        """sup over alpha of 1 - f(alpha) - e^epsilon alpha; for a convex f it is at a corner."""
        with mp.workdps(60):
            grow = mp.exp(mpf(epsilon))
            powers = [(1 - b, a) for a, b in zip(self.x, self.y, strict=True)]
            return max(_mp(power) - grow * _mp(a) for power, a in powers)

    def pair(self) -> tuple[list[Fraction], list[Fraction]]:
        """Masses under the law of alpha and under the other, one for each edge, failures first."""
        p = [Fraction(0), *(b - a for a, b in pairwise(self.x))]
        q = [1 - self.y[0], *(a - b for a, b in pairwise(self.y))]
        return p, q

    def samples(self) -> list[Fraction]:
        return sorted([*self.x, *((a + b) / 2 for a, b in pairwise(self.x))])


def _mp(x: Fraction) -> mpf:
    return mpf(x.numerator) / mpf(x.denominator)


def neyman_pearson(p: list[Fraction], q: list[Fraction]) -> Polygon:
    """Reject by falling likelihood ratio q/p: the trade-off curve of a finite pair."""
    atoms = sorted(zip(p, q, strict=True), key=lambda a: (a[0] > 0, -a[1] / a[0] if a[0] else 0))
    x, y = [Fraction(0)], [Fraction(1)]
    for mass_p, mass_q in atoms:
        if mass_p == 0:
            y[-1] -= mass_q
        else:
            x.append(x[-1] + mass_p)
            y.append(y[-1] - mass_q)
    return lower_hull(x, y)


def product(f: Polygon, g: Polygon) -> Polygon:
    (p1, q1), (p2, q2) = f.pair(), g.pair()
    return neyman_pearson([a * b for a in p1 for b in p2], [a * b for a in q1 for b in q2])


def lower_hull(x: list[Fraction], y: list[Fraction]) -> Polygon:
    kept: list[tuple[Fraction, Fraction]] = []
    for a, b in zip(x, y, strict=True):
        while len(kept) > 1 and _above(kept[-2], kept[-1], (a, b)):
            kept.pop()
        kept.append((a, b))
    return Polygon([a for a, _ in kept], [b for _, b in kept])


def _above(
    left: tuple[Fraction, Fraction],
    middle: tuple[Fraction, Fraction],
    right: tuple[Fraction, Fraction],
) -> bool:
    chord = (right[1] - left[1]) * (middle[0] - left[0])
    return (middle[1] - left[1]) * (right[0] - left[0]) >= chord


def pointwise(f: Polygon, g: Polygon, choose) -> Polygon:
    """The minimum or maximum of two polygons, at all corners of it; not necessarily convex."""
    grid = sorted({*f.x, *g.x})
    x = [grid[0]]
    for a, b in pairwise(grid):
        before, after = f.at(a) - g.at(a), f.at(b) - g.at(b)
        if before * after < 0:
            x.append(a + (b - a) * before / (before - after))
        x.append(b)
    return Polygon(x, [choose(f.at(a), g.at(a)) for a in x])


def chained(outer: Polygon, inner: Polygon) -> Polygon:
    """1 - (1 - outer) o (1 - inner)."""
    x = set(inner.x)
    for (a, b), (u, v) in zip(pairwise(inner.x), pairwise(inner.y), strict=True):
        x |= {a + (b - a) * (u - 1 + c) / (u - v) for c in outer.x if v < 1 - c < u}
    corners = sorted(x)
    return Polygon(corners, [outer.at(1 - inner.at(a)) for a in corners])
