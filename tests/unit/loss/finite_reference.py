"""Finite pairs in fifty digits: atoms, transforms, and profiles of compositions term by term."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import mpmath as mp

Atoms = list[tuple[mp.mpf, mp.mpf]]


def response(epsilon: float, k: int = 2) -> Atoms:
    """Losses and probabilities of k-ary randomized response."""
    e = mp.mpf(epsilon)
    total = mp.exp(e) + k - 1
    rest = [(mp.mpf(0), (k - 2) / total)] if k > 2 else []
    return [(e, mp.exp(e) / total), (-e, 1 / total), *rest]


def discrete_laplace(epsilon: float, shift: int) -> Atoms:
    e = mp.mpf(epsilon)
    a = mp.exp(-e)
    inner = [(e * (shift - 2 * z), (1 - a) / (1 + a) * a**z) for z in range(1, shift)]
    return [(e * shift, 1 / (1 + a)), *inner, (-e * shift, a**shift / (1 + a))]


def pair(p: Sequence[float], q: Sequence[float]) -> Atoms:
    """The finite losses of two lists of probabilities."""
    both = [(mp.mpf(a), mp.mpf(b)) for a, b in zip(p, q, strict=True) if a and b]
    return [(mp.log(a / b), a) for a, b in both]


def mixed(atoms: Atoms, absent: float, rate: float) -> tuple[Atoms, Atoms]:
    """(Q against the mixture, the mixture against Q) for (1 - rate) Q + rate P."""
    r = mp.mpf(rate)
    weights = [(mp.exp(-loss) * p, 1 - r + r * mp.exp(loss)) for loss, p in atoms]
    if absent:
        weights.append((mp.mpf(absent), 1 - r))
    return [(-mp.log(m), q) for q, m in weights], [(mp.log(m), q * m) for q, m in weights]


def transform(atoms: Atoms, z: mp.mpc) -> mp.mpc:
    return mp.fsum(p * mp.exp(z * loss) for loss, p in atoms)


def profile(atoms: Atoms, count: int, epsilon: float) -> mp.mpf:
    """The sum over all multisets of atoms with a loss above epsilon."""
    total = mp.mpf(0)
    for chosen in itertools.combinations_with_replacement(range(len(atoms)), count):
        times = [chosen.count(i) for i in range(len(atoms))]
        loss = mp.fsum(n * atom[0] for n, atom in zip(times, atoms, strict=True))
        if loss > epsilon:
            mass = mp.factorial(count) * mp.fprod(
                atom[1] ** n / mp.factorial(n) for n, atom in zip(times, atoms, strict=True)
            )
            total += mass * (1 - mp.exp(epsilon - loss))
    return total


def binary_profile(epsilon: float, count: int, at: float) -> mp.mpf:
    """The same of binary responses, from the first success that matters on."""
    e, p = mp.mpf(epsilon), 1 / (1 + mp.exp(-mp.mpf(epsilon)))
    k = max(int((mp.mpf(at) / e + count) / 2) - 1, 0)
    while (2 * k - count) * e <= at:
        k += 1
    mass, total = mp.binomial(count, k) * p**k * (1 - p) ** (count - k), mp.mpf(0)
    for heads in range(k, count + 1):
        term = mass * (1 - mp.exp(at - (2 * heads - count) * e))
        total += term
        if heads > count * p and term < total * mp.mpf(10) ** -30:
            break
        mass *= (count - heads) * p / (1 - p) / (heads + 1)
    return total
