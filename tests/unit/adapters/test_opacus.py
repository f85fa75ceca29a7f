"""Histories of Opacus, and the accountant that takes the place of its own."""

from __future__ import annotations

from collections import OrderedDict
from types import SimpleNamespace

import pytest
from peers import fake

import tightrope as tr
from tightrope.adapters import OpacusAccountant, from_opacus

HISTORY = [(1.0, 0.01, 10_000)]
EXPECTED = tr.Gaussian(1.0).sampled(0.01) ** 10_000


class RDPAccountant:
    """As in Opacus 1.x."""

    def __init__(self, history):
        self.history = history

    @classmethod
    def mechanism(cls):
        return "rdp"

    def state_dict(self):
        return OrderedDict(history=self.history, mechanism=self.__class__.mechanism)


def test_accountants_states_and_histories():
    accountant = RDPAccountant(HISTORY)
    assert from_opacus(accountant) == EXPECTED
    assert from_opacus(accountant.state_dict()) == EXPECTED
    assert from_opacus({"history": HISTORY, "mechanism": "prv"}) == EXPECTED
    assert from_opacus(HISTORY) == from_opacus(tuple(HISTORY)) == EXPECTED


def test_the_history_of_an_estimating_accountant_is_read():
    gdp = fake("GaussianAccountant", history=HISTORY, mechanism=lambda: "gdp")
    assert from_opacus(gdp) == EXPECTED


def test_schedules_full_batches_and_nothing():
    read = from_opacus([(1.0, 0.01, 5), (2.0, 1.0, 3), (1.0, 0.01, 5), (9.0, 0.5, 0)])
    assert read == tr.Gaussian(1.0).sampled(0.01) ** 10 + tr.Gaussian(2.0) ** 3
    assert from_opacus([]) == tr.PureDP(0)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (fake("PrivacyEngine"), "a PrivacyEngine must have the attribute 'history'"),
        ({"mechanism": "rdp"}, "must have the key 'history'"),
        ({"history": HISTORY, "mechanism": "shuffle"}, "mechanism must be one of rdp, gdp"),
        ([(1.0, 0.01)], "at position 0 stands"),
        ([(0.0, 0.01, 5)], "noise_multiplier is 0, and without noise"),
        ([(1.0, 1.5, 5)], "sampling rate must be"),
        ([(1.0, 0.5, -1)], "steps must be a whole number"),
        ([(float("nan"), 0.5, 1)], "noise_multiplier must be"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_refused(source, words):
    with pytest.raises(tr.InvalidArgument, match=words):
        from_opacus(source)


def test_the_accountant_counts_and_answers():
    accountant = OpacusAccountant()
    assert (len(accountant), accountant.get_epsilon(1e-5)) == (0, 0.0)
    for sigma in (1.0, 1.0, 2.0, 1.0):
        accountant.step(noise_multiplier=sigma, sample_rate=0.1)
    assert accountant.history == [(1.0, 0.1, 2), (2.0, 0.1, 1), (1.0, 0.1, 1)]
    assert len(accountant) == 4
    run = tr.Gaussian(1.0).sampled(0.1) ** 3 + tr.Gaussian(2.0).sampled(0.1)
    assert accountant.event == run
    assert accountant.get_epsilon(delta=1e-5) == run.epsilon(1e-5)
    assert OpacusAccountant.mechanism() == "tightrope"
    for wrong in ({"noise_multiplier": 0.0}, {"sample_rate": 2.0}):
        with pytest.raises(tr.InvalidArgument):
            accountant.step(**{"noise_multiplier": 1.0, "sample_rate": 0.1} | wrong)
    assert len(accountant) == 4


def test_the_hook_multiplies_accumulated_samples():
    accountant = OpacusAccountant()
    hook = accountant.get_optimizer_hook_fn(sample_rate=0.01)
    hook(SimpleNamespace(noise_multiplier=1.1, accumulated_iterations=4))
    assert accountant.history == [(1.1, 0.04, 1)]


def test_states_are_saved_and_restored():
    accountant = OpacusAccountant()
    accountant.step(noise_multiplier=1.0, sample_rate=0.1)
    target: dict = {"other": 1}
    assert accountant.state_dict(target) is target
    assert target["other"] == 1
    restored = OpacusAccountant()
    restored.load_state_dict(accountant.state_dict())
    restored.step(noise_multiplier=1.0, sample_rate=0.1)
    assert restored.history == [(1.0, 0.1, 2)]
    assert accountant.history == [(1.0, 0.1, 1)]
    restored.load_state_dict(RDPAccountant(HISTORY).state_dict())
    assert restored.event == EXPECTED
    for state in ({}, {"mechanism": "tightrope"}, {"history": [(1, 2)], "mechanism": "rdp"}):
        with pytest.raises(tr.InvalidArgument):
            restored.load_state_dict(state)
    assert restored.event == EXPECTED
