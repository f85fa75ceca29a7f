"""The transform of discrete Gaussian losses against sums of a hundred digits, and what follows."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from engine import log_delta

from tightrope.loss.contour.laying import through
from tightrope.loss.contour.saddle import for_epsilon
from tightrope.loss.discrete.discrete_gaussian import DiscreteGaussianLoss
from tightrope.loss.inverse import Inverse
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total

one = DiscreteGaussianLoss.one


def reference(variance: Fraction, shift: int, c: float, tau: float) -> tuple[mp.mpf, mp.mpc]:
    """M(c + i tau) as exp(first) * second, summed over integers or, for a large variance, dual."""
    v, z = mp.mpf(variance.numerator) / variance.denominator, mp.mpc(c, tau)
    q, w = mp.mpf(shift) ** 2 / v, mp.mpc(c, tau) * shift
    if v < 20:
        middle = int(mp.nint(w.real))
        reach = int(mp.sqrt(2 * v * 260)) + 3
        top = middle * (2 * w.real - middle) / (2 * v)
        numbers = range(middle - reach, middle + reach + 1)
        terms = (mp.exp(-(mp.mpf(x) ** 2) / (2 * v) + x * w / v - top) for x in numbers)
        norm = mp.fsum(mp.exp(-(mp.mpf(x) ** 2) / (2 * v)) for x in range(-reach, reach + 1))
        return top + c * q / 2, mp.fsum(terms) / norm * mp.expj(tau * q / 2)
    period = 2 * mp.pi * v / shift
    nearest = -int(mp.nint(z.imag / period))
    exponents = [((z + 1j * k * period) ** 2 + z) * q / 2 for k in range(nearest - 2, nearest + 3)]
    top = exponents[2].real
    norm = mp.fsum(mp.exp(-2 * mp.pi**2 * v * k**2) for k in range(-2, 3))
    return top, mp.fsum(mp.exp(e - top) for e in exponents if e.real - top > -400) / norm


def miss(value: complex, count: int, top: mp.mpf, rest: mp.mpc) -> mp.mpf:
    """Distance of a computed logarithm from count * log of the reference, modulo 2 pi i."""
    away = mp.mpc(value) - count * (top + mp.mpc(mp.log(abs(rest)), mp.arg(rest)))
    turns = mp.nint(away.imag / (2 * mp.pi))
    return abs(mp.mpc(away.real, away.imag - 2 * mp.pi * turns))


VARIANCES = [Fraction(1, 50), Fraction(1, 7), Fraction(1, 6), Fraction(1, 2), Fraction(67, 100)]
VARIANCES += [Fraction(3), Fraction(45, 2), Fraction(10**4), Fraction(10**10), Fraction(1, 10**3)]


@pytest.mark.parametrize("variance", VARIANCES)
def test_transform_is_within_its_error(variance: Fraction) -> None:
    ratios = []
    with mp.workdps(130):
        for shift, c, count in itertools.product((1, 7), (1e-3, 2.0, 40.37), (1, 10**5)):
            period = 2 * math.pi * float(variance) / shift
            tau = period * np.array([0.0, 1e-3, 0.3, 0.4999, 12345.499])
            value, error = one(variance, shift).times(count).line(c).transform(tau)
            for t, v, e in zip(tau.tolist(), value.tolist(), error.tolist(), strict=True):
                top, rest = reference(variance, shift, c, t)
                ratios.append(float(miss(v, count, top, rest)) / e)
    assert max(ratios) < 1
    assert np.median(ratios) > 1e-3


@pytest.mark.parametrize("scale", [1e-5, 1e-9])
def test_a_tiny_loss_keeps_its_digits(scale: float) -> None:
    """log M = c (c + 1) q/2 of a large variance, and c q/2 to first order of any."""
    wide = one(Fraction(10**12)).line(2.0).transform(np.zeros(1))
    assert wide.value.real[0] == pytest.approx(3e-12, rel=1e-15)
    assert wide.error[0] < 2e-24
    for variance in (0.1, 0.5, 3.0):
        near = one(variance).line(scale).transform(np.zeros(1))
        assert near.value.real[0] == pytest.approx(scale / (2 * variance), rel=20 * scale)
        assert near.error[0] < 1e-14 * near.value.real[0] + 1e-23


def test_a_cancelled_sum_is_no_trouble() -> None:
    """Half way to a revival, M of a shift that splits an integer vanishes."""
    variance = 0.05
    line = one(variance).times(3).line(0.5)
    value, error = line.transform(np.array([math.pi * variance]))
    assert value.real[0] < -70
    assert np.isfinite(error[0])


@pytest.mark.parametrize("variance", [0.01, 0.2, 0.5, 0.7, 4.0, 300.0])
@pytest.mark.parametrize("c", [0.05, 0.5, 3.3])
def test_bounds_hold(variance: float, c: float) -> None:
    line = one(variance, 2).times(3).line(c)
    half = math.pi * variance / 2
    tau = np.linspace(0, half, 400)
    value, error = line.transform(tau)
    size = value.real - value.real[0] - error - error[0]
    assert (size <= line.screen(tau)).all()
    assert (size <= line.decay_within(tau)).all()
    assert (np.diff(line.decay_within(tau)) <= 1e-12).all()
    assert not line.decay(tau).any()
    far = tau + 2 * half * 1000
    assert (line.transform(far).value.real - value.real[0] - 1e-6 <= line.screen(far)).all()
    period, reach = one(variance, 2).times(3).teeth(4.0)
    assert (size[tau > reach.max(initial=2 * half)] < -4).all()
    if variance >= 0.5:
        assert period[0] == pytest.approx(2 * half)


def test_the_screen_is_sharp_between_revivals() -> None:
    loss = DiscreteGaussianLoss.together([one(Fraction(7), 1).times(9), one(Fraction(40), 3)])
    tau = np.linspace(0, 300, 2000)
    value = loss.line(1.0).transform(tau).value.real
    away = loss.line(1.0).screen(tau) - (value - value[0])
    assert 0 <= away.max() < 10 * math.log(2) + 1e-6
    assert np.median(away) < 1e-6


def test_equal_releases_are_one_row() -> None:
    loss = DiscreteGaussianLoss.together([one(2.5).times(3), one(Fraction(5, 2)), one(2.5, 2)])
    assert loss.runs == {(Fraction(5, 2), 1): 4, (Fraction(5, 2), 2): 1}


def test_lattice_is_exact() -> None:
    loss = DiscreteGaussianLoss.together([one(Fraction(10, 3), 2).times(5), one(Fraction(9, 2))])
    assert loss.lattice is not None
    step, origin = Fraction(1, 45), Fraction(5 * 4 * 3, 10 * 2) + Fraction(2, 9 * 2)
    assert loss.lattice.step == float(step)
    assert loss.lattice.origin == pytest.approx(float(origin % step), abs=1e-17)
    assert one(math.pi).lattice is not None
    doubles = [one(variance) for variance in (math.pi, math.e, 1.7, 0.3)]
    assert DiscreteGaussianLoss.together(doubles).lattice is None


def test_blocks_bound_the_memory() -> None:
    rows = [one(v) for v in np.geomspace(0.3, 1e6, 200).tolist()]
    line = DiscreteGaussianLoss.together(rows).line(1.0)
    tracemalloc.start()
    line.transform(np.linspace(0, 1e5, 20_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6


def delta_by_sum(rows: list[tuple[float, int]], epsilon: float) -> float:
    """delta of a few releases, summed over all their outcomes; good to 1e-13."""
    loss, chance = np.zeros(1), np.ones(1)
    for variance, shift in rows:
        reach = int(10 * math.sqrt(variance)) + 3 + shift
        x = np.arange(-reach, reach + 1)
        weight = np.exp(-(x**2) / (2 * variance))
        loss = np.add.outer(loss, shift * (2 * x + shift) / (2 * variance)).ravel()
        chance = np.multiply.outer(chance, weight / math.fsum(weight)).ravel()
    beyond = loss > epsilon
    return math.fsum(chance[beyond] * -np.expm1(epsilon - loss[beyond]))


@pytest.mark.parametrize(
    "rows",
    [
        [(1.0, 1), (1.0, 1)],
        [(0.09, 1), (0.09, 1), (0.09, 1)],
        [(2.0, 1), (0.75, 1), (0.25, 2)],
        [(math.pi, 1), (math.e, 1), (1.7, 1)],
        [(30.0, 3)],
    ],
)
def test_delta_against_the_sum_over_outcomes(rows: list[tuple[float, int]]) -> None:
    total = Total.of((one(variance, shift), 1) for variance, shift in rows)
    for epsilon in (0.1, 1.0, 4.3):
        truth = math.log(delta_by_sum(rows, epsilon))
        found = log_delta(total, np.array([epsilon]))
        assert found.lower[0] - 1e-13 <= truth <= found.upper[0] + 1e-13
        assert found.upper[0] - found.lower[0] < 1e-4


def test_a_thousand_releases() -> None:
    """Known to eleven digits: noise scale 10, delta 1e-6."""
    profile = OrderProfile(Total.of([(one(Fraction(100)), 1000)]))
    low, high = Inverse(profile, math.log(1e-6)).bounds()
    assert low <= high
    assert low == pytest.approx(19.423664552, abs=1e-9)
    assert high == pytest.approx(19.423664552, abs=1e-9)


@pytest.mark.parametrize(("scale", "epsilon"), [(10**5, 1e-5), (10**10, 1e-10)])
def test_a_large_scale_is_a_gaussian(scale: int, epsilon: float) -> None:
    with mp.workdps(40):
        mu, e = mp.mpf(1) / scale, mp.mpf(epsilon)
        truth = mp.log(mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu))
    found = log_delta(Total.of([(one(Fraction(scale) ** 2), 1)]), np.array([epsilon]))
    assert found.lower[0] < float(truth) + 1e-10  # a lattice of step 1/scale^2 is finer than that
    assert found.upper[0] > float(truth) - 1e-12
    assert found.upper[0] - found.lower[0] < 5e-12


def test_a_long_lattice_is_sieved() -> None:
    """(10, 10) of the Census DHC paths: 1.2 million nodes, of which a few hundred matter."""
    rows = [(Fraction(80000, 17843), 16), (Fraction(20000, 17843), 4), (Fraction(10000, 999), 18)]
    rows += [(Fraction(2500, 999), 2), (Fraction(10000, 73), 18), (Fraction(2500, 73), 2)]
    total = Total.of((one(variance), count) for variance, count in rows)
    contour = through(total, for_epsilon(total, 45.0), 45.0)
    assert contour.nodes > 10**6
    assert len(contour.at.tau) < 2000
    sums = contour.sums(np.array([45.0]))
    truth = math.log(5.175852312441258002654e-38)  # by the same sum in forty digits
    assert sums.log_lower[0] - 1e-14 <= truth <= sums.log_upper[0] + 1e-14
    assert sums.log_upper[0] - sums.log_lower[0] < 1e-11


def test_without_a_lattice_windows_reach_far() -> None:
    """The same variances as doubles have no lattice in reach: a tiny Gaussian closes the tail."""
    exact = [(Fraction(10, 3), 8), (Fraction(9, 2), 6), (Fraction(7, 5), 3)]
    rational = Total.of((one(variance), count) for variance, count in exact)
    floats = Total.of((one(float(variance)), count) for variance, count in exact)
    at = np.array([12.0])
    known = log_delta(rational, at)
    contour = through(floats, for_epsilon(floats, 12.0), 12.0)
    assert 0 < contour.eta < 1e-4
    assert contour.nodes > 10**5
    found = contour.sums(at)
    assert found.log_lower[0] - 1e-13 <= known.upper[0]
    assert found.log_upper[0] + 1e-13 >= known.lower[0]
    assert found.log_upper[0] - found.log_lower[0] < 1e-5
