"""Skellam releases in the exact engine, against sums in mpmath and convolutions on a fine grid."""

from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from oracle import skellam_law
from scipy import fft, special

import tightrope as tr
from tightrope.loss.exact.between_lattices import BetweenLattices
from tightrope.loss.finite.below import below
from tightrope.loss.finite.laid import coarser_far_out, laid_on
from tightrope.loss.finite.skellam import skellam
from tightrope.loss.profile import OrderProfile
from tightrope.loss.total import Total


def pairs(variance, shift):
    """P, Q and the loss of every outcome that matters to fifty digits."""
    reach = int(16 * variance**0.5) + 60
    masses = skellam_law.masses(variance, reach + shift)
    ys = range(-reach, reach + 1)
    p, q = ([masses[abs(y - s)] for y in ys] for s in (0, shift))
    with mp.workdps(60):
        return p, q, [mp.log(a / b) for a, b in zip(p, q, strict=True)]


def delta_of_one(variance, shift, epsilon):
    p, q, _ = pairs(variance, shift)
    with mp.workdps(60):
        factor = mp.exp(mp.mpf(epsilon))
        return mp.fsum(max(a - factor * b, 0) for a, b in zip(p, q, strict=True))


def delta_of_two(variance, shift, epsilon):
    """For each loss of the first release, sums over the second from the left, where they fall."""
    p, q, loss = pairs(variance, shift)
    with mp.workdps(60):
        upto_p, upto_q = [mp.mpf(0)], [mp.mpf(0)]
        for a, b in zip(p, q, strict=True):
            upto_p.append(upto_p[-1] + a)
            upto_q.append(upto_q[-1] + b)
        total, factor, end = mp.mpf(0), mp.exp(mp.mpf(epsilon)), 0
        for a, b, here in zip(reversed(p), reversed(q), reversed(loss), strict=True):
            while end < len(loss) and loss[end] + here > epsilon:
                end += 1
            while end and loss[end - 1] + here <= epsilon:
                end -= 1
            total += a * upto_p[end] - factor * b * upto_q[end]
        return total


def epsilon_on_a_grid(variance, shift, runs, delta, points, step):
    """Losses divided between grid points, their powers by Fourier transform: good to 1e-6."""
    reach = int(14 * variance**0.5) + 20
    y = np.arange(-reach, reach + 1.0)
    p, q = (special.ive(np.abs(y - s), variance) for s in (0, shift))
    losses = np.log(p) - np.log(q)
    place = np.floor(losses / step).astype(int)
    part = losses / step - place
    mass = np.zeros(points)
    np.add.at(mass, place % points, p * (1 - part))
    np.add.at(mass, (place + 1) % points, p * part)
    power = fft.irfft(fft.rfft(mass) ** runs, points)[: points // 2]
    grid = step * np.arange(points // 2)
    low, high = 0.0, grid[-1]
    for _ in range(40):
        middle = (low + high) / 2
        above = grid > middle
        found = power[above] @ -np.expm1(middle - grid[above])
        low, high = (middle, high) if found > delta else (low, middle)
    return high


@pytest.mark.parametrize(
    ("variance", "shift", "epsilon"),
    [(0.25, 1, 2.0), (1, 1, 0.0), (4, 1, 1.5), (4, 7, 3.0), (100, 1, 0.4), (400, 3, 1.0)],
)
def test_one_release(variance, shift, epsilon):
    low, high = tr.Skellam(variance=variance, sensitivity=shift).delta_interval(epsilon)
    true = float(delta_of_one(variance, shift, epsilon))
    assert low <= true <= high
    assert high - low <= 1e-6 * high


@pytest.mark.parametrize(
    ("variance", "shift", "epsilon"), [(1, 1, 4.0), (4, 2, 3.0), (100, 1, 0.6)]
)
def test_two_releases(variance, shift, epsilon):
    low, high = (tr.Skellam(variance=variance, sensitivity=shift) ** 2).delta_interval(epsilon)
    true = float(delta_of_two(variance, shift, epsilon))
    assert low <= true <= high
    assert high - low <= 1e-4 * high


@pytest.mark.parametrize(
    ("variance", "shift", "runs", "points", "step"),
    [(100, 1, 10, 1 << 19, 1e-5), (30, 2, 10, 1 << 19, 4e-5), (10_000, 1, 1000, 1 << 19, 8e-6)],
)
def test_many_releases(variance, shift, runs, points, step):
    low, high = (tr.Skellam(variance=variance, sensitivity=shift) ** runs).epsilon_interval(1e-6)
    true = epsilon_on_a_grid(variance, shift, runs, 1e-6, points, step)
    assert low <= true * (1 + 1e-6)
    assert true <= high * (1 + 1e-6)
    assert high - low <= 2e-4 * high


def test_different_releases_compose():
    one, other = tr.Skellam(variance=10_000), tr.Skellam(variance=40_000, sensitivity=2)
    low, high = (one**50 + other**50).epsilon_interval(1e-6)
    apart = (one**100).epsilon_interval(1e-6)
    assert high - low <= 3e-4 * high
    assert apart[0] <= high
    assert low <= apart[1]  # nearly alike: D^2/v is the same
    assert high == pytest.approx(apart[1], rel=1e-3)


def test_a_lattice_below_and_one_above():
    """Their profiles enclose that of the release, and are near."""
    loss = skellam(Fraction(2000), 1).orders[0].losses[0]
    (row,) = loss.blocks
    step = 2000**-0.5 / 200
    low, high = below(row, step), laid_on(row, step, coarser_far_out)
    assert low.lattice is not None
    assert high.lattice is not None
    epsilon = np.array([0.0, 0.02, 0.05, 0.1])
    ends = [OrderProfile(Total.of([(one, 1)])).log_delta(epsilon) for one in (low, loss, high)]
    assert (ends[0].lower <= ends[1].upper).all()
    assert (ends[1].lower <= ends[2].upper).all()
    assert (ends[2].upper - ends[0].lower < 2e-2).all()
    assert (ends[0].lower < ends[1].lower + 1e-9).all()
    assert (ends[2].upper > ends[1].upper - 1e-9).all()


def test_which_totals_are_put_between_lattices():
    wide = skellam(Fraction(10_000), 1).orders[0].losses[0]
    narrow = skellam(Fraction(16), 1).orders[0].losses[0]
    assert isinstance(Total.of([(wide, 5)]).law, BetweenLattices)
    assert not isinstance(Total.of([(wide, 1)]).law, BetweenLattices)
    assert BetweenLattices.of(Total.of([(narrow, 5)])) is None


def test_too_wide_to_be_listed():
    assert skellam(Fraction(2**22 + 1), 1) is None
    assert skellam(Fraction(1), 10**6) is None
    assert skellam(Fraction(1e-60), 1) is not None


def test_samples_of_a_release():
    """A Poisson sample of 1 in 10, a hundred times: 0.405160 by a convolution of both orders."""
    run = tr.Skellam(variance=100).sampled(0.1) ** 100
    assert run.epsilon(1e-6) == pytest.approx(0.4051603, rel=1e-4)
    assert run.epsilon(1e-6) >= 0.4051602


def test_groups_are_larger_shifts():
    group = tr.Skellam(variance=100).group(3)
    assert group.epsilon(1e-6) == tr.Skellam(variance=100, sensitivity=3).epsilon(1e-6)


def test_tiny_deltas():
    low, high = (tr.Skellam(variance=100) ** 3).epsilon_interval(1e-250)
    assert low <= high < 100
    assert high - low < 1e-3 * high
