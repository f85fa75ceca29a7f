"""Sampled Gaussian noise: the transform against 40 digits, and deltas against other methods."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from engine import log_delta
from flint import acb, arb, ctx

from tightrope.loss import profile
from tightrope.loss.contour.rare import narrowed
from tightrope.loss.finite.finite import FiniteLoss
from tightrope.loss.gaussian import GaussianLoss
from tightrope.loss.interval import LogInterval
from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.total import Total
from tightrope.theorems.subsampled_gaussian.profile import log_delta_with, log_delta_without

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "composed.json").read_text())
ROWS = [row for row in GOLDEN if row["loss"] == "poisson_gaussian" and row["n"] >= 1000]

BITS = 160


def sampled(sigma, rate, with_unit=True):
    return GaussianMixtureLoss.sampled(1 / sigma, rate)[int(with_unit)]


def several():
    """Losses with the mixtures that they should be of: weights and shifts of P, then of Q."""
    base = [arb(1)], [0]
    for mu, rate in [(1.0, 0.01), (1.25, 0.001), (0.1, 0.328), (3.0, 0.1), (0.25, 0.999)]:
        mix = binomial(1, rate, mu)
        without, with_unit = GaussianMixtureLoss.sampled(mu, rate)
        yield without, (base, mix)
        yield with_unit, (mix, base)
    group = GaussianMixtureLoss.sampled_group(0.5, 0.1, 3)[2]
    yield group, (binomial(2, 0.1, 0.5), binomial(1, 0.1, -0.5))
    apart = [0.25, 0.75], [0.5, 2.0], [0.5, 0.5], [-1.0, -1.5]
    yield GaussianMixtureLoss.one(*apart), (apart[:2], apart[2:])
    yield GaussianMixtureLoss.one(*apart[2:], *apart[:2]), (apart[2:], apart[:2])
    yield GaussianMixtureLoss.sampled(0.75, 1.0)[1], (([arb(1)], [0.75]), base)


def binomial(n, rate, shift):
    with ctx.workprec(BITS):
        q = arb(rate)
        weights = [math.comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1)]
    return weights, [k * shift for k in range(n + 1)]


def log_transform(p, q, c, tau):
    return log_transforms(p, q, c, [tau])[0]


def log_transforms(p, q, c, taus):
    """log of the integral of p (p/q)^z at every z, by a fine rule on a line off the axis."""
    with ctx.workprec(BITS):
        shifts, points = [*p[1], *q[1]], []
        turn = max(max(shifts) - min(shifts), 1.0)
        right = max(p[1]) > max(q[1]) or min(p[1]) > min(q[1])
        height = (0.4 if right else -0.4) / turn
        step = 2.0 ** math.floor(math.log2(2 * math.pi * abs(height) / (65 + c / 4)))
        reach = (c + 1) * turn + 12 + max(map(abs, shifts))
        for k in range(int(-reach / step), int(reach / step) + 1):
            x = acb(k * step, height)
            top, bottom = mixture(p, x), mixture(q, x)
            points.append((top, (top / bottom).log()))
        share = arb(step) / (2 * arb.pi()).sqrt()
        return [(1 + share * tilted(points, acb(c, tau))).log() for tau in taus]


def tilted(points, z):
    return sum((top * ((z * loss).exp() - 1) for top, loss in points), acb(0))


def mixture(mix, x):
    return sum((w * (-((x - s) ** 2) / 2).exp() for w, s in zip(*mix, strict=True)), acb(0))


@pytest.mark.parametrize("index", range(14))
def test_transform_and_decay_against_forty_digits(index):
    loss, (p, q) = list(several())[index]
    for c in (0.3, 6.0):
        line, tau = loss.line(c), np.array([0.0, 1.7, 25.0]) * c
        found, bound = line.transform(tau), line.decay(tau)
        truth = log_transforms(p, q, c, tau.tolist())
        sizes = [float((true.real - truth[0].real).upper()) for true in truth]
        known = [size > -50 for size in sizes]  # smaller ones are lost in the reference
        for i in np.flatnonzero(known):
            assert distance(found.value[i], truth[i]) <= math.expm1(found.error[i])
            assert sizes[i] <= bound[i] + 1e-25
        assert found.error[0] <= 4e-13 * max(1, abs(found.value[0]))
        estimate = loss.estimate(np.array([c + 0j]))[0]
        assert estimate == pytest.approx(float(truth[0].real), rel=1e-6)


def distance(value, true):
    """|M exp(-value) - 1| of a value for log M."""
    with ctx.workprec(BITS):
        gap = true - acb(value.real, value.imag)
        return float(abs(gap.exp() - 1).upper())


@pytest.mark.parametrize(
    ("sigma", "rate", "count"), [(1, 0.01, 10**4), (0.3, 0.01, 1000), (2, 0.5, 3)]
)
@pytest.mark.parametrize("with_unit", [False, True])
def test_decay_bounds_what_follows_and_never_rises(sigma, rate, count, with_unit):
    line = sampled(sigma, rate, with_unit).times(count).line(0.7)
    tau = 0.7 * 2.0 ** np.arange(-6, 11, 0.25)
    found, start = line.transform(tau), line.transform(np.zeros(1))
    known = found.error < 1e-3
    sizes = np.where(known, found.value.real + found.error, -np.inf) - start.value.real
    later = np.maximum.accumulate(sizes[::-1])[::-1]
    bound = line.decay(tau)
    assert np.all(bound <= 0)
    assert np.all(np.diff(bound) <= 0)
    assert np.all(later <= bound + 1e-2 * found.error + 1e-9)
    assert bound[np.argmax(later < -40) + 12] < -25
    assert np.all(line.screen(tau) >= sizes - 1e-9)


def test_small_losses_keep_their_digits():
    """log M is about rate^2 z^2/2 and is to be right to 1e-17."""
    found = sampled(50, 0.001).line(3.0).transform(np.zeros(1))
    truth = log_transform(binomial(1, 0.001, 1 / 50), ([arb(1)], [0]), 3.0, 0.0)
    assert distance(found.value[0], truth) <= found.error[0] < 1e-17


# sigma, rate, runs, epsilon, delta: solved for epsilon by a contour of another implementation
COMPOSED = [
    (1, 0.01, 10**4, 6.187712390, 1e-5),
    (0.8, 0.001, 10**5, 2.914478335, 1e-6),
    (9.4, 0.328, 2000, 7.433065647, 1e-5),
    (0.3, 0.01, 1000, 69.815711, 1e-5),
    (10, 0.999, 100, 4.372207848, 1e-5),
    (50, 0.001, 1000, 0.001630864, 1e-6),
    (1, 0.2, 500, 38.170247206, 1e-5),
    (0.8, 0.125, 1000, 56.725949978, 1e-6),
]


@pytest.mark.parametrize(("sigma", "rate", "count", "epsilon", "delta"), COMPOSED)
def test_known_compositions(sigma, rate, count, epsilon, delta):
    found = released(sampled(sigma, rate), count, epsilon)
    without = released(sampled(sigma, rate, with_unit=False), count, epsilon)
    assert found.upper - found.lower < 2e-10
    assert math.exp(found.upper) == pytest.approx(delta, rel=1e-6)
    assert without.upper <= found.upper


def released(loss, count, epsilon):
    found = log_delta(Total.of([(loss, count)]), np.array([epsilon]))
    return found._replace(lower=float(found.lower[0]), upper=float(found.upper[0]))


@pytest.mark.parametrize("row", ROWS)
def test_reference_values(row):
    args = {key: float(row["args"][key]) for key in ("sigma", "rate")}
    loss = sampled(args["sigma"], args["rate"], row["args"]["order"] == "with")
    found = released(loss, row["n"], float(row["epsilon"]))
    truth = float(row["log_delta"])
    assert found.lower - 2e-15 * abs(truth) <= truth <= found.upper + 2e-15 * abs(truth)
    if truth > -50:
        assert found.upper - found.lower < 1e-8


@pytest.mark.parametrize("with_unit", [False, True])
@pytest.mark.parametrize(
    ("mu", "rate", "epsilon"), [(2.0, 0.01, 30.0), (1.0, 0.5, 0.3), (0.5, 0.2, 0.1)]
)
def test_one_release_contains_the_closed_form(mu, rate, epsilon, with_unit):
    loss = GaussianMixtureLoss.sampled(mu, rate)[int(with_unit)]
    found = released(loss, 1, epsilon)
    truth = (log_delta_with if with_unit else log_delta_without)(mu, rate, epsilon)
    assert found.lower <= truth + 1e-12
    assert truth - 1e-12 <= found.upper


@pytest.mark.parametrize("with_unit", [False, True])
@pytest.mark.parametrize(
    ("mu", "rate", "epsilon"), [(1.0, 0.5, 0.4), (1.0, 0.1, 0.05), (0.5, 0.3, 0.2)]
)
def test_two_releases_by_quadrature(mu, rate, epsilon, with_unit):
    """The mean over the first loss of the delta of one release at what is left of epsilon.

    That delta has a singular point, about which the nodes are spaced by the logarithm.
    """
    ratio = math.exp(epsilon if with_unit else -epsilon) / (1 - rate)
    singular = (math.log((ratio - 1 + rate) / rate) + mu**2 / 2) / mu
    apart = np.exp(np.arange(-45, 3, 0.05))
    x, weights = singular + np.concatenate([apart, -apart]), 0.05 * np.tile(apart, 2)
    loss = np.log(1 - rate + rate * np.exp(mu * x - mu**2 / 2))
    density = weights * np.exp(-(x**2) / 2 + loss * with_unit) / math.sqrt(2 * math.pi)
    one = log_delta_with if with_unit else log_delta_without
    expected = density @ np.exp(one(mu, rate, epsilon - (loss if with_unit else -loss)))
    found = released(GaussianMixtureLoss.sampled(mu, rate)[int(with_unit)], 2, epsilon)
    assert found.upper - found.lower < 1e-9
    assert math.exp(found.upper) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("epsilon", [-0.5, 0.0, 0.5])
def test_units_in_other_directions_leak_less(angle, epsilon):
    """One unit sampled in the first data set only and one in the second, in the plane."""
    mu, rate = 1.3, 0.4
    grid = np.arange(-9, 9, 0.04)
    x, y = grid[:, None], grid[None, :]

    def density(a, b):
        moved = np.exp(-((x - a) ** 2 + (y - b) ** 2) / 2)
        base = np.exp(-(x**2 + y**2) / 2)
        return ((1 - rate) * base + rate * moved) / (2 * math.pi)

    def delta(a, b):
        gap = density(mu, 0.0) - math.exp(epsilon) * density(a, b)
        return np.maximum(gap, 0).sum() * 0.04**2

    assert delta(mu * math.cos(angle), mu * math.sin(angle)) <= delta(-mu, 0.0) + 1e-9


def test_group_orders():
    """No removal: the base against the mixture; exchanging data sets exchanges the sides."""
    orders = GaussianMixtureLoss.sampled_group(0.7, 0.2, 3)
    assert [math.isinf(loss.highest) for loss in orders] == [False, True, True, True]
    assert orders[0].highest == pytest.approx(-3 * math.log(0.8), rel=1e-14)
    for i in range(4):
        pair, mirrored = orders[i].pairs[0], orders[3 - i].pairs[0]
        assert (pair.right, pair.left) == (mirrored.left, mirrored.right)
    assert GaussianMixtureLoss.sampled_group(0.7, 0.2, 1)[1].pairs == sampled(1 / 0.7, 0.2).pairs


def test_rates_zero_and_one():
    tau = np.array([0.0, 2.0, 9.0])
    for loss in GaussianMixtureLoss.sampled(0.8, 1.0):
        exact = GaussianLoss(0.8**2).line(1.5).transform(tau).value
        ratio = np.exp(loss.line(1.5).transform(tau).value - exact)
        assert ratio[:2] == pytest.approx(np.ones(2), abs=1e-12)
    for loss in (*GaussianMixtureLoss.sampled(0.8, 0.0), *GaussianMixtureLoss.sampled(0.0, 0.3)):
        assert loss.highest == 0
        assert np.all(loss.line(1.5).transform(tau).value == 0)
        assert np.all(released(loss, 10, 0.0).upper == -math.inf)


def test_equal_releases_are_joined():
    one, other = sampled(1, 0.01), sampled(2, 0.01)
    column = GaussianMixtureLoss.together([one.times(3), other, one])
    assert len(column.pairs) == 2
    assert column.count.tolist() == [4, 1]
    tau = np.array([0.0, 3.0])
    apart = 4 * one.line(2.0).transform(tau).value + other.line(2.0).transform(tau).value
    assert column.line(2.0).transform(tau).value == pytest.approx(apart, rel=1e-12)
    assert np.all(column.line(2.0).decay(tau) <= 0)


def test_many_nodes_are_taken_in_blocks():
    line = sampled(0.3, 0.01).line(0.5)
    tau = np.linspace(0, 300, 3000)
    found = line.transform(tau)
    for index in (0, 7, 1500, 2999):
        alone = line.transform(tau[index : index + 1])
        both = found.error[index] + alone.error[0]
        assert abs(found.value[index] - alone.value[0]) <= both
    assert line.transform(np.zeros(0)).value.shape == (0,)


@pytest.mark.parametrize("c", [1e-8, 1e3, 1e6, 1e9, 1e14])
@pytest.mark.parametrize("index", [0, 1])
def test_extreme_lines_do_no_harm(c, index):
    loss = GaussianMixtureLoss.sampled(0.5, 0.02)[index]
    found = loss.line(c).transform(np.array([0.0, c]))
    assert np.all(np.isfinite(found.value))
    assert np.all(found.error >= 0)
    if c * loss.pairs[0].reach < 1e6:
        assert found.error[0] <= 1e-12 * max(1, abs(found.value[0]))


def test_results_left_out_are_rare_and_only_they():
    loss = sampled(4, 0.00033).times(10**4)
    short = loss.without_rare(-100.0)
    end = short.pairs[0].furthest - 0.25
    assert 10**4 * math.erfc(end / math.sqrt(2)) / 2 <= math.exp(-100)
    tau = np.array([0.0, 40.0])
    full, rest = loss.line(30.0).transform(tau), short.line(30.0).transform(tau)
    assert np.all(np.abs(full.value - rest.value) <= full.error + rest.error)


def test_where_only_rare_results_stand_in_the_way():
    total, at = Total.of([(sampled(4, 0.00033), 10**4)]), np.array([0.05, 0.067185564])
    with_infinite = Total.of([(total.losses[0], 1), (FiniteLoss.approx(0.01, 1e-20), 1)])
    open_ended = LogInterval(np.full(2, -np.inf), np.zeros(2))
    for composed in (total, with_infinite):
        plain = log_delta(composed, at)
        narrow = narrowed(profile.OrderProfile(composed), at, open_ended)
        for found in (plain, narrow):
            assert np.all(found.upper - found.lower < 1e-6)
        assert np.all((narrow.lower <= plain.upper) & (plain.lower <= narrow.upper))
    narrow = narrowed(profile.OrderProfile(total), at, open_ended)
    # the line through 200 in 50 digits, 3001 nodes of step 1/2, 1253 in x of step 1/16
    assert narrow.lower[1] <= math.log(1.129872491221770310e-18) <= narrow.upper[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ([1.0], [0.5], [0.5, 0.5], [0.0, 1.0]),
        ([0.5, 0.4], [0.0, 1.0], [1.0], [0.0]),
        ([1.5, -0.5], [0.0, 1.0], [1.0], [0.0]),
    ],
)
def test_what_is_no_pair_of_this_kind(arguments):
    with pytest.raises(ValueError, match="mixture"):
        GaussianMixtureLoss.one(*arguments)
