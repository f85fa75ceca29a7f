"""Calibration lands on the safe side, right at the edge."""

import math

import pytest

import tightrope as tr


@pytest.mark.parametrize(
    ("epsilon", "delta", "scale"),
    [
        # analytic Gaussian mechanism (Balle and Wang 2018), 20-digit references
        ("0.01", 1e-5, 243.78543767567802221),
        ("0.5", 1e-5, 7.0318266755824914044),
    ],
)
def test_the_analytic_gaussian_mechanism(epsilon, delta, scale):
    found = tr.calibrate(tr.Gaussian, tr.ApproxDP(float(epsilon), delta))
    assert found >= scale
    assert found == pytest.approx(scale, rel=1e-12)


def test_large_and_small_targets():
    """opacus #601, dpsynth #71, autodp #39: any epsilon calibrates, quickly and exactly."""
    assert tr.calibrate(tr.Gaussian, tr.ApproxDP(50, 1e-6)) == pytest.approx(0.156592870, rel=1e-8)
    assert tr.calibrate(tr.Gaussian, tr.ApproxDP(100, 1e-6)) == pytest.approx(0.097837, rel=1e-5)


def test_directions_are_found():
    target = tr.ApproxDP(1.0, 1e-6)
    rate = tr.calibrate(lambda r: tr.PureDP(2.0).sampled(r), tr.PureDP(1.0), bounds=(0, 1))
    assert rate == pytest.approx(math.expm1(1) / math.expm1(2), rel=1e-12)
    assert tr.PureDP(2.0).sampled(rate).to(tr.PureDP).epsilon <= 1.0
    steps = tr.calibrate(lambda n: tr.Gaussian(20) ** n, target, integer=True)
    assert (
        (tr.Gaussian(20) ** steps).epsilon(1e-6)
        <= 1.0
        < (tr.Gaussian(20) ** (steps + 1)).epsilon(1e-6)
    )
    group = tr.calibrate(lambda k: tr.GDP(0.1).group(k), tr.GDP(0.95), integer=True)
    assert group == 9


def test_every_scalar_notion_is_a_target():
    assert tr.calibrate(tr.Laplace, tr.PureDP(0.5)) == pytest.approx(2, rel=1e-12)
    assert tr.calibrate(lambda s: tr.Gaussian(s) ** 4, tr.GDP(1.0)) == pytest.approx(2, rel=1e-12)
    rho = tr.calibrate(lambda s: tr.Gaussian(s) ** 4, tr.ZCDP(0.5))
    assert rho == pytest.approx(2, rel=1e-12)
    assert rho >= 2


def test_an_impossible_target_says_so():
    with pytest.raises(tr.NotReachable, match="no parameter in"):
        tr.calibrate(tr.Gaussian, tr.PureDP(1.0), bounds=(0.1, 10))


def test_what_is_not_monotone_is_refused():
    with pytest.raises(tr.InvalidArgument, match="does both"):
        tr.calibrate(lambda x: tr.GDP(abs(math.log(x))), tr.GDP(0.9), bounds=(0.1, 10))


def test_relations_must_agree():
    with pytest.raises(tr.NeighborsMismatch):
        tr.calibrate(tr.Gaussian, tr.GDP(1.0, neighbors=tr.replace_one))
