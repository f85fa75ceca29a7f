"""Points of the privacy profile of concentrated DP, by one order and a dual bound.

For an order a, delta(e) is at most the supremum of q - exp(e) p over the convex set of all tests
with F(p, q) = q^a p^(1 - a) + (1 - q)^a (1 - p)^(1 - a) <= C = exp((a - 1) D(a)) (Asoodeh et al.
2021, Theorem 3). For every multiplier m >= 0 that is at most the largest value of the concave
function q - exp(e) p - m (F - C), and that at most its value at one point plus the sizes of its
slopes there, since no test lies farther than 1 away. So a good point is enough, and no optimum.

Normal noise of the same rho satisfies the premise, so a delta below its profile is false.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from flint import arb, ctx

from tightrope.verify.exact import normal
from tightrope.verify.exact.coins import delta_of_coins
from tightrope.verify.numbers import ball
from tightrope.verify.outcome import NotChecked, Refuted
from tightrope.verify.step import Step, rule

PRECISION = 400
ROUNDS = 60
STILL = 1e-12
"""A change of a logarithm that changes no choice."""

LOOSE = Fraction(1, 10**6)
MOST_ORDER = Fraction(10**6)
NEAR = Fraction(1, 10**8)
"""The least of omega - 1: nearer to 1, ordinary numbers no longer tell orders apart."""

ROOM = 7.0
"""How far below the largest order others are looked for, in logs of what they are above 1."""

APART = Fraction(1, 10**4)
"""Relative distance of the orders through which a parabola is laid."""


class Test(NamedTuple):
    """The two acceptance probabilities of a test."""

    p: arb
    q: arb


@rule("zcdp_profile", "tcdp_profile")
def concentrated_profile(step: Step) -> None:
    """delta = inf over orders of sup{q - exp(e) p : D(q||p) <= xi + rho order}."""
    step.gives("ApproxDP")
    truncated = step.theorem == "tcdp_profile"
    source = step.same("TCDP" if truncated else "ZCDP").values
    xi = Fraction(0) if truncated else source["xi"]
    largest = min(source["omega"], MOST_ORDER) if truncated else MOST_ORDER
    if largest - 1 < NEAR:
        raise NotChecked("orders so near to 1")
    epsilon, delta = step.value("epsilon"), step.value("delta")
    with ctx.workprec(PRECISION):
        exact = _bound(source["rho"], xi, epsilon, largest)
        if not exact <= ball(delta):
            _require_possible(source, epsilon, delta, largest)
            raise NotChecked("no bound on delta at this epsilon is found that is small enough")
        near = epsilon * (1 - LOOSE)
        further = _bound(source["rho"], xi, near, largest) if epsilon else arb(0)
        if not (further > ball(delta) or exact > ball(delta * (1 - LOOSE))):
            raise NotChecked("the point lies above what the theorem gives, in epsilon and in delta")


def _require_possible(
    source: Mapping[str, Fraction], epsilon: Fraction, delta: Fraction, largest: Fraction
) -> None:
    """The claim is not false already of normal noise, nor under tCDP of two coins."""
    rho, claimed = source["rho"], ball(delta)
    attained = [normal.profile(ball(epsilon), ball(2 * rho).sqrt())] if rho else []
    if rho and "omega" in source:
        order = _best_order(rho, Fraction(0), epsilon, largest)
        coins = _worst_test(order, rho * order, epsilon)
        attained.append(delta_of_coins(rho, source["omega"], epsilon, coins))
    if any(one > claimed for one in attained):
        raise Refuted("delta is below the privacy profile at this epsilon")


def _bound(rho: Fraction, xi: Fraction, epsilon: Fraction, largest: Fraction) -> arb:
    """An upper bound on delta by the best order that is found, none above ``largest``."""
    order = _best_order(rho, xi, epsilon, largest)
    apart = (order - 1) * APART

    def bound(steps: Fraction) -> arb:
        there = order + steps * apart
        return _dual(there, xi + rho * there, epsilon)

    found = {Fraction(n): bound(Fraction(n)) for n in (-1, 0, 1) if order + n * apart <= largest}
    if len(found) == 3:
        best = _vertex(*(float(height.mid()) for height in found.values()))
        found[best] = bound(best)
    return min(found.values(), key=lambda height: float(height.mid()))


def _best_order(rho: Fraction, xi: Fraction, epsilon: Fraction, largest: Fraction) -> Fraction:
    """The order at which the bound is least, nearly."""
    r, x, e = float(rho), float(xi), float(epsilon)

    def worth(log_order: float) -> float:
        order = 1 + math.exp(log_order)
        return _value(order, x + r * order, e)[0]

    high = math.log(largest - 1)
    log_order = _lowest(worth, min(math.log(1e-4), high - ROOM), high)
    return min(Fraction(1 + math.exp(log_order)), largest)


def _vertex(left: float, middle: float, right: float) -> Fraction:
    """Where the parabola through the heights at -1, 0 and 1 is lowest, if that is between them."""
    bend = left - 2 * middle + right
    return Fraction((left - right) / bend / 2) if abs(left - right) < 2 * bend else Fraction(0)


def _lowest(height: Callable[[float], float], low: float, high: float) -> float:
    shrink = (math.sqrt(5) - 1) / 2
    for _ in range(ROUNDS):
        a, b = high - shrink * (high - low), low + shrink * (high - low)
        low, high = (low, b) if height(a) < height(b) else (a, high)
    return (low + high) / 2


def _value(order: float, divergence: float, epsilon: float) -> tuple[float, float]:
    """log of the largest q - exp(e) p at one order, nearly, and the log of q/(1 - q) there."""
    log_c = (order - 1) * divergence

    def height(odds: float) -> float:
        q = 1 / (1 + math.exp(-odds))
        log_q, log_rest = -math.log1p(math.exp(-odds)), -math.log1p(math.exp(odds))
        log_p, before = -math.inf, math.inf
        for _ in range(ROUNDS):
            if abs(log_p - before) <= STILL:
                break
            p = math.exp(min(log_p, -1e-300))
            other = order * log_rest + (1 - order) * math.log1p(-min(p, 0.999999))
            room = log_c + math.log(-math.expm1(other - log_c)) if other < log_c else -math.inf
            if room == -math.inf:
                return 0.0
            before, log_p = log_p, (order * log_q - room) / (order - 1)
        gap = log_p + epsilon - log_q
        return -(math.log(q) + math.log(-math.expm1(gap))) if gap < 0 else 1e4

    best = _lowest(height, -700.0, 30.0)
    return -height(best), best


def _worst_test(order: Fraction, divergence: Fraction, epsilon: Fraction) -> Test:
    """Next to the test with the largest q - exp(e) p, with many digits."""
    a, grown = ball(order), ball(epsilon).exp()
    most = ((a - 1) * ball(divergence)).exp()
    odds = _value(float(order), float(divergence), float(epsilon))[1]

    def at(y: arb) -> Test:
        q = 1 / (1 + (-y).exp())
        return Test(_other(a, most, q), q)

    def lean(y: arb) -> arb:
        by_p, by_q = _slopes(a, at(y))
        return (1 + grown * by_q / by_p).mid()

    return at(_root(lean, arb(odds)))


def _dual(order: Fraction, divergence: Fraction, epsilon: Fraction) -> arb:
    """The dual bound at the worst test."""
    a, grown = ball(order), ball(epsilon).exp()
    most = ((a - 1) * ball(divergence)).exp()
    test = _worst_test(order, divergence, epsilon)
    by_p, by_q = _slopes(a, test)
    multiplier = (1 / by_q).mid()
    if not multiplier > 0:
        return arb(1)
    value = test.q - grown * test.p - multiplier * (_mean(a, test) - most)
    slopes = (1 - multiplier * by_q, grown + multiplier * by_p)
    return value + abs(slopes[0]) + abs(slopes[1])


def _root(function: Callable[[arb], arb], start: arb) -> arb:
    """A zero near the start, by secants; what is found need not be one."""
    old, new = start, start + arb(2) ** -20
    at_old, at_new = function(old), function(new)
    for _ in range(ROUNDS):
        change = at_new - at_old
        if change == 0 or not abs(at_new) > arb(2) ** (-PRECISION + 90):
            break
        old, new = new, (new - at_new * (new - old) / change).mid()
        at_old, at_new = at_new, function(new)
    return new


def _other(a: arb, most: arb, q: arb) -> arb:
    """The p below q with F(p, q) = C, by iteration; what is found need not be it exactly."""
    p = arb(0)
    for _ in range(ROUNDS):
        room = most - (a * (1 - q).log() + (1 - a) * (1 - p).log()).exp()
        following = ((a * q.log() - room.log()) / (a - 1)).exp().mid()
        if not abs(following - p) > following * arb(2) ** (-PRECISION + 60):
            break
        p = following
    return p


def _mean(a: arb, test: Test) -> arb:
    """F."""
    p, q = test
    first = (a * q.log() + (1 - a) * p.log()).exp()
    return first + (a * (1 - q).log() + (1 - a) * (1 - p).log()).exp()


def _slopes(a: arb, test: Test) -> tuple[arb, arb]:
    """The derivatives of F in p and in q."""
    odds = test.q / test.p
    rest = (1 - test.q) / (1 - test.p)
    by_p = (1 - a) * ((a * odds.log()).exp() - (a * rest.log()).exp())
    by_q = a * (((a - 1) * odds.log()).exp() - ((a - 1) * rest.log()).exp())
    return by_p, by_q
