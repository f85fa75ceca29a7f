"""A parameter whose name is a verb too: the number, which answers the question when called."""

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr

NAMED = [
    tr.PureDP(0.5),
    tr.ApproxDP(Fraction(1, 3), 1e-6),
    tr.BoundedRange(1),
    tr.LogisticDP(0.5),
    tr.Exponential(0.5),
    tr.PermuteAndFlip(0.5),
    tr.ReportNoisyMax(0.5),
    tr.RandomizedResponse(0.5),
    tr.SparseVector(0.5),
]


@pytest.mark.parametrize("event", NAMED, ids=repr)
def test_epsilon_is_a_number_and_a_verb(event):
    assert event.epsilon in (0.5, Fraction(1, 3), 1)
    assert event.epsilon(delta=1e-3) == event.to(tr.ApproxDP, delta=1e-3).epsilon
    twice = event.epsilon([1e-3, 1e-2])
    assert twice.shape == (2,)
    assert twice[0] == event.epsilon(1e-3)


def test_delta_is_a_number_and_a_verb():
    claim = tr.ApproxDP(1.0, 1e-6)
    assert claim.delta == 1e-6
    assert 1e-6 <= claim.delta(epsilon=2.0) < 1.000001e-6
    assert claim.delta(0.0) == claim.to(tr.ApproxDP, epsilon=0.0).delta
    assert claim.advantage() == claim.delta(0.0)


@pytest.mark.parametrize("value", [1, 0.1, Fraction(1, 3)])
def test_the_number_is_what_was_given(value):
    event = tr.PureDP(value)
    read = event.epsilon
    assert isinstance(read, type(value))
    assert (read, hash(read), repr(read), str(read)) == (
        value,
        hash(value),
        repr(value),
        str(value),
    )
    for plain in (pickle.loads(pickle.dumps(read)), copy.copy(read), copy.deepcopy(read), 1 * read):
        assert type(plain) is type(value)
        assert plain == value
    assert np.asarray([read]).dtype == np.asarray([value]).dtype
    assert tr.PureDP(read) == event
    assert repr(tr.PureDP(read)) == repr(event)
    assert tr.parse(repr(event)) == event


def test_events_keep_the_plain_number():
    event = tr.PureDP(0.5)
    for twin in (pickle.loads(pickle.dumps(event)), copy.deepcopy(event), tr.PureDP(event.epsilon)):
        assert twin == event
        assert type(vars(twin)["epsilon"]) is float
        assert twin.epsilon(1e-6) == event.epsilon(1e-6)
    assert json.dumps(event.epsilon) == "0.5"
    with pytest.raises(AttributeError, match="cannot assign"):
        event.epsilon = 1


def test_every_name_that_is_both_is_covered():
    verbs = {name for name in dir(tr.Event) if not name.startswith("_")}
    owners = [value for name in tr.__all__ if isinstance(value := getattr(tr, name), type)]
    fields = {
        name
        for owner in owners
        if issubclass(owner, tr.Event | tr.Released)
        for name in getattr(owner, "__dataclass_fields__", ())
    }
    assert fields & verbs == {"delta", "epsilon"}


def test_what_was_released_answers_like_its_event():
    noisy = tr.Laplace(2.0).release(3, entropy=tr.InsecureEntropy(1))
    chosen = tr.Exponential(1.0).release([1, 5], entropy=tr.InsecureEntropy(1))
    told = tr.RandomizedResponse(1.0).release([1, 0], entropy=tr.InsecureEntropy(1))
    for released in (noisy, chosen, told):
        event = released.event
        assert released.to(tr.GDP) == event.to(tr.GDP)
        assert released.epsilon(delta=1e-6) == event.epsilon(delta=1e-6)
        assert released.epsilon_interval(1e-6) == event.epsilon_interval(1e-6)
        assert released.delta(0.5) == event.delta(0.5)
        assert released.tradeoff(0.1) == event.tradeoff(0.1)
        assert released.advantage() == event.advantage()
        assert repr(released.why(tr.GDP)) == repr(event.why(tr.GDP))
        assert released.meaning() == event.meaning()
    assert told.epsilon == 1.0
