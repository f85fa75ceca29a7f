"""Polygonal trade-off curves where the answer is known in closed form, or at the extremes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp

from tightrope.notions.piecewise import PiecewiseCurve


def bernoulli(p: float, q: float) -> PiecewiseCurve:
    """The curve of Bern(p) against Bern(q), alpha being the error under the first."""
    corner = (p, 1 - q) if q > p else (1 - p, q)
    return PiecewiseCurve.from_points([0, corner[0], 1], [1, corner[1], 0])


def test_both_orders_of_a_directed_pair_differ_and_their_mixture_is_worse():
    """Bern(.09919) and Bern(.04591), two releases, at epsilon .7166.

    By hand, the only outcome above the threshold is, in the orders P P and P Q and with the masses
    of its two draws: .09919^2 - e^.7166 .04591^2 and .95409 .09919 - e^.7166 .90081 .04591.
    """
    forward = bernoulli(0.04591, 0.09919)
    backward = forward.inverse()
    grow = math.exp(0.7166)
    same = math.exp(forward.tensor(forward).log_delta(0.7166))
    mixed = math.exp(forward.tensor(backward).log_delta(0.7166))
    assert same == pytest.approx(0.09919**2 - grow * 0.04591**2, rel=1e-12)
    assert same == pytest.approx(0.00552, abs=5e-6)
    assert backward.tensor(backward).log_delta(0.7166) == -math.inf
    assert mixed == pytest.approx(0.95409 * 0.09919 - grow * 0.90081 * 0.04591, rel=1e-12)
    assert mixed == pytest.approx(0.00997, abs=1e-5)


@pytest.mark.parametrize("n", [2, 7, 64])
def test_repeated_randomised_response_has_binomial_losses(n):
    t = 0.3
    curve = PiecewiseCurve.from_profile_points(t, 0.0).power(n)
    assert len(curve.atoms.loss) == n + 1
    assert curve.epsilon_max == pytest.approx(n * t, rel=1e-13)
    with mp.workdps(50):
        truth, told = mp.mpf(t), 1 / (1 + mp.exp(-mp.mpf(t)))
        for epsilon in (0.0, 1.0, 0.9 * n * t):
            delta = mp.zero
            for k in range(n + 1):
                loss = (2 * k - n) * truth
                mass = mp.binomial(n, k) * told**k * (1 - told) ** (n - k)
                delta += mass * max(0, 1 - mp.exp(mp.mpf(epsilon) - loss))
            bound = mp.exp(mp.mpf(curve.log_delta(epsilon)))
            assert delta <= bound <= delta * (1 + mp.mpf("1e-12"))


@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_a_group_of_k_multiplies_epsilon_by_at_most_k(k):
    curve = PiecewiseCurve.from_profile_points(0.3, 0.0).compose_group(k)
    assert curve.epsilon_max == pytest.approx(k * 0.3, rel=1e-12)
    single = PiecewiseCurve.from_profile_points(k * 0.3 * (1 + 1e-12), 0.0)
    alpha = np.linspace(0, 1, 101)
    assert np.all(curve(alpha) >= single(alpha))


def test_group_of_a_claim_follows_the_textbook_rule():
    """(k e, d (e^(k e) - 1)/(e^e - 1)): Vadhan (2017), Lemma 2.2."""
    curve = PiecewiseCurve.from_profile_points(0.5, 1e-8).compose_group(3)
    assert math.exp(curve.log_delta(1.5)) == pytest.approx(
        1e-8 * math.expm1(1.5) / math.expm1(0.5), rel=1e-6
    )
    assert curve.failure == pytest.approx(1e-8 * math.expm1(1.5) / math.expm1(0.5), rel=1e-12)


def test_failures_compose_as_the_union_of_independent_events():
    curve = PiecewiseCurve.from_profile_points(0.5, 1e-20).power(5)
    assert curve.failure == pytest.approx(5e-20, rel=1e-13)
    assert curve.mu() == math.inf
    rest = curve.without_failure()
    assert rest.failure == 0
    assert rest.epsilon_max == pytest.approx(2.5, rel=1e-13)


def test_without_failure_is_the_conditional_curve():
    curve = PiecewiseCurve.from_profile_points([0.5, 1.5], [0.125, 0.0625])
    rest = curve.without_failure()
    x = np.linspace(0, 1, 33)
    assert rest(x) == pytest.approx(curve(0.9375 * x) / 0.9375, abs=1e-14)
    directed = PiecewiseCurve.from_points([0, 0.25], [0.75, 0.25])
    assert directed.without_failure().failure == 0
    with pytest.raises(ValueError, match="fail"):
        PiecewiseCurve.from_points([0, 1], [0, 0]).without_failure()


@pytest.mark.parametrize("t", [1e-3, 1.0, 50.0, 300.0])
def test_mu_of_randomised_response(t):
    """Chen, Pandey and Awan (2026), Proposition 5: 2 Phi^-1(1/(1 + e^-t))."""
    mu = PiecewiseCurve.from_profile_points(t, 0.0).mu()
    with mp.workdps(50):
        lie = 1 / (1 + mp.exp(mp.mpf(t)))
        assert mp.erfc(mp.mpf(mu) / 2 / mp.sqrt(2)) / 2 <= lie
        assert mp.erfc(mp.mpf(mu) * (1 - mp.mpf("1e-11")) / 2 / mp.sqrt(2)) / 2 > lie


def test_no_release_at_all_is_neutral():
    nothing = PiecewiseCurve.from_points([0, 1], [1, 0])
    assert nothing.mu() == 0
    assert nothing.epsilon_max < 1e-15
    assert nothing.log_delta(0.0) < -34
    curve = PiecewiseCurve.from_profile_points(1.0, 0.1)
    same = curve.tensor(nothing)
    assert same.alpha == pytest.approx(curve.alpha, abs=1e-13)
    assert nothing.compose_group(5)(0.3) == pytest.approx(0.7, rel=1e-13)


def test_pair_holds_the_masses_of_both_laws():
    log_p, log_q = bernoulli(0.04591, 0.09919).pair()
    assert np.exp(log_p) == pytest.approx([0.04591, 0.95409], rel=1e-14)
    assert np.exp(log_q) == pytest.approx([0.09919, 0.90081], rel=1e-14)
    log_p, log_q = PiecewiseCurve.from_profile_points(1.0, 0.25).pair()
    assert (log_p[0], log_q[-1]) == (-math.inf, -math.inf)
    assert np.exp(log_q[0]) == np.exp(log_p[-1]) == pytest.approx(0.25)


def test_long_compositions_keep_their_extremes_when_masses_underflow():
    curve = PiecewiseCurve.from_profile_points(0.1, 0.0).power(4000)
    assert curve.failure == 0
    assert curve.epsilon_max == pytest.approx(400.0, rel=1e-12)
    assert 0.1 * math.sqrt(4000) < curve.mu() < math.inf


def test_extreme_arguments_stay_safe_and_quiet():
    infinite = PiecewiseCurve.from_profile_points(1.0, 1e-3)
    log_delta = infinite.log_delta(np.array([math.inf, 1e5, -1e5, -math.inf]))
    assert log_delta == pytest.approx([math.log(1e-3), math.log(1e-3), 0, 0], abs=1e-12)
    steep = PiecewiseCurve.from_points([0, 1e-310, 1], [1, 0.5, 0])
    assert steep(1e-310) == pytest.approx(0.5)
    assert 37 < steep.mu() < 38  # Phi^-1(1e-310) = -37.67
    assert PiecewiseCurve.from_profile_points(800.0, 0.0).mu() < math.inf
    hopeless = PiecewiseCurve.from_profile_points(0.5, 1 - 1e-16).power(30)
    assert hopeless.beta.tolist() == [0, 0]
    tiny = PiecewiseCurve.from_profile_points(1e-300, 1e-320)
    assert 1e-320 <= tiny.failure < 1e-300


def test_many_atoms_are_coarsened_on_the_safe_side():
    rng = np.random.default_rng(7)
    p = rng.dirichlet(np.ones(60))
    q = p * np.exp(rng.normal(0, 0.2, 60))
    q /= q.sum()
    order = np.argsort(-q / p)
    alpha = np.append(0, np.minimum(np.cumsum(p[order]), 1))
    beta = np.append(1 - np.cumsum(q[order]), 0)[np.r_[60, :59, 60]]
    beta[0] = 1
    alpha[-1] = 1
    curve = PiecewiseCurve.from_points(alpha, beta)
    coarse = curve.power(8)
    assert len(coarse.alpha) <= 4097
    with_all = _profile_by_fourier(*curve.pair(), 8, np.array([0.0, 1.0, 2.0]))
    bound = np.exp(coarse.log_delta(np.array([0.0, 1.0, 2.0])))
    assert np.all(bound >= with_all * (1 - 1e-9))
    assert bound == pytest.approx(with_all, rel=2e-3)


def _profile_by_fourier(log_p, log_q, n, epsilon):
    """delta(e) = (1/2 pi) int M(z) e^(-z e) / (z (z + 1)) du at z = c + i u, M under the first law.

    Here for the loss of Q against P under Q, by a fine trapezoid rule at c = 1.
    """
    loss = log_q - log_p
    u = np.arange(-20_000, 20_001) * 0.02
    z = 1.0 + 1j * u
    log_moment = np.log(np.exp(log_q + 1.0 * loss) @ np.exp(1j * np.outer(loss, u)))
    weight = np.exp(n * log_moment) / (z * (z + 1))
    return np.array(
        [np.real(np.sum(weight * np.exp(-z * e))) * 0.02 / (2 * np.pi) for e in epsilon]
    )
