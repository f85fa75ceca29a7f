"""Profiles of few different releases by brute force: integrals, and all ways to draw, in mpmath."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import mpmath as mp

Atoms = Sequence[tuple[float, float]]
"""Finite losses with their probabilities under P."""


def log_profile(
    laplace: Sequence[float], logistic: Sequence[float], at: float, atoms: Atoms = ((0.0, 1.0),)
) -> mp.mpf:
    """log delta, every Laplace loss being one of two atoms or uniform once it is tilted."""
    e = mp.mpf(at)
    total = mp.mpf(0)
    for loss, mass in atoms:
        total += mp.mpf(mass) * _profile(laplace, logistic, e - mp.mpf(loss))
    return mp.log(total)


def _profile(laplace: Sequence[float], logistic: Sequence[float], e: mp.mpf) -> mp.mpf:
    total = mp.mpf(0)
    each = [mp.mpf(x) for x in laplace]
    whole = [mp.mpf(x) for x in logistic]
    front = mp.exp(e / 2)
    for x in each:
        front *= mp.exp(-x / 2)
    for x in whole:
        front *= 2 * x / (4 * mp.sinh(x / 2))
    for drawn in itertools.product((-1, 0, 1), repeat=len(each)):
        mass = mp.mpf(1)
        for way, x in zip(drawn, each, strict=True):
            mass *= mp.mpf(1) / 2 if way else x / 2
        place = mp.fsum(way * x for way, x in zip(drawn, each, strict=True))
        boxes = [x for way, x in zip(drawn, each, strict=True) if not way] + whole
        total += mass * _hockey(boxes, place - e)
    return front * total


def _hockey(boxes: Sequence[mp.mpf], y: mp.mpf) -> mp.mpf:
    """E of 2 sinh((y + U)/2)_+, U a sum of variables that are uniform on (-x, x)."""
    total, width = mp.mpf(0), mp.mpf(1)
    for x in boxes:
        width *= 2 * x
    for signs in itertools.product((-1, 1), repeat=len(boxes)):
        t = y + mp.fsum(s * x for s, x in zip(signs, boxes, strict=True))
        if t > 0:
            total += mp.fprod(signs) * _integrated(len(boxes), t)
    return total / width


def _integrated(j: int, t: mp.mpf) -> mp.mpf:
    """2 sinh(t/2) integrated j times from 0."""
    term = t ** (1 + j) / mp.factorial(1 + j)
    total, k = mp.mpf(0), 1
    while term > total * mp.mpf(10) ** (-mp.mp.dps):
        total += term
        term *= (t / 2) ** 2 / ((k + j + 1) * (k + j + 2))
        k += 2
    return total


def integrated(epsilon: float, other: float, at: float) -> mp.mpf:
    """log delta of two Laplace releases, by a quadrature over the first loss."""
    first, second, e = mp.mpf(epsilon), mp.mpf(other), mp.mpf(at)
    total = (one(second, e - first) + mp.exp(-first) * one(second, e + first)) / 2
    edges = sorted({-first, first, *(x for x in (e - second, e + second) if -first < x < first)})
    total += mp.quad(lambda x: mp.exp((x - first) / 2) / 4 * one(second, e - x), edges)
    return mp.log(total)


def one(epsilon: mp.mpf, e: mp.mpf) -> mp.mpf:
    """delta of one Laplace release at any real e (Dong, Roth and Su, 2022, Proposition A.6)."""
    if e >= epsilon:
        return mp.mpf(0)
    if e <= -epsilon:
        return 1 - mp.exp(e)
    return 1 - mp.exp((e - epsilon) / 2)


def sampled(epsilon: float, rate: float, with_unit: bool, at: float) -> mp.mpf:
    """delta of one sampled Laplace release, by a quadrature over the inner loss under Q."""
    x, g, e = mp.mpf(epsilon), mp.mpf(rate), mp.mpf(at)

    def excess(loss: mp.mpf) -> mp.mpf:
        r = 1 - g + g * mp.exp(loss)
        return max(r - mp.exp(e) if with_unit else 1 - mp.exp(e) * r, mp.mpf(0))

    ratio = ((mp.exp(e) if with_unit else mp.exp(-e)) - 1 + g) / g
    edges = sorted({-x, x, *([mp.log(ratio)] if mp.exp(-x) < ratio < mp.exp(x) else [])})
    dense = mp.quad(lambda y: mp.exp(-(y + x) / 2) / 4 * excess(y), edges)
    return excess(-x) / 2 + mp.exp(-x) * excess(x) / 2 + dense
