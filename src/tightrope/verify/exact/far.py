"""How small M is far from the real axis: bounds on the nodes of a contour that are not summed.

Normal noise bounds |M(c + it)|/M(c) by exp(-mu^2 t^2/2). That of discrete Gaussian noise is a comb:
by Poisson summation it is at most 2.01 exp(-(D^2/v) t^2/2), t measured from the next multiple of
2 pi v/D. That of mixtures is bounded by screens. All other losses are bounded by 1. Only where all
combs have a tooth, or a screen has holes, is more to be said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from heapq import heappop, heappush

from tightrope.verify.exact.laws import Runs
from tightrope.verify.exact.mixture import Mixture
from tightrope.verify.exact.noise import DiscreteNormal, Normal
from tightrope.verify.exact.screen import Screen, screen_of
from tightrope.verify.outcome import NotChecked

DEPTH = 85.0
"""Outside of teeth |M| is below exp(-85) M(c)."""

LOSS = 0.8
"""Above log 2.01, what a ratio of theta functions adds to an exponent at most."""

MOST_WINDOWS = 400_000
ENOUGH = 60.0
GAIN = 0.5
"""What halving a window has to be worth, in exponents."""

SHORTEST = 1e-3
MOST_HALVED = 4_000
FARTHEST = 1e9
AHEAD = (1.0, 1.06, 1.15, 1.3)


Window = tuple[float, float, float]
"""A stretch of the line from one t to another, with an E for which |M| <= exp(-E) M(c) there."""


@dataclass(frozen=True)
class Comb:
    """Discrete Gaussian noise of so many releases."""

    period: float
    square: float
    count: int

    @property
    def half(self) -> float:
        """Half the width of a tooth."""
        return 1.001 * math.sqrt(2 * (DEPTH + self.count * LOSS) / self.count / self.square)

    def exponent(self, low: float, high: float) -> float:
        """An E with |M| <= exp(-E) M(c) from low to high."""
        middle, half = (low + high) / 2, (high - low) / 2
        apart = abs(middle - round(middle / self.period) * self.period)
        near, away = apart - half - 1e-12 * high, apart + half + 1e-12 * high
        if near <= 0:
            return 0.0
        return self.count * max(0.0, self.square * near * near / 2 - self.loss(away))

    def loss(self, away: float) -> float:
        """A bound on the log of the ratio of theta functions, so far from the tooth or nearer.

        With x = 2 pi (pi v - D t) the sum is at most 1 + 2.01 exp(-x); the one of M(c) is at least
        1 - 2.01 exp(-2 pi^2 v).
        """
        turn = self.square * self.period
        x, most = turn * (self.period / 2 - away), turn * self.period / 2
        return min(LOSS, math.log1p(2.01 * math.exp(-x)) + 3 * math.exp(-most)) if x > 0 else LOSS


@dataclass(frozen=True)
class Far:
    """What is known of |M| far out: the square of normal noise, and the combs."""

    normal: float
    combs: tuple[Comb, ...]
    screens: tuple[tuple[Screen, int], ...] = ()
    known: dict[tuple[float, float], list[Window]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, runs: Runs, c: Fraction) -> Far:
        """That of a composition on the line through c; the combs with the widest gaps first."""
        normal = sum(float(law.square) * n for law, n in runs if isinstance(law, Normal))
        combs = [
            Comb(2 * math.pi * float(law.variance) / law.shift, float(law.square), n)
            for law, n in runs
            if isinstance(law, DiscreteNormal)
        ]
        screens = [(screen_of(law, float(c)), n) for law, n in runs if isinstance(law, Mixture)]
        return cls(normal, tuple(sorted(combs, key=lambda comb: -comb.period)), tuple(screens))

    @property
    def spread(self) -> float:
        """|M| falls like exp(-spread t^2/2) next to the real axis."""
        combs = sum(comb.square * comb.count for comb in self.combs)
        return self.normal + combs + sum(screen.variance * n for screen, n in self.screens)

    @cached_property
    def start(self) -> float:
        """A t from which on |M| is about exp(-DEPTH) M(c), away from the teeth of combs."""
        t = math.sqrt(2 * DEPTH / self.spread)
        while self.screens and min(self._exponent(t * f, t * f) for f in AHEAD) < DEPTH:
            t *= 1.12
            if t > FARTHEST:
                raise NotChecked("so few samples of normal noise")
        return t

    @cached_property
    def end(self) -> float:
        """Beyond this normal noise and screens alone bound all; infinite if there are none."""
        if not self.screens:
            return math.sqrt(2 * (DEPTH + 40) / self.normal) if self.normal else math.inf
        t = self.start
        while self.beyond(t) < DEPTH + 40:
            t *= 1.1
            if t > FARTHEST:
                raise NotChecked("so few samples of normal noise")
        return t

    def beyond(self, t: float) -> float:
        """An E with |M| <= exp(-E) M(c) for all larger t."""
        return self.normal * t * t / 2 + sum(n * screen.beyond(t) for screen, n in self.screens)

    def sums(self, start: float, end: float, step: float) -> tuple[float, float]:
        """Bounds on the sums of h |M|/M(c) from start to end, weighed by 1/tau^2 and not."""
        weighed = plain = 0.0
        for low, high, exponent in self._windows(min(start, self.start), end):
            count = math.exp(-exponent) * ((high - low) + 2 * step)
            weighed += count / max(low - step, start / 2) ** 2
            plain += count
        deep = math.exp(-DEPTH)
        weighed += 2 * deep / start
        plain += deep * (end - start + 2 * step)
        if (self.normal or self.screens) and end >= self.end:
            last = math.exp(-self.beyond(end))
            weighed += 2 * last / end
            plain += 2 * last * (1 / (self.normal * end) + step) if self.normal else math.inf
        return 1.001 * weighed, 1.001 * plain

    def _windows(self, start: float, end: float) -> list[Window]:
        """Those from start to end, worked out once."""
        if (start, end) not in self.known:
            self.known[start, end] = list(self._found(start, end))
        return self.known[start, end]

    def _found(self, start: float, end: float) -> Iterator[Window]:
        """Stretches outside of which |M| is below exp(-DEPTH) M(c), each with its exponent."""
        windows = [(start, end)]
        for comb in self.combs:
            windows = _teeth(comb, windows)
        for low, high in windows:
            yield from self._divided(low, high)

    def _divided(self, low: float, high: float) -> Iterator[Window]:
        """A window, halved where its bound is largest, until that is small or nothing is gained."""
        waiting, taken = [(self._exponent(low, high), low, high)], 0
        while waiting:
            exponent, a, b = heappop(waiting)
            taken += 1
            if exponent >= ENOUGH or taken >= MOST_HALVED or not self._is_rough(exponent, a, b):
                yield a, b, exponent
                continue
            middle = (a + b) / 2
            heappush(waiting, (self._exponent(a, middle), a, middle))
            heappush(waiting, (self._exponent(middle, b), middle, b))

    def _is_rough(self, exponent: float, a: float, b: float) -> bool:
        """Whether somewhere in a window that is not short much more is true than all over it."""
        if b - a <= self._shortest(a):
            return False
        return any(self._exponent(t, t) > exponent + GAIN for t in (a, (a + b) / 2, b))

    def _shortest(self, t: float) -> float:
        widest = max((screen.spread for screen, _ in self.screens), default=0.0)
        if widest:
            return SHORTEST / widest
        return SHORTEST * (1 + t * SHORTEST)

    def _exponent(self, low: float, high: float) -> float:
        total = self.normal * low * low / 2
        for comb in self.combs:
            total += comb.exponent(low, high)
            if total > 2 * DEPTH:
                break
        for screen, count in self.screens:
            if total > 2 * DEPTH:
                break
            total += count * screen.exponent(low, high)
        return 0.999 * total


@lru_cache(maxsize=32)
def far_of(runs: Runs, c: Fraction) -> Far:
    """What is known far out of a composition, made once; only mixtures depend on c."""
    if c and not any(isinstance(law, Mixture) for law, _ in runs):
        return far_of(runs, Fraction(0))
    return Far.of(runs, c)


def _teeth(comb: Comb, windows: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The parts of windows next to the multiples of the period of a comb."""
    half, period = comb.half, comb.period
    if 2.2 * half >= period:
        return windows
    found: list[tuple[float, float]] = []
    for a, b in windows:
        first, last = math.floor((a - half) / period), math.ceil((b + half) / period)
        if last - first + len(found) > MOST_WINDOWS:
            raise NotChecked("losses on so few lattices that too many far windows remain")
        for k in range(first, last + 1):
            slack = 1e-12 * period * (abs(k) + 1)
            low, high = max(a, k * period - half - slack), min(b, k * period + half + slack)
            if low < high:
                found.append((low, high))
    return found
