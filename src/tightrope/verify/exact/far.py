"""How small M is far from the real axis: bounds on the nodes of a contour that are not summed.

Normal noise bounds |M(c + it)|/M(c) by exp(-mu^2 t^2/2). That of discrete Gaussian noise is a comb:
by Poisson summation it is at most 2.01 exp(-(D^2/v) t^2/2), t measured from the next multiple of
2 pi v/D. All other losses are bounded by 1. Only where all combs have a tooth is more to be said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tightrope.verify.exact.laws import DiscreteNormal, Normal, Runs
from tightrope.verify.outcome import NotChecked

DEPTH = 85.0
"""Outside of teeth |M| is below exp(-85) M(c)."""

LOSS = 0.8
"""Above log 2.01, what a ratio of theta functions adds to an exponent at most."""

MOST_WINDOWS = 400_000
ENOUGH = 60.0
SHORTEST = 1e-3


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
        near = abs(middle - round(middle / self.period) * self.period) - half - 1e-12 * high
        if near <= 0:
            return 0.0
        return self.count * max(0.0, self.square * near * near / 2 - LOSS)


@dataclass(frozen=True)
class Far:
    """What is known of |M| far out: the square of normal noise, and the combs."""

    normal: float
    combs: tuple[Comb, ...]

    @classmethod
    def of(cls, runs: Runs) -> Far:
        """That of a composition; the combs with the widest gaps first."""
        normal = sum(float(law.square) * n for law, n in runs if isinstance(law, Normal))
        combs = [
            Comb(2 * math.pi * float(law.variance) / law.shift, float(law.square), n)
            for law, n in runs
            if isinstance(law, DiscreteNormal)
        ]
        return cls(normal, tuple(sorted(combs, key=lambda comb: -comb.period)))

    @property
    def spread(self) -> float:
        """|M| falls like exp(-spread t^2/2) next to the real axis."""
        return self.normal + sum(comb.square * comb.count for comb in self.combs)

    @property
    def end(self) -> float:
        """Beyond this normal noise alone bounds all; infinite if there is none."""
        return math.sqrt(2 * (DEPTH + 40) / self.normal) if self.normal else math.inf

    def sums(self, start: float, end: float, step: float) -> tuple[float, float]:
        """Bounds on the sums of h |M|/M(c) from start to end, weighed by 1/tau^2 and not."""
        weighed = plain = 0.0
        for low, high, exponent in self._windows(start, end):
            count = math.exp(-exponent) * ((high - low) + 2 * step)
            weighed += count / max(low - step, start / 2) ** 2
            plain += count
        deep = math.exp(-DEPTH)
        weighed += 2 * deep / start
        plain += deep * (end - start + 2 * step)
        if self.normal and end >= self.end:
            last = math.exp(-self.normal * end**2 / 2)
            weighed += 2 * last / end
            plain += 2 * last * (1 / (self.normal * end) + step)
        return 1.001 * weighed, 1.001 * plain

    def _windows(self, start: float, end: float) -> Iterator[tuple[float, float, float]]:
        """Stretches outside of which |M| is below exp(-DEPTH) M(c), each with its exponent."""
        windows = [(start, end)]
        for comb in self.combs:
            windows = _teeth(comb, windows)
        for low, high in windows:
            yield from self._divided(low, high)

    def _divided(self, low: float, high: float) -> Iterator[tuple[float, float, float]]:
        """A window, halved until its bound is small or it is short."""
        waiting = [(low, high)]
        while waiting:
            a, b = waiting.pop()
            exponent = self._exponent(a, b)
            if exponent < ENOUGH and b - a > SHORTEST * (1 + a * SHORTEST):
                waiting += [(a, (a + b) / 2), ((a + b) / 2, b)]
            else:
                yield a, b, exponent

    def _exponent(self, low: float, high: float) -> float:
        total = self.normal * low * low / 2
        for comb in self.combs:
            total += comb.exponent(low, high)
            if total > 2 * DEPTH:
                break
        return 0.999 * total


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
