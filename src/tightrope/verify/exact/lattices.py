"""Losses that take few values, all on a lattice: responses, and discrete Laplace noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx

from tightrope.verify.exact.single import Single
from tightrope.verify.numbers import ball


@dataclass(frozen=True)
class Lattice(Single):
    """Finitely many losses k u, with |k| at most ``whole``.

    ``lost`` is the chance of an infinite loss.
    """

    unit: Fraction
    whole: int
    lost: Fraction = Fraction(0)

    def weights(self) -> dict[int, arb]:
        """The probability of each k, at the current precision."""
        raise NotImplementedError

    @property
    def largest(self) -> Fraction:
        """The largest finite loss."""
        return self.unit * self.whole

    def rho(self) -> arb:
        """D(order) <= rho order at all orders."""
        return ball(self.largest) * (ball(self.largest) / 2).tanh()

    def transform(self, z: acb) -> acb:
        """The sum of p exp(z k u)."""
        unit = ball(self.unit)
        weights = self._weights_at(ctx.prec)
        return sum((p * (z * unit * k).exp() for k, p in weights.items()), acb(0))

    @lru_cache(maxsize=64)  # noqa: B019  (laws are few, small and equal by value)
    def _weights_at(self, precision: int) -> dict[int, arb]:
        return self.weights()

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        unit = float(self.unit)
        terms = [
            (c * unit * k + float(p.log().mid()))
            for k, p in self._weights_at(ctx.prec).items()
            if p > 0
        ]
        most = max(terms)
        return most + math.log(sum(math.exp(term - most) for term in terms))


@dataclass(frozen=True)
class Response(Lattice):
    """Randomised response of so many answers: the loss is epsilon, 0 or -epsilon."""

    categories: int = 2

    @classmethod
    def of(cls, epsilon: Fraction, categories: int = 2, lost: Fraction = Fraction(0)) -> Response:
        """That of one epsilon, which fails with the chance ``lost``."""
        return cls(epsilon, 1, lost, categories)

    def weights(self) -> dict[int, arb]:
        """Those of the right answer, of the neighbour's and of all others."""
        grown = ball(self.unit).exp()
        every = grown + (self.categories - 1)
        kept = 1 - ball(self.lost)
        found = {1: kept * grown / every, -1: kept / every}
        if self.categories > 2:
            found[0] = kept * (self.categories - 2) / every
        return found


@dataclass(frozen=True)
class Failure(Lattice):
    """Nothing leaks, but with the chance ``lost`` everything does."""

    @classmethod
    def of(cls, lost: Fraction) -> Failure:
        """That of one chance."""
        return cls(Fraction(0), 0, lost)

    def weights(self) -> dict[int, arb]:
        """All of what does not fail."""
        return {0: 1 - ball(self.lost)}


@dataclass(frozen=True)
class Steps(Lattice):
    """Discrete Laplace noise, shifted by a whole number: L falls in steps of two units."""

    def weights(self) -> dict[int, arb]:
        """Both ends have the whole tails."""
        r = (-ball(self.unit)).exp()
        found = {self.whole: 1 / (1 + r), -self.whole: r**self.whole / (1 + r)}
        for j in range(1, self.whole):
            found[self.whole - 2 * j] = (1 - r) * r**j / (1 + r)
        return found

    def rho(self) -> arb:
        """The Kullback-Leibler divergence (Harrison and Manurangsi, 2025)."""
        weights = self._weights_at(ctx.prec)
        return ball(self.unit) * sum((p * k for k, p in weights.items()), arb(0))
