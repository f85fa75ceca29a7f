"""The discrete Gaussian against plain sums in 80 digits, and the reference values."""

import math

import mpmath as mp
import numpy as np
import pytest
from law_reference import DiscreteGaussianLaw, eighty_digits, excess, golden, log_excess, precise

from tightrope.num.normal import quantile
from tightrope.theorems import discrete_gaussian as dg
from tightrope.theorems.discrete_gaussian.gdp import near_gaussian_cost

digits = pytest.fixture(autouse=True)(eighty_digits)


@pytest.mark.parametrize(("variance", "shift", "value"), golden("mu_dgauss"))
def test_mu_is_the_reference_value(variance, shift, value):
    v, d = float(variance), int(shift)
    assert abs(excess(dg.central_mu(v, d), value)) < 1e-14
    assert 0 <= excess(dg.mu(v, d), value) < (1e-14 if v <= 1e4 else 1e-8)


@pytest.mark.parametrize(("variance", "shift", "epsilon", "value"), golden("delta_dgauss"))
def test_profile_is_the_reference_value(variance, shift, epsilon, value):
    log_delta = dg.log_delta(float(variance), int(shift), float(epsilon))
    assert 0 <= log_excess(log_delta, value) < 8e-15 * (1 - log_delta)


@pytest.mark.parametrize(("variance", "dimension", "value"), golden("mu_dgauss_ones"))
def test_mu_of_ones_is_the_reference_value(variance, dimension, value):
    assert 0 <= excess(dg.mu_of_ones(float(variance), int(dimension)), value) < 1e-13


@pytest.mark.parametrize("variance", [0.01, 0.16, 0.5, 2.0, 63.9, 64.1, 400.0, 2500.0])
def test_tails_on_both_sides(variance):
    law, sigma = DiscreteGaussianLaw(variance), math.sqrt(variance)
    ks = {1, 2, 3, *(int(sigma * x) + 1 for x in (0.5, 2, 8, 30)), int(variance / 4), int(variance)}
    for k in sorted(k for k in ks if 0 < k * k < 1200 * variance):
        tail = law.tail(k)
        scale = 1 + abs(float(mp.log(tail)))
        assert abs(log_excess(dg.log_tail(variance, float(k)), tail)) < 1e-15 * scale
        opposite = dg.log_tail(variance, float(1 - k))
        assert abs(excess(opposite, mp.log1p(-tail))) < 2e-15 * scale
    assert abs(excess(dg.log_normaliser(variance), mp.log(law.total))) < 2e-14


@pytest.mark.parametrize(
    ("variance", "k"), [(1e6, 3000), (1e10, 1), (1e10, 250_000), (1e12, 10**7)]
)
def test_tails_of_wide_noise(variance, k):
    assert abs(float(mp.mpf(dg.log_tail(variance, float(k))) - _wide_log_tail(variance, k))) < 3e-14


@precise
def _wide_log_tail(variance: float, k: int):
    """Euler and Maclaurin from k with derivatives up to the fifth, in closed form."""
    v, x = mp.mpf(variance), mp.mpf(k)
    f, y = mp.exp(-(x**2) / (2 * v)), x / v
    third, fifth = y**3 - 3 * y / v, y**5 - 10 * y**3 / v + 15 * y / v**2
    ends = f * (mp.mpf(1) / 2 + y / 12 - third / 720 + fifth / 30240)
    integral = mp.sqrt(mp.pi * v / 2) * mp.erfc(x / mp.sqrt(2 * v))
    return mp.log((integral + ends) / mp.sqrt(2 * mp.pi * v))


@pytest.mark.parametrize(("variance", "shift"), [(0.04, 1), (0.3, 2), (1.0, 1), (1.7, 5), (9.0, 2)])
def test_mu_bounds_every_vertex_and_attains_the_largest(variance, shift):
    law, bound = DiscreteGaussianLaw(variance), dg.mu(variance, shift)
    first, last = (shift + 2) // 2, shift + 3 + int(8 * math.sqrt(variance))
    increments = [law.increment(shift, k) for k in range(first, last)]
    assert all(excess(bound, increment) >= 0 for increment in increments)
    assert min(excess(bound, increment) for increment in increments) < 1e-14


@pytest.mark.parametrize("shift", [1, 2, 31])
def test_smoothing_bounds_mu_beyond_the_scan(shift):
    just_inside, just_outside = dg.mu(1e4, shift), dg.mu(math.nextafter(1e4, 2e4), shift)
    assert just_inside < just_outside < just_inside * (1 + 6e-5)
    wide = dg.mu(1e6, shift)
    assert dg.central_mu(1e6, shift) <= wide < dg.central_mu(1e6, shift) * (1 + 8e-7)


def test_cost_of_a_factor_covers_the_worst_change_of_a_normal_score():
    eta = 0.3
    p = np.linspace(0.01, 0.99, 99)
    q = np.minimum(p * np.exp(eta), 1 - (1 - p) * np.exp(-eta))
    moved = [quantile(b) - quantile(a) for a, b in zip(p, q, strict=True)]
    assert 0.6 * near_gaussian_cost(eta) / 2 < max(moved) < near_gaussian_cost(eta) / 2


def test_large_shifts_group():
    assert dg.mu(1.0, 250_001) >= dg.central_mu(1.0, 250_001)
    assert dg.mu(1.0, 250_001) < 250_001 * (1 + 2e-5)


def _profile_points():
    for variance in (0.02, 0.5, 7.0, 63.0, 64.0, 700.0):
        sigma = math.sqrt(variance)
        for shift in sorted({1, 2, max(1, int(sigma)), int(3 * sigma) + 1, int(variance) + 1}):
            d = shift / sigma
            lattice = shift * (3 + shift / 2) / variance  # the loss of the outcome 3
            below = math.nextafter(lattice, 0)
            for epsilon in (0.0, d / 3, d * d / 2 + 4 * d, 12 * d, -d, lattice, below):
                yield variance, shift, epsilon


@pytest.mark.parametrize(("variance", "shift", "epsilon"), list(_profile_points()))
def test_profile_is_safe_and_tight(variance, shift, epsilon):
    truth = DiscreteGaussianLaw(variance).delta(shift, epsilon)
    log_delta = dg.log_delta(variance, shift, epsilon)
    if truth > 0:
        assert 0 <= log_excess(log_delta, truth) < 8e-15 * (1 - float(mp.log(truth)))


@pytest.mark.parametrize("variance", [0.05, 3.0, 70.0])
@pytest.mark.parametrize("shift", [1, 2, 40])
def test_tradeoff_is_safe_and_tight(variance, shift):
    law = DiscreteGaussianLaw(variance)
    for alpha in (1e-200, 1e-7, 0.05, 0.5, 0.9, 1 - 1e-9):
        truth = law.beta(shift, alpha)
        if truth > 1e-290:
            assert -2e-12 < excess(dg.tradeoff(variance, shift, alpha), truth) <= 0
    assert dg.tradeoff(variance, shift, 0.0) == 1
    assert dg.tradeoff(variance, shift, 1.0) == 0


def test_the_norm_alone_does_not_decide():
    """One coordinate shifted by two leaks less than four coordinates shifted by one."""
    one = np.exp(dg.log_delta(1.0, 2, np.array([2.0, 5.0])))
    assert one == pytest.approx([0.267, 0.0385], abs=5e-4)
    assert dg.mu_of_ones(1.0, 4) < dg.mu(1.0, 2)


@precise
def _sum_increment(variance: float, dimension: int):
    """The central increment of a sum of independent discrete Gaussians, by convolution."""
    weights = DiscreteGaussianLaw(variance).weights[: int(14 * math.sqrt(variance)) + 4]
    one = np.array([*weights[:0:-1], *weights], dtype=object)
    law = one
    for _ in range(dimension - 1):
        law = np.convolve(law, one)
    middle, total = len(law) // 2, mp.fsum(law)
    parts = [(dimension + 2) // 2, (dimension + 1) // 2]
    masses = [mp.fsum(law[middle - k + 1 : middle + k]) / total for k in parts]
    return mp.fsum(mp.sqrt(2) * mp.erfinv(mass) for mass in masses)


@pytest.mark.parametrize(("variance", "dimension"), [(0.1, 3), (0.6, 12), (3.9, 7), (4.0, 3)])
def test_mu_of_ones_is_safe_and_tight(variance, dimension):
    assert (
        0 <= excess(dg.mu_of_ones(variance, dimension), _sum_increment(variance, dimension)) < 1e-13
    )


def test_mu_of_ones_between_its_limits():
    for variance, dimension in ((0.3, 300), (1.0, 600), (4.0, 3000), (1e6, 5)):
        bound = dg.mu_of_ones(variance, dimension)
        gaussian = math.sqrt(dimension / variance)
        assert gaussian < bound < math.sqrt(dimension) * dg.mu(variance, 1)


def test_arrays_scalars_and_no_shift():
    assert isinstance(dg.log_delta(1.0, 1, 0.5), float)
    assert dg.log_delta(1.0, 1, np.zeros((2, 3))).shape == (2, 3)
    assert dg.mu(1.0, 0) == 0
    assert dg.mu_of_ones(1.0, 0) == 0
    assert dg.log_delta(1.0, 0, np.array([0.0, 1.0])).tolist() == [-math.inf, -math.inf]
    assert dg.log_delta(1.0, 1, math.inf) == -math.inf
    assert dg.log_delta(1.0, 1, 1e200) > -math.inf


@pytest.mark.parametrize("call", [dg.mu, lambda v, d: dg.log_delta(v, d, 1.0), dg.mu_of_ones])
@pytest.mark.parametrize(("variance", "whole"), [(0.0, 1), (math.nan, 1), (1.0, -1)])
def test_bad_arguments(call, variance, whole):
    with pytest.raises(ValueError, match="got"):
        call(variance, whole)
