"""Golden rows are those of tests/golden/golden.json; the rest is checked against mpmath."""

import mpmath as mp
import numpy as np
import pytest
from coin_reference import golden, renyi

from tightrope._errors import InvalidArgument
from tightrope.theorems.bernoulli import (
    k_cd,
    k_zcdp,
    k_zcdp_order,
    renyi_bernoulli,
    renyi_bernoulli_logits,
)


def error(value: float, truth: mp.mpf) -> float:
    return float(abs(mp.mpf(float(value)) - truth) / truth)


@pytest.mark.parametrize(
    ("name", "function"), [("renyi_bern", renyi_bernoulli), ("K_zcdp", k_zcdp), ("K_cd", k_cd)]
)
def test_golden(name, function) -> None:
    assert max(error(function(*args), truth) for args, truth in golden(name)) < 1e-15


def probabilities(rng: np.random.Generator, size: int) -> np.ndarray:
    tiny, small = 10.0 ** rng.uniform(-290, 0, size), 10.0 ** rng.uniform(-30, 0, size)
    kinds = [tiny, small, rng.uniform(0, 1, size), 1 - 10.0 ** rng.uniform(-15, 0, size)]
    return np.clip(np.choose(rng.integers(0, 4, size), kinds), 1e-290, 1 - 1e-16)


def orders(rng: np.random.Generator, size: int) -> np.ndarray:
    return 1 + np.where(rng.uniform(size=size) < 0.25, 0, 10.0 ** rng.uniform(-10, 5, size))


def test_divergence_of_any_two_coins() -> None:
    rng = np.random.default_rng(1)
    p, q, order = probabilities(rng, 400), probabilities(rng, 400), orders(rng, 400)
    for a, b, n, value in zip(p, q, order, renyi_bernoulli(p, q, order), strict=True):
        stated = 2e-15 + 2.0**-52 * (n - 1) * abs(np.log(a / b))
        assert error(value, renyi(a, b, n)) < stated, (a, b, n)


def test_divergence_of_close_coins() -> None:
    rng = np.random.default_rng(2)
    p, order = probabilities(rng, 300), orders(rng, 300)
    q = p * (1 + rng.choice([-1, 1], 300) * 10.0 ** rng.uniform(-14, -1, 300))
    keep = (q < 1) & (q != p)
    for a, b, n in zip(p[keep], q[keep], order[keep], strict=True):
        stated = 2e-15 + 2.0**-52 * (n - 1) * abs(np.log(a / b))
        assert error(renyi_bernoulli(a, b, n), renyi(a, b, n)) < stated, (a, b, n)


@pytest.mark.parametrize("u", [-2000.0, -30.0, -1.5, 0.0, 0.3, 40.0, 1000.0])
@pytest.mark.parametrize("step", [-700.0, -3.0, -1e-9, 1e-12, 0.5, 650.0])
@pytest.mark.parametrize("order", [1.0, 1.0001, 2.0, 30.0])
def test_divergence_in_log_odds(u: float, step: float, order: float) -> None:
    v = u + step
    a, b = mp.mpf(u), mp.mpf(v)
    with mp.workdps(100 + int(abs(u) + abs(step))):  # a sum is 1 but for exp(-|u| - |step|)
        s = [1 / (1 + mp.exp(-z)) for z in (a, b, -a, -b)]
        truth = renyi(s[0], s[1], order, s[2], s[3])
    value = renyi_bernoulli_logits(u, v, order)
    if truth < 1e-290:
        assert 0 <= value < 1e-280
    else:
        assert error(value, truth) < 1e-15 * (8 + (order + 1) * (abs(u) + abs(step)))


def test_edges() -> None:
    assert renyi_bernoulli(0.3, 0.3, 5.0) == 0
    assert renyi_bernoulli(0.0, 0.25, 3.0) == -np.log1p(-0.25)
    assert renyi_bernoulli(1.0, 0.25, 1.0) == -np.log(0.25)
    np.testing.assert_array_equal(renyi_bernoulli([0.5, 0.5, 0, 1], [0, 1, 0, 1], 2.0)[:2], np.inf)
    assert renyi_bernoulli(0.1, 0.4, np.inf) == pytest.approx(np.log(0.9 / 0.6), rel=1e-15)
    assert renyi_bernoulli(np.full((3, 1), 0.2), [0.1, 0.5], 2.0).shape == (3, 2)


@pytest.mark.parametrize("call", [(-0.1, 0.5, 2.0), (0.1, 1.5, 2.0), (0.1, 0.5, 0.9)])
def test_refused(call: tuple[float, float, float]) -> None:
    with pytest.raises(InvalidArgument):
        renyi_bernoulli(*call)
    with pytest.raises(InvalidArgument):
        k_zcdp(0.0, 0.5)


def test_no_order_exceeds_the_budget() -> None:
    rng = np.random.default_rng(3)
    p, q = probabilities(rng, 500), probabilities(rng, 500)
    order = 1 + 10.0 ** rng.uniform(-6, 6, (200, 500))
    most = np.maximum(renyi_bernoulli(p, q, order), renyi_bernoulli(q, p, order)) / order
    assert np.all(most <= k_zcdp(p, q) * (1 + 1e-14))


def test_budget_is_attained_at_its_order() -> None:
    rng = np.random.default_rng(4)
    p, q = probabilities(rng, 200), probabilities(rng, 200)
    order, rho = k_zcdp_order(p, q), k_zcdp(p, q)
    attained = np.maximum(renyi_bernoulli(p, q, order), renyi_bernoulli(q, p, order)) / order
    np.testing.assert_allclose(attained, rho, rtol=3e-15)


def test_budget_is_symmetric_and_at_least_the_closed_form() -> None:
    rng = np.random.default_rng(5)
    p, q = rng.uniform(0.001, 0.999, (2, 300))
    u, v = np.log(p / (1 - p)), np.log(q / (1 - q))
    rho = k_zcdp(p, q)
    np.testing.assert_allclose(k_zcdp(q, p), rho, rtol=1e-14)
    np.testing.assert_allclose(k_zcdp(1 - p, 1 - q), rho, rtol=1e-11)
    assert np.all(k_cd((u + v) / 2, (v - u) / 2) <= rho * (1 + 1e-12))


def test_budget_of_randomised_response() -> None:
    """Chen, Pandey and Awan (2026), Proposition 5: t tanh(t/2), at order 1."""
    t = np.array([1e-6, 0.1, 1.0, 5.0, 10.0])
    low = 1 / (1 + np.exp(t))
    np.testing.assert_allclose(k_zcdp(low, 1 / (1 + np.exp(-t))), t * np.tanh(t / 2), rtol=1e-9)
    np.testing.assert_array_equal(k_zcdp_order(0.25, 0.75), 1.0)


def test_budget_of_close_coins() -> None:
    """Far out the best order is near 1 + c/d, of size 1e11, and its value near d^2 tanh(c/2)/c."""
    p, q = 0.01, 0.01 * (1 + 1e-10)
    d = float(mp.log(mp.mpf(q) / (1 - mp.mpf(q))) - mp.log(mp.mpf(p) / (1 - mp.mpf(p)))) / 2
    c = float(np.log(0.99 / 0.01))
    assert d * d * np.tanh(c / 2) / c <= k_zcdp(p, q) < 1.02 * d * d * np.tanh(c / 2) / c
    assert k_zcdp(p, q) > 4 * renyi_bernoulli(p, q, 1.0)
    assert 0.8 < k_zcdp_order(p, q) / (c / d) < 1.2


def test_closed_form_for_nearly_symmetric_coins() -> None:
    """K = d tanh(d/2) [1 - (c^2/12) sech^2(d/2) + O(c^4)], which the plain difference loses."""
    c, d = np.array([1e-300, 1e-12, 1e-5]), 2.0
    series = d * np.tanh(d / 2) * (1 - c**2 / (12 * np.cosh(d / 2) ** 2))
    np.testing.assert_allclose(k_cd(c, d), series, rtol=1e-15)
    assert k_cd(-3.0, 0.1) == k_cd(3.0, -0.1)
    assert k_cd(0.0, d) == d * np.tanh(d / 2)
