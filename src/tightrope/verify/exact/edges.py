"""Losses between two edges: Laplace noise, and the logistic pair of bounded range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from tightrope.verify.exact.single import Single
from tightrope.verify.numbers import ball


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
