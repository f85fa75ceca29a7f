"""Discrete and continuous laws in any precision, and their divergences from the definitions.

Discrete pairs are two lists of masses of the same outcomes, cut where less than 1e-80 is left.
Continuous laws are log-densities, with the points at which these have kinks; a divergence between
two of them is one integral.  The precision is that of the mpmath context at the time of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from mpmath import mp, mpf

from .finite_pairs import FinitePairs

Masses = list[mpf]
Number = float | mpf

_CUT = mpf("1e-80")


def discrete_gaussian(sigma: Number, shift: int) -> tuple[Masses, Masses]:
    """Z and Z + shift, with P(Z = z) proportional to exp(-z^2 / (2 sigma^2)) on the integers."""
    return _shifted(lambda z: mp.exp(-(mpf(z) ** 2) / (2 * mpf(sigma) ** 2)), shift)


def discrete_laplace(scale: Number, shift: int) -> tuple[Masses, Masses]:
    """Z and Z + shift, with P(Z = z) proportional to exp(-|z| / scale) on the integers."""
    return _shifted(lambda z: mp.exp(-abs(mpf(z)) / mpf(scale)), shift)


def _shifted(weight: Callable[[int], mpf], shift: int) -> tuple[Masses, Masses]:
    reach = 1
    while weight(reach) > _CUT:
        reach *= 2
    half = [weight(z) for z in range(2 * reach + abs(shift) + 1)]
    total = half[0] + 2 * mp.fsum(half[1:])
    window = range(-reach - abs(shift), reach + abs(shift) + 1)
    return [half[abs(z)] / total for z in window], [half[abs(z - shift)] / total for z in window]


def k_randomized_response(epsilon: Number, categories: int) -> tuple[Masses, Masses]:
    """The answers for the first and for the second category as the truth."""
    truth = mp.exp(mpf(epsilon))
    total = truth + categories - 1
    rest = [1 / total] * (categories - 2)
    return [truth / total, 1 / total, *rest], [1 / total, truth / total, *rest]


def delta(p: Masses, q: Masses, epsilon: Number) -> mpf:
    """sup over events of Q(S) - e^epsilon P(S)."""
    grow = mp.exp(mpf(epsilon))
    return mp.fsum(max(b - grow * a, mpf(0)) for a, b in zip(p, q, strict=True))


def renyi(p: Masses, q: Masses, order: Number) -> mpf:
    """D_order(Q||P); order 1 is the Kullback-Leibler divergence."""
    shared = [(a, b) for a, b in zip(p, q, strict=True) if b > 0]
    if order == 1:
        return mp.fsum(b * mp.log(b / a) for a, b in shared)
    x = mpf(order)
    return mp.log(mp.fsum(b * (b / a) ** (x - 1) for a, b in shared)) / (x - 1)


def corners(p: Masses, q: Masses) -> list[tuple[mpf, mpf]]:
    """(type I error under P, type II error) of likelihood-ratio tests, from (0, 1) to (1, 0)."""
    atoms = sorted(zip(p, q, strict=True), key=lambda atom: -atom[1] / atom[0])
    path = [(mpf(0), mpf(1))]
    for a, b in atoms:
        path.append((path[-1][0] + a, path[-1][1] - b))
    return path


def as_pairs(p: Masses, q: Masses) -> FinitePairs:
    """The pair in doubles, as one row."""
    logs = [np.array([float(mp.log(m)) if m > 0 else -np.inf for m in law]) for law in (p, q)]
    return FinitePairs(logs[0][None, :], logs[1][None, :])


@dataclass(frozen=True)
class Density:
    """A law on the line.

    Attributes:
        log: the logarithm of its density.
        kinks: points that an interval of integration should not contain.
        span: an interval outside of which everything is negligible.
    """

    log: Callable[[mpf], mpf]
    kinks: tuple[Number, ...]
    span: tuple[Number, Number]


def gaussian(mean: Number, sigma: Number = 1) -> Density:
    m, s = mpf(mean), mpf(sigma)
    norm = mp.log(s * mp.sqrt(2 * mp.pi))
    return Density(lambda x: -((x - m) ** 2) / (2 * s * s) - norm, (m,), (m - 40 * s, m + 40 * s))


def laplace(mean: Number, scale: Number = 1) -> Density:
    m, s = mpf(mean), mpf(scale)
    norm = mp.log(2 * s)
    return Density(lambda x: -abs(x - m) / s - norm, (m,), (m - 200 * s, m + 200 * s))


def logistic(mean: Number, scale: Number = 1) -> Density:
    m, s = mpf(mean), mpf(scale)

    def log(x: mpf) -> mpf:
        z = abs(x - m) / s
        return -z - 2 * mp.log1p(mp.exp(-z)) - mp.log(s)

    return Density(log, (m,), (m - 200 * s, m + 200 * s))


def mixture(rate: Number, first: Density, second: Density) -> Density:
    """The second law with probability `rate`, else the first: Poisson subsampling."""
    r = mpf(rate)

    def log(x: mpf) -> mpf:
        return mp.log((1 - r) * mp.exp(first.log(x)) + r * mp.exp(second.log(x)))

    ends = [end for law in (first, second) for end in law.span]
    return Density(log, (*first.kinks, *second.kinks), (min(ends), max(ends)))


def density_delta(p: Density, q: Density, epsilon: Number, crossings: Sequence[Number] = ()) -> mpf:
    """sup over events of Q(S) - e^epsilon P(S); `crossings` are where the integrand reaches 0."""
    e = mpf(epsilon)

    def excess(x: mpf) -> mpf:
        b = q.log(x)
        return mp.exp(b) * max(-mp.expm1(e + p.log(x) - b), mpf(0))

    return _integral(excess, p, q, crossings)


def density_renyi(p: Density, q: Density, order: Number) -> mpf:
    """D_order(Q||P); order 1 is the Kullback-Leibler divergence."""
    x = mpf(order)
    if x == 1:
        return _integral(lambda t: mp.exp(q.log(t)) * (q.log(t) - p.log(t)), p, q)
    moment = _integral(lambda t: mp.exp(x * q.log(t) + (1 - x) * p.log(t)), p, q)
    return mp.log(moment) / (x - 1)


def _integral(f: Callable[[mpf], mpf], p: Density, q: Density, more: Sequence[Number] = ()) -> mpf:
    low, high = min(p.span[0], q.span[0]), max(p.span[1], q.span[1])
    inner = {mpf(x) for x in (*p.kinks, *q.kinks, *more)}
    spread = {x + s * 2**k for x in inner for s in (-1, 1) for k in range(-1, 7)}
    points = sorted(x for x in inner | spread | {low, high} if low <= x <= high)
    return mp.quad(f, points)


def tradeoff_of_profile(profile: Callable[[mpf], mpf], alpha: Number, reach: Number = 60) -> mpf:
    """sup over e in [-reach, reach] of 1 - delta(e) - e^e alpha, concave in e^e."""
    low, high = -mpf(reach), mpf(reach)
    value = lambda e: 1 - profile(e) - mp.exp(e) * mpf(alpha)  # noqa: E731
    for _ in range(int(2 * mp.prec)):
        left, right = low + (high - low) * mpf("0.382"), low + (high - low) * mpf("0.618")
        if value(left) < value(right):
            low = left
        else:
            high = right
    return max(value((low + high) / 2), mpf(0))
