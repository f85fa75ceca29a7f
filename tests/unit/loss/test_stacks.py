"""Many different Gaussian mixtures at once: against 40 digits, and against one by one."""

import math

import numpy as np
import pytest
from engine import log_delta
from flint import arb, ctx
from test_gaussian_mixture import BITS, binomial, distance, log_transforms

from tightrope.loss.mixture.gaussian_mixture import GaussianMixtureLoss
from tightrope.loss.mixture.line import MixtureLine
from tightrope.loss.mixture.stack_line import StackLine
from tightrope.loss.mixture.whole_orders import log_most, log_most_of
from tightrope.loss.total import Total

MUS = [0.8, 0.83, 0.95, 0.98]
COUNTS = [1, 3, 1, 2]
BASE = [arb(1)], [0]


def without(mu):
    return GaussianMixtureLoss.sampled(mu, 0.01)[0], BASE, binomial(1, 0.01, mu)


def with_unit(mu):
    return GaussianMixtureLoss.sampled(mu, 0.01)[1], binomial(1, 0.01, mu), BASE


def tiny_rate(mu):
    return GaussianMixtureLoss.sampled(mu, 1e-6)[1], binomial(1, 1e-6, mu), BASE


def strong(mu):
    return GaussianMixtureLoss.sampled(2 * mu, 0.3)[0], BASE, binomial(1, 0.3, 2 * mu)


def group(mu):
    loss = GaussianMixtureLoss.sampled_group(mu, 0.1, 2)[1]
    return loss, binomial(1, 0.1, mu), binomial(1, 0.1, -mu)


def apart(mu):
    mixes = [0.25, 0.75], [0.25, 0.25 + mu / 2], [0.5, 0.5], [0.0, -mu / 4]
    return GaussianMixtureLoss.one(*mixes), mixes[:2], mixes[2:]


def joined(kind):
    losses = [kind(mu)[0].times(n) for mu, n in zip(MUS, COUNTS, strict=True)]
    return GaussianMixtureLoss.together(losses)


@pytest.mark.parametrize("kind", [without, with_unit, tiny_rate, strong, group, apart])
def test_transform_and_decay_against_forty_digits(kind):
    loss, c, tau = joined(kind), 1.5, np.array([0.0, 8.0])
    line = loss.line(c)
    assert [type(part) for part in line.lines] == [StackLine]
    found, bound = line.transform(tau), line.decay(tau)
    with ctx.workprec(BITS):
        each = [log_transforms(*kind(mu)[1:], c, tau.tolist()) for mu in MUS]
        truth = [
            sum(n * x for n, x in zip(COUNTS, at, strict=True)) for at in zip(*each, strict=True)
        ]
        size, exact = float((truth[1].real - truth[0].real).upper()), float(truth[0].real)
    for i in range(1 if size < -50 else 2):  # smaller ones are lost in the reference
        assert distance(found.value[i], truth[i]) <= math.expm1(found.error[i])
    assert size <= bound[1] + 1e-25
    assert found.error[0] <= 4e-12 * max(1e-3, exact)
    for most in (line.log_most(), loss.log_most(c)):
        assert exact <= most <= exact + 1e-3
    assert loss.estimate(np.array([c + 0j]))[0] == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("unit", [0, 1])
def test_decay_bounds_what_follows_and_never_rises(unit):
    losses = [GaussianMixtureLoss.sampled(1 / s, 0.05)[unit] for s in np.linspace(1, 1.2, 20)]
    line = GaussianMixtureLoss.together(losses).times(20).line(0.7)
    tau = 0.7 * 2.0 ** np.arange(-6, 11, 0.25)
    found = line.transform(tau)
    known = found.error < 1e-3
    start = line.transform(np.zeros(1)).value.real
    sizes = np.where(known, found.value.real + found.error - start, -np.inf)
    later = np.maximum.accumulate(sizes[::-1])[::-1]
    bound = line.decay(tau)
    assert np.all(bound <= 0)
    assert np.all(np.diff(bound) <= 0)
    assert np.all(later <= bound + 1e-2 * found.error + 1e-9)
    assert bound[-1] < -40


@pytest.mark.parametrize(
    ("scales", "rates", "epsilon"),
    [
        (np.linspace(1, 1.3, 12), np.full(12, 0.03), np.array([0.02, 0.3])),
        (np.geomspace(0.8, 1.6, 14), np.geomspace(0.1, 0.2, 14), np.array([0.5, 1.1])),
    ],
)
def test_deltas_are_those_of_the_kinds_one_by_one(scales, rates, epsilon):
    for unit in (0, 1):
        kinds = [
            GaussianMixtureLoss.sampled(1 / s, q)[unit] for s, q in zip(scales, rates, strict=True)
        ]
        apart, joint = Total(tuple(kinds)), Total.of([(kind, 1) for kind in kinds])
        assert joint.losses[0].column.stacks
        one_by_one, together = log_delta(apart, epsilon), log_delta(joint, epsilon)
        assert np.all(together.lower <= one_by_one.upper)
        assert np.all(one_by_one.lower <= together.upper)
        width = np.minimum(together.upper - together.lower, 1e-3)
        assert np.all(width <= 1e-8 + 3 * (one_by_one.upper - one_by_one.lower))


def test_kinds_unlike_all_others_and_lines_far_out_are_seen_one_by_one():
    losses = [GaussianMixtureLoss.sampled(mu, 0.01)[1] for mu in (*MUS, 0.1, 4.0)]
    loss, tau = GaussianMixtureLoss.together(losses), np.array([0.0, 3.0])
    for c, types in ((2.0, [StackLine] + 2 * [MixtureLine]), (60.0, 6 * [MixtureLine])):
        line, each = loss.line(c), [loss.line(c).transform(tau) for loss in losses]
        assert [type(part) for part in line.lines] == types
        found, error = line.transform(tau), sum(one.error for one in each)
        assert np.all(np.abs(found.value - sum(one.value for one in each)) <= found.error + error)
        assert loss.estimate(np.array([c + 0j]))[0] == pytest.approx(found.value[0], rel=1e-3)


def test_results_left_out_of_many_kinds_are_rare_and_end_together():
    losses = [GaussianMixtureLoss.sampled(mu, 0.001)[1].times(50) for mu in MUS]
    loss = GaussianMixtureLoss.together(losses)
    short = loss.without_rare(-100.0)
    tails = [math.erfc((p.furthest - p.reach) / math.sqrt(2)) / 2 for p in short.pairs]
    assert 50 * math.fsum(tails) <= math.exp(-100)
    assert len({pair.furthest for pair in short.pairs}) < len(MUS)
    assert short.column.stacks
    tau = np.array([0.0, 5.0])
    full, rest = loss.line(3.0).transform(tau), short.line(3.0).transform(tau)
    assert np.all(np.abs(full.value - rest.value) <= full.error + rest.error)


def test_bounds_at_whole_numbers_of_many_pairs():
    pairs = [GaussianMixtureLoss.sampled(mu, 0.01)[1].pairs[0] for mu in MUS]
    assert log_most_of(pairs, 7.0).tolist() == pytest.approx(
        [log_most(pair, 7.0) for pair in pairs], rel=1e-14
    )
    assert log_most_of(pairs, 7.5) is None
    assert log_most_of([*pairs, GaussianMixtureLoss.sampled(1.0, 0.01)[0].pairs[0]], 7.0) is None
