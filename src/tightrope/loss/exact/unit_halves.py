"""Where two numbers tau of ``UnitDensity`` add up: rules for the lesser one, and the other.

If two add up to t, the lesser runs from 0 to t/2; if to 1 + t, from t to (1 + t)/2. A product of
two ratios being given, the one is a rational function of the other, r_t r_-/r or r_t r_+/r, and
all distances from ends are sums of positive terms:

    r_t r_-/r - r_- = r_- (h_t - h)/r,       r_+ - r_t r_-/r = (r_+ (r - r_-) + r_- (r_+ - r_t))/r,
    r_+ - r_t r_+/r = r_+ (h - h_t)/r,       r_t r_+/r - r_- = (r_- (r_+ - r) + r_+ (r_t - r_-))/r.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tightrope.loss.laplace.unit_density import Ratios, UnitDensity
from tightrope.loss.laplace.unit_domain import UnitDomain
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.chebyshev import Places
from tightrope.num.gauss_legendre import unit_rule

SHRUNK = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
"""Exponents of the radius of the ellipses in which the lesser number may be."""

CAUTION = 1 - 1e-6
"""For roundings in arguments that are compared."""


class Halves(NamedTuple):
    """A rule at each of many sums.

    Attributes:
        lesser: places of the lesser number, a row for each sum.
        other: of the other one.
        weight: of the rule, times the slope of tau at the sum over that at the other number;
            the latter is at most 2, tau rising ever more slowly with log h, so weights are small.
    """

    lesser: Places
    other: Places
    weight: Floats


def upward(density: UnitDensity, count: int, points: int) -> Halves:
    """Two that add up to t, t being every Chebyshev point."""
    least, most = density.ends
    s, rule = _column(count), unit_rule(points)
    target, middle = density.ratios(s), _first_middle(density, s)
    lesser = Places(middle.place * rule.node, middle.mirror + middle.place * rule.mirror)
    one = density.ratios(lesser)
    low = least * (target.low - one.low) / one.ratio
    high = (most * one.low + least * target.high) / one.ratio
    return _halves(density, target, lesser, (low, high), middle.place * rule.weight)


def downward(density: UnitDensity, count: int, points: int) -> Halves:
    """Two that add up to 1 + t."""
    least, most = density.ends
    s, rule = _column(count), unit_rule(points)
    target, (middle, length) = density.ratios(s), _second_middle(density, s)
    lesser = Places(s.place + length * rule.node, middle.mirror + length * rule.mirror)
    one = density.ratios(lesser)
    away = target.odds * np.expm1(2 * density.epsilon * length * rule.node)
    low = (least * one.high + most * target.low) / one.ratio
    return _halves(density, target, lesser, (low, most * away / one.ratio), length * rule.weight)


def _column(count: int) -> Places:
    s = chebyshev.nodes(count)
    return Places(s.place[:, None], s.mirror[:, None])


def _first_middle(density: UnitDensity, s: Places) -> Places:
    """Of t/2: the ratio is r_- (1 + u), and r_t = r_- (1 + u)^2."""
    least, target = density.ends[0], density.ratios(s)
    u = np.expm1(np.log1p(target.low / least) / 2)
    return density.places(least * u, target.high + least * u * (1 + u))


def _second_middle(density: UnitDensity, s: Places) -> tuple[Places, Floats]:
    """Of (1 + t)/2, and how far from t: the ratio is r_+ (1 - u), and r_t = r_+ (1 - u)^2."""
    most, target = density.ends[1], density.ratios(s)
    u = -np.expm1(np.log1p(-target.high / most) / 2)
    length = np.log1p(most * u * (1 - u) / target.odds) / (2 * density.epsilon)
    middle = density.places(target.low + most * u * (1 - u), most * u)
    return Places(s.place + length, middle.mirror), length


def _halves(
    density: UnitDensity,
    target: Ratios,
    lesser: Places,
    distances: tuple[Floats, Floats],
    weight: Floats,
) -> Halves:
    odds = density.odds[0] + distances[0]
    slopes = target.odds * (density.rest + odds) / (target.ratio * odds)
    return Halves(lesser, density.places(*distances), weight * slopes)


def radius(domain: UnitDomain, count: int) -> float:
    """That of ellipses around all ranges of lesser numbers with both in the domain; or 1."""
    density = domain.density
    s = _column(count)
    first = _Range(np.zeros_like(s.place), _first_middle(density, s).place, density.odds[0])
    second = _Range(s.place, _second_middle(density, s)[0].place, density.odds[1])
    for share in SHRUNK:
        found = domain.radius**share
        if all(_inside(domain, found, s, where) for where in (first, second)):
            return float(found)
    return 1.0


class _Range(NamedTuple):
    """Of the lesser number, and h at the end that the sum is compared with."""

    start: Floats
    end: Floats
    odds: float


def _inside(domain: UnitDomain, radius: float, s: Places, where: _Range) -> bool:
    """In the ellipse |arg h| <= turn, least <= |h| <= most.

    The other ratio is at least r_t r_end/(1 - rate + most) in size, its argument the opposite.
    """
    density, target = domain.density, domain.density.ratios(s).odds
    half = (where.end - where.start) * density.epsilon
    turn, past = half * (radius - 1 / radius) / 2, half * ((radius + 1 / radius) / 2 - 1)
    if turn.max() > min(domain.turn, 1.5):
        return False
    most = density.odds[0] * np.exp(2 * density.epsilon * where.end + past)
    least = density.odds[0] * np.exp(2 * density.epsilon * where.start - past)

    def rise(size: Floats) -> Floats:
        """Of the other number, |r| being so far above 1 - rate."""
        rest = density.rest
        return (rest * (target + where.odds - size) + target * where.odds) / (rest + size)

    low, high = rise(most), rise(domain.least_rise(least, turn))
    fits = (low >= domain.odds[0]) & (high <= domain.odds[1])
    low = np.maximum(low, domain.odds[0])
    turned = domain.argument(most, turn) <= domain.argument(low, domain.turn) * CAUTION
    return bool((fits & turned).all())
