"""The laws that noise is compared with, and the two tests that compare."""

import math
from functools import lru_cache

import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.auditing.noise_fit import scale_of_noise, shape_of_noise
from tightrope.auditing.noise_shapes import GaussianShape, LaplaceShape, LogisticShape
from tightrope.noise import discrete_gaussian, discrete_laplace, discrete_logistic

REACH = 200


@lru_cache
def theta(s):
    return mp.fsum(mp.exp(-(k**2) / (2 * s**2)) for k in range(-REACH, REACH + 1))


WHOLE = {
    LaplaceShape: lambda y, s: mp.exp(-abs(y) / s) * mp.tanh(1 / (2 * s)),
    LogisticShape: lambda y, s: (
        1 / (1 + mp.exp((abs(y) - 0.5) / s)) - 1 / (1 + mp.exp((abs(y) + 0.5) / s))
    ),
    GaussianShape: lambda y, s: mp.exp(-(y**2) / (2 * s**2)) / theta(s),
}


@pytest.mark.parametrize("scale", [0.3, 1.0, 7.5])
@pytest.mark.parametrize("law", WHOLE)
def test_masses_and_sums_of_whole_laws(law, scale):
    shape, s = law(scale, whole=True), mp.mpf(scale)
    masses = {y: WHOLE[law](mp.mpf(y), s) for y in range(-REACH, REACH + 1)}
    for y in (-9, -1, 0, 1, 4):
        found = math.exp(shape.log_mass(np.array([float(y)]), scale)[0])
        assert found == pytest.approx(float(masses[y]), rel=1e-11)
        below = mp.fsum(mass for z, mass in masses.items() if z <= y)
        assert shape.below(np.array([float(y)]))[0] == pytest.approx(float(below), abs=1e-9)
        assert shape.before(np.array([float(y)]))[0] == pytest.approx(
            float(below - masses[y]), abs=1e-9
        )


@pytest.mark.parametrize("law", WHOLE)
def test_continuous_laws_are_the_limits(law):
    shape = law(1.5, whole=False)
    y = np.array([-3.0, -0.2, 0.0, 2.5])
    h = 1e-5
    slopes = (shape.below(y + h) - shape.below(y - h)) / (2 * h)
    assert np.exp(shape.log_mass(y, 1.5)) == pytest.approx(slopes, rel=1e-4)
    assert shape.below(y) == pytest.approx(1 - shape.below(-y))


def test_far_scales_of_the_discrete_gaussian_join_on():
    y = np.array([-3000.0, -1.0, 0.0, 500.0])
    near, far = GaussianShape(2048.0, whole=True), GaussianShape(2048.5, whole=True)
    stretched = near.below(np.rint(y * 2048 / 2048.5))
    assert far.below(y) == pytest.approx(stretched, abs=3e-4)
    assert far.below(y) == pytest.approx(
        np.cumsum(np.exp(far.log_mass(np.arange(-30000.0, 30001.0), 2048.5)))[
            (y + 30000).astype(int)
        ],
        abs=1e-8,
    )


DRAWS = {
    LaplaceShape: lambda scale, n, source: discrete_laplace(scale, n, entropy=source),
    GaussianShape: lambda scale, n, source: discrete_gaussian(scale**2, n, entropy=source),
    LogisticShape: lambda scale, n, source: discrete_logistic(scale, n, entropy=source),
}


@pytest.mark.parametrize("test", [scale_of_noise, shape_of_noise])
@pytest.mark.parametrize("law", DRAWS)
def test_right_noise_raises_no_more_alarms_than_stated(law, test):
    """Of 200 samples, more than 36 with p <= 0.1 have a probability below 2e-4."""
    source = tr.InsecureEntropy(7)
    values = [
        test(DRAWS[law](3.0, 300, source).astype(float), law(3.0, whole=True), 1e-3).p_value
        for _ in range(200)
    ]
    assert np.sum(np.array(values) <= 0.1) <= 36


@pytest.mark.parametrize(
    ("law", "samples"), [(GaussianShape, 1800), (LaplaceShape, 3600), (LogisticShape, 3600)]
)
def test_a_scale_ten_percent_small_is_seen_in_a_few_thousand(law, samples):
    source = tr.InsecureEntropy(8)
    found = [
        scale_of_noise(DRAWS[law](90.0, samples, source).astype(float), law(100.0, True), 1e-3)
        for _ in range(50)
    ]
    assert sum(finding.refuted for finding in found) >= 43


def test_a_wrong_shape_of_the_right_scale_is_seen():
    source = tr.InsecureEntropy(9)
    noise = discrete_gaussian(100, 5000, entropy=source).astype(float)
    assert shape_of_noise(noise, LaplaceShape(8.0, True), 1e-3).refuted


def test_rounded_laplace_noise_is_no_geometric_noise():
    """0.393 instead of 0.462 of the mass at 0."""
    noise = np.rint(np.random.default_rng(3).laplace(size=5000))
    assert shape_of_noise(noise, LaplaceShape(1.0, True), 1e-3).refuted
