"""Few Laplace and logistic releases against truncated powers in 120 digits."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest

from tightrope.loss.contour import laying, saddle
from tightrope.loss.exact.splines import Splines
from tightrope.loss.exact.uniform_sums import FewUniform
from tightrope.loss.inverse import Inverse
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total


def hockey_stick(j: int, v: mp.mpf, rate: mp.mpf) -> mp.mpf:
    """The integral of 2 sinh(rate (v - y)) over the density of j uniform variables, below v.

    The density is an alternating sum of truncated powers; sinh against a power is a series.
    """
    total = mp.mpf(0)
    for i in range(j + 1):
        if v > i:
            total += (-1) ** i * mp.binomial(j, i) * _against_power(j, v - i, rate)
    return total


def _against_power(j: int, v: mp.mpf, rate: mp.mpf) -> mp.mpf:
    total, m = mp.mpf(0), 0
    term = 2 * rate * v ** (1 + j) / mp.factorial(1 + j)
    while term > total * mp.mpf(10) ** -110:
        total += term
        m += 2
        term *= (rate * v) ** 2 / ((m + j) * (m + 1 + j))
    return total


def log_truth(kind: type, epsilon: float, count: int, at: float) -> mp.mpf:
    e, n = mp.mpf(epsilon), count
    top = (n - mp.mpf(at) / e) / 2
    if kind is LogisticLoss:
        weight = (e / (2 * mp.sinh(e / 2))) ** n
        return mp.log(weight * mp.exp(mp.mpf(at) / 2) * hockey_stick(n, top, e))
    total = mp.fsum(
        mp.binomial(n, j)
        * (e / 2) ** j
        * mp.binomial(n - j, k)
        * mp.mpf(2) ** (j - n)
        * hockey_stick(j, top - k, e)
        for j in range(n + 1)
        for k in range(n - j + 1)
        if top > k
    )
    return mp.log(total) + (mp.mpf(at) - n * e) / 2


def law_of(loss: LaplaceLoss | LogisticLoss, count: int) -> FewUniform:
    law = FewUniform.of(Total.of([(loss, count)]))
    assert law is not None
    return law


@pytest.mark.parametrize("kind", [LaplaceLoss, LogisticLoss])
@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 4.0, 40.0])
@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_few_releases(kind: type, epsilon: float, count: int) -> None:
    law = law_of(kind.one(epsilon), count)
    at = np.array([0.4, 0.77, 0.9999] if count > 3 else [0.0, 0.1, 0.5, 0.9999]) * count * epsilon
    found = law.log_delta(at)
    with mp.workdps(120):
        for e, lower, upper in zip(at, found.lower, found.upper, strict=True):
            truth = log_truth(kind, epsilon, count, e)
            assert lower <= truth <= upper
            assert upper - lower < 1e-10
            assert abs(truth - (lower + upper) / 2) < 1e-12


@pytest.mark.parametrize("kind", [LaplaceLoss, LogisticLoss])
def test_forty_releases_at_a_small_delta(kind: type) -> None:
    law = law_of(kind.one(0.5), 40)
    found = law.log_delta(np.array([18.0]))
    with mp.workdps(150):
        truth = log_truth(kind, 0.5, 40, 18.0)
        assert found.lower[0] <= truth <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 1e-10


def test_a_small_epsilon_needs_few_uniform_variables() -> None:
    law = law_of(LaplaceLoss.one(1e-3), 3000)
    assert law.splines.most < 30
    total = Total.of([(LaplaceLoss.one(1e-3), 3000)])
    for log_target in (-4.0, -14.0):
        c, at = saddle.for_delta(total, log_target)
        wide = laying.through(total, c, at).sums(np.array([at]))
        narrow = law.log_delta(np.array([at]))
        assert wide.log_lower[0] <= narrow.upper[0]
        assert narrow.lower[0] <= wide.log_upper[0]
        assert narrow.upper[0] - narrow.lower[0] < 1e-10


@pytest.mark.parametrize(("epsilon", "count"), [(0.1, 500), (1.0, 100), (0.01, 3000)])
def test_where_a_contour_closes_both_agree(epsilon: float, count: int) -> None:
    total = Total.of([(LaplaceLoss.one(epsilon), count)])
    c, at = saddle.for_delta(total, -3.0)
    line = laying.through(total, c, at).sums(np.array([at]))
    law = law_of(LaplaceLoss.one(epsilon), count).log_delta(np.array([at]))
    assert max(line.log_lower[0], law.lower[0]) <= min(line.log_upper[0], law.upper[0])


def test_five_hundred_laplace_releases() -> None:
    """epsilon at delta 1e-6 by a contour in arbitrary precision: 12.270368083."""
    below, above = Inverse(
        OrderProfile(Total.of([(LaplaceLoss.one(0.1), 500)])), math.log(1e-6)
    ).bounds()
    assert below <= above < below + 1e-9
    assert above == pytest.approx(12.270368083, abs=5e-10)


def test_beyond_the_largest_loss_nothing_is_left() -> None:
    for loss in (LaplaceLoss.one(0.5), LogisticLoss.one(0.5)):
        found = law_of(loss, 4).log_delta(np.array([2.0, 2.5]))
        assert np.all(found.upper == -np.inf)
        assert np.all(found.lower == -np.inf)


def test_what_is_not_few_or_not_alike_has_no_law() -> None:
    assert FewUniform.of(Total.of([(LaplaceLoss.one(1.0), 1000)])) is None
    assert FewUniform.of(Total.of([(LogisticLoss.one(1.0), 1000)])) is None
    assert FewUniform.of(Total.of([(LaplaceLoss.one(1e3), 2)])) is None
    different = Total.of([(LaplaceLoss.one(1.0), 1), (LaplaceLoss.one(0.5), 1)])
    assert FewUniform.of(different) is None


def test_closed_form_meets_the_pieces() -> None:
    """At a whole v = j both forms of H_j hold."""
    splines = Splines(12, 0.8)
    pieces = splines.log_partial(np.array([1.0]), 12)[0]
    for j in range(1, 13):
        closed = float(splines.log_complete(np.array([float(j)]), np.array([j]))[0])
        assert pieces[j - 1, j - 1] == pytest.approx(closed, abs=1e-13)
