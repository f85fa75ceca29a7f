"""Calibration to every kind of target: scalar notions, orders, points of curves."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr

PROMISED = 1e-10
"""Relative distance from the edge that the documentation promises."""


def training(noise, rate=0.01, steps=2000):
    return tr.Gaussian(noise).sampled(rate) ** steps


def test_every_scalar_notion_is_a_target():
    assert tr.calibrate(tr.Laplace, tr.PureDP(0.5)) == pytest.approx(2, rel=PROMISED)
    noise = tr.calibrate(lambda s: tr.Gaussian(s) ** 4, tr.GDP(1.0))
    assert 2 <= noise <= 2 * (1 + PROMISED)
    noise = tr.calibrate(lambda s: tr.Gaussian(s) ** 4, tr.ZCDP(0.5))
    assert 2 <= noise <= 2 * (1 + PROMISED)


def test_an_offset_of_zcdp_counts_at_order_one():
    """1.25 a lies below 0.5 + a (from a = 1 on: 1.25 against 1.5), but not beyond a = 2."""
    steps = tr.calibrate(lambda n: tr.ZCDP(0.25) ** n, tr.ZCDP(rho=1.0, xi=0.5), integer=True)
    assert steps == 4


def test_a_number_that_does_not_depend_on_the_parameter_hides_nothing():
    reach = tr.calibrate(lambda x: tr.TCDP(0.1, x), tr.TCDP(Fraction(1, 10), 3))
    assert reach == pytest.approx(3, rel=PROMISED)


def test_a_renyi_order():
    """D_8 of one Gaussian release is 8/(2 s^2)."""
    noise = tr.calibrate(tr.Gaussian, tr.RDP([8], [0.5]))
    assert noise == pytest.approx(math.sqrt(8), rel=PROMISED)
    assert tr.Gaussian(noise).to(tr.RDP)(8) <= 0.5
    both = tr.calibrate(tr.Gaussian, tr.RDP([2, 8], [0.01, 0.5]))
    assert both == pytest.approx(10, rel=PROMISED)


def test_a_point_of_a_tradeoff_curve():
    """G_mu(.01) = Phi(Phi^-1(.99) - mu) = .9 at mu = 2.3263478740 - 1.2815515655."""
    noise = tr.calibrate(tr.Gaussian, tr.TradeOff([0, 0.01, 1], [1, 0.9, 0]))
    assert noise == pytest.approx(1 / 1.0447963085, rel=1e-9)
    assert tr.Gaussian(noise).tradeoff(0.01) >= 0.9


def test_a_tradeoff_curve_at_its_points():
    alpha = np.array([0.001, 0.01, 0.1, 0.4])
    wanted = tr.TradeOff(alpha, tr.GDP(0.5).tradeoff(alpha))
    noise = tr.calibrate(lambda s: tr.Gaussian(s) ** 9, wanted)
    assert noise == pytest.approx(6, rel=1e-9)
    assert ((tr.Gaussian(noise) ** 9).tradeoff(alpha) >= wanted.points[1]).all()


def test_points_of_a_tradeoff_curve_of_training():
    wanted = tr.TradeOff([0.01, 0.1, 1], [0.9, 0.6, 0])
    noise = tr.calibrate(training, wanted)
    assert (training(noise).tradeoff([0.01, 0.1]) >= [0.9, 0.6]).all()
    assert (training(noise * (1 - PROMISED)).tradeoff([0.01, 0.1]) < [0.9, 0.6]).any()


def test_several_points_of_a_profile():
    """Each point alone needs less; the one that needs most decides."""
    points = [(0.0, 0.1), (1.0, 1e-3), (3.0, 0.0999)]
    alone = [tr.calibrate(tr.Gaussian, tr.ApproxDP(*point)) for point in points]
    together = tr.calibrate(tr.Gaussian, tr.Profile(*zip(*points, strict=True)))
    assert together == pytest.approx(max(alone), rel=2 * PROMISED)


def test_an_advantage():
    """The total variation of Laplace noise at distance 1 is 1 - exp(-1/(2 s))."""
    scale = tr.calibrate(tr.Laplace, tr.ApproxDP(0, 0.2))
    assert scale == pytest.approx(-0.5 / math.log(0.8), rel=PROMISED)
    assert tr.Laplace(scale).advantage() <= 0.2


def test_a_curve_that_a_guarantee_says_as_well():
    wanted = tr.GDP(0.5).to(tr.TradeOff)
    assert tr.calibrate(tr.Gaussian, wanted) == pytest.approx(2, rel=PROMISED)
