"""Mechanisms on tiny data: every data set, every sample and every exact law of the output."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, combinations_with_replacement, product
from math import comb

import numpy as np

VALUES = (0, 1, 2)

Law = np.ndarray
Batch = tuple[int, ...]
Mechanism = Callable[[Batch], Law]
Pair = tuple[Law, Law]
Samples = Callable[[Batch], Iterable[tuple[float, Batch]]]


def mechanism(seed: int, outputs: int = 4, spread: float = 0.7) -> Mechanism:
    """A law of the output for every multiset of values."""
    rng = np.random.default_rng(seed)
    laws: dict[Batch, Law] = {}
    for size in range(6):
        for batch in combinations_with_replacement(VALUES, size):
            odds = np.exp(spread * rng.standard_normal(outputs))
            laws[batch] = odds / odds.sum()
    return lambda batch: laws[tuple(sorted(batch))]


def output(mech: Mechanism, samples: Samples, data: Batch) -> Law:
    """The law of the output on a random sample of the data."""
    return np.sum([p * mech(batch) for p, batch in samples(data)], axis=0)


# --- sampling --------------------------------------------------------------------------------


def without_replacement(size: int) -> Samples:
    def draw(data: Batch) -> Iterator[tuple[float, Batch]]:
        for chosen in combinations(data, size):
            yield 1 / comb(len(data), size), chosen

    return draw


def with_replacement(size: int) -> Samples:
    def draw(data: Batch) -> Iterator[tuple[float, Batch]]:
        for chosen in product(data, repeat=size):
            yield len(data) ** -float(size), chosen

    return draw


def poisson(rate: float, most: int | None = None) -> Samples:
    """Every row with the rate; of more than ``most`` rows that many are kept, uniformly."""

    def draw(data: Batch) -> Iterator[tuple[float, Batch]]:
        for size in range(len(data) + 1):
            p = rate**size * (1 - rate) ** (len(data) - size)
            for chosen in combinations(data, size):
                if most is None or size <= most:
                    yield p, chosen
                else:
                    for kept in combinations(chosen, most):
                        yield p / comb(size, most), kept

    return draw


# --- neighbours ------------------------------------------------------------------------------


def replaced(size: int, units: int = 1) -> Iterator[tuple[Batch, Batch]]:
    """Data sets of one size that differ in at most so many rows."""
    for kept in combinations_with_replacement(VALUES, size - units):
        for one in combinations_with_replacement(VALUES, units):
            for other in combinations_with_replacement(VALUES, units):
                yield (*kept, *one), (*kept, *other)


def added(size: int) -> Iterator[tuple[Batch, Batch]]:
    """Data sets of so many rows with one more row, and without it."""
    for data in combinations_with_replacement(VALUES, size):
        for value in VALUES:
            yield (*data, value), data


# --- profiles --------------------------------------------------------------------------------


def delta(pair: Pair, epsilon: np.ndarray) -> np.ndarray:
    """The hockey-stick divergence of two laws."""
    p, q = pair
    return np.maximum(p - np.exp(np.asarray(epsilon))[..., None] * q, 0).sum(axis=-1)


def tensor(one: Pair, other: Pair) -> Pair:
    return tuple(np.multiply.outer(a, b).ravel() for a, b in zip(one, other, strict=True))


def both_orders(pairs: Iterable[Pair]) -> list[Pair]:
    return [order for p, q in pairs for order in ((p, q), (q, p))]


def worst(pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """Losses and P-masses of the pair whose profile is the largest of all, at every epsilon.

    The largest of convex polygons in exp(epsilon) bends where one of them bends or where two of
    them cross; points between any two crossings would be cut off by chords, which only overstates.
    """
    bends = np.unique(np.round(np.concatenate([np.log(p / q) for p, q in pairs]), 12))
    x = np.concatenate([[0.0], np.exp(bends)])
    y = np.concatenate([[1.0], np.max([delta(pair, bends) for pair in pairs], axis=0)])
    y[-1] = 0.0
    slopes = np.append(np.diff(y) / np.diff(x), 0.0)
    hull: dict[float, float] = defaultdict(float)
    for at, change in zip(x[1:], np.diff(slopes), strict=True):
        hull[float(np.log(at))] += max(change, 0.0) * at
    losses = np.array(list(hull))
    return losses, np.array(list(hull.values()))
