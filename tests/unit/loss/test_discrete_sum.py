"""Few discrete Gaussians: their sum's law against sums in 60 digits."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from engine import log_delta

from tightrope.loss.contour import laying, saddle
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.exact.discrete_sum import DiscreteSum
from tightrope.loss.total import Total


def runs(variance, shift, count):
    return Total.of([(DiscreteGaussianLoss.one(variance, shift), count)])


def reference(variance, shift, count, epsilon):
    """log delta by convolution of every probability that matters."""
    with mp.workdps(60):
        v = mp.mpf(variance.numerator) / variance.denominator
        slope, middle = shift / v, mp.mpf(count * shift) / 2
        spread = int(mp.sqrt(2 * v * 200 + count)) + 3
        top = max(int(mp.floor((epsilon / slope - middle) / count)), 0) + spread
        weight = {x: mp.exp(-mp.mpf(x * x) / (2 * v)) for x in range(-spread - shift, top + 1)}
        theta = sum(mp.exp(-mp.mpf(x * x) / (2 * v)) for x in range(-spread - 20, spread + 21))
        law = {0: mp.mpf(1)}
        for _ in range(count):
            fresh: dict[int, mp.mpf] = {}
            for s, p in law.items():
                for x, q in weight.items():
                    fresh[s + x] = fresh.get(s + x, 0) + p * q / theta
            law = fresh
        losses = ((slope * (s + middle), p) for s, p in law.items())
        return mp.log(sum(p * (1 - mp.exp(epsilon - loss)) for loss, p in losses if loss > epsilon))


@pytest.mark.parametrize(
    ("variance", "shift", "count", "epsilon"),
    [
        (Fraction(1, 4), 1, 1, 75.9),
        (Fraction(1, 4), 1, 3, 134.1),
        (Fraction(1, 4), 1, 3, 134.0 * (1 - 2.0**-52)),
        (Fraction(1, 4), 3, 2, 0.0),
        (Fraction(9, 10_000), 3, 3, 15_000.5),
        (Fraction(9, 10_000), 1, 2, 1700.0),
        (Fraction(3), 2, 2, 9.75),
        (Fraction(1, 3), 1, 5, 3.0),
    ],
)
def test_intervals_are_narrow_and_hold(variance, shift, count, epsilon):
    law = DiscreteSum.of(runs(variance, shift, count))
    found = law.log_delta(np.array([epsilon]))
    truth = reference(variance, shift, count, mp.mpf(epsilon))
    assert mp.mpf(float(found.lower[0])) <= truth <= mp.mpf(float(found.upper[0]))
    assert found.upper[0] - found.lower[0] < 1e-11 * (1 + abs(float(truth)))


@pytest.mark.parametrize(("variance", "count"), [(1, 10), (25, 3), (100, 1)])
def test_it_agrees_with_a_contour(variance, count):
    total = runs(variance, 1, count)
    c, at = saddle.for_delta(total, -9.0)
    line = laying.through(total, c, at).sums(np.array([at]))
    law = DiscreteSum.of(total).log_delta(np.array([at]))
    assert max(line.log_lower[0], law.lower[0]) <= min(line.log_upper[0], law.upper[0])


def test_all_epsilons_at_once_and_one_by_one_are_alike():
    total, epsilon = runs(Fraction(1, 2), 2, 4), np.linspace(0, 300, 1001)
    law = DiscreteSum.of(total)
    together, few = law.log_delta(epsilon), law.log_delta(epsilon[::100])
    assert np.array_equal(together.upper[::100], few.upper)
    assert np.all(np.diff(together.upper) <= 0)


def test_no_warning_and_a_safe_end_at_extreme_parameters():
    for variance in (Fraction(0.03) ** 2, Fraction(1, 10**12)):
        epsilon = np.array([0.0, 1.0, 1e5, 1e30, 1e300, np.inf])
        found = log_delta(runs(variance, 3, 5), epsilon)
        assert np.all(found.lower <= found.upper)
        assert not np.isnan(found.upper).any()


def test_many_runs_and_wide_noise_are_left_to_a_contour():
    assert DiscreteSum.of(runs(Fraction(1, 4), 1, 1000)) is None
    assert DiscreteSum.of(runs(10**4, 1, 3)) is None
