"""Bugs that were found by trying to break the library, each with its number."""

import math

import mpmath as mp
import pytest

import tightrope as tr


@pytest.mark.parametrize(
    ("epsilon", "categories", "at"),
    [
        (1.2767965204731621e-04, 62871532612, 4.697990042348034e-05),
        (0.00016162333446946187, 10**6, 0.00010953708721252605),
        (1.0, 100, 0.9),
        (0.1, 1000, 0.05),
        (1e-3, 10**5, 5e-4),
    ],
)
def test_many_answers_keep_their_digits(epsilon, categories, at):
    """Vertices near (1, 0) lost all digits of 1 - alpha - beta."""
    with mp.workdps(60):
        e, x = mp.mpf(epsilon), mp.mpf(at)
        truth = mp.log((mp.exp(e) - mp.exp(x)) / (mp.exp(e) + categories - 1))
        found = tr.RandomizedResponse(epsilon, categories=categories).log_delta(at)
        assert 0 <= found - truth < 1e-12


def test_trade_off_of_many_answers_is_not_above_the_truth():
    event = tr.RandomizedResponse(0.1, categories=1000)
    assert event.tradeoff(0.000999894840141683) <= 0.9988949453015415
    event = tr.RandomizedResponse(2.817274967349227, categories=593909886970)
    assert event.tpr(1.6837571185677622e-12) >= 2.817127e-11


@pytest.mark.parametrize(("mu", "at", "truth"), [(1e-16, -1e-18, 4.0396222734926e-17)])
def test_tiny_deltas_at_negative_epsilon(mu, at, truth):
    assert tr.GDP(mu).delta(at) == pytest.approx(truth, rel=1e-12)
    assert tr.Laplace(1e16).delta(-1e-17) >= 5.5e-17


def test_sampling_at_rates_out_of_the_range_of_exp():
    assert tr.Gaussian(0.001).sampled(1e-300).log_delta(100) >= math.log(1e-300)
    assert tr.PureDP(800).sampled(1e-300).log_delta(50.0) >= math.log(1e-300)


@pytest.mark.parametrize(
    ("epsilon", "rate"), [(31, 1e-20), (100, 1e-44), (150.0, 1e-100), (700, 0.3), (1e-10, 0.5)]
)
def test_amplified_pure_dp_is_never_below_the_truth(epsilon, rate):
    with mp.workdps(60):
        truth = mp.log1p(mp.mpf(rate) * mp.expm1(mp.mpf(epsilon)))
        found = tr.PureDP(epsilon).sampled(rate).to(tr.PureDP).epsilon
        assert 0 <= (mp.mpf(found) - truth) / truth < 1e-12


def test_a_group_whose_growth_cancels_a_tiny_delta():
    run = tr.ApproxDP(19.68839898651267, 2.7494680485768237e-235).group(28)
    assert run.delta(1e4) >= 2.0158150665076e-4


def test_doubling_costs_nothing():
    run = tr.GDP(1e-5)
    for _ in range(60):
        run = run + run
    assert run.counts == {tr.GDP(1e-5): 2**60}


def test_sums_of_different_orders_are_not_called_false():
    """The suprema of the parts sit at different orders, so their sum is no lower bound."""
    run = tr.RandomizedResponse(4.0, categories=10**5) + tr.Laplace(1.0)
    assert tr.check(run, run.to(tr.ZCDP)).outcome == "holds"
    assert tr.check(run, tr.ZCDP(0.5991)).outcome != "false"
    response = tr.RandomizedResponse(1.0, categories=100)
    assert tr.check(response, tr.ApproxDP(0.3001, 0.013453)).outcome != "false"
    assert tr.check(tr.DiscreteLaplace(2, 4), tr.ApproxDP(1.0001, 0.393469)).outcome != "false"


def test_what_was_stated_holds():
    from fractions import Fraction

    for claim in (tr.ZCDP(Fraction(1, 3)), tr.ApproxDP(Fraction(1, 3), Fraction(1, 10**7))):
        assert tr.check(claim, claim).outcome == "holds"
    with pytest.raises(tr.InvalidArgument, match="claim must be a guarantee"):
        tr.check(tr.Gaussian(1), tr.RDP([2], [1.0]))


@pytest.mark.parametrize(
    "call",
    [
        lambda: tr.DiscreteGaussian(1.0, 10**400),
        lambda: tr.GDP(1) ** 10**400,
        lambda: tr.GDP(1).group(10**400),
        lambda: tr.GDP(1).delta(10**400),
        lambda: tr.DiscreteGaussian(1e-300),
        lambda: tr.RDP(lambda order: 1 / 0).epsilon(1e-5),
        lambda: tr.RDP(lambda order: None).epsilon(1e-5),
        lambda: tr.parse("ZCDP(1/0)"),
        lambda: tr.parse("ZCDP(((9**64)**64)**64)"),
        lambda: tr.parse("ZCDP(rho=1, rho=0.5)"),
        lambda: tr.parse("gdp:1,2,3,4"),
        lambda: tr.parse("jointly_neighbors()"),
    ],
)
def test_hostile_arguments_are_refused_in_words(call):
    with pytest.raises(tr.InvalidArgument):
        call()


def test_renyi_dp_at_infinite_order_only():
    assert tr.RDP([math.inf], [1.0]).to(tr.PureDP).epsilon == 1.0


def test_calibration_says_what_went_wrong():
    with pytest.raises(tr.InvalidArgument, match="does not depend on the parameter"):
        tr.calibrate(lambda _: tr.Gaussian(5), tr.GDP(1.0))
    with pytest.raises(tr.InvalidArgument, match=r"integer=True.*whole number"):
        tr.calibrate(lambda x: tr.Gaussian(10) ** x, tr.GDP(1.0))


def test_groups_at_infinite_order():
    """k steps of the largest log-ratio, and never not-a-number."""
    grouped = tr.PureDP(0.5).group(3).to(tr.RDP)
    assert 1.5 <= grouped(math.inf) <= 1.5 * (1 + 1e-13)
    table = tr.RDP([2, math.inf], [0.1, 0.5]).group(100).to(tr.RDP)
    assert 50 <= table(math.inf) <= 50 * (1 + 1e-13)
    # a large group is bounded by runs of terms: never below the exact sum, and close to it
    rho = (tr.RDP([2, 1e6], [0.002, 1e3]).group(1000).to(tr.RDP))(2.0)
    exact = sum(2000 / (2000 - m) * tr.RDP([2, 1e6], [0.002, 1e3])(2000.0 - m) for m in range(1000))
    assert exact <= rho <= 1.02 * exact
