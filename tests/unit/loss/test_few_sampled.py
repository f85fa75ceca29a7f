"""Few runs of sampled Gaussian noise: bent contours, and the closed forms at both ends."""

from __future__ import annotations

import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest

from tightrope.loss.bent.density import SampledDensity
from tightrope.loss.bent.law import FewSampledLaw
from tightrope.loss.bent.ray import RayBound, RayRule
from tightrope.loss.exact.far_apart import FarApart
from tightrope.loss.exact.one_mixture import OneBase, one_mixture
from tightrope.loss.exact.one_spliced import OneSpliced
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.total import Total

ROWS = json.loads((Path(__file__).parents[2] / "golden" / "composed.json").read_text())
FEW = [
    row
    for row in ROWS
    if row["loss"] == "poisson_gaussian"
    and int(row["n"]) in (2, 3, 10)
    and float(row["log_delta"]) > -80
    and row["args"]["sigma"] != "4"
]


def total_of(mu, rate, runs, order):
    pair = GaussianMixtureLoss.sampled(mu, rate)
    return Total.of([(pair[order == "with"], runs)])


@pytest.mark.parametrize("row", FEW[::3], ids=lambda row: f"{row['args']}{row['n']}")
def test_a_bent_contour_holds_the_reference_sharply(row):
    args, truth = row["args"], float(row["log_delta"])
    total = total_of(1 / float(args["sigma"]), float(args["rate"]), int(row["n"]), args["order"])
    found = FewSampledLaw.of(total).log_delta(np.array([float(row["epsilon"])]))
    slack = 1e-13 * (1 + abs(truth))
    assert found.lower[0] <= truth + slack
    assert truth - slack <= found.upper[0]
    assert found.upper[0] - found.lower[0] < 2e-8


@mpmath.workdps(30)
def moment(density, z):
    """E[exp(z l)] by an integral over results."""
    mu, rate = mpmath.mpf(density.mu), mpmath.mpf(density.rate)

    def integrand(x):
        w = rate / (1 - rate) * mpmath.exp(mu * x - mu**2 / 2)
        weight = mpmath.npdf(x)
        if density.mixed:
            weight *= (1 - rate) * (1 + w)
        return weight * mpmath.exp(mpmath.mpc(z) * mpmath.log1p(w))

    points = [-14, -7, -3, 0, 3, 7, 12, 20, 30]
    return complex(mpmath.quad(integrand, points))


@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize(("mu", "rate"), [(1.0, 0.01), (3.0, 0.2)])
def test_moments_along_a_ray_are_those_of_the_loss(mu, rate, mixed):
    density = SampledDensity(mu, rate, mixed)
    turn, z = 0.12, np.array([1.5 + 0j, 1.2 + 2j, 1.2 + 6j]) if mixed else np.array([-3.0, 1 + 9j])
    most = float((z * np.exp(2j * turn)).real.max())
    start, end = density.ends(2 * turn, most, 80.0)
    step = 1 / 64
    s = step * np.arange(math.floor(start / step), math.ceil(end / step))
    value, error = RayRule(density, 2 * turn, s, most, 1e-16).sums(z)
    for got, doubt, at in zip(value, error, z, strict=True):
        truth = moment(density, at) - mixed
        assert abs(got - truth) <= doubt + 1e-14 * abs(truth)
        omega = np.array([(at * np.exp(2j * turn)).real])
        terms = math.exp(RayBound(density, 2 * turn, most, 80.0).log(omega)[0])
        assert doubt <= 1e-11 * terms


@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize("angle", [0.1, 0.4, 0.7])
def test_bounds_along_a_ray_hold_and_are_close(mixed, angle):
    density = SampledDensity(1.5, 0.05, mixed)
    s = np.linspace(-25, 4.5, 300_001)
    size = np.exp(density.at(s, angle).value.real)
    for omega in (-20.0, 0.0, 0.7):
        truth = math.log(np.sum(size * np.exp(omega * np.exp(s))) * (s[1] - s[0]))
        found = RayBound(density, angle, 0.7, 60.0).log(np.array([omega]))[0]
        assert truth <= found <= truth + 1.0


def test_the_slope_of_the_density_is_bounded():
    density, step = SampledDensity(0.7, 0.1, True), 1e-5
    s = np.linspace(-12, 2.5, 400)
    for angle in (0.1, 0.7):
        ahead, behind = density.at(s + step, angle).value, density.at(s - step, angle).value
        assert np.all(np.abs(ahead - behind) / (2 * step) <= density.at(s, angle).slope + 1e-6)


@pytest.mark.parametrize(("mu", "rate"), [(0.25, 0.00033), (1.0, 0.01), (2.0, 0.6), (40.0, 0.1)])
@pytest.mark.parametrize("order", ["with", "without"])
def test_one_run_is_an_area_above_a_threshold(mu, rate, order):
    law = one_mixture(total_of(mu, rate, 1, order))
    top = 3.0 if order == "with" else -math.log1p(-rate)
    for epsilon in (0.0, 0.3 * top, 0.9 * top):
        m, q, e = mpmath.mpf(mu), mpmath.mpf(rate), mpmath.mpf(epsilon)
        if order == "with":
            x = (mpmath.log((mpmath.exp(e) - 1 + q) / q) + m**2 / 2) / m
            above = (1 - q) * mpmath.ncdf(-x) + q * mpmath.ncdf(m - x)
            truth = above - mpmath.exp(e) * mpmath.ncdf(-x)
        else:
            x = (mpmath.log((mpmath.exp(-e) - 1 + q) / q) + m**2 / 2) / m
            below = (1 - q) * mpmath.ncdf(x) + q * mpmath.ncdf(x - m)
            truth = mpmath.ncdf(x) - mpmath.exp(e) * below
        log_truth = float(mpmath.log(truth))
        found = law.log_delta(np.array([epsilon]))
        assert found.lower[0] <= log_truth <= found.upper[0]
        assert found.upper[0] - found.lower[0] < 1e-11


@pytest.mark.parametrize("rate", [0.01, 0.5])
def test_far_apart_laws_hold_the_formula_of_one_run(rate):
    for mixed, formula in ((True, OneSpliced), (False, OneBase)):
        for mu in (13.5, 20.0, 300.0):
            top = mu * mu if mixed else -math.log1p(-rate)
            epsilon = top * np.array([0.0, 0.3, 0.6, 0.95])
            truth = formula(mu, rate).log_delta(epsilon)
            found = FarApart(SampledDensity(mu, rate, mixed), 1).log_delta(epsilon)
            assert np.all(found.lower <= truth.upper)
            assert np.all(truth.lower <= found.upper)
            near = truth.lower > -8
            assert np.all((found.upper - found.lower)[near] < (1e-2 if mu < 20 else 1e-8))


def test_a_tiny_noise_takes_little_memory():
    law = total_of(1000.0, 0.01, 2, "with").law
    assert isinstance(law, FarApart)
    found = law.log_delta(np.array([1.0]))
    # some unit is sampled, and then nothing hides it
    assert found.upper[0] == pytest.approx(math.log(1 - 0.99**2), rel=1e-9)
    assert found.lower[0] == pytest.approx(math.log(1 - 0.99**2), rel=1e-9)
