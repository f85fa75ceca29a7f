"""Randomised response of many answers under zCDP: the best order may lie anywhere.

With s = (order - 1/2) epsilon, s0 = epsilon/2, c = (k - 2) exp(-epsilon/2)/2 and u = s - s0,
D(order) <= rho order at all orders if G(u) = kappa u (u + epsilon) - log(c + cosh s)
+ log(c + cosh s0) is at least 0 for u >= 0, kappa = rho/epsilon^2. G(0) = 0, and G'' = 2 kappa -
(c y + 1)/(c + y)^2 with y = cosh s is positive, then negative between two roots, then positive. So
what is needed is G'(0) >= 0, and that G is at least 0 where it is convex again: there a tangent at
the least point bounds it from below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tightrope.verify.numbers import CLOSE, ball, decided, require_true
from tightrope.verify.outcome import NotChecked

ROUNDS = 200


def require_rho_of_answers(rho: Fraction, epsilon: Fraction, categories: Fraction) -> None:
    """rho is enough, and next to it there is none that is."""
    enough = decided(lambda: Pair.of(rho, epsilon, categories).holds())
    require_true(enough, "rho is below what the theorem gives")
    less = rho * (1 - CLOSE)
    if decided(lambda: Pair.of(less, epsilon, categories).holds()) is not False:
        raise NotChecked("rho is not what the theorem gives, but more")


@dataclass(frozen=True)
class Pair:
    """G, in balls at the current precision."""

    kappa: arb
    epsilon: arb
    c: arb

    @classmethod
    def of(cls, rho: Fraction, epsilon: Fraction, categories: Fraction) -> Pair:
        """That of one rho."""
        e = ball(epsilon)
        return cls(ball(rho) / e**2, e, ball((categories - 2) / 2) * (-e / 2).exp())

    def value(self, u: arb) -> arb:
        """G."""
        start = self.epsilon / 2
        grown = (self.c + (start + u).cosh()).log() - (self.c + start.cosh()).log()
        return self.kappa * u * (u + self.epsilon) - grown

    def slope(self, u: arb) -> arb:
        """G'."""
        s = self.epsilon / 2 + u
        return self.kappa * (2 * u + self.epsilon) - s.sinh() / (self.c + s.cosh())

    def holds(self) -> bool | None:
        """Whether G >= 0 everywhere; None if the digits do not tell."""
        first = self.slope(arb(0))
        if not first >= 0:
            return False if first < 0 else None
        convex_from = self._convex_from()
        if convex_from is None:
            return True
        least = _zero(self.slope, convex_from)
        at, lean = self.value(least), abs(self.slope(least))
        if at < 0:
            return False
        end = least + 1
        if not (self.slope(end) > 0 and at - lean * (end - convex_from) >= 0):
            return None
        return True

    def _convex_from(self) -> arb | None:
        """Where G is convex again, rounded up; None if it is convex throughout."""
        # 2 kappa (c + y)^2 = c y + 1
        a, b, d = 2 * self.kappa, 4 * self.kappa * self.c - self.c, 2 * self.kappa * self.c**2 - 1
        square = b * b - 4 * a * d
        if square < 0:
            return None
        y = (-b + square.max(arb(0)).sqrt()) / (2 * a)
        start = self.epsilon / 2
        if y <= start.cosh():
            return None
        return (y.max(arb(1)).acosh() - start).max(arb(0)).upper()


def _zero(rising: Callable[[arb], arb], low: arb) -> arb:
    """A point next to where a function that rises from here on is 0; what is found need not be."""
    if not rising(low) < 0:
        return low
    high = low + 1
    for _ in range(ROUNDS):
        if rising(high) > 0:
            break
        high = low + 2 * (high - low)
    for _ in range(ROUNDS):
        middle = ((low + high) / 2).mid()
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high
