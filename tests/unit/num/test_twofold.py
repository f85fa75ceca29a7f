"""Twice the precision against rational numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.num.twofold import UNIT, Twofold


def exact(value: Twofold) -> list[Fraction]:
    return [Fraction(h) + Fraction(x) for h, x in zip(value.high, value.low, strict=True)]


def draw(seed: int) -> Twofold:
    rng = np.random.default_rng(seed)
    high = rng.normal(size=500) * 2.0 ** rng.integers(-40, 40, size=500)
    return Twofold.of([Fraction(x) + Fraction(x * 2.0**-55) / 3 for x in high.tolist()])


def test_products_and_sums_err_as_stated() -> None:
    a, b = draw(1), draw(2)
    pairs = list(zip(exact(a), exact(b), strict=True))
    for (x, y), product, total in zip(pairs, exact(a * b), exact(a + b), strict=True):
        assert abs(product - x * y) <= 8 * Fraction(UNIT) * abs(x * y)
        assert abs(total - x - y) <= 4 * Fraction(UNIT) * (abs(x) + abs(y))


def test_a_sum_that_cancels() -> None:
    a = draw(3)
    turned = Twofold(np.append(a.high, -a.high[::-1]), np.append(a.low, -a.low[::-1]))
    with_one = Twofold(np.append(turned.high, 1.0), np.append(turned.low, 0.0))
    size = float(np.abs(with_one.high).sum())
    total = with_one.total()
    assert abs(Fraction(float(total.high)) + Fraction(float(total.low)) - 1) <= 40 * UNIT * size
