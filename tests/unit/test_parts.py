"""Disjoint parts under add-or-remove: the whole is never worse than its worst part, or better."""

import numpy as np
import pytest

import tightrope as tr

ALPHAS = np.array([1e-6, 0.01, 0.2, 0.7])
EPSILONS = np.array([0.0, 0.3, 1.0, 3.0])


def part(draw):
    """A random run of random mechanisms."""
    size = draw.uniform(0.5, 4)
    kinds = [
        lambda: tr.Gaussian(2 * size),
        lambda: tr.Gaussian(size).sampled(0.1) ** int(draw.integers(1, 40)),
        lambda: tr.Laplace(3 * size) ** int(draw.integers(1, 5)),
        lambda: tr.Exponential(0.1 * size) ** int(draw.integers(1, 30)),
        lambda: tr.RandomizedResponse(0.3 * size) ** 2 + tr.RandomizedResponse(0.5, categories=5),
        lambda: tr.DiscreteLaplace(2 * size) + tr.Gaussian(3 * size),
        lambda: tr.ZCDP(0.1 * size),
        lambda: tr.PureDP(0.3 * size),
        lambda: tr.GDP(0.3 * size) + tr.LogisticDP(0.2),
        lambda: tr.parallel(tr.PureDP(0.2), tr.Gaussian(4.0)),
    ]
    return kinds[draw.integers(len(kinds))]()


@pytest.fixture(params=range(6))
def parts(request):
    draw = np.random.default_rng(request.param)
    return [part(draw) for _ in range(3)]


def near(value):
    """Equal but for which contours were laid before."""
    return pytest.approx(value, rel=1e-9)


def best(event, notion):
    try:
        return event.to(notion).values[0]
    except tr.NotReachable:
        return np.inf


@pytest.mark.parametrize("notion", [tr.GDP, tr.ZCDP, tr.PureDP, tr.BoundedRange, tr.LogisticDP])
def test_parameters(parts, notion):
    whole = tr.parallel(*parts)
    assert best(whole, notion) <= max(best(part, notion) for part in parts)
    assert best(whole.then("a table"), notion) <= max(best(part, notion) for part in parts)


def test_the_parameter_that_is_needed(parts):
    """A whole whose mu is below what a part is known to need would be wrong."""
    low, high = tr.parallel(*parts).gdp_interval()
    ends = [part.gdp_interval() for part in parts]
    assert (low, high) == (max(end[0] for end in ends), max(end[1] for end in ends))


def test_curves(parts):
    whole = tr.parallel(*parts)
    for delta in (1e-9, 1e-4):
        assert whole.epsilon(delta) == near(max(part.epsilon(delta) for part in parts))
        assert whole.to(tr.ApproxDP, delta=delta).epsilon == near(whole.epsilon(delta))
        low, high = whole.epsilon_interval(delta)
        ends = [part.epsilon_interval(delta) for part in parts]
        assert low == near(max(end[0] for end in ends))
        assert high == near(max(end[1] for end in ends))
    for question, points, worst in (
        ("delta", EPSILONS, np.max),
        ("tradeoff", ALPHAS, np.min),
        ("tpr", ALPHAS, np.max),
    ):
        answers = [getattr(part, question)(points) for part in parts]
        assert getattr(whole, question)(points) == near(worst(answers, axis=0))
    orders = [1.5, 4.0, 30.0]
    curves = [part.to(tr.RDP)(orders) for part in parts]
    assert whole.to(tr.RDP)(orders) == near(np.max(curves, axis=0))


def test_more_parts_than_are_compared_curve_by_curve():
    parts = [tr.Gaussian(1 + k / 10).sampled(0.1) ** 5 for k in range(12)]
    whole = tr.parallel(*parts)
    assert whole.to(tr.RDP)(8) == max(part.to(tr.RDP)(8) for part in parts)
    assert whole.epsilon(1e-6) == max(part.epsilon(1e-6) for part in parts)
    assert whole.to(tr.GDP).mu == max(part.to(tr.GDP).mu for part in parts)


def test_a_replaced_unit_touches_two_parts():
    """Rule 2: two counts with sigma 1 have mu = sqrt 2, unless replacing stays in the part."""
    count = tr.Gaussian(1.0, neighbors=tr.replace_one)
    assert tr.parallel(count, count).to(tr.GDP).mu == pytest.approx(2**0.5)
    assert tr.parallel(count, count, fixed_parts=True).to(tr.GDP).mu == 1.0


def test_the_derivation_names_the_worst_part():
    whole = tr.parallel(tr.Laplace(1.0) ** 2, tr.RandomizedResponse(1.1) + tr.PureDP(0.2))
    told = repr(whole.why(tr.GDP))
    assert "the greatest guarantee of the parts holds" in told
    assert "this part is the worst" in repr(whole.why(tr.ApproxDP, delta=1e-6))
    assert repr(whole.why()).count("one unit lies in one part") >= 2


def test_a_claim_about_parts_is_refuted_by_a_part():
    whole = tr.parallel(tr.Gaussian(1.0), tr.Laplace(1.0) ** 3)
    assert tr.check(whole, tr.GDP(whole.to(tr.GDP).mu * 1.0001)).outcome == "holds"
    assert tr.check(whole, tr.GDP(1.2)).outcome == "false"
    assert tr.check(whole, tr.ZCDP(0.4)).outcome == "false"
    assert tr.check(whole, tr.ApproxDP(1.0, 1e-9)).outcome == "false"
