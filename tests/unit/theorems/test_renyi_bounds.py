"""Golden rows are those of tests/golden/golden.json: the sharp values for zCDP and one order."""

import math

import mpmath as mp
import numpy as np
import pytest
from coin_reference import FinitePair, golden, least_beta

from tightrope._errors import InvalidArgument
from tightrope.theorems.renyi_epsilon import epsilon, epsilon_at_log_delta
from tightrope.theorems.renyi_profile import log_delta, single_order_log_delta
from tightrope.theorems.testing_boundary import single_order_tradeoff, tradeoff


def line(rho: float, xi: float = 0.0):
    return lambda order: xi + rho * order


def above(log_value: float, truth: mp.mpf) -> float:
    """By how much a delta exceeds the truth, relatively; logarithms below -700 are compared."""
    return float((mp.mpf(log_value) - mp.log(truth)) / max(1, abs(mp.log(truth)) / 700))


@pytest.mark.parametrize(("args", "truth"), golden("zcdp_delta_opt"))
def test_profile_of_zcdp(args, truth) -> None:
    rho, e = args
    assert 0 <= above(log_delta(line(rho), e), truth) < 1e-12


@pytest.mark.parametrize(("args", "truth"), golden("rdp_delta_opt"))
def test_profile_of_one_order(args, truth) -> None:
    assert 0 <= above(single_order_log_delta(*args), truth) < 1e-13


def test_profile_of_one_order_far_out() -> None:
    """At order 25 and delta 2e-38 the bound of Canonne, Kamath and Steinke is 1.3e-6 too large.

    The value is the maximum of q - e^epsilon p over all p, by mpmath at 80 digits.
    """
    truth = mp.mpf("2.021080698647672017e-38")
    assert 0 <= above(single_order_log_delta(25.3226, 0.556374, 3.95169), truth) < 1e-12


@pytest.mark.parametrize(("args", "truth"), golden("zcdp_eps_opt"))
def test_epsilon_of_zcdp(args, truth) -> None:
    rho, delta = args
    value = mp.mpf(epsilon(line(rho), delta))
    assert 0 <= (value - truth) / truth < 1e-13


@pytest.mark.parametrize(("args", "truth"), golden("T_zcdp"))
def test_tradeoff_of_zcdp(args, truth) -> None:
    rho, alpha = args
    assert 0 <= (truth - mp.mpf(tradeoff(line(rho), alpha))) / truth < 1e-13


@pytest.mark.parametrize(("args", "truth"), golden("T_rdp"))
def test_tradeoff_of_one_order(args, truth) -> None:
    assert 0 <= (truth - mp.mpf(single_order_tradeoff(*args))) / truth < 1e-13


def coins(seed: int, size: int) -> list[tuple[float, float, float]]:
    """Random orders, bounds and probabilities p."""
    rng = np.random.default_rng(seed)
    order = 1 + np.where(rng.uniform(size=size) < 0.3, 0, 10.0 ** rng.uniform(-6, 4, size))
    bound = 10.0 ** rng.uniform(-7, 1.5, size)
    far, middle = 10.0 ** rng.uniform(-40, 0, size), rng.uniform(0, 1, size)
    return list(zip(order, bound, np.where(rng.uniform(size=size) < 0.5, far, middle), strict=True))


@pytest.mark.parametrize(("order", "bound", "p"), coins(1, 40))
def test_one_order_against_the_extreme_coins(order: float, bound: float, p: float) -> None:
    """The boundary is met to rounding, and no coin on it exceeds the profile."""
    of_q, of_p = (least_beta(p, order, bound, of_q=side) for side in (True, False))
    beta, bounded = max(of_q, of_p), mp.mpf(single_order_tradeoff(order, bound, p))
    assert bounded <= beta
    if beta > 1e-60:
        assert (beta - bounded) / beta < 1e-12
    for e in (0.0, 0.5, 3.0):
        gain = 1 - of_q - mp.exp(e) * p
        assert gain <= 0 or single_order_log_delta(order, bound, e) >= mp.log(gain)


@pytest.mark.parametrize("size", [2, 4])
def test_finite_pairs_keep_what_their_curve_promises(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(20):
        pair = FinitePair.random(rng, size)
        for e in rng.uniform(0, np.abs(pair.loss).max(), 2):
            assert math.exp(log_delta(pair.curve, e)) >= pair.delta(e) - 1e-16
        for alpha, beta in pair.tests():
            assert tradeoff(pair.curve, alpha) <= beta * (1 + 1e-12)


def test_a_pair_of_coins_attains_its_own_bound() -> None:
    """At the order that binds the worst coins are the pair itself."""
    pair = FinitePair(np.array([0.02, 0.98]), np.array([0.3, 0.7]))
    assert tradeoff(pair.curve, 0.02) == pytest.approx(0.7, rel=1e-9)
    at = 2.0  # close to the slope of the boundary of order 1 there
    assert math.exp(log_delta(pair.curve, at)) == pytest.approx(pair.delta(at), rel=0.02)


@pytest.mark.parametrize("t", [1e-4, 0.3, 2.0, 9.0])
def test_randomised_response_attains_the_corner(t: float) -> None:
    """Where both Kullback-Leibler bounds meet: profile and testing region of RR_t."""
    curve = line(t * math.tanh(t / 2))
    low = 1 / (1 + math.exp(t))
    assert tradeoff(curve, low) == pytest.approx(low, rel=1e-12)
    for e in (0.0, 0.99 * math.log(math.sinh(t) / t)):
        exact = -math.expm1(e - t) / (1 + math.exp(-t))
        assert math.exp(log_delta(curve, e)) == pytest.approx(exact, rel=1e-12)
        assert single_order_log_delta(1.0, curve(1.0), e) >= log_delta(curve, e)


def test_corner_goes_over_smoothly_into_single_orders() -> None:
    t = 1.5434046384182083  # t tanh(t/2) = 1
    end = math.log(math.sinh(t) / t)
    before, after = log_delta(line(1.0), [end * (1 - 1e-9), end * (1 + 1e-9)])
    assert 0 < before - after < 1e-8


def test_q_equal_one_is_allowed() -> None:
    """A bound above epsilon + log(n/(n-1)) leaves p = e^-bound, q = 1."""
    for order, bound, e in [(2.0, 5.0, 1.0), (30.0, 900.0, 2.0), (1.5, 3.0, 0.0)]:
        exact = mp.log(-mp.expm1(mp.mpf(e) - mp.mpf(bound)))
        assert 0 <= single_order_log_delta(order, bound, e) - exact < 1e-14
    assert single_order_tradeoff(2.0, 5.0, 0.1) == pytest.approx(
        float(least_beta(0.1, 2.0, 5.0, of_q=False)), rel=1e-12
    )


def test_large_bounds_without_q_equal_one() -> None:
    """Kullback-Leibler never allows q = 1; delta is close to 1 but below."""
    value = single_order_log_delta(1.0, 20.0, 0.0)
    assert -1e-8 < value < 0
    assert single_order_log_delta(1.0, math.inf, 1.0) == 0


def test_symmetric_boundary() -> None:
    for curve in (line(0.3), line(0.1, 0.7)):
        alpha = np.array([1e-4, 0.02, 0.3, 0.6])
        np.testing.assert_allclose(tradeoff(curve, tradeoff(curve, alpha)), alpha, rtol=1e-11)


def test_monotone() -> None:
    e = np.concatenate([[0.0], np.geomspace(1e-6, 40, 40)])
    assert np.all(np.diff(log_delta(line(1.0), e)) <= 0)
    alpha = np.linspace(0, 1, 41)
    assert np.all(np.diff(tradeoff(line(1.0), alpha)) < 0)


@pytest.mark.parametrize("rho", [1e-4, 0.3, 20.0])
@pytest.mark.parametrize("delta", [0.999, 0.3, 1e-7, 1e-300])
def test_epsilon_inverts_the_profile(rho: float, delta: float) -> None:
    curve = line(rho)
    found = epsilon(curve, delta)
    assert log_delta(curve, found) <= math.log(delta)
    assert found == 0 or log_delta(curve, found * (1 - 1e-12)) > math.log(delta) - 1e-13
    assert epsilon_at_log_delta(curve, math.log(delta)) == pytest.approx(found, rel=1e-11)


def test_epsilon_for_a_delta_below_all_doubles() -> None:
    found = epsilon_at_log_delta(line(0.1), -5000.0)
    assert log_delta(line(0.1), found) <= -5000 < log_delta(line(0.1), found * (1 - 1e-12))


def test_epsilon_beyond_which_delta_is_zero() -> None:
    """A constant curve r is (r, 0)-DP; the order then grows without bound."""
    # every order of both directions: pure DP, (e^1 - e^epsilon)/(e^1 + 1) = delta
    sharp = math.log(math.e - 1e-6 * (1 + math.e))
    assert epsilon(lambda _: 1.0, 1e-6) == pytest.approx(sharp, abs=1e-11)
    assert log_delta(lambda _: 1.0, 1.5) < -1e20


def test_largest_order() -> None:
    """When the best order is out of reach, the last one is used, exactly."""
    one = single_order_log_delta(2.0, 2.0, 9.0)
    assert log_delta(line(1.0), 9.0, max_order=2.0) == one
    assert tradeoff(line(1.0), 1e-4, max_order=2.0) == single_order_tradeoff(2.0, 2.0, 1e-4)
    assert log_delta(line(1.0), 2.0, max_order=1.0) == single_order_log_delta(1.0, 1.0, 2.0)

    def silent(order: float) -> float:
        return order if order <= 2 else math.inf

    assert log_delta(silent, 9.0) == pytest.approx(one, rel=1e-7)


def test_no_loss_and_no_bound() -> None:
    nothing, anything = line(0.0), line(math.inf)
    assert log_delta(nothing, 0.0) == -math.inf
    assert epsilon(nothing, 1e-9) == 0
    assert 0 <= 0.7 - tradeoff(nothing, 0.3) < 1e-15
    assert log_delta(anything, 3.0) == 0
    assert epsilon(anything, 1e-9) == math.inf
    assert tradeoff(anything, 0.3) == 0


def test_ends_and_shapes() -> None:
    curve = line(0.5)
    np.testing.assert_array_equal(tradeoff(curve, [0.0, 1.0]), [1.0, 0.0])
    assert 0.999 < tradeoff(curve, 5e-324) <= 1
    assert log_delta(curve, math.inf) == -math.inf
    assert isinstance(log_delta(curve, 1.0), float)
    assert log_delta(curve, np.ones((2, 3))).shape == (2, 3)
    assert single_order_log_delta([[1.0], [2.0]], 0.5, [0.1, 1.0, 2.0]).shape == (2, 3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: log_delta(line(1.0), -0.1),
        lambda: log_delta(line(1.0), math.nan),
        lambda: tradeoff(line(1.0), 1.1),
        lambda: epsilon(line(1.0), 0.0),
        lambda: single_order_log_delta(0.5, 1.0, 1.0),
        lambda: single_order_tradeoff(2.0, -1.0, 0.1),
    ],
)
def test_refused(call) -> None:
    with pytest.raises(InvalidArgument):
        call()
