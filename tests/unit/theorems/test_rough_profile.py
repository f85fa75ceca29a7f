"""A first look is a valid bound, near the second one, and leaves room where it cannot tell."""

import math

import pytest

import tightrope as tr
from tightrope.plan.portfolio.tree import portfolio_of
from tightrope.theorems.renyi_profile import log_delta
from tightrope.theorems.rough_profile import rough_log_delta

RUNS = [
    tr.Laplace(20) ** 200 + tr.RandomizedResponse(0.1) ** 50,
    tr.Exponential(0.1) ** 300 + tr.DiscreteGaussian(8) ** 20,
    tr.Gaussian(1).sampled(0.01) ** 1000 + tr.Laplace(3),
    tr.TCDP(0.1, 5.5) ** 3 + tr.ZCDP(0.2),
]


@pytest.mark.parametrize("run", RUNS, ids=repr)
@pytest.mark.parametrize("beyond", [0.6, 3.0, 20.0])
def test_it_is_never_below_the_search_and_hardly_above(run: tr.Event, beyond: float) -> None:
    curve = portfolio_of(run).curve
    assert curve is not None
    whole = curve([1])
    epsilon = float(whole(1.0)) + beyond
    sharp = log_delta(whole, epsilon, max_order=whole.max_order)
    rough = rough_log_delta(whole, epsilon)
    assert sharp - 1e-9 * (1 - sharp) <= rough <= sharp + max(0.1, -0.03 * sharp)


def test_near_epsilon_zero_it_says_that_it_cannot_tell() -> None:
    whole = portfolio_of(RUNS[0]).curve
    assert whole is not None
    assert rough_log_delta(whole([1]), 0.0) == -math.inf
