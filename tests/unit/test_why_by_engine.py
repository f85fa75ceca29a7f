"""Derivations of what the exact engine computed say how; and why a mu is not proved to be less."""

from __future__ import annotations

import pytest

import tightrope as tr

METHODS = [
    (tr.Gaussian(1.0).sampled(0.01) ** 100, "contour integral through c = "),
    (tr.Laplace(1.0) ** 5, "splines for up to 5 uniform variables"),
    (tr.RandomizedResponse(0.5) ** 20, "exact sums of 21 atoms"),
]


@pytest.mark.parametrize(("event", "method"), METHODS)
def test_every_answer_of_the_engine_says_how(event, method):
    for asked in ({"delta": 1e-6}, {"epsilon": 1.0}):
        assert method in str(event.why(tr.ApproxDP, **asked).to_dict())
    for notion in (tr.TradeOff, tr.Profile):
        assert method in repr(event.why(notion))


@pytest.mark.parametrize(("event", "method"), METHODS[1:])
def test_a_tight_mu_says_how(event, method):
    assert method in repr(event.why(tr.GDP))


def test_a_delta_names_the_engine_and_not_the_best_theorem():
    step = tr.Laplace(1.0) ** 5
    assert "exact_composition_attained" in str(step.why(tr.ApproxDP, epsilon=1.0).to_dict())


def test_a_route_by_theorems_keeps_its_note_and_tells_of_failures():
    run = tr.ApproxDP(0.5, 1e-8) + tr.RDP([2.0, 8.0], [0.3, 2.0])
    for asked in ({"delta": 1e-6}, {"epsilon": 1.0}):
        assert "beside failures of total probability 1e-08" in repr(run.why(tr.ApproxDP, **asked))


def test_a_mu_that_may_be_too_large_says_what_is_needed():
    told = repr((tr.Laplace(0.1) ** 30).why(tr.GDP))
    assert "no less than that was proved, as delta is 1 but for rounding" in told
    assert "23.2379 is needed" in told
    assert "no less" not in repr((tr.Gaussian(0.05).sampled(0.5) ** 3).why(tr.GDP))


@pytest.mark.parametrize("mu", [20, 600])
def test_leaking_a_lot_and_a_little(mu):
    """Squares add up: 3 mu^2 and that of the Laplace release, 1.0301^2."""
    run = tr.GDP(mu).sampled(0.5) ** 3 + tr.Laplace(1.0)
    lower, upper = run.gdp_interval()
    assert lower <= 3**0.5 * mu * (1 + 1e-11)
    assert upper == pytest.approx((3 * mu**2 + 1.0300639976244**2) ** 0.5, rel=1e-9)


def test_a_lone_mixture_has_the_tradeoff_curve_of_its_pairs():
    """The mixture of shifts 0 and 1 is a Gaussian on a Poisson sample."""
    mixture = tr.GaussianMixture([0, 1], [0.9, 0.1], noise_scale=1.0)
    alpha = [0.01, 0.2, 0.7]
    known = tr.Gaussian(1.0).sampled(0.1).tradeoff(alpha)
    assert mixture.tradeoff(alpha) == pytest.approx(known, rel=1e-9)
    vector = tr.DiscreteGaussianVector(1.0, sensitivity=2, dimension=4)
    lower, upper = vector.tradeoff_interval(0.05)
    assert upper - lower < 1e-9
