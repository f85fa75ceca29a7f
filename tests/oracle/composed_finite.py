"""Compositions of a loss of three values on no lattice: the multinomial sum itself.

A row fixes the count of the first outcome; within a row the masses run outward from the largest
that counts, in fixed point, until they vanish.  Rows below exp(-90) of the largest are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb

from .composed_atoms import floor_of
from .composed_sketch import Sketch

_BITS = 192


@dataclass(frozen=True)
class ThreeOutcomes:
    """The masses of three outcomes under P and Q; each law adds up to 1 exactly."""

    p: tuple[arb, ...]
    q: tuple[arb, ...]

    @classmethod
    def of(cls, p: Sequence[float], q: Sequence[float]) -> ThreeOutcomes:
        assert math.fsum(p) == math.fsum(q) == 1
        return cls(tuple(map(arb, p)), tuple(map(arb, q)))

    def reordered(self, order: Sequence[int]) -> ThreeOutcomes:
        return ThreeOutcomes(tuple(self.p[i] for i in order), tuple(self.q[i] for i in order))

    @property
    def losses(self) -> list[arb]:
        return [(a / b).log() for a, b in zip(self.p, self.q, strict=True)]

    def sketch(self) -> Sketch:
        return Sketch([float(x) for x in self.losses], [float(a.log()) for a in self.p])


def multinomial_sum(law: ThreeOutcomes, n: int, epsilon: float) -> arb:
    """sum over counts (i, j, n - i - j) of P(counts) (1 - exp(epsilon - loss))_+."""
    allowed, start, height = _rows(law, n, epsilon)
    live = np.flatnonzero(height > height.max() - 90)
    rows = (_row(law, n, epsilon, int(i), allowed[:, i], int(start[i])) for i in live)
    return sum(rows, arb(0))


def _rows(law: ThreeOutcomes, n: int, epsilon: float) -> tuple[np.ndarray, ...]:
    """For each i: the range of j with loss above epsilon, its likeliest j, and that log mass."""
    first, second, third = (float(x) for x in law.losses)
    i = np.arange(n + 1)
    edge = (epsilon - i * first - (n - i) * third) / (second - third)
    rising = second > third
    low = np.maximum(np.floor(edge) + 1, 0) if rising else np.zeros(n + 1)
    high = n - i if rising else np.minimum(np.ceil(edge) - 1, n - i)
    share = float(law.p[1] / (law.p[1] + law.p[2]))
    start = np.clip(np.floor((n - i + 1) * share), low, np.maximum(high, low))
    logs = [float(a.log()) for a in law.p]
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    height = np.full(n + 1, -np.inf)
    possible = low <= high
    counts = [x[possible].astype(int) for x in (i, start, n - i - start)]
    height[possible] = log_factorial[n] + sum(
        x * log - log_factorial[x] for x, log in zip(counts, logs, strict=True)
    )
    return np.array([low, high]).astype(int), start, height


def _row(law: ThreeOutcomes, n: int, epsilon: float, i: int, allowed: np.ndarray, j: int) -> arb:
    counts = (i, j, n - i - j)
    mass, loss = arb(n + 1).lgamma(), arb(0)
    for count, a, one_loss in zip(counts, law.p, law.losses, strict=True):
        mass += count * a.log() - arb(count + 1).lgamma()
        loss += count * one_loss
    under_p = _outward(law.p[1] / law.p[2], n - i, j, allowed)
    under_q = _outward(law.q[1] / law.q[2], n - i, j, allowed)
    return mass.exp() * (under_p - (epsilon - loss).exp() * under_q)


def _outward(odds: arb, trials: int, j: int, allowed: np.ndarray) -> arb:
    """sum over allowed k of b(k) / b(j) for binomial masses b of these odds."""
    low, high = int(allowed[0]), int(allowed[1])
    up, down = _fixed(odds), _fixed(1 / odds)
    total = term = 1 << _BITS
    for k in range(j, high):
        term = (term * (trials - k) // (k + 1)) * up >> _BITS
        total += term
        if term == 0:
            break
    term = 1 << _BITS
    for k in range(j, low, -1):
        term = (term * k // (trials - k + 1)) * down >> _BITS
        total += term
        if term == 0:
            break
    return arb(total) / arb(1 << _BITS)


def _fixed(x: arb) -> int:
    return floor_of(x * (1 << _BITS))
