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
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from tightrope.verify.exact.far import DEPTH, Far
from tightrope.verify.exact.laws import DiscreteNormal, Lattice, Normal, Runs, kept
from tightrope.verify.numbers import ball
from tightrope.verify.outcome import NotChecked

ETA = Fraction(1, 10**8)
MOST_NODES = 20_000
LONGEST_PERIOD = 1e8
SMALLEST_VARIANCE = Fraction(1, 2)
ROUNDS = 40
Bounds = tuple[arb, arb]


def feasible(runs: Runs) -> bool:
    """Whether some loss is normal, continuous or discrete on a fine enough lattice."""
    noises = [law for law, _ in runs if isinstance(law, Normal | DiscreteNormal)]
    discrete = [law for law in noises if isinstance(law, DiscreteNormal)]
    return bool(noises) and all(law.variance >= SMALLEST_VARIANCE for law in discrete)


@dataclass(frozen=True)
class Rule:
    """Where the nodes are, and with which kernel they count.

    ``unit`` is the step of the lattice, or 0 where the kernel is that of the line.
    """

    runs: Runs
    epsilon: Fraction
    c: Fraction
    step: arb
    nodes: int
    unit: Fraction

    @property
    def ahead(self) -> Fraction:
        """How far the next point of the lattice lies above epsilon."""
        offset = sum(
            (law.square / 2 * n for law, n in self.runs if isinstance(law, DiscreteNormal)),
            Fraction(0),
        )
        return self.unit - (self.epsilon - offset) % self.unit

    def kernel(self) -> Callable[[acb], acb]:
        """k, and on a lattice the sum that stands for it."""
        if not self.unit:
            return lambda z: 1 / (z * (z + 1))
        u, d = ball(self.unit), ball(self.ahead)

        def on_lattice(z: acb) -> acb:
            one = (-z * d).exp() / (1 - (-z * u).exp())
            other = (-(z + 1) * d).exp() / (1 - (-(z + 1) * u).exp())
            return u * (one - other)

        return on_lattice

    def rise(self) -> arb:
        """|k(z)| is at most this over tau^2, within one period."""
        if not self.unit:
            return arb(1)
        return (arb.pi() / 2) ** 2 * ((ball(self.c) + ball(Fraction(1, 2))) * ball(self.unit)).exp()


def delta_by_contour(runs: Runs, epsilon: Fraction) -> Bounds:
    """Bounds on delta of the composition."""
    unit = _lattice(runs)
    smoothed = not unit and not any(isinstance(law, Normal) for law, _ in runs)
    used = (*runs, (Normal(ETA**2), 1)) if smoothed else runs
    far = Far.of(used)
    rule = _laid(used, epsilon, unit, far)
    size = _moment(used, acb(ball(rule.c))).real * (-ball(rule.c) * ball(epsilon)).exp()
    plain, flat = _sums(rule)
    step = float(rule.step.mid())
    end = math.pi / float(unit) if unit else max(far.end, step * rule.nodes)
    weighed, unweighed = far.sums(step * rule.nodes, end, step)
    tail = rule.rise() * size * ball(Fraction(weighed)) / arb.pi()
    lost = 1 - ball(kept(runs))
    excess = arb(0)
    if smoothed:
        excess = _excess(flat + size * ball(Fraction(unweighed)) / arb.pi())
    return lost + plain - tail - _aliases(rule) - excess, lost + plain + tail


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


def _laid(runs: Runs, epsilon: Fraction, unit: Fraction, far: Far) -> Rule:
    """Nodes through the saddle, so close that what they add is far below delta."""
    c = _saddle(runs, epsilon)
    about = _log_moment(runs, float(c)) - float(c * epsilon) - math.log(float(c * (c + 1))) - 5
    spacing = 2 * math.pi * float(c) / (60 - min(about, 0.0))
    step, most = ball(Fraction(spacing)), MOST_NODES + 1
    if unit:
        around = math.ceil(2 * math.pi / float(unit) / spacing)
        step = 2 * arb.pi() / ball(unit * around)
        most = (around - 1) // 2  # no node of the period is counted twice
    nodes = min(most, math.ceil(math.sqrt(2 * DEPTH / far.spread) / float(step.mid())))
    if not 0 < nodes <= MOST_NODES:
        raise NotChecked("a contour of so many nodes")
    return Rule(runs, epsilon, c, step, nodes, unit)


def _moment(runs: Runs, z: acb) -> acb:
    total = acb(1)
    for law, count in runs:
        total *= law.transform(z) ** count
    return total


def _log_moment(runs: Runs, c: float) -> float:
    point = acb(ball(Fraction(c)))
    return sum(float(law.transform(point).real.log().mid()) * count for law, count in runs)


def _saddle(runs: Runs, epsilon: Fraction) -> Fraction:
    """Where the integrand is least on the real axis, nearly, found by golden sections."""
    e, shrink = float(epsilon), (math.sqrt(5) - 1) / 2

    def height(x: float) -> float:
        c = math.exp(x)
        return _log_moment(runs, c) - c * e - math.log(c * (c + 1))

    low, high = math.log(1e-3), math.log(1e6)
    a, b = high - shrink * (high - low), low + shrink * (high - low)
    at_a, at_b = height(a), height(b)
    for _ in range(ROUNDS):
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - shrink * (high - low)
            at_a = height(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + shrink * (high - low)
            at_b = height(b)
    return max(Fraction(1, 1000), Fraction(round(math.exp((low + high) / 2), 4)))


def _sums(rule: Rule) -> tuple[arb, arb]:
    """The trapezoid sums with the kernel, and without one."""
    e, start, kernel = ball(rule.epsilon), ball(rule.c), rule.kernel()
    plain, flat = arb(0), arb(0)
    for j in range(rule.nodes + 1):
        z = acb(start, rule.step * j)
        value = _moment(rule.runs, z) * (-z * e).exp()
        part = 1 if j else arb(0.5)
        plain += (value * kernel(z)).real * part
        flat += value.real * part
    return plain * rule.step / arb.pi(), flat * rule.step / arb.pi()


def _aliases(rule: Rule) -> arb:
    """A bound on what the trapezoid rule adds: delta is at most 1, and Chernoff's bound."""
    turn, c = 2 * arb.pi() / rule.step, ball(rule.c)
    below = 1 / ((c * turn).exp() - 1)
    s = ball(2 * rule.c + 1)
    chernoff = (s * s.log() - (1 + s) * (1 + s).log()).exp()
    chernoff *= _moment(rule.runs, acb(s)).real * (-s * ball(rule.epsilon)).exp()
    return below + chernoff / (((s - c) * turn).exp() - 1)


def _excess(flat: arb) -> arb:
    """What the fictitious release adds at most (docs/engine.md, the bound on smoothing)."""
    eta = ball(ETA)
    return eta**2 * (1 + eta) * (eta**2 / 8).exp() * flat
