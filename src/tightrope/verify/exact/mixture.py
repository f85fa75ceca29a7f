"""Normal noise of which the shift is drawn: Poisson samples, and mixtures as they are.

The pair is (sum of w N(m, 1), N(0, 1)) or the other way round. With g the ratio of the densities,

    M(z) = integral of phi(x) g(x)^(z + 1) dx,  or of phi(x) g(x)^(-z) dx,

by the trapezoid rule, whose error is at most 2 N/(exp(2 pi a/h) - 1) if N bounds the integral of
the absolute value on all lines Im x = b, |b| < a (Trefethen and Weideman 2014, Theorem 5.1). There
|phi| grows by exp(a^2/2), and as all shifts are between 0 and m, g turns by at most ma, and shrinks
at most to cos(ma/2) of what it is on the real line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from flint import acb, acb_mat, arb, ctx

from tightrope.verify.numbers import ball
from tightrope.verify.outcome import NotChecked

MOST_POINTS = 8_000
MOST_POWERS = 20_000_000
FEW = 12
CUT = 30.0
"""For guesses, what is below exp(-CUT) of the whole is left out."""


@dataclass(frozen=True)
class Mixture:
    """Shifts in units of the root of ``square``, all at least 0, with their probabilities."""

    square: Fraction
    shares: tuple[tuple[Fraction, Fraction], ...]
    with_unit: bool

    @property
    def largest(self) -> float:
        """The largest shift, rounded up."""
        return math.sqrt(self.square) * float(max(m for m, _ in self.shares)) * (1 + 1e-12)

    def transform(self, z: acb) -> acb:
        """M at one point, c + i tau with exact c and tau."""
        return self._sums(z.real, z.imag, 1)[-1]

    def line(self, c: Fraction, step: arb, nodes: int) -> list[acb]:
        """M at c + i step j, j = 0, ..., nodes: powers of one phase for each x."""
        return self._sums(ball(c), step, nodes)

    def _sums(self, c: arb, step: arb, nodes: int) -> list[acb]:
        grid = Grid.of(self, float(c.mid()), float(abs(step).upper()) * nodes)
        if (nodes + 1) * (grid.last - grid.first) > MOST_POWERS:
            raise NotChecked("so few samples of normal noise, at so many nodes")
        weights, phases = [], []
        for weight, loss in self._points(grid, c):
            weights.append(acb(weight))
            phases.append(acb(0, step * loss).exp())
        total = power_sums(weights, phases, nodes + 1)
        rest = grid.rest(total[0].real, [weights[0].real, weights[-1].real], c)
        return [value + acb(arb(0, rest), arb(0, rest)) for value in total]

    def _points(self, grid: Grid, c: arb) -> Iterator[tuple[arb, arb]]:
        """The terms of the sum for M(c), each with its loss."""
        unit, h = ball(self.square).sqrt(), ball(grid.step)
        terms = [(unit * ball(m), ball(w)) for m, w in self.shares]
        scale = h / (2 * arb.pi()).sqrt()
        for k in range(grid.first, grid.last + 1):
            x = h * k
            log_g = sum((w * (m * x - m * m / 2).exp() for m, w in terms), arb(0)).log()
            loss, more = (log_g, log_g) if self.with_unit else (-log_g, arb(0))
            yield scale * (c * loss + more - x * x / 2).exp(), loss

    # --- guesses in ordinary numbers ---------------------------------------------------------

    @cached_property
    def _floats(self) -> list[tuple[float, float]]:
        unit = math.sqrt(self.square)
        return [(unit * float(m), math.log(w)) for m, w in self.shares]

    def log_ratio(self, x: float) -> float:
        """log g, nearly."""
        exponents = [m * x - m * m / 2 + log_w for m, log_w in self._floats]
        most = max(exponents)
        return most + math.log(sum(math.exp(e - most) for e in exponents))

    def slope(self, x: float) -> float:
        """The derivative of log g, nearly."""
        log_g = self.log_ratio(x)
        return sum(m * math.exp(m * x - m * m / 2 + w - log_g) for m, w in self._floats)

    def height(self, x: float, c: float) -> tuple[float, float]:
        """The log of phi g^(c + 1) or of phi g^(-c), and the loss, nearly."""
        log_g = self.log_ratio(x)
        normal = -x * x / 2 - math.log(2 * math.pi) / 2
        return (normal + (c + 1) * log_g, log_g) if self.with_unit else (normal - c * log_g, -log_g)

    def falls(self, x: float, c: float) -> float:
        """How steeply the integrand falls outward from x, at least, further out than x as well."""
        if x > 0:
            return x - (c + 1) * self.largest if self.with_unit else x
        return -x if self.with_unit else -x - c * self.slope(x) * (1 + 1e-9)

    @lru_cache(maxsize=4096)  # noqa: B019  (laws are few, small and equal by value)
    def rough(self, c: float) -> tuple[float, float]:
        """log M(c), and the variance of the loss under the law tilted by exp(cL), nearly."""
        h = self.spacing(c, CUT, 0.0)[1]
        low, high = self.ends(c, CUT)
        first, last = math.floor(low / h), math.ceil(high / h)
        if last - first > MOST_POINTS:
            raise NotChecked("mixtures of normal laws so far apart")
        points = [self.height(k * h, c) for k in range(first, last + 1)]
        most = max(point for point, _ in points)
        weights = [(math.exp(point - most), loss) for point, loss in points]
        total = sum(w for w, _ in weights)
        mean = sum(w * loss for w, loss in weights) / total
        variance = sum(w * (loss - mean) ** 2 for w, loss in weights) / total
        return most + math.log(total * h), variance

    def spacing(self, c: float, depth: float, reach: float) -> tuple[float, float]:
        """A strip, and the widest step with which the rule is off by about exp(-depth) M(c)."""
        widest = min(math.sqrt(2 * depth), 0.8 * math.pi / self.largest)

        def step(width: float) -> float:
            turn = self.largest * width
            grown = depth + width**2 / 2 + reach * turn
            if not self.with_unit:
                grown -= c * math.log(math.cos(turn / 2))
            return 2 * math.pi * width / grown

        width = max((widest * n / 24 for n in range(1, 25)), key=step)
        return width, step(width)

    def log_moment(self, c: float) -> float:
        """log M(c), nearly."""
        return self.rough(c)[0]

    def ends(self, c: float, depth: float, log_whole: float | None = None) -> tuple[float, float]:
        """Ends beyond which the integrand falls, and has less than exp(-depth) of the whole."""
        last = 1 + (c + 1) * self.largest if self.with_unit else 1.0
        if log_whole is None:
            places = [last * i / 64 for i in range(65)] + [-i / 4 for i in range(40)]
            log_whole = max(self.height(x, c)[0] for x in places)
        found = []
        for start, step in ((-1.0, -0.5), (last, 0.5)):
            x = start
            while self.falls(x, c) < 1 or self.height(x, c)[0] > log_whole - depth:
                x += step
            found.append(x)
        return found[0], found[1]


def power_sums(weights: list[acb], phases: list[acb], count: int) -> list[acb]:
    """The sums of weight times phase^j, j < count: by j = a n + b one product of matrices."""
    n = math.isqrt(count - 1) + 1
    right = acb_mat([powers(phase, n) for phase in phases])
    steps = (count - 1) // n + 1
    giants = [powers(phase**n, steps) for phase in phases]
    left = acb_mat([[w * g[a] for w, g in zip(weights, giants, strict=True)] for a in range(steps)])
    return list((left * right).entries())[:count]


def powers(base: acb, count: int) -> list[acb]:
    """All powers below ``count``, of few factors each: in long products complex boxes grow."""
    small = [acb(1)]
    while len(small) < min(count, FEW):
        small.append(small[-1] * base)
    found, giant, big = list(small), small[-1] * base, acb(1)
    while len(found) < count:
        big *= giant
        found += [big * one for one in small]
    return found[:count]


@dataclass(frozen=True)
class Grid:
    """Points k h of the trapezoid rule, good for all tau up to ``reach``."""

    law: Mixture
    step: Fraction
    first: int
    last: int
    width: Fraction
    reach: float

    @classmethod
    def of(cls, law: Mixture, c: float, reach: float) -> Grid:
        """A grid with which the error is about 2^(-0.6 prec) of M(c)."""
        depth = 0.42 * ctx.prec + 10
        width, step = law.spacing(c, depth, reach)
        low, high = law.ends(c, depth, law.rough(c)[0])
        first, last = math.floor(low / step), math.ceil(high / step)
        if last - first > MOST_POINTS:
            raise NotChecked("normal laws that are mixed, on so many points")
        return cls(law, Fraction(step), first, last, Fraction(width), reach)

    def rest(self, whole: arb, ends: list[arb], c: arb) -> arb:
        """A bound on all errors: of the rule, and of the points that are left out."""
        h, out = ball(self.step), arb(0)
        for end, place in zip(ends, (self.first, self.last), strict=True):
            falls = self.law.falls(float(self.step) * place, float(c.upper()))
            if falls < 1:
                raise NotChecked("a grid that ends too early")
            ratio = (-h * ball(Fraction(falls * (1 - 1e-9)))).exp()
            out += end * ratio / (1 - ratio)
        a, m = ball(self.width), ball(Fraction(self.law.largest))
        grown = a * a / 2 + ball(Fraction(self.reach)) * m * a
        if not self.law.with_unit:
            grown -= c * (m * a / 2).cos().log()
        share = 2 * grown.exp() / (2 * arb.pi() * a / h).expm1()
        return ((whole + out) * share / (1 - share) + out).upper()
