"""Laplace and logistic losses by residues, beside atoms.

Times exp(-l/2) the law of a sum has the transform of ``Ramp`` in w = z + 1/2, and delta(e) times
exp(-e/2) is the inverse transform at e of it times 1/(w^2 - 1/4): a sum over the terms exp(w b) of
products of exponentials, of the residues at w = 0 and w = +-1/2 wherever b > e.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb, arb_poly, arb_series, ctx, fmpq, fmpq_poly

from tightrope.verify.exact.edges import Ramp
from tightrope.verify.exact.lattices import Lattice
from tightrope.verify.exact.laws import Runs, lost
from tightrope.verify.numbers import Bounds, ball

MOST_TERMS = 30_000
MOST_RAMPS = 80
DIGITS_A_RAMP = 24
"""Bits that are lost by cancellation, at most about, for each ramp."""


def feasible(runs: Runs) -> bool:
    """Whether all losses are ramps, beside few atoms, and their corners are few."""
    if not all(isinstance(law, Ramp | Lattice) for law, _ in runs):
        return False
    lattices = [(law, count) for law, count in runs if isinstance(law, Lattice)]
    if any(min(count, 2 * law.whole) > MOST_RAMPS for law, count in lattices):
        return False  # of so many atoms the number itself is too long
    ramps = sum(count for law, count in runs if isinstance(law, Ramp))
    corners = math.prod(count + 1 for law, count in runs if isinstance(law, Ramp))
    atoms = math.prod(math.comb(count + 2 * law.whole, 2 * law.whole) for law, count in lattices)
    return 0 < ramps <= MOST_RAMPS and corners * atoms <= MOST_TERMS


def delta_of_ramps(runs: Runs, epsilon: Fraction) -> Bounds:
    """delta of the composition, with more digits than cancel."""
    ramps = [(law, count) for law, count in runs if isinstance(law, Ramp)]
    with ctx.extraprec(DIGITS_A_RAMP * sum(count for _, count in ramps)):
        failed = lost(runs)
        total = sum((p * _delta(ramps, ball(epsilon) - a) for a, p in _atoms(runs)), arb(0))
        value = failed + total
    return value, value


def _atoms(runs: Runs) -> Iterator[tuple[arb, arb]]:
    """The atoms of the sum of what is on lattices."""
    powers = []
    for law, count in runs:
        if isinstance(law, Lattice):
            weights = law.weights()
            low = min(weights)
            row = [weights.get(k, arb(0)) for k in range(low, max(weights) + 1)]
            powers.append((law.unit, low * count, arb_poly(row) ** count))
    for places in product(*(range(power.length()) for _, _, power in powers)):
        loss, weight = arb(0), arb(1)
        for place, (unit, low, power) in zip(places, powers, strict=True):
            loss += ball(unit) * (low + place)
            weight *= power[place]
        yield loss, weight


def _delta(ramps: list[tuple[Ramp, int]], epsilon: arb) -> arb:
    """delta of the ramps alone at any real epsilon."""
    total = arb(0)
    for ups in product(*(range(count + 1) for _, count in ramps)):
        corner = sum(
            (law.epsilon * (2 * up - n) for up, (law, n) in _beside(ups, ramps)), Fraction(0)
        )
        distance = ball(corner) - epsilon
        if distance <= 0:
            continue
        total += _scale(ramps, ups) * _residues(ramps, ups, distance)
    return (epsilon / 2).exp() * total


def _beside(ups: tuple[int, ...], ramps: list[tuple[Ramp, int]]) -> Iterator[Any]:
    return zip(ups, ramps, strict=True)


def _scale(ramps: list[tuple[Ramp, int]], ups: tuple[int, ...]) -> arb:
    """The constants in front of a term."""
    value = arb(1)
    for up, (law, count) in _beside(ups, ramps):
        value *= law.scale(up, count - up)
    return value


def _residues(ramps: list[tuple[Ramp, int]], ups: tuple[int, ...], distance: arb) -> arb:
    """The sum of the residues of exp(w t) (w + 1/2)^(p - 1) (w - 1/2)^(q - 1)/w^n."""
    n = sum(count for _, count in ramps)
    factors = [law.factors(up, count - up) for up, (law, count) in _beside(ups, ramps)]
    p, q = (sum(powers) for powers in zip(*factors, strict=True))
    total = _at_zero(p - 1, q - 1, n, distance)
    half = ball(Fraction(1, 2))
    if p == 0:  # a pole at -1/2
        total += (-distance / 2).exp() * arb(-1) ** (q - 1) / (-half) ** n
    if q == 0:  # a pole at 1/2
        total += (distance / 2).exp() / half**n
    return total


def _at_zero(p: int, q: int, n: int, distance: arb) -> arb:
    """The coefficient of w^(n - 1) in exp(w t) (w + 1/2)^p (w - 1/2)^q."""
    cap = ctx.cap
    try:
        ctx.cap = n
        growing = arb_series([0, distance], n).exp()
        factors = _power(Fraction(1, 2), p, n) * _power(Fraction(-1, 2), q, n)
        return (growing * factors)[n - 1]
    finally:
        ctx.cap = cap


def _power(root: Fraction, power: int, n: int) -> arb_series:
    """(w + root)^power as a series of n terms; the power is at least -1."""
    if power >= 0:
        whole = fmpq_poly([0, 1]) + fmpq_poly([fmpq(root.numerator, root.denominator)])
        return arb_series(arb_poly(whole**power), n)
    return arb_series([ball(Fraction((-1) ** k) / root ** (k + 1)) for k in range(n)], n)
