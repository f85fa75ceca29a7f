"""Events built in loops: compositions of any depth work, and other nesting ends in a sentence."""

import copy
import pickle

import pytest

import tightrope as tr

MANY = 5000
NEXT = tr.Gaussian(80.0)


def built(step, count, start=None):
    event = start or tr.Gaussian(50.0)
    for _ in range(count):
        event = step(event)
    return event


@pytest.mark.parametrize(
    "step", [lambda e: tr.compose(e, NEXT), lambda e: e + NEXT, lambda e: NEXT + e]
)
def test_compositions_of_any_depth(step):
    run = built(step, MANY)
    flat = tr.Gaussian(50.0) + NEXT**MANY
    assert run == flat
    assert hash(run) == hash(flat)
    assert run.to(tr.GDP).mu == flat.to(tr.GDP).mu
    assert run.epsilon(1e-6) == flat.epsilon(1e-6)
    assert tr.parse(repr(run)) == run
    for twin in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run), copy.copy(run)):
        assert twin == run
        assert twin.neighbors == run.neighbors
        assert twin.epsilon(1e-6) == run.epsilon(1e-6)
    assert "sum of squared mus" in repr(run.why(tr.GDP))


def test_a_power_keeps_its_count_in_a_pickle():
    run = (tr.GDP(0.1) ** 3 + tr.PureDP(0.1)) ** 4
    twin = pickle.loads(pickle.dumps(run))
    assert twin == run
    assert repr(twin) == repr(run) == "GDP(mu=0.1) ** 12 + PureDP(epsilon=0.1) ** 4"
    assert pickle.loads(pickle.dumps(tr.GDP(0.1) ** 10**15)) == tr.GDP(0.1) ** 10**15


STEPS = [
    lambda e: tr.parallel(e, NEXT),
    lambda e: tr.parallel(e + NEXT, NEXT),
    lambda e: e.sampled(0.5),
    lambda e: e.then("a table"),
    lambda e: (e + NEXT).group(2).then("x"),
    lambda e: e.best_of(tr.PoissonRepetitions(2)),
    lambda e: tr.TradeOff.of(e).sampled(0.5),
]


@pytest.mark.parametrize("step", STEPS)
def test_what_is_nested_too_deeply_is_refused_in_a_sentence(step):
    with pytest.raises(tr.InvalidArgument, match="an event nests at most 50 levels") as caught:
        built(step, MANY)
    assert str(caught.value).count("\n") == 0


def test_fixed_size_samples_count_too():
    inner = tr.Gaussian(1.0, neighbors=tr.replace_one)
    with pytest.raises(tr.InvalidArgument, match="nests at most"):
        built(lambda e: e.without_replacement(2, 4), MANY, inner)


@pytest.mark.parametrize("step", STEPS[1:4:2])
def test_what_is_admitted_can_be_walked(step):
    event = built(step, 49, tr.PureDP(0.1))
    assert hash(event) == hash(built(step, 49, tr.PureDP(0.1)))
    assert tr.parse(repr(event)) == event
    assert event.group(2) is not None
    assert pickle.loads(pickle.dumps(event)) == event
