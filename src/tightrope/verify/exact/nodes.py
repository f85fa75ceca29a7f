"""The nodes of a trapezoid sum along a vertical line, and the kernel with which they count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from tightrope.verify.exact.laws import Runs
from tightrope.verify.exact.noise import DiscreteNormal
from tightrope.verify.numbers import ball


@dataclass(frozen=True)
class Rule:
    """Where the nodes are, and with which kernel they count.

    ``unit`` is the step of the lattice, or 0 where the kernel is that of the line. Nodes are
    ``spacing`` apart, or one ``spacing``-th of a period of the lattice. ``beside`` is a point above
    c on the real axis, at which what the rule adds from above is bounded.
    """

    runs: Runs
    epsilon: Fraction
    c: Fraction
    spacing: Fraction
    nodes: int
    unit: Fraction
    beside: Fraction

    @property
    def step(self) -> arb:
        """The distance of two nodes."""
        return step_of(self.spacing, self.unit)

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


def step_of(spacing: Fraction, unit: Fraction) -> arb:
    """The distance of two nodes."""
    return 2 * arb.pi() / ball(unit * spacing) if unit else ball(spacing)
