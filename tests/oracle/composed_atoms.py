"""Compositions of losses that take finitely many values, or values on a lattice.

A lattice law is a start a, a step h and the masses of a, a + h, a + 2h, ... under P.  Numbers are
Arb balls at the precision of the context, so a rounding error is never hidden.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from flint import acb, arb, ctx

from .composed_sketch import Sketch


@dataclass(frozen=True)
class Lattice:
    """A loss start + step k with the masses P(k), k = 0, 1, ..., len(masses) - 1."""

    start: arb
    step: arb
    masses: tuple[arb, ...]

    def transform(self, z: acb) -> acb:
        """E_P exp(z L), term by term."""
        base, total = (z * self.step).exp(), acb(0)
        for mass in reversed(self.masses):
            total = total * base + mass
        return total * (z * self.start).exp()

    def sketch(self) -> Sketch:
        kept = [(k, float(m.log())) for k, m in enumerate(self.masses) if m > 0]
        losses = [float(self.start) + k * float(self.step) for k, _ in kept]
        return Sketch(losses, [w for _, w in kept])


def binary_response(epsilon: arb) -> Lattice:
    odds = epsilon.exp()
    return Lattice(-epsilon, 2 * epsilon, (1 / (1 + odds), odds / (1 + odds)))


def k_response(epsilon: arb, k: int) -> Lattice:
    """The losses of two truths among k answers: each other answer has loss 0."""
    total = epsilon.exp() + k - 1
    return Lattice(-epsilon, epsilon, (1 / total, (k - 2) / total, epsilon.exp() / total))


def discrete_laplace(scale: arb, shift: int) -> Lattice:
    """P ~ exp(-|z| / scale), Q = P + shift; L = (|z - shift| - |z|) / scale is constant outside."""
    ratio = (-1 / scale).exp()
    inner = [(1 - ratio) / (1 + ratio) * ratio**z for z in range(1, shift)]
    masses = [ratio**shift / (1 + ratio), *reversed(inner), 1 / (1 + ratio)]
    return Lattice(-shift / scale, 2 / scale, tuple(masses))


def first_above(start: arb, step: arb, epsilon: float) -> int:
    """The least k with start + step k > epsilon; a tie contributes nothing on either side."""
    return floor_of((epsilon - start) / step) + 1


def floor_of(x: arb) -> int:
    """The integer part of the centre of a ball."""
    whole = x.mid().floor().unique_fmpz()
    assert whole is not None
    return int(whole)


def lattice_by_recurrence(law: Lattice, n: int, epsilon: float) -> arb:
    """Sum over the values above epsilon, from the largest down.

    The coefficients c_k of f^n obey k f_0 c_k = sum_i (n i - k + i) f_i c_{k-i}, which is
    f (f^n)' = n f' f^n; f is the generating function read from the largest loss.
    """
    f = law.masses[::-1]
    top = n * (law.start + (len(f) - 1) * law.step)
    floor = first_above(n * law.start, law.step, epsilon)
    kept = n * (len(f) - 1) - floor + 1
    ratio, odds = law.step.exp(), (epsilon - top).exp()
    recent, delta = [f[0] ** n], arb(0)
    for k in range(kept):
        if k > 0:
            reach = range(1, min(len(f) - 1, k) + 1)
            total = sum(((n * i - k + i) * f[i] * recent[-i] for i in reach), arb(0))
            recent = [*recent[-len(f) :], total / (k * f[0])]
        delta += recent[-1] * (1 - odds)
        odds *= ratio
    return delta


def lattice_by_contour(
    transform: Callable[[acb], acb],
    start: arb,
    step: arb,
    n: int,
    epsilon: float,
    c: float,
    nodes: int,
) -> arb:
    """The trapezoid sum over one period of the imaginary axis through c.

    It equals sum_m exp(-c h m N) S(k0 + m N) with N nodes and S(k0) = delta: exact for more nodes
    than atoms (m > 0) once exp(-c h N) is nothing beside delta (m < 0).
    """
    floor = first_above(n * start, step, epsilon)
    lowest = n * start + floor * step
    gap = (epsilon - lowest).exp()
    total, quiet = arb(0), 0
    for j in range(nodes // 2 + 1):
        z = acb(c, 2 * arb.pi() * j / nodes / step)
        kernel = 1 / (1 - (-z * step).exp()) - gap / (1 - (-(z + 1) * step).exp())
        term = (transform(z) ** n * (-z * lowest).exp() * kernel).real
        total += term if j in (0, nodes / 2) else 2 * term
        quiet = quiet + 1 if abs(term) < abs(total) * arb(2) ** -130 else 0
        if quiet > 50 and nodes > 20_000:
            break
    return total / nodes


def nodes_for(atoms: int, step: float, c: float, log_delta: float) -> int:
    """Nodes that leave less than exp(-75) of delta in either alias."""
    return max(atoms + 1, int((75 - min(log_delta, 0)) / (c * step)) + 2)


def discrete_gaussian_transform(sigma: arb, shift: int, *, dual: bool) -> Callable[[acb], acb]:
    """E_P exp(z L) for L = (shift^2 + 2 shift k) / (2 sigma^2) and k a discrete Gaussian.

    It is S(z shift / sigma^2) / S(0) with S(w) = sum_k exp(-k^2 / (2 sigma^2) + w k); the dual sum
    is Poisson's: sqrt(2 pi) sigma sum_m exp(sigma^2 (w + 2 pi i m)^2 / 2).
    """
    start, step = arb(shift**2) / (2 * sigma**2), arb(shift) / sigma**2
    series = _dual_theta if dual else _direct_theta
    origin = series(acb(0), sigma)
    return lambda z: (z * start).exp() * series(z * step, sigma) / origin


def _direct_theta(w: acb, sigma: arb) -> acb:
    reach = math.ceil(float(sigma) * math.sqrt(1.4 * ctx.prec)) + 1
    middle = round(float(w.real) * float(sigma) ** 2)
    window = range(middle - reach, middle + reach + 1)
    return sum(((w * k - arb(k * k) / (2 * sigma**2)).exp() for k in window), acb(0))


def _dual_theta(w: acb, sigma: arb) -> acb:
    reach = math.ceil(math.sqrt(1.4 * ctx.prec) / (2 * math.pi * float(sigma))) + 1
    turns = (w + acb(0, 2 * m) * arb.pi() for m in range(-reach, reach + 1))
    total = sum((((sigma * turn) ** 2 / 2).exp() for turn in turns), acb(0))
    return (2 * arb.pi()).sqrt() * sigma * total


def discrete_gaussian_sketch(sigma: float, shift: int) -> Sketch:
    reach = math.ceil(80 * sigma) + 80 * shift
    k = np.arange(-reach, reach + 1, dtype=float)
    return Sketch((shift**2 + 2 * shift * k) / (2 * sigma**2), -(k**2) / (2 * sigma**2))
