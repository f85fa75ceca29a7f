"""Lower ends of compositions of which some parts are known exactly, and some are only covered."""

from __future__ import annotations

import numpy as np
import pytest

import tightrope as tr
from tightrope.plan.floor import epsilon_floor, log_delta_floor
from tightrope.plan.intervals import proved_interval

KNOWN = tr.Laplace(2.0) ** 4 + tr.Gaussian(3.0)
COVERED = tr.ZCDP(0.01)
MIXED = KNOWN + COVERED


def test_the_exactly_known_parts_are_composed():
    lower, upper = KNOWN.epsilon_interval(1e-6)
    found = epsilon_floor(MIXED, 1e-6)
    assert found == pytest.approx(lower, rel=1e-9)
    assert found <= upper < MIXED.epsilon(1e-6)
    assert found > 1.2 * max(part.epsilon(1e-6) for part in (tr.Gaussian(3.0), COVERED))


def test_a_floor_of_log_delta_is_that_of_the_known_parts():
    epsilon = np.array([-0.5, 0.0, 1.0, 2.0])
    floor = log_delta_floor(MIXED, epsilon)
    assert np.exp(floor) == pytest.approx(KNOWN.delta(epsilon), rel=1e-9)
    assert (np.exp(floor) <= MIXED.delta(epsilon)).all()


def test_of_many_covered_parts_the_worst_counts():
    """delta(e) of one epsilon-bounded-range release is that of the logistic pair, so no less.

    And no less than all together leak where each is between two candidates.
    """
    many = tr.compose(*(tr.Exponential(0.01 * i) for i in range(1, 80)))
    largest = tr.LogisticDP(0.79).to(tr.ApproxDP, delta=1e-6).epsilon
    pairs = tr.compose(*(tr.RandomizedResponse(0.005 * i) for i in range(1, 80)))
    together = pairs.epsilon(1e-6)
    assert largest < together
    assert epsilon_floor(many, 1e-6) == pytest.approx(together, rel=1e-9)
    assert together < many.epsilon(1e-6)
    assert epsilon_floor(many, 1e-6) <= together


@pytest.mark.parametrize("event", [KNOWN, MIXED, COVERED, tr.Gaussian(1.0), tr.Laplace(1.0) ** 3])
@pytest.mark.parametrize("delta", [0.0, 1e-9, 0.01])
def test_ends_are_in_order(event, delta):
    for lower, upper in (event.epsilon_interval(delta), proved_interval(event, delta)):
        assert 0 <= lower <= upper


def test_a_sample_of_several_releases_is_composed_on_a_lattice():
    """Ever finer polygons tend to 12.73844 from above."""
    run = (tr.Gaussian(1.0) + tr.Laplace(1.0)).sampled(0.1) ** 100
    lower, upper = run.epsilon_interval(1e-6)
    assert upper - lower < 1e-7
    assert 12.7384 < upper < 12.7388


@pytest.mark.parametrize("event", [KNOWN, MIXED, tr.Laplace(1.0) ** 3])
def test_no_question_has_no_answer(event):
    assert np.shape(event.delta_interval([])) == (2, 0)
    assert np.shape(event.delta(np.zeros((0, 2)))) == (0, 2)
