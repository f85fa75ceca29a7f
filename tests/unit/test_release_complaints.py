"""Complaints about additive noise in other libraries, each made into a test of ours."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr


def seeded(seed=1):
    return tr.InsecureEntropy(seed)


def test_not_a_number_is_refused_and_never_zero():
    """opendp 2935: float noise silently turned NaN into 0."""
    for make in (tr.Gaussian, tr.Laplace, tr.Logistic):
        with pytest.raises(tr.InvalidArgument, match="values is not a number"):
            make(1.0).release(math.nan)
        values = np.zeros(600_000)
        values[543_210] = math.nan
        with pytest.raises(tr.InvalidArgument, match=r"values\[543210\]"):
            make(1.0).release(values, coordinates=1)
        with pytest.raises(tr.InvalidArgument, match="not a number"):
            make(1.0).release(math.nan, bounds=(0, 1))


@pytest.mark.parametrize("make", [tr.Gaussian, tr.Laplace, tr.Logistic])
@pytest.mark.parametrize("scale", [0.1, 3.0, 1e6])
def test_the_output_is_on_a_grid_that_does_not_depend_on_the_data(make, scale):
    """opendp 414, IBM 19 and 94, smartnoise-core 242: digits of a float tell what was below them.

    The textbook sampler reaches different doubles from 0 and from 1; here every output is a whole
    multiple of one step, whatever the data.
    """
    mechanism = make(scale)
    step = mechanism.grid_step()
    for value in (0.0, 1.0, 1e-30, math.pi, 1e9 / 7, -(2.0**40) - 0.1):
        noisy = mechanism.release(np.full(200, value), coordinates=1, entropy=seeded())
        assert all((Fraction(x) / step).denominator == 1 for x in noisy.value.tolist())
        assert Fraction(2) ** noisy.exponent == step


def test_equal_noise_shifts_by_whole_steps():
    """IBM 94: with one stream of bits, outputs at 0 and 1 differ by exactly the sensitivity."""
    at_zero = tr.Laplace(0.5).release(np.zeros(1000), coordinates=1, entropy=seeded(5)).value
    at_one = tr.Laplace(0.5).release(np.ones(1000), coordinates=1, entropy=seeded(5)).value
    assert (at_one - at_zero == 1).all()


def test_no_negative_zero():
    """The sign of a zero would tell the sign of what was rounded."""
    noisy = tr.Laplace(Fraction(1, 2**63), sensitivity=2**-20).release(np.full(50, -1e-300))
    assert not np.signbit(noisy.value[noisy.value == 0]).any()


def test_long_sums_do_not_overflow():
    """google 40: BoundedMean<int> overflowed and returned its lower bound."""
    most = 2**40
    total = tr.bounded_sum(np.full(2**20, most), (0, most))
    assert total.exact == 2**60
    assert tr.bounded_sum([2**63 - 1] * 9, (0, 2**63 - 1)).exact == pytest.approx(9 * 2**63)
    mean = tr.bounded_mean(np.full(1000, 2**62), (0, 2**40), neighbors=tr.replace_one)
    assert mean.of(mean.total.exact) == 2.0**40


def test_parameters_are_not_cut_to_integers():
    """google 101: a threshold cut to an integer gave a larger delta than was asked for."""
    assert tr.Laplace(2.75).as_released().noise_scale == 2.75 * 2**24
    assert tr.DiscreteLaplace(2.75).release(1).event == tr.DiscreteLaplace(2.75)
    with pytest.raises(tr.InvalidArgument, match="whole number"):
        tr.DiscreteLaplace(2.0, sensitivity=1.5)


def test_the_order_of_a_sum_does_not_matter():
    """google 126 and 127: float sums depend on their order, and moved by more than a record."""
    values = np.random.default_rng(1).normal(size=10_001) * 10.0 ** np.arange(10_001) ** 0.1
    values[5000] = 1e15
    shuffled = np.random.default_rng(2).permutation(values)
    bounds = (-1e15, 1e15)
    assert tr.bounded_sum(values, bounds) == tr.bounded_sum(shuffled, bounds)
    without = tr.bounded_sum(np.delete(values, 5000), bounds)
    moved = tr.bounded_sum(values, bounds).exact - without.exact
    assert moved == Fraction(without.sensitivity) <= 10**15
    assert moved > 10**15 * (1 - 1e-9)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 1e-6), (1.0, 1e-5), (4.0, 1e-9)])
def test_the_scale_is_the_scale_and_not_its_square(epsilon, delta):
    """smartnoise-core 316: a sign error gave too small a sigma, and the scale was squared.

    The spread of what comes out, and delta by the formula of Balle and Wang (2018), Theorem 8.
    """
    mechanism = tr.Gaussian.for_(tr.ApproxDP(epsilon, delta), 3)
    sigma = mechanism.noise_scale

    def phi(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    a, b = 3 / (2 * sigma), epsilon * sigma / 3
    assert phi(a - b) - math.exp(epsilon) * phi(-a - b) == pytest.approx(delta, rel=1e-4)
    noise = mechanism.release(np.zeros(100_000), coordinates=1, entropy=seeded(8)).value
    # the relative standard error of the spread is 0.0022: six of them fail below 2e-9
    assert noise.std() == pytest.approx(sigma, rel=0.0135)


def test_short_floats_are_what_they_are():
    """opendp 2941: a float32 was treated as a float64, and overflowed past its sensitivity."""
    big = np.array([3e38, 1.5], dtype=np.float32)
    exact = tr.Gaussian(1.0).release(big.astype(np.float64), entropy=seeded())
    assert (tr.Gaussian(1.0).release(big, entropy=seeded()).value == exact.value).all()
    total = tr.bounded_sum(np.full(4, 3e38, dtype=np.float32), (0, 1e39))
    assert total.exact > Fraction(3.4e38)
    assert tr.bounded_sum(np.full(70_000, 1, dtype=np.float16), (0, 1)).exact == 70_000


def test_geometric_noise_is_not_rounded_laplace():
    """cardinality_estimation PR 97: rounding gives mass .393 at 0; the law has .462 at scale 1."""
    n = 100_000
    noise = tr.DiscreteLaplace(1).release(np.zeros(n, dtype=int), coordinates=1, entropy=seeded(9))
    p = math.tanh(0.5)
    assert abs((noise.value == 0).sum() - n * p) < 6 * math.sqrt(n * p * (1 - p))
