"""Two to four sampled Gaussian releases against integrals by brute force, and their bounds."""

from __future__ import annotations

import warnings

import mpmath as mp
import numpy as np
import pytest
from scipy import special

import tightrope as tr
from tightrope.loss.contour import laying
from tightrope.loss.exact.cut_profile import Kind
from tightrope.loss.exact.cut_runs import cut_profile, far, near
from tightrope.loss.exact.few_sampled_gaussian import FewSampledGaussian
from tightrope.loss.exact.routes import law
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total
from tightrope.num.arrays import Complexes

KINDS = [(1.0, 1e-2), (1.0, 1e-4), (2.0, 1e-6), (0.5, 1e-3)]


def total_of(kind: tuple[float, float], runs: int, mixture_first: bool = True) -> Total:
    both = [Total.of([(one, runs)]) for one in GaussianMixtureLoss.sampled(*kind)]
    both.sort(key=lambda total: total.highest)
    return both[mixture_first]


def law_of(kind: tuple[float, float], runs: int) -> FewSampledGaussian:
    found = law(total_of(kind, runs))
    assert isinstance(found, FewSampledGaussian)
    return found


def alone(kind: tuple[float, float], threshold: mp.mpf) -> mp.mpf:
    """E[(r - threshold)_+] under the base law, by the area above the threshold."""
    mu, q = mp.mpf(kind[0]), mp.mpf(kind[1])
    if threshold <= 1 - q:
        return 1 - threshold
    log_w = mp.log((threshold - 1 + q) / q)
    above = mp.ncdf(mu / 2 - log_w / mu)
    return q * above - (threshold - 1 + q) * mp.ncdf(-mu / 2 - log_w / mu)


def two(kind: tuple[float, float], at: float) -> mp.mpf:
    """delta of two releases: the mean of what the first adds, over the second's x."""
    mu, q, e = mp.mpf(kind[0]), mp.mpf(kind[1]), mp.exp(mp.mpf(at))

    def added(x: mp.mpf) -> mp.mpf:
        r = 1 - q + q * mp.exp(mu * x - mu**2 / 2)
        return mp.npdf(x) * r * alone(kind, e / r)

    turn = (mp.log((e / (1 - q) - 1 + q) / q) + mu**2 / 2) / mu  # where the first cannot fail
    edges = {mp.mpf(k) for k in range(-11, 16, 2)} | {
        turn - mp.mpf(2) ** -k for k in range(0, 28, 2)
    }
    return mp.quad(added, sorted(edges | {turn}), maxdegree=4, method="gauss-legendre")


@pytest.mark.parametrize(
    ("kind", "at"),
    [((1.0, 1e-2), 0.3), ((1.0, 1e-4), 1e-3), ((2.0, 1e-6), 1e-4), ((0.5, 1e-3), 2e-3)],
)
def test_two_releases(kind: tuple[float, float], at: float) -> None:
    found = law_of(kind, 2).log_delta(np.array([at]))
    with mp.workdps(40):
        expected = float(mp.log(two(kind, at)))
    assert found.lower[0] - 1e-13 <= expected <= found.upper[0] + 1e-13
    assert found.upper[0] - found.lower[0] < 1e-10


@pytest.mark.parametrize(
    ("mu", "at", "expected"),
    [
        (0.1, 6.6e-5, "1.034915850887121254641e-10"),
        (0.1, 0.00034, "1.683630796635354628195e-50"),
        (0.1, 0.0018, "7.419389386881225889638e-196"),
        (0.1, 0.0038, "1.09884980409614369731e-299"),
        (1.0, 24.0, "3.307011839085963154836e-198"),
    ],
)
def test_two_releases_far_out(mu: float, at: float, expected: str) -> None:
    """At rate 1e-4: the integral of ``two`` at 60 digits, 60 and 120 pieces of it agreeing."""
    found = law_of((mu, 1e-4), 2).log_delta(np.array([at]))
    with mp.workdps(40):
        truth = float(mp.log(mp.mpf(expected)))
    assert found.lower[0] - 1e-13 <= truth <= found.upper[0] + 1e-13
    assert found.upper[0] - found.lower[0] < 1e-9


@pytest.mark.parametrize(
    ("at", "mu", "rate"), [(0.0, 1, 0.05), (0.1, 1, 0.05), (0.02, 1, 0.01), (0.002, 0.3, 1e-3)]
)
def test_three_releases(at: float, mu: float, rate: float) -> None:
    """The trapezoid rule in both coordinates, over what one release adds."""
    x = np.linspace(-12, 12, 2401)
    weight = np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * (x[1] - x[0])
    r = 1 - rate + rate * np.exp(mu * x - mu**2 / 2)
    whole = r[:, None] * r
    over = np.exp(at) / whole - 1 + rate
    w = np.log(np.maximum(over, 1e-300) / rate)
    area = rate * special.ndtr(mu / 2 - w / mu) - over * special.ndtr(-mu / 2 - w / mu)
    added = np.where(over > 0, area, rate - over)
    expected = float(np.log(weight @ (whole * added) @ weight))
    found = law_of((mu, rate), 3).log_delta(np.array([at]))
    assert found.upper[0] - found.lower[0] < 1e-9
    assert abs((found.upper[0] + found.lower[0]) / 2 - expected) < 1e-10


@pytest.mark.parametrize("runs", [2, 3, 4])
def test_orders_agree_at_zero(runs: int) -> None:
    """delta at 0 is the total variation, whichever comes first; the other order has contours."""
    found = law_of((1.0, 1e-3), runs).log_delta(np.zeros(1))
    other = OrderProfile(total_of((1.0, 1e-3), runs, mixture_first=False)).log_delta(np.zeros(1))
    assert found.lower[0] <= other.upper[0]
    assert other.lower[0] <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 1e-8


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_falls_and_is_convex(kind: tuple[float, float]) -> None:
    profile = cut_profile(Kind(*kind), 2, near(Kind(*kind), 2))
    log_x = np.linspace(profile.start - 3, profile.end - 1e-6, 2000)
    log, error = profile.at(log_x, np.zeros_like(log_x))
    value = np.exp(log)
    assert (error < 1e-7).all()
    assert (value[1:] <= value[:-1] * (1 + error[1:] + error[:-1])).all()
    x = np.exp(log_x)
    slope = np.diff(value) / np.diff(x)
    doubt = 4 * (error * value)[1:] / np.diff(x)
    assert (slope[1:] >= slope[:-1] - doubt[1:] - doubt[:-1]).all()


def continued(kind: tuple[float, float], x: complex) -> complex:
    """G_2 at a complex X, by its integral over s and the trapezoid rule."""
    mu, q = kind
    least = 1 - q

    def cdf(z: Complexes) -> Complexes:
        return np.asarray(special.erfc(-z / np.sqrt(2)) / 2)

    def tail(v: Complexes) -> Complexes:
        return np.asarray(cdf(mu / 2 - v / mu) - np.exp(v) * cdf(-mu / 2 - v / mu))

    cut = np.log(np.array([x / (q * least)], dtype=complex))
    beyond = cdf(-(cut + mu**2 / 2) / mu)
    whole = q * tail(cut) + q * (least + x / least) * beyond
    step = 0.05
    s = special.expit(step * np.arange(-800, 500))
    inner = x * s / least
    v = np.log(x * special.expit(-step * np.arange(-800, 500)) / (q * (least + inner)))
    speed = s + (1 - s) * inner / (least + inner)
    density = np.exp(-(((v + mu**2 / 2) / mu) ** 2) / 2) / (mu * np.sqrt(2 * np.pi))
    ratio = (least**2 + x) / (least + inner)
    terms = density * ratio * q * tail(np.log(inner / q)) * speed
    return complex(whole[0] + step * terms.sum())


@pytest.mark.parametrize("kind", [(1.0, 1e-2), (0.6, 0.2), (2.0, 1e-3)])
@pytest.mark.parametrize("theta", [0.5, 1.4])
def test_growth_off_the_axis(kind: tuple[float, float], theta: float) -> None:
    most = np.exp(Kind(*kind).log_growth(2, theta))
    profile = cut_profile(Kind(*kind), 2, near(Kind(*kind), 2))
    for size in (1e-3, 1.0, 8.0):
        x = size * kind[1]
        real, turned = continued(kind, x).real, continued(kind, x * np.exp(1j * theta))
        assert abs(turned) <= most * real
        log, _ = profile.at(np.array([np.log(x)]), np.zeros(1))
        assert abs(np.exp(log[0]) / real - 1) < 1e-10


def test_far_out_the_hyperbola_answers() -> None:
    found = law_of((1.0, 1e-2), 2).log_delta(np.array([25.0, 0.1]))
    assert found.lower[0] < found.upper[0] < -200
    assert found.upper[1] - found.lower[1] < 1e-9


def test_what_is_none_of_its_business() -> None:
    assert FewSampledGaussian.of(Total.of([(SampledLaplaceLoss.sampled(1.0, 0.1)[0], 2)])) is None
    assert FewSampledGaussian.of(total_of((1.0, 1e-3), 3, mixture_first=False)) is None
    assert FewSampledGaussian.of(total_of((1.0, 1e-3), 7)) is None
    assert FewSampledGaussian.of(total_of((0.005, 1e-3), 2)) is None
    assert FewSampledGaussian.of(total_of((4.0, 1e-3), 2)) is None
    short = FewSampledGaussian.of(total_of((1.0, 0.9), 4))
    assert short is not None
    assert not short.quick  # its contours are short


def test_five_releases_where_no_hyperbola_answers() -> None:
    """Epsilon at 1e-20 was reported as 0.56; one release, and a basic composition, are its ends."""
    low, high = (tr.Gaussian(1.149).sampled(3.9e-5) ** 5).epsilon_interval(1e-20)
    one = tr.Gaussian(1.149).sampled(3.9e-5)
    assert one.epsilon_interval(1e-20)[0] < low < high < 5 * one.epsilon(2e-21)
    assert high - low < 1e-8 * high


@pytest.mark.parametrize(("rate", "runs", "delta"), [(1e-6, 16, 1e-10), (1e-6, 50, 1e-12)])
def test_a_search_that_starts_far_from_the_root(rate: float, runs: int, delta: float) -> None:
    """Chernoff's epsilon is 1,000 times too large here; the search used to end at 2 to 5 times."""
    low, high = (tr.Gaussian(1).sampled(rate) ** runs).epsilon_interval(delta)
    assert high - low < 1e-4 * high


@pytest.mark.parametrize(
    ("noise", "rate", "runs", "delta", "expected"),
    [
        (2.5, 0.01, 2, 1e-24, 0.386422),
        (2.5, 0.01, 2, 1e-40, 1.016909),
        (3, 0.01, 2, 1e-24, 0.214379),
    ],
)
def test_where_a_short_contour_proves_little(
    noise: float, rate: float, runs: int, delta: float, expected: float
) -> None:
    """Contours at epsilon = 0.1 are short here, and further out no use: epsilon was 9 to 40 % more.

    Expected: Gauss-Legendre panels of the integral over one release.
    """
    low, high = (tr.Gaussian(noise).sampled(rate) ** runs).epsilon_interval(delta)
    assert high - low < 1e-9 * high
    assert high == pytest.approx(expected, abs=6e-7)


@pytest.mark.parametrize(("noise", "rate"), [(0.35, 5e-4), (0.4, 1e-3)])
def test_a_long_table_of_a_large_shift(noise: float, rate: float) -> None:
    """Lifted values were beyond doubles."""
    low, high = (tr.Gaussian(noise).sampled(rate) ** 2).epsilon_interval(1e-240)
    assert high - low < 1e-9 * high


@pytest.mark.parametrize(
    ("mu", "at", "expected"),
    [
        (1.0, 0.5, "6.850307024985422195575e-7"),
        (1.0, 16.0, "2.63181669063316720838e-67"),
        (1.0, 51.0, "3.326744875791041608678e-300"),
        (1 / 30, 0.0307, "1.807252632910268343664e-300"),
    ],
)
def test_three_releases_far_out(mu: float, at: float, expected: str) -> None:
    """At rate 0.01: integrals over two of the x, at 30 digits or more."""
    found = law_of((mu, 1e-2), 3).log_delta(np.array([at]))
    with mp.workdps(40):
        truth = float(mp.log(mp.mpf(expected)))
    assert found.lower[0] - 1e-13 <= truth <= found.upper[0] + 1e-13
    assert found.upper[0] - found.lower[0] < 1e-9


def test_epsilon_of_three_releases_at_the_least_delta() -> None:
    """The upper end was 51.22, Chernoff's, and the lower end of delta there 0."""
    event = tr.Gaussian(1).sampled(0.01) ** 3
    low, high = event.epsilon_interval(1e-300)
    assert 51 < low < high < 51.1
    assert high - low < 1e-9 * high
    least, most = event.delta_interval(51.0)
    assert most - least < 1e-9 * most


@pytest.mark.parametrize("runs", [2, 3])
def test_long_tables_agree_with_short_ones(runs: int) -> None:
    kind = Kind(0.3, 0.05)
    short, long = (cut_profile(kind, runs, p) for p in (near(kind, runs), far(kind, runs)))
    log_x = np.linspace(short.start, short.end, 300)
    one, other = (table.at(log_x, np.zeros_like(log_x)) for table in (short, long))
    assert (np.abs(one[0] - other[0]) <= one[1] + other[1]).all()
    assert (other[1] < 1e-9).all()


@pytest.mark.parametrize("kind", [(1.0, 1e-2), (0.3, 0.05)])
def test_slopes_are_bounded(kind: tuple[float, float]) -> None:
    """Chords of the table are no steeper than the bounds of its panels, and nearly as steep."""
    table = cut_profile(Kind(*kind), 2, far(Kind(*kind), 2))
    places = np.array([0.01, 0.03, 0.5, 0.52, 0.97, 0.99])
    log_x = table.start + 2 * table.half * (np.arange(len(table.tilt))[:, None] + places)
    log, _ = table.at(log_x.ravel(), np.zeros(log_x.size))
    steep = -np.diff(log.reshape(log_x.shape)) / np.diff(log_x)
    assert (steep <= table.slope[:, None] + 1e-6).all()
    far_out = table.slope > 10 / kind[0]
    assert (table.slope[far_out] < 1.5 * steep[far_out].max(axis=1)).all()


def test_the_base_law_first_far_out() -> None:
    """The other order, by the same integrals."""
    found = OrderProfile(total_of((1 / 30, 1e-2), 3, mixture_first=False)).log_delta(
        np.array([0.0152])
    )
    with mp.workdps(40):
        truth = float(mp.log(mp.mpf("3.987911180272220438156e-298")))
    assert found.lower[0] - 1e-13 <= truth <= found.upper[0] + 1e-13
    assert found.upper[0] - found.lower[0] < 1e-9


def test_a_contour_that_tells_nothing_warns_of_nothing() -> None:
    """Sizes and their errors may be as large as exp(650) each: infinity is what bounds them."""
    contour = laying.through(total_of((1.0, 1e-4), 3), 3.0, 0.1)
    assert contour.eta
    contour.__dict__["sizes"] = np.full(len(contour.at.tau), np.exp(650.0))  # a cached property
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors = contour.sums(np.array([1e14])).errors
    assert np.isposinf(errors.smoothing).all()
    assert np.isposinf(errors.rounding).all()
