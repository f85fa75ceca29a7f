"""The algebra of events: equality by value, operators, neighbours."""

import pytest

import tightrope as tr


def test_composition_is_a_multiset():
    a, b = tr.Gaussian(2.0), tr.Laplace(3.0)
    assert a + b == b + a
    assert hash(a + b) == hash(b + a)
    assert a + a == a**2
    assert (a + b) ** 2 == a**2 + b**2
    assert a + b != a + a
    assert a**1 is a


def test_sum_and_compose_are_the_operator():
    leaves = [tr.ZCDP(0.1), tr.GDP(0.2), tr.PureDP(0.3)]
    assert sum(leaves) == tr.compose(*leaves) == leaves[0] + leaves[1] + leaves[2]


def test_a_long_loop_of_additions_is_flat():
    run = tr.ZCDP(1e-6)
    for _ in range(20_000):
        run = run + tr.ZCDP(1e-6)
    assert run.counts == {tr.ZCDP(1e-6): 20_001}
    assert run.to(tr.ZCDP).rho == pytest.approx(0.020001, rel=1e-12)


def test_a_variance_and_its_scale_are_the_same_mechanism():
    assert tr.Gaussian(2.0) == tr.Gaussian(variance=4)
    assert hash(tr.Gaussian(2.0)) == hash(tr.Gaussian(variance=4))
    assert tr.Gaussian(2.0) != tr.DiscreteGaussian(2.0)


def test_events_are_immutable():
    with pytest.raises(AttributeError):
        tr.ZCDP(0.5).rho = 0.1


def test_relations_must_agree():
    with pytest.raises(tr.NeighborsMismatch, match="group of two"):
        tr.GDP(1.0) + tr.GDP(1.0, neighbors=tr.replace_one)
    with pytest.raises(tr.NeighborsMismatch, match=r"tr\.jointly"):
        tr.GDP(1, neighbors=tr.add_or_remove.of("person")) + tr.GDP(
            1, neighbors=tr.add_or_remove.of("household")
        )


def test_an_unstated_unit_agrees_with_any():
    run = tr.GDP(1, neighbors=tr.add_or_remove.of("person")) + tr.GDP(1)
    assert run.neighbors == tr.add_or_remove.of("person")


def test_invariants_gather():
    one = tr.GDP(1, neighbors=tr.replace_one.keeping("state totals"))
    two = tr.GDP(1, neighbors=tr.replace_one.keeping("housing units"))
    assert (one + two).neighbors.invariants == ("state totals", "housing units")
    assert "agree on state totals, housing units" in str((one + two).neighbors)


def test_restating_goes_one_way():
    assert tr.GDP(1.0).restated(tr.replace_one).to(tr.GDP).mu == 2.0
    with pytest.raises(tr.NeighborsMismatch, match="says nothing about adding or removing"):
        tr.GDP(1.0, neighbors=tr.replace_one).restated(tr.add_or_remove)
    person = tr.GDP(1.0, neighbors=tr.add_or_remove.of("person"))
    assert person.restated(tr.replace_one).neighbors == tr.replace_one.of("person")
    with pytest.raises(tr.NeighborsMismatch, match="no theorem leads"):
        person.restated(tr.replace_one.of("household"))


def test_joint_units_compose():
    persons = tr.ZCDP(0.5, neighbors=tr.replace_one.of("person"))
    homes = tr.ZCDP(0.25, neighbors=tr.replace_one.of("home"))
    both = tr.jointly(persons, homes)
    assert both.to(tr.ZCDP).rho == 0.75
    assert str(both.neighbors) == "at most replace one person and at most replace one home"
    with pytest.raises(tr.NeighborsMismatch, match="unit of its own"):
        tr.jointly(tr.ZCDP(0.5), tr.ZCDP(0.5))


def test_sampling_is_one_draw_for_all_of_it():
    one_draw = (tr.PureDP(1.0) + tr.PureDP(1.0)).sampled(0.1)
    two_draws = tr.PureDP(1.0).sampled(0.1) ** 2
    assert one_draw != two_draws
    assert one_draw.to(tr.PureDP).epsilon > two_draws.to(tr.PureDP).epsilon


def test_rate_zero_reveals_nothing_and_rate_one_everything():
    assert tr.Gaussian(1.0).sampled(0).to(tr.GDP).mu == 0
    assert tr.PureDP(1.0).sampled(0).to(tr.PureDP).epsilon == 0
    assert tr.PureDP(1.0).sampled(1).to(tr.PureDP).epsilon == pytest.approx(1.0, rel=1e-14)


def test_estimates_never_become_guarantees():
    estimate = tr.as_continuous(tr.DiscreteGaussian(3.0) ** 4)
    assert estimate.epsilon(1e-6) > 0
    for use in (
        lambda: estimate + tr.GDP(1.0),
        lambda: tr.GDP(1.0) + estimate,
        lambda: estimate**2,
        lambda: estimate.to(tr.GDP),
        lambda: sum([estimate, tr.GDP(1)]),
    ):
        with pytest.raises(TypeError):
            use()
    with pytest.raises(tr.NotAGuarantee, match="is not a guarantee"):
        estimate.to(tr.GDP)
    with pytest.raises(tr.NotAGuarantee):
        tr.LowerBound(tr.GDP(1.0), "audit").to(tr.GDP)


def test_a_missing_report_would_be_seen():
    """A local randomiser is about the reported value: not reporting hides nothing."""
    whole = tr.RandomizedResponse(1.0)
    sampled = whole.sampled(0.1)
    assert sampled.to(tr.PureDP).epsilon >= 1.0
    # only with probability 0.1 is there anything to see: truth 0.1 tanh(1/2), bounded by the whole
    assert sampled.advantage() >= 0.1 * 0.46211


def test_events_travel_between_processes():
    import pickle

    run = tr.Gaussian(2.0).sampled(0.1) ** 3 + tr.ZCDP(0.5)
    derived = run.to(tr.GDP)
    for event in (run, derived, tr.GDP(1, neighbors=tr.replace_one.of("person"))):
        assert pickle.loads(pickle.dumps(event)) == event


def test_a_group_of_groups_is_one_larger_group():
    event = tr.Laplace(3.0).group(2).group(3)
    assert event == tr.Laplace(3.0).group(6)
    assert event.to(tr.PureDP).epsilon == pytest.approx(2.0)
    with pytest.raises(tr.InvalidArgument, match="group: size"):
        event.group(10**18)


def test_what_was_planned_is_kept_but_not_pickled():
    import pickle

    event = tr.Gaussian(4.0) ** 3
    known = event.epsilon(1e-6)
    twin = pickle.loads(pickle.dumps(event))
    assert "_planned" in event.__dict__
    assert "_planned" not in twin.__dict__
    assert twin.epsilon(1e-6) == known
