"""The laws as mpmath sees them, written from their definitions, and a chi-square test."""

import mpmath as mp
import numpy as np
from oracle.pearson import chi_square

mp.mp.dps = 120


def number(x):
    """An int, a Fraction or a float as precisely the number that it is."""
    top, bottom = x.as_integer_ratio()
    return mp.mpf(top) / bottom


def laplace(y, scale):
    a = mp.exp(-1 / number(scale))
    return (1 - a) / (1 + a) * a ** abs(int(y))


def gaussian_total(variance):
    reach = int(mp.ceil(mp.sqrt(2 * number(variance) * 120))) * 2 + 10
    return mp.fsum(gaussian_weight(y, variance) for y in range(-reach, reach + 1))


def gaussian_weight(y, variance):
    return mp.exp(-mp.mpf(int(y) ** 2) / (2 * number(variance)))


def logistic(y, scale):
    """The mass of a centred logistic between |y| - 1/2 and |y| + 1/2."""
    near, far = ((abs(int(y)) + mp.mpf(end) / 2) / number(scale) for end in (-1, 1))
    return 1 / (1 + mp.exp(near)) - 1 / (1 + mp.exp(far))


def zigzag(count):
    """0, -1, 1, -2, 2, ...: the order in which tables list the integers."""
    return [(j >> 1) ^ -(j & 1) for j in range(count)]


def dyadic_counts(masses, bits):
    """How many multiples u/2**bits of [0, 1) each stretch holds, the stretches in this order."""
    edges, total = [0], mp.mpf(0)
    for mass in masses:
        total += mass
        edges.append(int(mp.ceil(total * 2**bits)))
    return np.diff(edges)


def equal_classes(draw, class_of, draws):
    """The p-value of so many draws in 128 classes of equal mass."""
    counts = np.zeros(128, dtype=np.int64)
    for _ in range(-(-draws // 10**6)):
        counts += np.bincount(class_of(draw(min(draws, 10**6))).astype(int), minlength=128)
    return chi_square(counts, np.full(128, counts.sum() / 128))


def histogram(draw, draws, reach):
    """How often -reach, ..., reach occur in so many draws; a last class for all other values."""
    most = 10**6
    parts = [most] * (draws // most) + [draws % most]
    return sum(_histogram(draw(part), reach) for part in parts if part)


def _histogram(values, reach):
    inside = np.abs(values) <= reach
    counts = np.bincount(values[inside] + reach, minlength=2 * reach + 1)
    return np.append(counts, (~inside).sum())
