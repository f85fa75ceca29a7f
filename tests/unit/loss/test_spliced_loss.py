"""The cover of fixed-size Gaussian samples: its transform, its decay, and profiles."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from engine import gaussian_groups
from quadratures import decay_holds, spliced, worst_slack
from scipy import special

from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.sampling import schemes
from tightrope.loss.spliced.spliced import SplicedLoss
from tightrope.loss.total import Total

CASES = [(1.0, 0.01, 1.0), (0.3, 0.1, 6.0), (4.0, 0.01, 0.05), (2.0, 0.5, 2.0), (0.05, 1e-3, 40.0)]


def gaussian_delta(mu: float, epsilon: np.ndarray) -> np.ndarray:
    return special.ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon) * special.ndtr(
        -mu / 2 - epsilon / mu
    )


def cover_delta(mu: float, rate: float, epsilon: np.ndarray) -> np.ndarray:
    """rate delta_mu(log(1 + (e^e - 1)/rate)) at e >= 0, mirrored below."""
    size = np.abs(epsilon)
    above = rate * gaussian_delta(mu, np.log1p(np.expm1(size) / rate))
    return np.where(epsilon < 0, -np.expm1(-size) + np.exp(-size) * above, above)


def of(pair: schemes.Dominating, count: int, epsilon: np.ndarray) -> np.ndarray:
    """Upper bounds on delta of so many releases."""
    many = schemes.Dominating(tuple(total.times(count) for total in pair.orders))
    return np.exp(PairProfile([many]).log_delta(epsilon).upper)


@pytest.mark.parametrize(("mu", "rate", "c"), CASES)
def test_the_transform_errs_by_less_than_it_says(mu, rate, c):
    line = SplicedLoss.one(mu, rate).line(c)
    slow = line.kinds[0].first.most
    taus = [0.0, 0.3 * c, 0.9 * min(slow, 400.0), 1.1 * min(slow, 400.0), 7 * min(slow, 60.0)]
    used, largest = worst_slack(line, partial(spliced, mu, rate), taus)
    assert used < 1
    assert largest < (1e-12 if c < 2 or rate < 0.5 else 1e-8)  # |M| is far below M(c)


def test_no_digit_is_lost_where_the_transform_is_near_one():
    """log M is 7e-11 here, and a hundred thousand releases count it as often."""
    line = SplicedLoss.one(0.05, 1e-3).line(0.05)
    at = line.transform(np.zeros(1))
    assert at.value.real[0] == pytest.approx(
        float(abs(spliced(0.05, 1e-3, 0.05 + 0j).log()).mid()), rel=1e-14
    )
    assert at.error[0] < 1e-12 * at.value.real[0]


@pytest.mark.parametrize(("mu", "rate", "c"), CASES)
def test_decay(mu, rate, c):
    line = SplicedLoss.one(mu, rate).times(7).line(c)
    assert decay_holds(line, np.geomspace(0.01, 1e4, 400))


def test_columns():
    one, other = SplicedLoss.one(1.0, 0.01), SplicedLoss.one(0.5, 0.02)
    both = SplicedLoss.together([one.times(3), other, one.times(2)])
    assert both.count.tolist() == [1, 5]
    z = np.array([0.7 + 0.3j, 2.0])
    split = 5 * one.estimate(z) + other.estimate(z)
    assert both.estimate(z) == pytest.approx(split, rel=1e-12)
    tau = np.array([0.0, 3.0])
    parts = [line.transform(tau).value for line in (one.line(2.0), other.line(2.0))]
    assert both.line(2.0).transform(tau).value == pytest.approx(5 * parts[0] + parts[1], rel=1e-12)


@pytest.mark.parametrize("z", [0.01, 1.0, 30.0, 3000.0])
def test_the_estimate_is_good_to_a_few_digits(z):
    loss = SplicedLoss.one(0.7, 0.02)
    careful = loss.line(z).transform(np.zeros(1)).value[0]
    assert loss.estimate(np.array([z + 0j]))[0] == pytest.approx(careful, rel=1e-6)


def test_arguments_out_of_range():
    for mu, rate in ((0.0, 0.5), (1.0, 0.0), (1.0, 1.0), (math.inf, 0.5)):
        with pytest.raises(ValueError, match="spliced loss"):
            SplicedLoss.one(mu, rate)


# --- profiles ----------------------------------------------------------------------------------


def test_a_composition_against_the_convolution_of_a_fine_polygon():
    """The polygon through the profile covers it, and loses a little: many steps a deviation."""
    mu, rate, count = 0.8, 0.1, 40
    step = 5e-4
    e = step * np.arange(-(1 << 13), 1 << 13)
    x, y = np.exp(e), cover_delta(mu, rate, e)
    slopes = np.append(np.append((y[0] - 1) / x[0], np.diff(y) / np.diff(x)), 0)
    mass = np.diff(slopes) * x
    size = 1 << 20
    spectrum = np.fft.rfft(mass, size) ** count
    law = np.fft.irfft(spectrum, size)
    total = e[0] * count + step * np.arange(size)
    asked = np.array([0.3, 0.8])
    rough = [(law * -np.expm1(np.minimum(at - total, 0))).sum() for at in asked]
    pair = schemes.Dominating.symmetric(SplicedLoss.one(mu, rate))
    exact = of(pair, count, asked)
    assert exact == pytest.approx(rough, rel=2e-4)
    assert (exact <= np.array(rough) * (1 + 1e-9)).all()


def test_one_release_is_the_formula():
    pair = schemes.Dominating.symmetric(SplicedLoss.one(1.0, 0.01))
    epsilon = np.array([-0.05, -0.005, 0.0, 0.01, 0.2])
    assert of(pair, 1, epsilon) == pytest.approx(cover_delta(1.0, 0.01, epsilon), rel=1e-11)


def offsets(mu: float, at: float) -> list[tuple[float, float]]:
    """Where two replacements of a unit may lie, the base being at 0."""
    grid = np.linspace(-mu, mu, 9)
    return [(u, v) for u in grid for v in grid if abs(u - v) <= at + 1e-12]


def mixture_delta(rate: float, u: float, v: float, epsilon: np.ndarray) -> np.ndarray:
    """Of (1 - rate) N(0, 1) + rate N(u, 1) against the same with v, by a sum on a fine grid."""
    x = np.linspace(-12, 12, 6001)
    phi = [np.exp(-((x - shift) ** 2) / 2) / math.sqrt(2 * math.pi) for shift in (0.0, u, v)]
    p, q = ((1 - rate) * phi[0] + rate * part for part in phi[1:])
    return np.maximum(p - np.exp(epsilon)[:, None] * q, 0).sum(axis=1) * (x[1] - x[0])


EPSILON = np.linspace(-1, 1, 21)


@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_no_replacement_on_a_batch_leaks_more_than_the_cover(rate):
    mu = 1.5
    claim = cover_delta(mu, rate, EPSILON)
    worst = np.max([mixture_delta(rate, u, v, EPSILON) for u, v in offsets(mu, mu)], axis=0)
    assert (worst <= claim + 1e-6).all()
    assert worst == pytest.approx(claim, abs=2e-3)


@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_no_replacement_in_a_poisson_sample_leaks_more_than_the_pair(rate):
    """The pair is one of them; twice the sensitivity, as a cover, would be much larger."""
    mu = 1.0
    claim = of(schemes.poisson_replace_gaussian(mu, rate), 1, EPSILON)
    worst = np.max([mixture_delta(rate, u, v, EPSILON) for u, v in offsets(mu, 2 * mu)], axis=0)
    assert (worst <= claim + 1e-6).all()
    assert worst == pytest.approx(claim, abs=1e-6)
    assert (cover_delta(2 * mu, rate, EPSILON) >= claim - 1e-6).all()


def test_with_replacement_the_mixture_of_shifts_is_no_cover():
    """Values on two sides of the others' show more at epsilon 0 than values on one side."""
    mu, law = 1.0, np.array([0.25, 0.5, 0.25])
    x = np.linspace(-15, 15, 6001)
    k = np.arange(3)[:, None]
    shifted = [
        law @ np.exp(-((x - k * shift) ** 2) / 2) / math.sqrt(2 * math.pi)
        for shift in (0.0, mu, mu / 2, -mu / 2)
    ]
    step = x[1] - x[0]
    one_side = np.maximum(shifted[1] - shifted[0], 0).sum() * step
    two_sides = np.maximum(shifted[2] - shifted[3], 0).sum() * step
    groups = gaussian_groups(mu)
    pair = schemes.with_replacement(groups, 2, 2, "replace_one")
    claim = float(of(pair, 1, np.zeros(1))[0])
    assert one_side < two_sides - 0.005
    assert two_sides - 1e-9 < claim < two_sides * 1.01


def test_rounding_never_hides_a_release():
    """Upper ends are above those of the formula for many rates."""
    for rate in (1e-4, 0.3, 0.99):
        pair = schemes.without_replacement(
            GaussianLoss(1.0), round(rate * 10_000), 10_000, "replace_one"
        )
        assert isinstance(pair.orders[0], Total)
        assert (of(pair, 1, EPSILON) >= cover_delta(1.0, rate, EPSILON) * (1 - 1e-12)).all()
