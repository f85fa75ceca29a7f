"""The privacy losses of single releases: their transforms M(z) = E[exp(zL)] in balls.

L = log dP/dQ under P. Where L can be infinite, M is that of its finite part, and ``kept`` the
probability of that part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from tightrope.verify.numbers import ball


@dataclass(frozen=True)
class Normal:
    """The pair N(mu, 1), N(0, 1), by the square of mu."""

    square: Fraction

    def transform(self, z: acb) -> acb:
        """exp(mu^2 z (z + 1)/2)."""
        return (ball(self.square / 2) * z * (z + 1)).exp()


@dataclass(frozen=True)
class DiscreteNormal:
    """N_Z(0, v) against itself, shifted by D: L = (D/v)(X + D/2)."""

    variance: Fraction
    shift: int

    @property
    def square(self) -> Fraction:
        """D^2/v, the square of mu of the continuous law."""
        return Fraction(self.shift) ** 2 / self.variance

    def transform(self, z: acb) -> acb:
        """exp(z (z + 1) D^2/(2v)) times a ratio of two theta functions, by Poisson summation."""
        grown = (ball(self.square / 2) * z * (z + 1)).exp()
        return grown * self._theta(z) / self._theta(acb(0)).real

    def _theta(self, z: acb) -> acb:
        """The sum of exp(-2 pi^2 n^2 v + 2 pi i n z D) over all integers n."""
        v, turn = ball(self.variance), 2 * arb.pi() * self.shift
        leaning = float(abs(z.imag).upper()) * self.shift
        per_step = 2 * math.pi**2 * float(self.variance)
        last = math.ceil(leaning / (math.pi * float(self.variance)) + 1)
        while per_step * last**2 - 2 * math.pi * leaning * last < ctx.prec * 0.7 + 10:
            last += 1
        total = acb(1)
        for n in range(1, last + 1):
            weight = (-2 * arb.pi() ** 2 * v * n * n).exp()
            phase = (acb(0, 1) * z * (turn * n)).exp()
            total += weight * (phase + 1 / phase)
        rest = 4 * arb(-per_step * last**2 + 2 * math.pi * leaning * last + 1).exp()
        return total + acb(arb(0, rest), arb(0, rest))


@dataclass(frozen=True)
class Lattice:
    """Finitely many losses k u, with their probabilities in balls as functions of nothing.

    ``weights`` gives them at the current precision; ``lost`` is the chance of an infinite loss.
    """

    unit: Fraction
    kind: str
    whole: int
    lost: Fraction = Fraction(0)
    categories: int = 2

    def weights(self) -> dict[int, arb]:
        """The probability of each k."""
        if self.kind == "response":
            return self._response()
        r = (-ball(self.unit)).exp()
        found = {self.whole: 1 / (1 + r), -self.whole: r**self.whole / (1 + r)}
        for j in range(1, self.whole):
            found[self.whole - 2 * j] = (1 - r) * r**j / (1 + r)
        return found

    def _response(self) -> dict[int, arb]:
        grown = ball(self.unit).exp()
        every = grown + (self.categories - 1)
        kept = 1 - ball(self.lost)
        found = {1: kept * grown / every, -1: kept / every}
        if self.categories > 2:
            found[0] = kept * (self.categories - 2) / every
        return found

    def transform(self, z: acb) -> acb:
        """The sum of p exp(z k u)."""
        unit = ball(self.unit)
        return sum((p * (z * unit * k).exp() for k, p in self.weights().items()), acb(0))


@dataclass(frozen=True)
class Ramp:
    """The loss of Laplace noise, or the logistic pair: one piece between two ends."""

    epsilon: Fraction
    laplace: bool

    def transform(self, z: acb) -> acb:
        """In w = z + 1/2, as docs/certificate.md has it."""
        w, e = z + ball(Fraction(1, 2)), ball(self.epsilon)
        rising, falling = (w * e).exp(), (-w * e).exp()
        if self.laplace:
            half = ball(Fraction(1, 2))
            return (-e / 2).exp() * (rising * (w + half) + falling * (w - half)) / (2 * w)
        return (rising - falling) / (4 * (e / 2).sinh() * w)


@dataclass(frozen=True)
class SampledNormal:
    """(1 - rate) N(0, 1) + rate N(mu, 1) against N(0, 1), or the other way round."""

    inner: Fraction
    rate: Fraction
    with_unit: bool

    def transform(self, z: acb) -> acb:
        """See ``sampled``."""
        from tightrope.verify.exact.sampled import moment

        return moment(self.inner, self.rate, self.with_unit, z)


Law = Normal | DiscreteNormal | Lattice | Ramp | SampledNormal
"""The loss of one release."""

Runs = tuple[tuple[Law, int], ...]
"""Losses with the number of releases of each."""


def kept(runs: Runs) -> Fraction:
    """The probability that no loss is infinite."""
    whole = Fraction(1)
    for law, count in runs:
        if isinstance(law, Lattice) and law.lost:
            whole *= (1 - law.lost) ** count
    return whole


def merged(runs: Runs) -> Runs:
    """The same losses, each once; normal ones are one of the sum of their squares."""
    counts: dict[Law, int] = {}
    square = Fraction(0)
    for law, count in runs:
        if isinstance(law, Normal):
            square += law.square * count
        else:
            counts[law] = counts.get(law, 0) + count
    normal: Runs = ((Normal(square), 1),) if square else ()
    return normal + tuple(counts.items())
