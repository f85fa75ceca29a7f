"""Few releases that hide little: laws, tests and mu against sums of Gamma laws in many digits."""

from __future__ import annotations

import warnings

import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.loss.exact.corner_sums import CornerSum
from tightrope.loss.exact.strong_sum import StrongSum
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.logistic import LogisticLoss
from tightrope.loss.total import Total


def sums(laplace, logistic):
    """The law of the distance from the top: weights of Gamma laws (scale 2), by start and shape."""
    terms = {(mp.mpf(0), 0): mp.mpf(1)}
    for flat, epsilon in [*((True, e) for e in laplace), *((False, e) for e in logistic)]:
        e, cut = mp.mpf(epsilon), mp.exp(-mp.mpf(epsilon))
        if flat:
            steps = ((0, 0, 0.5), (0, 1, 0.5), (2 * e, 0, cut / 2), (2 * e, 1, -cut / 2))
        else:
            steps = ((0, 1, 1 / (1 - cut)), (2 * e, 1, -cut / (1 - cut)))
        fresh = {}
        for (start, shape), weight in terms.items():
            for more, one, share in steps:
                key = start + more, shape + one
                fresh[key] = fresh.get(key, 0) + weight * share
        terms = fresh
    return terms


def below(shape, t):
    return mp.mpf(1) if shape == 0 else mp.gammainc(shape, 0, t / 2, regularized=True)


def tilted(shape, t):
    """E[exp(G); G <= t]: a power times exp(t/2), by parts."""
    if shape == 0:
        return mp.mpf(1)
    u = t / 2
    parts = ((-1) ** i * u ** (shape - 1 - i) / mp.factorial(shape - 1 - i) for i in range(shape))
    return mp.exp(u) * mp.fsum(parts) - (-1) ** (shape - 1)


def errors_at(laplace, logistic, epsilon):
    """Type I error, and power, of the test that rejects losses above epsilon."""
    top = mp.fsum(map(mp.mpf, [*laplace, *logistic]))
    alpha = power = mp.mpf(0)
    for (start, shape), weight in sums(laplace, logistic).items():
        t = top - mp.mpf(epsilon) - start
        if t > 0:
            power += weight * below(shape, t)
            alpha += weight * mp.exp(start - top) * tilted(shape, t)
    return alpha, power


@mp.workdps(40)
def far_quantile(p):
    """-Phi^-1(p) of a tiny p; forty of its digits are enough."""
    return mp.findroot(
        lambda x: mp.log(mp.erfc(x / mp.sqrt(2)) / 2) - mp.log(p), mp.sqrt(-2 * mp.log(p)) - 0.2
    )


def total(laplace, logistic):
    return Total.of(
        [(LaplaceLoss.one(e), 1) for e in laplace] + [(LogisticLoss.one(e), 1) for e in logistic]
    )


CASES = [
    ([400.0], []),
    ([], [800.0]),
    ([2.1], []),
    ([8.5, 9.0], []),
    ([10.0, 11.0, 12.5], []),
    ([], [20.0, 30.0]),
    ([300.0], [250.0, 250.0]),
    ([45.0, 50.0], [60.0, 50.3]),
]


@pytest.mark.parametrize(("laplace", "logistic"), CASES)
def test_both_sides_of_delta(laplace, logistic):
    law = StrongSum.of(total(laplace, logistic))
    assert law is not None
    top = sum(laplace) + sum(logistic)
    at = top * np.array([0.0, 0.3, 0.51, 0.77, 0.95, 0.999, 1 - 1e-14])
    near, far = law.log_delta(at), law.log_missed(at)
    with mp.workdps(800):
        for i, epsilon in enumerate(at.tolist()):
            alpha, power = errors_at(laplace, logistic, epsilon)
            delta = power - mp.exp(epsilon) * alpha
            assert near.lower[i] <= mp.log(delta) <= near.upper[i] <= near.lower[i] + 1e-12
            assert far.lower[i] <= mp.log(1 - delta) <= far.upper[i] <= far.lower[i] + 3e-12


def test_no_law_for_weak_or_many_releases():
    assert StrongSum.of(total([8.0, 1.0], [])) is None
    assert StrongSum.of(Total.of([(LaplaceLoss.one(100.0), 33)])) is None


@pytest.mark.parametrize("epsilon", [1.0, 400.0, 650.0])
@pytest.mark.parametrize("alpha", [1e-300, 1e-180, 1e-3, 0.5, 0.97])
def test_tests_of_one_laplace_release(epsilon, alpha):
    """Dong, Roth and Su (2022), Proposition A.6."""
    low, high = tr.Laplace(1 / epsilon).tradeoff_interval(alpha)
    with mp.workdps(800):
        e, a = mp.exp(mp.mpf(1 / mp.mpf(1 / epsilon))), mp.mpf(alpha)
        truth = 1 - e * a if a < 1 / (2 * e) else 1 / (4 * e * a) if a < 0.5 else (1 - a) / e
        assert low <= truth * (1 + mp.mpf("1e-12"))
        assert truth * (1 - mp.mpf("1e-12")) <= high
    assert high <= low * (1 + 3e-11)


@pytest.mark.parametrize(
    ("epsilon", "alpha"), [(2.0, 0.01), (2.0, 0.9), (500.0, 1e-200), (500.0, 0.01), (500.0, 0.9)]
)
def test_tests_of_one_logistic_release(epsilon, alpha):
    """Chen, Pandey and Awan (2026), Definition 12."""
    low, high = tr.LogisticDP(epsilon).tradeoff_interval(alpha)
    with mp.workdps(800):
        a = mp.mpf(alpha)
        truth = (1 - a) / (1 + mp.expm1(epsilon) * a)
        assert low <= truth <= high
    assert high <= low * (1 + 3e-11)


@pytest.mark.parametrize("epsilon", [20.0, 200.0])
@pytest.mark.parametrize("share", [-0.9, -0.3, 0.1, 0.8, 1.9])
def test_tests_of_two_laplace_releases(epsilon, share):
    """Also where both errors are far below 1e-16."""
    run = tr.Laplace(1 / epsilon)
    with mp.workdps(800):
        alpha, power = errors_at([epsilon] * 2, [], abs(share) * epsilon)
        if share < 0:  # the exchanged data sets, whose tests are these from behind
            alpha, power = 1 - power, 1 - alpha
        low, high = (run + run).tradeoff_interval(float(alpha))
        assert low * (1 - 1e-10) <= 1 - power <= high * (1 + 1e-10)
    assert high <= low * (1 + 1e-5)


@pytest.mark.parametrize(("epsilon", "runs"), [(10.0, 8), (100.0, 2), (100.0, 3)])
def test_mu_of_a_few_strong_releases(epsilon, runs):
    """Tests at thresholds near the middle of the curve, one of which decides."""
    low, high = (tr.Laplace(1 / epsilon) ** runs).gdp_interval()
    worth = []
    with mp.workdps(300):
        for threshold in np.linspace(0, 12, 25).tolist():
            alpha, power = errors_at([epsilon] * runs, [], threshold)
            worth.append(far_quantile(alpha) + far_quantile(1 - power))
    assert low * (1 - 1e-4) <= max(worth) <= high
    assert high <= low * (1 + 3e-9)


def test_a_strong_release_beside_a_weak_one():
    run = total([400.0, 1.0], [])
    law = run.law
    assert isinstance(law, CornerSum)
    found = law.log_delta(np.array([0.0, 160.0, 390.0, 400.5]))
    with mp.workdps(800):
        for i, epsilon in enumerate([0.0, 160.0, 390.0, 400.5]):
            alpha, power = errors_at([400.0, 1.0], [], epsilon)
            truth = mp.log(power - mp.exp(epsilon) * alpha)
            assert found.lower[i] <= truth <= found.upper[i] <= found.lower[i] + 1e-11


@pytest.mark.parametrize("rate", [5e-324, 1e-300])
def test_no_warning_at_tiny_rates(rate):
    run = tr.Laplace(1).sampled(rate) ** 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run.epsilon(1e-6) == 0
        assert run.delta_interval(1.0)[1] < 1e-140
