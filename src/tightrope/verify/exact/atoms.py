"""Losses on lattices: the law of their sum, point by point, as coefficients of a polynomial.

Discrete Gaussian noise is tilted by exp(theta x) before it is cut off, so that what is left out is
small beside what counts at the epsilon that is asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_poly, ctx

from tightrope.verify.exact.lattices import Lattice
from tightrope.verify.exact.laws import Law, Runs, lost
from tightrope.verify.exact.noise import DiscreteNormal
from tightrope.verify.numbers import Bounds, ball

MOST_POINTS = 300_000
"""Most points of the law of a sum."""

FEW_POINTS = 1_500
"""Up to so many points they are quicker than a contour."""

MOST_LATTICES = 2
DEPTH = 90.0
"""What is cut off is below exp(-90) of what is kept."""


@dataclass(frozen=True)
class Atoms:
    """Atoms in rising order of their losses, with their probabilities."""

    losses: Sequence[arb]
    weights: Sequence[arb]


def feasible(runs: Runs, most: int = MOST_POINTS) -> bool:
    """Whether all losses lie on at most two lattices, and their sums on few enough points."""
    if not all(isinstance(law, DiscreteNormal | Lattice) for law, _ in runs):
        return False
    groups = lattices(runs)
    return len(groups) <= MOST_LATTICES and all(_points(g) <= most for g in groups.values())


def lattices(runs: Runs) -> dict[Fraction, list[tuple[Law, int]]]:
    """The losses by the unit of their lattice."""
    groups: dict[Fraction, list[tuple[Law, int]]] = {}
    for law, count in runs:
        groups.setdefault(_unit(law), []).append((law, count))
    return groups


def _unit(law: Law) -> Fraction:
    """Losses are whole multiples of this; of discrete Gaussian noise D/(2v)."""
    if isinstance(law, DiscreteNormal):
        return Fraction(law.shift) / law.variance / 2
    assert isinstance(law, Lattice)
    return law.unit


def _reach(law: DiscreteNormal) -> int:
    return math.ceil(math.sqrt(2 * float(law.variance) * DEPTH)) + 2


def _points(group: list[tuple[Law, int]]) -> float:
    """The number of points of a sum."""
    width = 0.0
    for law, count in group:
        if isinstance(law, DiscreteNormal):
            width += 4.0 * _reach(law) * count
        else:
            assert isinstance(law, Lattice)
            width += 2.0 * law.whole * count
    return width


def delta_of_atoms(runs: Runs, epsilon: Fraction) -> Bounds:
    """Bounds on delta of losses on one lattice or on two.

    With (1 - exp(-y))+ <= exp(c y), what is left out counts for at most exp(-c epsilon) M(c) times
    the probability, under the law tilted by exp(cL), that some part is where it is left out.
    """
    c = _tilt(runs, float(epsilon))
    groups, grown, missing = [], arb(1), arb(0)
    for unit, group in lattices(runs).items():
        tilted = [(count, *_tilted(law, c)) for law, count in group]
        groups.append(_sum(unit, c, [(count, points) for count, points, _ in tilted]))
        for count, points, rest in tilted:
            mass = sum(points.values(), arb(0))
            grown *= (mass + rest) ** count
            missing += count * rest / mass
    failed = lost(runs)
    other = groups[1] if len(groups) > 1 else Atoms([arb(0)], [arb(1)])
    total = failed + _excess(groups[0], other, ball(epsilon))
    cut = (-ball(c) * ball(epsilon)).exp() * grown * missing
    return total, total + cut


def _excess(first: Atoms, other: Atoms, epsilon: arb) -> arb:
    """The sum of p q (1 - exp(epsilon - a - b))+ over two sets of atoms."""
    above, tilted = [arb(0)], [arb(0)]
    for loss, weight in zip(reversed(other.losses), reversed(other.weights), strict=True):
        above.append(above[-1] + weight)
        tilted.append(tilted[-1] + weight * (-loss).exp())
    total, taken = arb(0), 0
    size = len(other.losses)
    for loss, weight in zip(first.losses, first.weights, strict=True):
        rest = epsilon - loss
        while taken < size and not (other.losses[size - 1 - taken] <= rest):
            taken += 1  # an atom that may lie on either side is told from 0 by no digit
        term = above[taken] - rest.exp() * tilted[taken]
        total += weight * term.max(arb(0))
    return total


def _sum(unit: Fraction, c: Fraction, parts: list[tuple[int, dict[int, arb]]]) -> Atoms:
    """The law of the sum of losses on one lattice, from their tilted laws."""
    product, lowest = arb_poly([1]), 0
    for count, points in parts:
        low = min(points)
        row = [points.get(k, arb(0)) for k in range(low, max(points) + 1)]
        product *= arb_poly(row) ** count
        lowest += low * count
    losses = [ball(unit) * (lowest + place) for place in range(product.length())]
    back = ball(c)
    weights = [product[place] * (-back * loss).exp() for place, loss in enumerate(losses)]
    return Atoms(losses, weights)


def _tilt(runs: Runs, epsilon: float) -> Fraction:
    """A c under which the sum of the losses is about epsilon."""
    square = sum(float(law.square) * n for law, n in runs if isinstance(law, DiscreteNormal))
    return Fraction(max(0.0, epsilon / square - 0.5)) if square else Fraction(0)


def _tilted(law: Law, c: Fraction) -> tuple[dict[int, arb], arb]:
    """p exp(c k u) by k, and a bound on the sum of those that are left out."""
    lean = ball(c * _unit(law))
    if isinstance(law, Lattice):
        return {k: p * (lean * k).exp() for k, p in law.weights().items()}, arb(0)
    assert isinstance(law, DiscreteNormal)
    centre = round(float(c * law.shift))
    reach, normaliser = _reach(law), _normaliser(law)
    variance = 2 * ball(law.variance)

    def at(x: int) -> arb:
        return (lean * (2 * x + law.shift) - arb(x) ** 2 / variance).exp() / normaliser

    points = {2 * x + law.shift: at(x) for x in range(centre - reach, centre + reach + 1)}
    first, last = centre - reach - 1, centre + reach + 1
    rest = at(first) / (1 - at(first - 1) / at(first)) + at(last) / (1 - at(last + 1) / at(last))
    return points, rest.upper()


def _normaliser(law: DiscreteNormal) -> arb:
    """The sum of exp(-x^2/(2v)) over all integers."""
    reach = math.ceil(math.sqrt(2 * float(law.variance) * (ctx.prec * 0.7 + 10))) + 2
    v = 2 * ball(law.variance)
    total = arb(1) + 2 * sum(((-(arb(x) ** 2) / v).exp() for x in range(1, reach + 1)), arb(0))
    next_one, ratio = (-(arb(reach + 1) ** 2) / v).exp(), (-2 * arb(reach + 1) / v).exp()
    return total + arb(0, (2 * next_one / (1 - ratio)).upper())
