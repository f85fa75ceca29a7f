"""Losses of which some are normal, by a trapezoid sum along a vertical line.

    delta(e) = 1/(2 pi) * integral of M(z) exp(-z e) k(z) d tau,  z = c + i tau,  k = 1/(z (z + 1)).

The sum over all nodes c + i h j is delta(e) plus terms that are not negative (Poisson summation),
so what was summed plus a bound on the nodes beyond is an upper bound. Where all losses lie on one
lattice of step u, the integral runs over one period 2 pi/u, with the kernel of the lattice. Where
nothing but discrete noise makes |M| fall, and the lattice is too fine, a normal release of a tiny
mu = eta is composed in, which can only raise delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx

from tightrope.verify.exact.far import Far, far_of
from tightrope.verify.exact.lattices import Lattice
from tightrope.verify.exact.laws import Law, Runs, fails, lost
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.exact.nodes import Rule, step_of
from tightrope.verify.exact.noise import DiscreteNormal, Normal
from tightrope.verify.exact.saddle import beside, chernoff, height, saddle, short
from tightrope.verify.numbers import Bounds, ball
from tightrope.verify.outcome import NotChecked

ETA = Fraction(1, 10**8)
FICTITIOUS = (Normal(ETA**2), 1)
"""A normal release, and its mu, that is composed in where a sum along the line would not end."""

MOST_NODES = 20_000
LONGEST_PERIOD = 1e8
SMALLEST_VARIANCE = Fraction(1, 2)
REMEMBERED = 512
ORDERS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
SHARES = (1.0, 0.8, 0.65, 0.5, 0.4)


def feasible(runs: Runs) -> bool:
    """Whether some loss is normal, continuous or discrete on a fine enough lattice."""
    noises = [law for law, _ in runs if isinstance(law, Normal | DiscreteNormal | Mixture)]
    discrete = [law for law in noises if isinstance(law, DiscreteNormal)]
    return bool(noises) and all(law.variance >= SMALLEST_VARIANCE for law in discrete)


def delta_by_contour(runs: Runs, epsilon: Fraction) -> Bounds:
    """Bounds on delta of the composition."""
    unit = _lattice(runs)
    smoothed = _needs_smoothing(runs, unit)
    rule, far = _laid((*runs, FICTITIOUS) if smoothed else runs, epsilon, unit)
    moments = _moments(rule)
    size = moments[0].real * (-ball(rule.c) * ball(epsilon)).exp()
    plain, flat = _sums(rule, moments)
    weighed, unweighed = _beyond(rule, far)
    tail = rule.rise() * size * ball(Fraction(weighed)) / arb.pi()
    failed = lost(runs)
    excess = arb(0)
    if smoothed:
        excess = _excess(flat + size * ball(Fraction(unweighed)) / arb.pi())
    return failed + plain - tail - _aliases(rule) - excess, failed + plain + tail


def upper_ends(runs: Runs, about: Fraction) -> Callable[[Fraction], arb]:
    """Upper bounds on delta at epsilons near one, all from the nodes that are best for that one."""
    unit = _lattice(runs)
    smoothed = _needs_smoothing(runs, unit)
    rule, far = _laid((*runs, FICTITIOUS) if smoothed else runs, about, unit)
    moments = _moments(rule)
    beyond = rule.rise() * ball(Fraction(_beyond(rule, far)[0])) / arb.pi()
    failed = lost(runs)

    def upper(epsilon: Fraction) -> arb:
        size = moments[0].real * (-ball(rule.c) * ball(epsilon)).exp()
        return failed + _sums(replace(rule, epsilon=epsilon), moments)[0] + size * beyond

    return upper


def _needs_smoothing(runs: Runs, unit: Fraction) -> bool:
    """Whether nothing but discrete noise makes |M| fall, on lattices with no common step."""
    return not unit and not any(isinstance(law, Normal | Mixture) for law, _ in runs)


def _beyond(rule: Rule, far: Far) -> tuple[float, float]:
    """Bounds on the sums over the nodes after the last; of a whole period there are none."""
    if rule.unit and 2 * rule.nodes + 1 == rule.spacing:
        return 0.0, 0.0
    step = float(rule.step.mid())
    first = step * rule.nodes
    end = math.pi / float(rule.unit) if rule.unit else max(far.end, first)
    return far.sums(first, end, step)


def clearly_at_most(runs: Runs, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether Chernoff's bound at some order says so, as it does of the harmless way of samples."""
    if not any(isinstance(law, Mixture) for law, _ in runs) or fails(runs):
        return False
    c = min(ORDERS, key=lambda order: chernoff(runs, epsilon, order))
    if chernoff(runs, epsilon, c) > math.log(delta) - 1e-3:
        return False
    return _chernoff(runs, ball(epsilon), ball(Fraction(c))) <= ball(delta)


def _lattice(runs: Runs) -> Fraction:
    """The step of the lattice on which all losses lie; 0 if there is none, or too fine a one."""
    step = Fraction(0)
    for law, _ in runs:
        if isinstance(law, DiscreteNormal):
            own = Fraction(law.shift) / law.variance
        elif isinstance(law, Lattice):
            own = law.unit
        else:
            return Fraction(0)
        step = _common(step, own)
        if 2 * math.pi > LONGEST_PERIOD * float(step):
            return Fraction(0)
    return step


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The greatest step of which both are multiples."""
    top = math.gcd(a.numerator * b.denominator, b.numerator * a.denominator)
    return Fraction(top, a.denominator * b.denominator)


def _laid(runs: Runs, epsilon: Fraction, unit: Fraction) -> tuple[Rule, Far]:
    """The nodes with the least work: next to the saddle, or left of it where M soon soars."""
    best = saddle(runs, epsilon)
    mixed = any(isinstance(law, Mixture) and law.with_unit for law, _ in runs)
    places = [short(float(best) * share) for share in (SHARES if mixed else (1.0,))]
    rules = [_through(runs, epsilon, c, unit, height(runs, epsilon, float(best))) for c in places]
    rule = min(rules, key=lambda one: one.nodes**2 * float(one.step.mid()))
    if not 0 < rule.nodes <= MOST_NODES:
        raise NotChecked("a contour of so many nodes")
    return rule, far_of(runs, rule.c)


def _through(runs: Runs, epsilon: Fraction, c: Fraction, unit: Fraction, about: float) -> Rule:
    """Nodes through c, so close that what they add is far below delta, which is about that."""
    depth = 65 + max(0.0, height(runs, epsilon, float(c)) - about) - min(about - 5, 0.0)
    above, turn = beside(runs, epsilon, float(c), depth)
    spacing, most = short(2 * math.pi / max(turn, depth / float(c))), MOST_NODES + 1
    if unit:
        pairs = math.ceil(math.pi / float(unit) / float(spacing))
        spacing, most = Fraction(2 * pairs + 1), pairs  # no node of the period is counted twice
    apart = float(step_of(spacing, unit).mid())
    nodes = min(most, math.ceil(far_of(runs, c).start / apart))
    return Rule(runs, epsilon, c, spacing, nodes, unit, short(above))


@lru_cache(maxsize=REMEMBERED)
def _line(
    law: Law, c: Fraction, step: tuple[Fraction, Fraction], nodes: int, precision: int
) -> list[acb]:
    """M of one loss at all nodes."""
    return law.line(c, step_of(*step), nodes)


def _moments(rule: Rule) -> list[acb]:
    """M of all losses at all nodes."""
    total = [acb(1)] * (rule.nodes + 1)
    for law, count in rule.runs:
        line = _line(law, rule.c, (rule.spacing, rule.unit), rule.nodes, ctx.prec)
        total = [product * value**count for product, value in zip(total, line, strict=True)]
    return total


def _moment(runs: Runs, z: acb) -> acb:
    total = acb(1)
    for law, count in runs:
        total *= law.transform(z) ** count
    return total


def _sums(rule: Rule, moments: list[acb]) -> tuple[arb, arb]:
    """The trapezoid sums with the kernel, and without one."""
    e, start, step, kernel = ball(rule.epsilon), ball(rule.c), rule.step, rule.kernel()
    plain, flat = arb(0), arb(0)
    for j, moment in enumerate(moments):
        z = acb(start, step * j)
        value = moment * (-z * e).exp()
        part = 1 if j else arb(0.5)
        plain += (value * kernel(z)).real * part
        flat += value.real * part
    return plain * step / arb.pi(), flat * step / arb.pi()


def _aliases(rule: Rule) -> arb:
    """A bound on what the trapezoid rule adds: delta is at most 1, and Chernoff's bound."""
    turn, c = 2 * arb.pi() / rule.step, ball(rule.c)
    below = 1 / ((c * turn).exp() - 1)
    s = ball(rule.beside)
    above = _chernoff(rule.runs, ball(rule.epsilon), s)
    return below + above / (((s - c) * turn).exp() - 1)


def _chernoff(runs: Runs, epsilon: arb, s: arb) -> arb:
    """delta is at most this, whatever s > 0 is."""
    most = (s * s.log() - (1 + s) * (1 + s).log() - s * epsilon).exp()
    return most * _moment(runs, acb(s)).real


def _excess(flat: arb) -> arb:
    """What the fictitious release adds at most (docs/engine.md, the bound on smoothing)."""
    eta = ball(ETA)
    return eta**2 * (1 + eta) * (eta**2 / 8).exp() * flat
