"""The real dp_accounting, where it is installed: its events are read, and its numbers are near."""

from __future__ import annotations

import math

import pytest

import tightrope as tr
from tightrope import adapters

dp = pytest.importorskip("dp_accounting")

DP_SGD = dp.SelfComposedDpEvent(
    dp.PoissonSampledDpEvent(0.01, dp.GaussianDpEvent(1.0)), count=10_000
)
REPLACE = dp.NeighboringRelation.REPLACE_ONE


def test_dp_sgd_is_read_exactly():
    assert adapters.from_dp_accounting(DP_SGD) == tr.Gaussian(1.0).sampled(0.01) ** 10_000


def test_the_gaussian_under_replace_one_as_its_privacy_loss_distribution_has_it():
    from dp_accounting.pld import PLDAccountant

    ours = adapters.from_dp_accounting(dp.GaussianDpEvent(1.0), neighbors=tr.replace_one)
    theirs = PLDAccountant(REPLACE).compose(dp.GaussianDpEvent(1.0)).get_epsilon(1e-5)
    assert ours.epsilon(1e-5) == pytest.approx(9.997256, abs=5e-7)
    assert ours.epsilon(1e-5) == pytest.approx(theirs, rel=1e-4)


def test_every_event_with_examples():
    add, replace = tr.add_or_remove, tr.replace_one
    events = [
        (dp.NoOpDpEvent(), add),
        (dp.LaplaceDpEvent(2.0), add),
        (dp.dp_event.DiscreteLaplaceDpEvent(0.5, 1), add),
        (dp.ZCDpEvent(0.1), add),
        (dp.ComposedDpEvent([dp.GaussianDpEvent(2.0), dp.LaplaceDpEvent(3.0)]), add),
        (dp.dp_event.RepeatAndSelectDpEvent(dp.GaussianDpEvent(4.0), mean=10, shape=1), add),
        (dp.dp_event.RandomizedResponseDpEvent(0.3, 4), replace),
    ]
    for event, neighbors in events:
        read = adapters.from_dp_accounting(event, neighbors)
        assert 0 <= read.to(tr.ApproxDP, epsilon=1.0).delta < 1
    for event in (dp.NonPrivateDpEvent(), dp.UnsupportedDpEvent()):
        with pytest.raises(tr.InvalidArgument):
            adapters.from_dp_accounting(event)


def test_private_selection_is_not_looser_than_its_renyi_accountant():
    from dp_accounting.rdp import RdpAccountant

    for shape in (0.0, 1.0, math.inf):
        event = dp.dp_event.RepeatAndSelectDpEvent(dp.GaussianDpEvent(4.0), mean=10, shape=shape)
        theirs = RdpAccountant().compose(event).get_epsilon(1e-6)
        assert adapters.from_dp_accounting(event).epsilon(1e-6) < theirs


def test_randomised_response_under_its_pure_dp():
    from dp_accounting.pld import PLDAccountant

    event = dp.dp_event.RandomizedResponseDpEvent(0.3, 4)
    theirs = PLDAccountant(REPLACE).compose(event)
    ours = adapters.PLDAccountant(REPLACE).compose(event)
    assert ours.get_epsilon(1e-3) == pytest.approx(theirs.get_epsilon(1e-3), rel=1e-3)
