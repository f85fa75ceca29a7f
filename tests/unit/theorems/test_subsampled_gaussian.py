"""The Poisson-subsampled Gaussian against its definition, in both orders of the pair."""

import math

import mpmath as mp
import numpy as np
import pytest
from law_reference import eighty_digits, excess, gaussian_delta, golden, log_excess

from tightrope.theorems import subsampled_gaussian as sg

digits = pytest.fixture(autouse=True)(eighty_digits)

DIRECTIONS = {"mix": sg.log_delta_with, "base": sg.log_delta_without}


@pytest.mark.parametrize(
    ("mu", "rate", "epsilon", "direction", "value"), golden("delta_subsampled_gauss")
)
def test_profile_is_the_reference_value(mu, rate, epsilon, direction, value):
    log_delta = DIRECTIONS[direction](float(mu), float(rate), float(epsilon))
    if mp.mpf(value) == 0:
        assert log_delta == -math.inf
    else:
        assert 0 <= log_excess(log_delta, value) < 1e-13


@pytest.mark.parametrize(("mu", "rate", "alpha", "value"), golden("T_subsampled_gauss"))
def test_tradeoff_is_the_reference_value(mu, rate, alpha, value):
    assert -1e-14 < excess(sg.tradeoff(float(mu), float(rate), float(alpha)), value) <= 0


@pytest.mark.parametrize(("mu", "rate", "order", "value"), golden("rdp_subsampled_gauss"))
def test_renyi_is_the_reference_value(mu, rate, order, value):
    assert 0 <= excess(sg.renyi_integer(float(mu), float(rate), float(order)), value) < 3e-14


def _delta(mu, rate, epsilon, direction):
    """One crossing of the likelihood ratio, so one half-line on which to subtract."""
    m, r, e = mp.mpf(mu), mp.mpf(rate), mp.mpf(epsilon)
    ratio = mp.exp(e if direction == "mix" else -e)  # of the mixture to the base law
    if ratio <= 1 - r:
        return mp.mpf(0) if direction == "base" else 1 - mp.exp(e)
    x = mp.log((ratio - 1 + r) / r) / m + m / 2
    x, m = (-x, -m) if direction == "mix" else (x, m)
    base, mixture = mp.ncdf(x), (1 - r) * mp.ncdf(x) + r * mp.ncdf(x - m)
    return mixture - mp.exp(e) * base if direction == "mix" else base - mp.exp(e) * mixture


@pytest.mark.parametrize("direction", ["mix", "base"])
@pytest.mark.parametrize("mu", [0.001, 0.4, 5.0])
@pytest.mark.parametrize("rate", [1e-5, 0.3, 0.999])
def test_profile_is_safe_and_tight(mu, rate, direction):
    end = -math.log1p(-rate)
    grid = np.array([-40.0, -3 * end, -end, -end / 2, -1e-9, 0.0, end / 3, 0.9 * end, 2.0, 35.0])
    for epsilon, log_delta in zip(grid, DIRECTIONS[direction](mu, rate, grid), strict=True):
        with mp.workdps(300):
            truth = _delta(mu, rate, epsilon, direction)
        if truth == 0:
            assert log_delta == -math.inf
        elif truth > mp.mpf(10) ** -200_000:
            assert 0 <= log_excess(log_delta, truth) < 2e-13 * (1 - log_delta)


def test_rates_zero_and_one():
    grid = np.array([-1.0, 0.0, 0.7])
    for log_delta in DIRECTIONS.values():
        assert log_delta(1.0, 0.0, grid)[1:].tolist() == [-math.inf, -math.inf]
        assert 0 <= log_excess(log_delta(1.0, 0.0, -1.0), 1 - mp.exp(-1)) < 1e-14
        for epsilon in grid:
            truth = gaussian_delta(1.0, epsilon)
            assert 0 <= log_excess(log_delta(1.0, 1.0, epsilon), truth) < 1e-14
    assert sg.tradeoff(1.0, 0.0, 0.25) == pytest.approx(0.75, rel=1e-14)
    assert sg.renyi(1.0, 0.0, 7.5) == 0
    assert sg.renyi(0.0, 0.5, 7.5) == 0
    assert 0 <= excess(sg.renyi(1.0, 1.0, 7.5), 3.75) < 1e-14


def test_the_order_of_the_pair_matters_for_the_curve():
    assert sg.tradeoff(1.0, 0.1, 0.01) == pytest.approx(0.98176, abs=5e-6)  # the other: 0.98894


@pytest.mark.parametrize("rate", [0.02, 0.7])
def test_tradeoff_is_the_conjugate_of_the_profile(rate):
    """f(a) >= 1 - delta(e) - exp(e) a for every e, with equality at one of them."""
    for alpha in (1e-6, 0.05, 0.6):
        beta = sg.tradeoff(1.5, rate, alpha)
        epsilon = np.linspace(math.log1p(-rate), 12, 4001)
        lines = 1 - np.exp(sg.log_delta_with(1.5, rate, epsilon)) - np.exp(epsilon) * alpha
        assert beta - 1e-4 < lines.max() < beta + 1e-14


def _log_moment(mu, rate, order):
    m, r = mp.mpf(mu), mp.mpf(rate)
    terms = (
        mp.binomial(order, j) * (1 - r) ** (order - j) * r**j * mp.exp(j * (j - 1) * m * m / 2)
        for j in range(order + 1)
    )
    return mp.log(mp.fsum(terms))


@pytest.mark.parametrize(
    ("mu", "rate", "order"),
    [(1e-3, 1e-6, 2), (4.0, 0.9, 3), (0.1145, 6.4e-4, 1120), (2e-3, 0.6, 900), (0.02, 1e-3, 700)],
)
def test_renyi_is_safe_and_tight(mu, rate, order):
    truth = _log_moment(mu, rate, order) / (order - 1)
    assert 0 <= excess(sg.renyi_integer(mu, rate, float(order)), truth) < 2e-13
    assert sg.renyi(mu, rate, float(order)) == pytest.approx(float(truth), rel=1e-12)


def _renyi_integral(mu, rate, order, reverse=False):
    def integrand(x):
        ratio = 1 - rate + rate * mp.exp(mu * x - mp.mpf(mu) ** 2 / 2)
        return mp.npdf(x) * ratio ** (1 - order if reverse else order)

    with mp.workdps(20):
        moment = mp.quad(integrand, [-12, -4, 0, 4, order * mu + 4, order * mu + 14])
        return mp.log(moment) / (order - 1)


@pytest.mark.parametrize("order", [1.1, 1.9, 2.5, 7.7])
def test_chords_lie_above(order):
    bound = sg.renyi(1.2, 0.1, order)
    truth = _renyi_integral(1.2, 0.1, order)
    assert 0 <= excess(bound, truth) < (1.4 if order < 2 else 0.3)
    assert truth > _renyi_integral(1.2, 0.1, order, reverse=True)


def test_renyi_curve_grows_and_never_exceeds_the_gaussian():
    orders = np.concatenate([np.linspace(1, 40, 400), [300.5, 65535.5, 65536, 7e4, 1e9, np.inf]])
    curve = sg.renyi(0.7, 0.003, orders)
    assert np.all(np.diff(curve) >= 0)
    assert np.all(curve <= 0.245 * orders * (1 + 1e-14))
    assert sg.renyi(1e160, 0.5, 3.0) == math.inf


@pytest.mark.parametrize("order", [1.0, 2.5, 1e5, math.nan])
def test_whole_orders_only(order):
    with pytest.raises(ValueError, match="orders must be whole"):
        sg.renyi_integer(1.0, 0.1, order)


@pytest.mark.parametrize(
    ("mu", "rate"), [(-1.0, 0.1), (1.0, 1.1), (math.nan, 0.1), (1.0, math.nan)]
)
def test_bad_arguments(mu, rate):
    for call in (sg.log_delta_with, sg.log_delta_without, sg.renyi, sg.renyi_integer):
        with pytest.raises(ValueError, match="needs mu >= 0 and a rate"):
            call(mu, rate, 2.0)
    with pytest.raises(ValueError, match="needs mu >= 0 and a rate"):
        sg.tradeoff(mu, rate, 0.5)
