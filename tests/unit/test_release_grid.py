"""The grid of a release: what rounding adds, the exact law, intervals, and calibration."""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.grid import from_points, to_points
from tightrope.grid.exact_numbers import as_numbers, side_by_side
from tightrope.mechanisms.noise_grid import NoiseGrid
from tightrope.mechanisms.noise_law import GaussianLaw, LaplaceLaw, LogisticLaw


def seeded(seed=1):
    return tr.InsecureEntropy(seed)


# --- rounding ---------------------------------------------------------------------------------


def test_rounding_is_that_of_fractions():
    random = np.random.default_rng(3)
    values = np.concatenate([random.normal(size=300) * 2.0**e for e in (-30, 0, 5, 40)])
    values = np.concatenate([values, np.arange(-20, 20) / 8])
    for exponent in (-30, -2, 0, 3):
        found = to_points(values, exponent).tolist()
        truth = [round(Fraction(v) / Fraction(2) ** exponent) for v in values.tolist()]
        assert found == [max(-(2**61), min(2**61, t)) for t in truth]
        whole = values.astype(np.int64)
        shifted = to_points(whole, exponent).tolist()
        truth = [round(Fraction(v) / Fraction(2) ** exponent) for v in whole.tolist()]
        assert shifted == [max(-(2**61), min(2**61, t)) for t in truth]


@pytest.mark.parametrize("exponent", [-1074, -100, -62, -61, 61, 62, 63, 64, 500])
def test_far_shifts_of_integers(exponent):
    values = np.array([-(2**61), -1, 0, 1, 5, 2**61])
    truth = [round(v / Fraction(2) ** exponent) for v in values.tolist()]
    clipped = [max(-(2**61), min(2**61, t)) for t in truth]
    assert to_points(values, exponent).tolist() == clipped


def test_points_come_back_as_doubles_even_at_the_end_of_their_range():
    assert from_points(np.array([2**61, -(2**61)]), 1000).tolist() == [2.0**1023, -(2.0**1023)]
    assert from_points(np.array([1]), -1074).tolist() == [5e-324]


@pytest.mark.parametrize("coordinates", [1, 2, 7, 30])
@pytest.mark.parametrize("sensitivity", [1, 0.3, 5.7, 2**-1000])
def test_rounded_neighbours_are_no_farther_apart_than_the_event_says(coordinates, sensitivity):
    random = np.random.default_rng(5)
    grid = NoiseGrid.of(Fraction(sensitivity) ** 2, sensitivity, coordinates, "test")
    step = float(grid.step)
    for _ in range(200):
        x = np.round(random.normal(size=coordinates) * 8) / 2 * step  # many ties
        change = random.normal(size=coordinates)
        for norm, bound in ((1, grid.l1), (2, grid.l2)):
            scaled = change / np.linalg.norm(change, norm) * sensitivity * (1 - 1e-12)
            moved = to_points(x + scaled, grid.exponent) - to_points(x, grid.exponent)
            total = np.abs(moved).sum() ** 2 if norm == 1 else np.square(moved).sum()
            assert total <= bound**2


def test_half_to_even_attains_the_step_that_rounding_adds():
    step = 2.0**-24
    sensitivity = 1 + step  # an odd number of steps
    event = tr.Laplace(1.0, sensitivity).as_released()
    x = np.array([step / 2, step / 2 + sensitivity])
    low, high = to_points(x, -24).tolist()
    assert high - low == 2**24 + 2 == event.sensitivity


def test_the_exact_scale_reaches_the_event():
    assert tr.Laplace(0.1).as_released().noise_scale == Fraction(0.1) * 2**24
    assert tr.Gaussian(variance=Fraction(1, 3)).as_released().variance == Fraction(2**48, 3)
    third = tr.Laplace(Fraction(1, 3)).as_released()
    assert Fraction(third.noise_scale) == Fraction(2**24, 3)


# --- the law ----------------------------------------------------------------------------------


def laplace_mass(y, t):
    a = math.exp(-1 / t)
    return (1 - a) / (1 + a) * a ** abs(y)


def gaussian_mass(y, s):
    return math.exp(-y * y / 2 / s / s) / sum(math.exp(-z * z / 2 / s / s) for z in range(-99, 100))


@pytest.mark.parametrize(
    ("mechanism", "mass"),
    [
        (tr.DiscreteLaplace(2), lambda y: laplace_mass(y, 2)),
        (tr.DiscreteGaussian(2), lambda y: gaussian_mass(y, 2)),
    ],
)
def test_released_integers_have_the_law(mechanism, mass):
    """Fails wrongly with probability below 1e-7 for a fresh seed: z-scores of 11 cells below 6."""
    n = 200_000
    noise = mechanism.release(np.full(n, 1000), entropy=seeded(11), coordinates=1).value - 1000
    for y in range(-5, 6):
        p = mass(y)
        assert abs((noise == y).sum() - n * p) < 6 * math.sqrt(n * p * (1 - p))


@pytest.mark.parametrize(
    ("mechanism", "below"),
    [
        (tr.Gaussian(3.0), lambda x: float(mp.ncdf(x / 3))),
        (tr.Laplace(3.0), lambda x: 1 - math.exp(-x / 3) / 2),
        (tr.Logistic(3.0), lambda x: 1 / (1 + math.exp(-x / 3))),
    ],
)
def test_released_reals_have_nearly_the_ideal_law(mechanism, below):
    """Fails wrongly with probability below 1e-7; the grid of 2^-24 moves nothing that is seen."""
    n = 200_000
    noise = mechanism.release(np.full(n, 7.25), entropy=seeded(12), coordinates=1).value - 7.25
    for x in (0.5, 2.0, 5.0):
        p = below(x)
        assert abs((noise <= x).sum() - n * p) < 6 * math.sqrt(n * p * (1 - p))
        assert abs((noise >= -x).sum() - n * p) < 6 * math.sqrt(n * p * (1 - p))


# --- intervals --------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999, 1 - 2.0**-40])
@pytest.mark.parametrize("scale", [Fraction(1, 9), 0.6, 3, 40.5, 1000])
def test_reach_is_the_least(level, scale):
    miss = 1 - Fraction(level)
    with mp.workdps(40):
        t = mp.mpf(Fraction(scale).numerator) / Fraction(scale).denominator
        a = mp.exp(-1 / t)
        bound = mp.mpf(miss.numerator) / miss.denominator
        laws = {
            LaplaceLaw(Fraction(scale)): lambda q: 2 * a ** (q + 1) / (1 + a),
            LogisticLaw(Fraction(scale)): lambda q: 2 / (1 + mp.exp((q + mp.mpf(1) / 2) / t)),
        }
        for law, beyond in laws.items():
            q = law.reach(miss)
            assert beyond(q) <= bound
            assert q == 0 or beyond(q - 1) > bound
        if t < 50:
            weights = [mp.exp(-z * z / (2 * t * t)) for z in range(600)]
            total = 2 * mp.fsum(weights) - 1
            q = GaussianLaw(Fraction(scale) ** 2).reach(miss)
            assert 2 * mp.fsum(weights[q + 1 :]) / total <= bound
            assert q == 0 or 2 * mp.fsum(weights[q:]) / total > bound


@pytest.mark.parametrize("make", [tr.Gaussian, tr.Laplace, tr.Logistic])
def test_intervals_hold_the_truth_as_often_as_they_say(make):
    """20,000 intervals of 90 %: fewer than 87.4 % hold with probability below 1e-30."""
    truth = np.random.default_rng(1).normal(size=20_000) * 100
    low, high = make(5.0).release(truth, entropy=seeded(4), coordinates=1).interval(0.9)
    share = ((low <= truth) & (truth <= high)).mean()
    assert 0.874 < share < 0.926


def test_intervals_are_rounded_outward():
    noisy = tr.Laplace(1.0).release(2.0**30 + 0.1, entropy=seeded())
    low, high = noisy.interval()
    points = Fraction(noisy.value) * 2**24
    reach = LaplaceLaw(Fraction(2**24)).reach(1 - Fraction(0.95))
    half = reach + Fraction(1, 2)
    assert Fraction(low) * 2**24 <= points - half
    assert Fraction(high) * 2**24 >= points + half
    assert Fraction(high - low) * 2**24 <= 2 * half + 4 * 128
    for level in (0, 1, -0.5, math.nan):
        with pytest.raises(tr.InvalidArgument, match="level"):
            noisy.interval(level)


def test_integer_intervals_are_whole():
    noisy = tr.DiscreteLaplace(3).release([5, 9], entropy=seeded(2))
    low, high = noisy.interval(0.9)
    reach = LaplaceLaw(Fraction(3)).reach(1 - Fraction(0.9))
    assert (low == noisy.value - reach).all()
    assert (high == noisy.value + reach).all()


# --- calibration ------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [tr.ApproxDP(1.0, 1e-6), tr.GDP(0.7), tr.ZCDP(0.3)])
@pytest.mark.parametrize(("sensitivity", "coordinates"), [(1, 1), (2.5, 1), (3, 40)])
def test_the_release_meets_the_target_with_hardly_more_noise(target, sensitivity, coordinates):
    mechanism = tr.Gaussian.for_(target, sensitivity, coordinates=coordinates)
    event = mechanism.release(np.zeros(coordinates)).event
    ideal = tr.calibrate(lambda s: tr.Gaussian(s, sensitivity), target)
    assert ideal < mechanism.noise_scale < ideal * (1 + 1e-6)
    if isinstance(target, tr.ApproxDP):
        assert event.delta(1.0) <= 1e-6
    else:
        name = "mu" if isinstance(target, tr.GDP) else "rho"
        assert getattr(event.to(type(target)), name) <= getattr(target, name)


def test_laplace_meets_its_target_exactly():
    mechanism = tr.Laplace.for_(tr.PureDP(0.5, neighbors=tr.replace_one), 4)
    assert mechanism.neighbors == tr.replace_one
    event = mechanism.as_released()
    assert Fraction(event.sensitivity) / Fraction(event.noise_scale) <= Fraction(1, 2)
    assert 8 < mechanism.noise_scale < 8 * (1 + 1e-6)
    assert tr.DiscreteLaplace.for_(tr.PureDP(0.5), 4).noise_scale == pytest.approx(8, rel=1e-9)


def test_calibration_says_what_is_wrong():
    with pytest.raises(tr.InvalidArgument, match="needs no noise"):
        tr.Gaussian.for_(tr.GDP(1.0), 0)
    with pytest.raises(tr.NeighborsMismatch):
        tr.Gaussian.for_(tr.GDP(1.0), neighbors=tr.replace_one)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-3, 0.9])
def test_the_textbook_formula_holds_up_to_epsilon_one(epsilon, delta):
    event = tr.Gaussian.classic(epsilon, delta, 2).as_released()
    assert event.delta(epsilon) <= delta
    with pytest.raises(tr.FalseClaim):
        tr.Gaussian.classic(1.5, delta)


@pytest.mark.parametrize("whole", [2**53 + 1, -(2**53) - 1, 2**53 + 3, 2**60 + 1])
def test_no_ones_number_is_rounded_by_the_company_that_it_is_in(whole: int) -> None:
    alone = as_numbers([whole], "values")
    beside = as_numbers([whole, 0.5], "values")
    assert int(alone[0]) == int(beside[0]) == whole
    together = side_by_side([np.array([whole]), np.array([0.5])], 1)
    assert int(together[0, 0]) == whole
