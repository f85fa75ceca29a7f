"""What events answer about tests and with both ends: errors, risks, the least mu, and fits."""

from __future__ import annotations

import math
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest

import tightrope as tr
from tightrope.spec.reader import load

ROOT = Path(__file__).parents[2]
TRAINING = tr.Gaussian(noise_scale=1.0).sampled(rate=0.01) ** 10_000
EPOCHS = tr.Gaussian(noise_scale=9.4).sampled(rate=0.328) ** 2000
RESPONSES = tr.RandomizedResponse(epsilon=0.5) ** 5


def phi(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def quantile(p):
    return mp.sqrt(2) * mp.erfinv(2 * mp.mpf(p) - 1)


# --- tests ----------------------------------------------------------------------------------


def test_the_best_attack_on_sampled_training():
    """Peers print .846826 at .01, as if attackers were worse than they are."""
    assert TRAINING.tradeoff(0.01) == pytest.approx(0.846054681, abs=2e-9)
    assert TRAINING.tpr(0.01) == pytest.approx(1 - 0.846054681, abs=2e-9)
    lower, upper = TRAINING.tradeoff_interval([0.0, 0.01, 0.5, 1.0])
    assert (lower <= upper).all()
    assert (upper - lower < 1e-10).all()
    assert (lower[0], upper[-1]) == (1, 0)


def test_one_sampled_release_in_both_orders():
    """T(N(0,1), .9 N(0,1) + .1 N(1,1)) at .01 is .98176; the other order is .98894."""
    once = tr.Gaussian(noise_scale=1.0).sampled(rate=0.1)
    with mp.workdps(60):
        direct = 1 - (mp.mpf("0.9") * mp.mpf("0.01") + phi(quantile("0.01") + 1) / 10)
        above = mp.findroot(lambda x: 1 - phi(x) * mp.mpf("0.9") - phi(x - 1) / 10 - 0.5, 0.1)
        inverse = phi(above)
    assert once.tradeoff(0.01) == pytest.approx(float(direct), rel=1e-12)
    assert once.tradeoff(0.01) <= float(direct)
    assert once.tradeoff(0.5) <= float(min(inverse, 0.5 * 0.9 + phi(mp.mpf(-1)) / 10))
    lower, upper = once.tradeoff_interval(np.array([0.01, 0.5]))
    assert lower == pytest.approx(upper, rel=1e-9)


def test_power_at_tiny_false_positive_rates_keeps_its_digits():
    for event in (tr.GDP(1.0), RESPONSES, tr.DiscreteGaussian(10) ** 100):
        rates = np.array([1e-300, 1e-60, 1e-20])
        power = event.tpr(rates)
        assert (power > rates).all()
        assert (power < 1e20 * rates).all()
    with mp.workdps(60):
        truth = float(phi(quantile(mp.mpf("1e-20")) + 1))
    assert tr.GDP(1.0).tpr(1e-20) == pytest.approx(truth, rel=1e-12)
    assert tr.GDP(1.0).tpr(1e-20) >= truth * (1 - 1e-15)


@pytest.mark.parametrize("event", [TRAINING, RESPONSES, tr.Laplace(1.0), tr.ZCDP(0.5), tr.GDP(2)])
def test_risk_of_a_guess_is_what_the_profile_says(event):
    prior = np.array([0.0, 0.1, 0.5, 0.8, 1.0])
    risk = event.bayes_risk(prior)
    assert risk[[0, -1]].tolist() == [0, 0]
    assert risk[2] == pytest.approx((1 - event.advantage()) / 2, rel=1e-12)
    assert risk[1] == pytest.approx(0.1 * (1 - event.delta(math.log(9))), rel=1e-12)
    assert risk[3] == pytest.approx(0.2 * (1 - event.delta(math.log(4))), rel=1e-12)
    assert (risk <= np.minimum(prior, 1 - prior)).all()
    assert event.bayes_risk(0.5) == pytest.approx(risk[2], rel=1e-11)


def test_risk_is_the_least_weighted_error():
    """min over alpha of p alpha + (1 - p) f(alpha), by looking at many alphas."""
    alpha = np.linspace(0, 1, 2001)
    beta = RESPONSES.tradeoff(alpha)
    for prior in (0.2, 0.5, 0.7):
        least = (prior * alpha + (1 - prior) * beta).min()
        assert RESPONSES.bayes_risk(prior) == pytest.approx(least, abs=2e-4)
        assert RESPONSES.bayes_risk(prior) <= least + 1e-11


@pytest.mark.parametrize("prior", [-0.1, 1.1, math.nan, True, "x"])
def test_a_prior_is_a_probability(prior):
    with pytest.raises(tr.InvalidArgument, match="bayes_risk: prior"):
        TRAINING.bayes_risk(prior)


# --- intervals ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        TRAINING,
        RESPONSES,
        tr.Gaussian(2.0) ** 3,
        tr.Gaussian(2.0).sampled(0.2),
        tr.Laplace(3.0) + tr.Gaussian(2.0),
        tr.DiscreteLaplace(2.0) ** 20,
    ],
    ids=repr,
)
def test_both_ends_of_exactly_known_events_meet(event):
    lower, upper = event.delta_interval(np.array([-0.5, 0.0, 0.4]))
    assert lower == pytest.approx(upper, rel=1e-9)
    assert (lower <= upper).all()
    assert event.delta(np.array([-0.5, 0.0, 0.4])) == pytest.approx(upper, rel=1e-9)
    low, high = event.epsilon_interval(1e-3)
    assert low <= high
    assert low == pytest.approx(high, rel=1e-8)
    assert event.epsilon(1e-3) == pytest.approx(high, rel=1e-9)
    ends = event.tradeoff_interval(0.2)
    assert ends[0] <= ends[1]
    assert ends[0] == pytest.approx(ends[1], rel=1e-8)
    assert event.tradeoff(0.2) == pytest.approx(ends[0], rel=1e-9)


def test_what_is_only_covered_keeps_an_honest_lower_end():
    """A hundred bounded ranges: theorems know better than the composed covers."""
    event = tr.BoundedRange(0.1) ** 100
    lower, upper = event.epsilon_interval(1e-6)
    assert lower < upper == event.epsilon(1e-6)
    low, high = event.tradeoff_interval(0.1)
    assert low < high <= 0.9 + 1e-12
    low, high = tr.TCDP(0.1, 10).delta_interval(1.0)
    assert low == 0 < high


def test_ends_are_floats_for_numbers():
    for ends in (TRAINING.delta_interval(1.0), TRAINING.tradeoff_interval(0.3)):
        assert [type(end) for end in ends] == [float, float]


# --- the least mu ---------------------------------------------------------------------------


def test_sampling_does_not_improve_mu():
    """sqrt(T)/sigma whatever the rate, while a fit down to 1e-10 says 1.57."""
    assert EPOCHS.to(tr.GDP).mu == pytest.approx(math.sqrt(2000) / 9.4, rel=1e-12)
    lower, upper = EPOCHS.gdp_interval()
    assert lower == pytest.approx(upper, rel=1e-11)


def test_composed_responses_need_less_than_their_parts_say():
    """The parts' own mu, squared and added, give 1.395."""
    found = RESPONSES.to(tr.GDP)
    assert found.mu == pytest.approx(1.169215828, abs=1e-8)
    assert tr.check(RESPONSES, tr.GDP(1.1693)).outcome == "holds"
    assert tr.check(RESPONSES, tr.GDP(1.1692)).outcome == "false"
    assert found.derivation_step().theorem.name == "tight_mu_of_composition"
    assert "tight_mu_of_composition" in str(RESPONSES.why(tr.GDP).to_dict())


def test_the_census_of_persons():
    """130 discrete Gaussians: sqrt(2 rho) is 2.2610730, the parts' own mu compose to 2.30132."""
    persons = load(ROOT / "examples" / "census2020.toml").root.parts[0].event
    lower, upper = persons.gdp_interval()
    assert lower == pytest.approx(2.2610730, abs=1e-6)
    assert lower <= upper <= 2.2610730 * (1 + 1e-4)
    assert persons.to(tr.GDP).mu == upper


def test_failures_and_curves_without_a_mu():
    assert (tr.ApproxDP(1.0, 1e-9) ** 3).gdp_interval() == (math.inf, math.inf)
    assert tr.TCDP(0.1, 10).gdp_interval()[1] == math.inf
    assert tr.ZCDP(0.5).gdp_interval() == pytest.approx((1.283913, 1.283913), abs=1e-6)


# --- fits -----------------------------------------------------------------------------------


def test_a_fit_says_how_far_down_it_goes():
    """1.568469 down to 1.01e-10, where the largest is: it grows further below."""
    fit = tr.fit_gdp(EPOCHS, cutoff=1.01e-10)
    assert fit.mu == pytest.approx(1.568469, abs=1e-6)
    with mp.workdps(60):
        further = float(quantile(EPOCHS.tpr(1e-20)) - quantile(mp.mpf("1e-20")))
    assert further > fit.mu
    assert 0.001 < fit.regret < 0.01
    told = "mu=1.568469, cutoff=1.01e-10, regret=0.00244; an estimate, no guarantee"
    assert repr(fit) == f"GaussianFit({told})"


def test_a_gaussian_fits_itself():
    fit = tr.fit_gdp(tr.Gaussian(2.0) ** 4)
    assert fit.mu == pytest.approx(1, rel=1e-9)
    assert fit.regret < 1e-9


def test_a_fit_is_no_guarantee():
    fit = tr.fit_gdp(RESPONSES)
    assert isinstance(fit, tr.Estimate)
    for use in (lambda: fit.to(tr.GDP), lambda: fit + tr.GDP(1.0), lambda: fit**2):
        with pytest.raises(tr.NotAGuarantee, match="fitted to"):
            use()


@pytest.mark.parametrize("cutoff", [0, 0.5, 0.7, -1, math.nan])
def test_a_cutoff_is_a_small_probability(cutoff):
    with pytest.raises(tr.InvalidArgument, match="fit_gdp: "):
        tr.fit_gdp(RESPONSES, cutoff)
