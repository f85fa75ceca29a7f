"""Sampled Laplace noise: its transform in both orders, its decay, and compositions."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from quadratures import decay_holds, sampled_laplace, worst_slack

from tightrope.loss.dominating import Dominating
from tightrope.loss.laplace.laplace import LaplaceLoss
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.pair_profile import PairProfile
from tightrope.loss.sampling.schemes import without_replacement

CASES = [(1.0, 0.01, 1.0), (0.1, 0.3, 20.0), (5.0, 0.01, 500.0), (20.0, 1e-3, 0.05)]


def of(pair: Dominating, count: int, epsilon: np.ndarray) -> np.ndarray:
    many = Dominating(tuple(total.times(count) for total in pair.orders))
    return np.exp(PairProfile([many]).log_delta(epsilon).upper)


@pytest.mark.parametrize("with_unit", [True, False])
@pytest.mark.parametrize(("epsilon", "rate", "c"), CASES)
def test_the_transform_errs_by_less_than_it_says(epsilon, rate, c, with_unit):
    line = SampledLaplaceLoss.sampled(epsilon, rate)[with_unit].line(c)
    slow = min(line.kinds[0].first.most, 2000.0)
    taus = [0.0, 0.3 * c, 0.9 * slow, 1.2 * slow]
    used, largest = worst_slack(line, partial(sampled_laplace, epsilon, rate, with_unit), taus)
    assert used < 1
    assert largest < 1e-11


@pytest.mark.parametrize("with_unit", [True, False])
@pytest.mark.parametrize(("epsilon", "rate", "c"), CASES)
def test_decay(epsilon, rate, c, with_unit):
    line = SampledLaplaceLoss.sampled(epsilon, rate)[with_unit].times(5).line(c)
    assert decay_holds(line, np.geomspace(0.01, 3e4, 400))


def test_the_largest_losses():
    without, with_unit = SampledLaplaceLoss.sampled(1.0, 0.1)
    assert with_unit.highest == pytest.approx(np.log1p(0.1 * np.expm1(1)), rel=1e-12)
    assert without.highest == pytest.approx(-np.log1p(0.1 * np.expm1(-1)), rel=1e-12)
    assert with_unit.times(3).highest == pytest.approx(3 * with_unit.highest, rel=1e-14)


def test_columns():
    one, other = SampledLaplaceLoss.sampled(1.0, 0.1)[1], SampledLaplaceLoss.sampled(0.5, 0.2)[1]
    both = SampledLaplaceLoss.together([one, other, one.times(2)])
    assert sorted(both.count.tolist()) == [1, 3]
    z = np.array([0.5 + 1j])
    assert both.estimate(z) == pytest.approx(3 * one.estimate(z) + other.estimate(z), rel=1e-12)


def test_arguments_out_of_range():
    for epsilon, rate in ((0.0, 0.5), (2e4, 0.5), (1.0, 0.0), (1.0, 1.0)):
        with pytest.raises(ValueError, match="sampled Laplace"):
            SampledLaplaceLoss.sampled(epsilon, rate)


def test_a_composition_against_a_peer():
    """dp_accounting rounds to a grid of 4e-4, upwards."""
    peer = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    law = peer.from_laplace_mechanism(2.0, sampling_prob=0.2, value_discretization_interval=4e-4)
    pair = Dominating.of_orders(SampledLaplaceLoss.sampled(0.5, 0.2))
    epsilon = np.array([0.1, 0.5, 1.0])
    theirs = np.array(law.self_compose(60).get_delta_for_epsilon(epsilon))
    assert of(pair, 60, epsilon) == pytest.approx(theirs, rel=1e-3)


def test_one_release_on_a_batch_is_the_formula():
    """rate (1 - exp((e - epsilon)/2)), e the inner epsilon; laid on a lattice, some 1e-4 above."""
    pair = without_replacement(LaplaceLoss.one(1.0), 1, 10, "replace_one")
    epsilon = np.array([0.0, 0.02, 0.05, 0.1])
    inner = np.log1p(np.expm1(epsilon) / 0.1)
    truth = 0.1 * -np.expm1((inner - 1) / 2)
    found = of(pair, 1, epsilon)
    assert (found >= truth * (1 - 1e-9)).all()
    assert found == pytest.approx(truth, rel=1e-3)
