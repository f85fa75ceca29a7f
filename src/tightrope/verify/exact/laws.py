"""The privacy losses of single releases: their transforms M(z) = E[exp(zL)] in balls.

L = log dP/dQ under P. Where L can be infinite, M is that of its finite part, and ``lost`` the
probability of the rest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx

from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.numbers import ball
from tightrope.verify.outcome import NotChecked

MOST_TERMS = 20_000
"""Most terms of a theta function."""


class Single:
    """A loss whose transform is worked out point by point."""

    def rho(self) -> arb:
        """D(order) <= rho order at all orders."""
        raise NotImplementedError

    def transform(self, z: acb) -> acb:
        """M(z)."""
        raise NotImplementedError

    def line(self, c: Fraction, step: arb, nodes: int) -> list[acb]:
        """M at c + i step j, j = 0, ..., nodes."""
        start = ball(c)
        return [self.transform(acb(start, step * j)) for j in range(nodes + 1)]


@dataclass(frozen=True)
class Normal(Single):
    """The pair N(mu, 1), N(0, 1), by the square of mu."""

    square: Fraction

    def rho(self) -> arb:
        """mu^2/2."""
        return ball(self.square / 2)

    def transform(self, z: acb) -> acb:
        """exp(mu^2 z (z + 1)/2)."""
        return (ball(self.square / 2) * z * (z + 1)).exp()

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        return float(self.square) * c * (c + 1) / 2


@dataclass(frozen=True)
class DiscreteNormal(Single):
    """N_Z(0, v) against itself, shifted by D: L = (D/v)(X + D/2)."""

    variance: Fraction
    shift: int

    @property
    def square(self) -> Fraction:
        """D^2/v, the square of mu of the continuous law."""
        return Fraction(self.shift) ** 2 / self.variance

    def rho(self) -> arb:
        """D^2/(2v) (Canonne, Kamath and Steinke, 2020, Theorem 4)."""
        return ball(self.square / 2)

    def transform(self, z: acb) -> acb:
        """exp(z (z + 1) D^2/(2v)) times a ratio of two theta functions, by Poisson summation."""
        grown = (ball(self.square / 2) * z * (z + 1)).exp()
        return grown * self._theta(z) / self._theta(acb(0)).real

    def line(self, c: Fraction, step: arb, nodes: int) -> list[acb]:
        """The same at many points, of which all but two exponentials are powers."""
        half, start, whole = ball(self.square / 2), ball(c), self._theta(acb(0)).real
        turned = acb(0, 2 * arb.pi() * self.shift * start).exp()
        found = []
        for j in range(nodes + 1):
            tau = step * j
            z = acb(start, tau)
            phase = turned * (-2 * arb.pi() * self.shift * tau).exp()
            found.append((half * z * (z + 1)).exp() * self._theta_at(tau, phase) / whole)
        return found

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        return float(self.square) * c * (c + 1) / 2

    def _theta(self, z: acb) -> acb:
        return self._theta_at(z.imag, (acb(0, 2) * arb.pi() * self.shift * z).exp())

    def _theta_at(self, tau: arb, phase: acb) -> acb:
        """The sum of exp(-2 pi^2 n^2 v) phase^n over all integers n, phase = exp(2 pi i z D)."""
        leaning = float(abs(tau).upper()) * self.shift
        per_step = 2 * math.pi**2 * float(self.variance)
        last = math.ceil(min(leaning / (math.pi * float(self.variance)), MOST_TERMS) + 1)
        while per_step * last**2 - 2 * math.pi * leaning * last < ctx.prec * 0.7 + 10:
            last += 1
            if last > MOST_TERMS:
                raise NotChecked("discrete Gaussian noise of so little variance")
        total, up, back = acb(1), acb(1), 1 / phase
        down = acb(1)
        for weight in _theta_weights(self.variance, last, ctx.prec):
            up, down = up * phase, down * back
            total += weight * (up + down)
        rest = 4 * arb(-per_step * last**2 + 2 * math.pi * leaning * last + 1).exp()
        return total + acb(arb(0, rest), arb(0, rest))


@lru_cache(maxsize=4096)
def _theta_weights(variance: Fraction, last: int, precision: int) -> list[arb]:
    """exp(-2 pi^2 n^2 v) for n = 1, ..., last at the current precision."""
    turn = -2 * arb.pi() ** 2 * ball(variance)
    return [(turn * n * n).exp() for n in range(1, last + 1)]


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


@dataclass(frozen=True)
class Ramp(Single):
    """A loss of one piece between two ends, whose transform is known in w = z + 1/2."""

    epsilon: Fraction

    @property
    def largest(self) -> Fraction:
        """The largest loss."""
        return self.epsilon

    def scale(self, up: int, down: int) -> arb:
        """The constant before exp(w epsilon)^up exp(-w epsilon)^down in a power of M."""
        raise NotImplementedError

    def factors(self, up: int, down: int) -> tuple[int, int]:
        """The powers of w + 1/2 and of w - 1/2 beside them."""
        raise NotImplementedError

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        return float(self.transform(acb(ball(Fraction(c)))).real.log().mid())


@dataclass(frozen=True)
class LaplaceRamp(Ramp):
    """The loss of Laplace noise, with a probability at either end."""

    def transform(self, z: acb) -> acb:
        """exp(-epsilon/2) [exp(epsilon w)(w + 1/2) + exp(-epsilon w)(w - 1/2)]/(2w)."""
        half, e = ball(Fraction(1, 2)), ball(self.epsilon)
        w = z + half
        ends = (w * e).exp() * (w + half) + (-w * e).exp() * (w - half)
        return (-e / 2).exp() * ends / (2 * w)

    def rho(self) -> arb:
        """epsilon + exp(-epsilon) - 1."""
        return ball(self.epsilon) + (-ball(self.epsilon)).expm1()

    def scale(self, up: int, down: int) -> arb:
        """exp(-epsilon/2)/2 for each."""
        one = (-ball(self.epsilon) / 2).exp() / 2
        return math.comb(up + down, up) * one ** (up + down)

    def factors(self, up: int, down: int) -> tuple[int, int]:
        """One for each."""
        return up, down


@dataclass(frozen=True)
class LogisticRamp(Ramp):
    """The loss of the logistic pair."""

    def transform(self, z: acb) -> acb:
        """(exp(epsilon w) - exp(-epsilon w))/(4 sinh(epsilon/2) w)."""
        w, e = z + ball(Fraction(1, 2)), ball(self.epsilon)
        return ((w * e).exp() - (-w * e).exp()) / (4 * (e / 2).sinh() * w)

    def rho(self) -> arb:
        """epsilon coth(epsilon/2) - 2."""
        return ball(self.epsilon) / (ball(self.epsilon) / 2).tanh() - 2

    def scale(self, up: int, down: int) -> arb:
        """1/(4 sinh(epsilon/2)) for each, of alternating sign."""
        one = 4 * (ball(self.epsilon) / 2).sinh()
        return math.comb(up + down, up) * arb(-1) ** down / one ** (up + down)

    def factors(self, up: int, down: int) -> tuple[int, int]:
        """None."""
        return 0, 0


Law = Normal | DiscreteNormal | Lattice | Ramp | Mixture
"""The loss of one release."""

Runs = tuple[tuple[Law, int], ...]
"""Losses with the number of releases of each."""


def fails(runs: Runs) -> bool:
    """Whether a loss can be infinite."""
    return any(isinstance(law, Lattice) and law.lost for law, _ in runs)


def lost(runs: Runs) -> arb:
    """The probability that some loss is infinite; in a ball, as an exact power is too long."""
    whole = arb(1)
    for law, count in runs:
        if isinstance(law, Lattice) and law.lost:
            whole *= ball(1 - law.lost) ** count
    return 1 - whole if fails(runs) else arb(0)


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
