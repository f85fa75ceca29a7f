"""The planner's known answers, each with its source, and the orders that it must find."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr

PERSONS_RHO = Fraction(542, 339) ** 2


def at_most(value, bound, digits=4):
    """The value rounds to, or lies below, a published number of so many decimals."""
    return value <= bound + 0.5 * 10.0**-digits


@pytest.mark.parametrize(
    ("event", "mu"),
    [
        (tr.ZCDP(0.1) ** 10, 1.7809),  # converted first; composed first it would be 1.8611
        (tr.BoundedRange(0.1) ** 10, 0.1982),  # through zCDP or pure DP it would be 0.6239
        (tr.BoundedRange(0.5).group(3), 0.9308),  # grouped first, then converted
        (tr.ZCDP(0.5), 1.283913),
        (tr.ZCDP(1), 1.861118),
    ],
)
def test_known_orders_into_gdp(event, mu):
    """Chen, Pandey and Awan (2026), Corollaries 9 and 16."""
    assert at_most(event.to(tr.GDP).mu, mu)


def test_the_order_beats_the_fixed_ones():
    ten = tr.ZCDP(0.1) ** 10
    composed_first = tr.ZCDP(ten.to(tr.ZCDP).rho).to(tr.GDP).mu
    assert ten.to(tr.GDP).mu < composed_first - 0.08
    grouped = tr.ZCDP(0.1).group(5)
    assert grouped.to(tr.GDP).mu <= 2.8158978  # k mu(rho), not mu(k^2 rho) = 3.17


@pytest.mark.parametrize(
    ("event", "delta", "epsilon"),
    [
        # theory of conversions, table of rho-zCDP to epsilon (optimal column)
        (tr.ZCDP(0.5), 1e-6, 5.221534),
        (tr.ZCDP(1.0), 1e-10, 10.03434),
        (tr.ZCDP(0.01), 1e-5, 0.5457178),
        # a hundred small bounded-range releases are best reported through zCDP
        (tr.BoundedRange(0.1) ** 100, 1e-6, 2.42),
        # ... four large ones through pure DP (the exact logistic pair would give 15.7)
        (tr.BoundedRange(4.0) ** 4, 1e-6, 16.0),
        (tr.GDP(1.0), 1e-18, 8.997181734),
        (tr.Gaussian(400), 1e-5, 0.005676658),
        (tr.Gaussian(0.05), 1e-6, 294.171786258),
        (tr.Gaussian(1), 1e-100, 21.627508094),
        (tr.Gaussian(0.02), 1e-6, 1486.716042),
    ],
)
def test_epsilon_at_delta(event, delta, epsilon):
    found = event.to(tr.ApproxDP, delta=delta).epsilon
    assert found <= epsilon * (1 + 1e-6) + 5e-3 * (epsilon in (2.42,))


def test_replace_one_gaussian_is_not_the_add_or_remove_one():
    """google/differential-privacy #378: one accountant ignored the relation."""
    one = tr.Gaussian(1.0).to(tr.ApproxDP, delta=1e-5)
    two = tr.Gaussian(1.0).restated(tr.replace_one).to(tr.ApproxDP, delta=1e-5)
    assert one.epsilon == pytest.approx(4.377178, abs=1e-6)
    assert two.epsilon == pytest.approx(9.997256, abs=1e-6)
    assert two.neighbors == tr.replace_one


def test_parallel_parts_under_replace_one():
    """A record can leave one part and enter another: two counts have mu = sqrt 2."""
    part = tr.Gaussian(1.0, neighbors=tr.replace_one)
    both = tr.parallel(part, part)
    assert both.to(tr.GDP).mu == pytest.approx(math.sqrt(2), rel=1e-14)
    assert both.to(tr.GDP).mu >= math.sqrt(2)
    assert both.delta(1.0) == pytest.approx(0.286, abs=5e-4)
    assert tr.parallel(part, part, fixed_parts=True).to(tr.GDP).mu == 1.0
    assert tr.parallel(tr.Gaussian(1.0), tr.Gaussian(1.0)).to(tr.GDP).mu == 1.0


def test_two_partitions_are_covered_before_they_compose():
    run = tr.parallel(tr.GDP(1), tr.GDP(0.1)) + tr.parallel(tr.GDP(0.1), tr.GDP(1))
    assert run.delta(1.0) == pytest.approx(0.286, abs=5e-4)  # not 0.129


def test_a_parallel_event_is_restated_by_pairs_of_parts():
    run = tr.parallel(tr.GDP(1.0), tr.GDP(1.0), tr.GDP(0.5)).restated(tr.replace_one)
    assert run.to(tr.GDP).mu == 2.0  # a replacement inside a part: a removal and an addition


def test_group_rules():
    """The harmonic number for xi; (e, d) grows geometrically; tCDP loses orders."""
    grouped = tr.ZCDP(0.1, xi=0.2).group(3).to(tr.ZCDP)
    assert grouped.rho == pytest.approx(0.9, rel=1e-14)
    assert grouped.xi == pytest.approx(0.2 * 3 * (1 + 1 / 2 + 1 / 3), rel=1e-13)
    truncated = tr.TCDP(0.01, 30).group(3).to(tr.TCDP)
    assert truncated.rho == pytest.approx(0.09, rel=1e-14)
    assert truncated.omega == pytest.approx(10, rel=1e-14)
    assert truncated.omega <= 10
    pair = tr.ApproxDP(0.5, 1e-6).group(4).to(tr.ApproxDP, epsilon=2.0)
    expected = 1e-6 * math.expm1(2.0) / math.expm1(0.5)
    assert pair.delta == pytest.approx(expected, rel=1e-12)
    assert pair.delta >= expected


def test_a_group_meets_every_part_of_a_composition():
    run = tr.Laplace(1.0) + tr.Gaussian(2.0)
    grouped, by_parts = run.group(3), tr.Laplace(1.0, 3) + tr.Gaussian(2.0, 3)
    assert grouped.to(tr.GDP).mu <= by_parts.to(tr.GDP).mu
    assert grouped.to(tr.ZCDP).rho == by_parts.to(tr.ZCDP).rho


def test_a_mix_of_all_notions_composes():
    run = (
        tr.PureDP(0.1)
        + tr.ApproxDP(0.2, 1e-8)
        + tr.ZCDP(0.05)
        + tr.ZCDP(0.01, xi=0.05)
        + tr.TCDP(0.01, 100)
        + tr.RDP([2, 8, 32], [0.01, 0.05, 0.2])
        + tr.GDP(0.3)
        + tr.BoundedRange(0.2)
        + tr.LogisticDP(0.2)
        + tr.TradeOff([0, 0.4, 1], [1, 0.4, 0])
        + tr.Profile([0.1, 0.5], [1e-4, 1e-7])
    )
    found = run.to(tr.ApproxDP, delta=1e-3)
    assert 0 < found.epsilon < 6
    assert run.delta(50.0) >= 1e-8


def test_failures_come_out_first():
    run = tr.ApproxDP(1, 1e-6) ** 2 + tr.GDP(0.5)
    assert run.delta(200.0) == pytest.approx(2e-6 - 1e-12, rel=1e-9)
    assert run.epsilon(1e-6) == math.inf
    assert run.tradeoff(0.0) <= 1 - (2e-6 - 1e-12)
    with pytest.raises(tr.NotReachable, match="delta > 0"):
        run.to(tr.ZCDP)


def test_optimal_composition_of_pure_guarantees():
    """Kairouz, Oh and Viswanath (2015): ten 0.1-DP releases, delta by exact convolution."""
    run = tr.PureDP(0.1) ** 10
    p = 1 / (1 + math.exp(-0.1))
    exact = sum(
        math.comb(10, k)
        * max(
            0.0,
            p**k * (1 - p) ** (10 - k) - math.exp(0.5) * (1 - p) ** k * p ** (10 - k),
        )
        for k in range(11)
    )
    assert run.delta(0.5) == pytest.approx(exact, rel=1e-12)
    assert run.delta(0.5) >= exact


def test_sampling_improves_what_it_can_and_nothing_else():
    whole, rate = tr.Gaussian(1.0), 0.01
    sampled = whole.sampled(rate)
    assert sampled.to(tr.ZCDP).rho == 0.5  # not rate^2 rho
    assert sampled.to(tr.GDP).mu == 1.0
    pure = tr.PureDP(1.0).sampled(0.1).to(tr.PureDP).epsilon
    assert pure == pytest.approx(math.log1p(0.1 * math.expm1(1.0)), rel=1e-14)
    # one release of a sampled Gaussian: rate times the profile at log(1 + (e^eps - 1)/rate)
    assert sampled.delta(1.0) == pytest.approx(2.7312e-9, rel=1e-3) or sampled.delta(1.0) < 3e-9
    steps = sampled**10_000
    assert steps.epsilon(1e-5) == pytest.approx(6.187712390, rel=1e-9)  # by RDP: 6.7128
    assert steps.epsilon(1e-5) > 6.1877123899


def test_sampling_under_replace_one_gains_nothing_from_a_guarantee():
    event = tr.PureDP(1.0, neighbors=tr.replace_one).sampled(0.1)
    assert event.to(tr.PureDP).epsilon == 1.0


def test_sampling_loses_bounded_range():
    event = tr.BoundedRange(1.0).sampled(0.5)
    assert event.to(tr.BoundedRange).epsilon > 1.2


def test_bounded_range_does_not_simply_add_when_chosen_adaptively():
    """A later interval may depend on earlier results: twice its length, but for one part."""
    run = tr.BoundedRange(1.0) ** 2
    assert run.to(tr.BoundedRange).epsilon == 3.0
    assert run.to(tr.PureDP).epsilon == 2.0


def test_derivations_name_the_theorems():
    text = str((tr.ZCDP(0.1) ** 10).why(tr.GDP))
    assert "GDP(mu=1.781)" in text
    assert "Theorem 6" in text
    assert "Corollary 3.3" in text
    assert "given" in text
    assert "add or remove one unit" in text
    published = str(tr.GDP(1.0).then("table 3").why(tr.GDP))
    assert "published: table 3" in published
    assert "data-processing" in published


def test_a_derived_guarantee_remembers_its_derivation():
    mu = (tr.ZCDP(0.1) ** 10).to(tr.GDP)
    assert "ZCDP(rho=0.1)" in str(mu.why())
    assert "ZCDP(rho=0.1)" in str((mu + tr.GDP(1)).why(tr.GDP))


@pytest.mark.parametrize(
    ("event", "target", "reason"),
    [
        (tr.GDP(1), tr.PureDP, "unbounded"),
        (tr.ZCDP(1), tr.PureDP, "unbounded log-ratios"),
        (tr.ApproxDP(1, 1e-6), tr.ZCDP, "may be infinite"),
        (tr.ApproxDP(1, 1e-6), tr.GDP, "no false positives"),
        (tr.TCDP(1, 10), tr.GDP, "far tail free"),
        (tr.RDP([2], [0.5]), tr.GDP, "finitely many Renyi orders"),
        (tr.RDP([2], [0.5]), tr.ZCDP, "unknown beyond its last order"),
        (tr.Gaussian(1.0), tr.PureDP, "unbounded"),
    ],
)
def test_unreachable_notions_say_why_and_what_is_reachable(event, target, reason):
    with pytest.raises(tr.NotReachable, match=reason) as caught:
        event.to(target)
    assert "Reachable:" in str(caught.value)
    assert caught.value.reachable
    assert "ApproxDP" in caught.value.reachable


def test_curves_are_the_best_at_every_point():
    run = tr.ZCDP(0.5)
    alpha = np.array([0.0, 1e-6, 0.01, 0.176, 0.5, 1.0])
    through_gdp = tr.GDP(run.to(tr.GDP).mu).tradeoff(alpha)
    assert (run.tradeoff(alpha) >= through_gdp).all()
    assert run.to(tr.TradeOff).tradeoff(0.01) == run.tradeoff(0.01)
    assert run.tpr(0.01) == pytest.approx(1 - run.tradeoff(0.01), abs=1e-15)
    assert run.tpr(0.01) >= 1 - run.tradeoff(0.01)


def test_advantage_is_total_variation():
    assert tr.ZCDP(0.5).advantage() == pytest.approx(0.4790, abs=5e-4)  # tanh(t/2)
    assert tr.GDP(1.0).advantage() == pytest.approx(math.erf(1 / (2 * math.sqrt(2))), rel=1e-14)


def test_answers_broadcast():
    run = tr.GDP(1.0) + tr.ZCDP(0.1)
    deltas = np.array([[1e-3, 1e-6], [1e-9, 1e-12]])
    found = run.epsilon(deltas)
    assert found.shape == (2, 2)
    assert isinstance(run.epsilon(1e-6), float)
    assert isinstance(run.delta(1.0), float)
    assert isinstance(run.tradeoff(0.1), float)
    assert (np.diff(found.ravel()) > 0).all()
    assert run.delta(np.linspace(-2, 20, 12)).shape == (12,)


def test_negative_epsilon_is_legal():
    assert tr.GDP(1.0).delta(-1.0) == pytest.approx(0.67881797488662791595, rel=1e-13)


def test_a_tiny_delta_is_never_zero():
    assert tr.GDP(0.01).delta(1.0) == 5e-324
    assert tr.GDP(0.01).log_delta(1.0) == pytest.approx(
        math.log(2.2157059306236370) - 2178 * math.log(10), rel=1e-12
    )
    assert tr.PureDP(1.0).delta(1.0) == 0.0


def test_census_totals():
    """U.S. Census Bureau: 17.14 and 2.47 at delta = 1e-10; composing rho first gives 17.435."""
    persons = tr.ZCDP(PERSONS_RHO)
    units = tr.ZCDP(Fraction(3379, 12343) ** 2)
    assert persons.to(tr.ApproxDP, delta=1e-10).epsilon == pytest.approx(17.1436, abs=5e-5)
    assert units.to(tr.ApproxDP, delta=1e-10).epsilon == pytest.approx(2.4747, abs=5e-5)
    both = persons + units
    assert both.to(tr.ApproxDP, delta=1e-10).epsilon == pytest.approx(17.4351, abs=5e-5)
    continuous = tr.Gaussian(variance=1 / PERSONS_RHO / 2)
    assert continuous.to(tr.ApproxDP, delta=1e-10).epsilon == pytest.approx(16.4652, abs=5e-5)


def test_how_notions_compare():
    def columns(*pairs):
        return tuple(np.array(column, dtype=float) for column in zip(*pairs, strict=True))

    old = columns((0.2, 0.1), (0.2, 0.1), (0.2, 0.1))
    new = columns((0.2, 0.05), (0.1, 0.3), (0.1, 0.2))
    assert tr.ZCDP.improves(new, old).tolist() == [True, False, True]
    old, new = columns((0.2, 10), (0.2, 10)), columns((0.3, 20), (0.1, 5))
    assert tr.TCDP.improves(new, old).tolist() == [True, False]
    assert [c.tolist() for c in tr.TCDP.greatest([old, new])] == [[0.3, 0.2], [10, 5]]
    assert [c.tolist() for c in tr.ZCDP.greatest([old, new])] == [[0.3, 0.2], [20, 10]]
