"""Polygonal trade-off curves against rational arithmetic: never above it, and close to it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from exact_polygons import Polygon, chained, lower_hull, neyman_pearson, pointwise, product
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from mpmath import mp

from tightrope import InvalidArgument
from tightrope.notions.piecewise import PiecewiseCurve

EPSILONS = (-3.0, -0.4, 0.0, 0.1, 1.0, 2.5)


@st.composite
def curves(draw: st.DrawFn) -> PiecewiseCurve:
    """Curves of pairs with weights of all sizes, with and without failures."""
    size = draw(st.integers(1, 5))
    weights = st.floats(1e-12, 1.0) | st.sampled_from([1e-25, 1e-9, 0.25, 1.0])
    p = [Fraction(draw(weights)) for _ in range(size)]
    q = [Fraction(draw(weights)) for _ in range(size)]
    if size > 1 and draw(st.booleans()):
        p[0] = Fraction(0)
    if size > 1 and draw(st.booleans()):
        q[-1] = Fraction(0)
    exact = neyman_pearson([a / sum(p) for a in p], [a / sum(q) for a in q])
    beta = np.minimum([float(b) for b in exact.y], [1 - float(a) for a in exact.x])
    try:
        return PiecewiseCurve.from_points([float(a) for a in exact.x], beta)
    except InvalidArgument:  # rounding has bent the polygon inward, which is refused rightly
        reject()


def polygon(curve: PiecewiseCurve) -> Polygon:
    """The exact numbers that a curve of given points stands for."""
    v = curve.vertices
    return Polygon(
        [v.alpha.exact(i) for i in range(len(v))], [1 - v.power.exact(i) for i in range(len(v))]
    )


def check(curve: PiecewiseCurve, truth: Polygon, tolerance: float = 1e-12) -> None:
    """The curve is not above the truth anywhere, nor below it by more than the tolerance."""
    own = polygon(curve)
    for a in truth.samples() + own.samples():
        assert own.at(a) <= truth.at(a)
        assert truth.at(a) - own.at(a) <= tolerance
    for alpha in (0.0, 1e-9, 0.01, 0.3, 0.7, 1.0):
        assert truth.at(Fraction(alpha)) - tolerance <= curve(alpha) <= truth.at(Fraction(alpha))
    for epsilon in EPSILONS:
        delta, bound = truth.delta(epsilon), mp.exp(curve.log_delta(epsilon))
        assert delta <= bound <= delta * (1 + tolerance) + tolerance
    assert Fraction(curve.failure) >= 1 - truth.y[0]
    assert np.all(np.diff(curve.alpha) > 0)
    assert np.all(np.diff(curve.beta) <= 0)
    assert (curve.alpha[0], curve.alpha[-1], curve.beta[-1]) == (0.0, 1.0, 0.0)


@settings(max_examples=60, deadline=None)
@given(curves(), curves())
def test_tensor_is_the_neyman_pearson_curve_of_the_product(f, g):
    check(f.tensor(g), product(polygon(f), polygon(g)))


@settings(max_examples=30, deadline=None)
@given(curves())
def test_power_repeats_the_tensor_product(f):
    check(f.power(3), product(product(polygon(f), polygon(f)), polygon(f)))


@settings(max_examples=60, deadline=None)
@given(curves(), curves())
def test_higher_is_the_pointwise_maximum(f, g):
    check(f.higher(g), pointwise(polygon(f), polygon(g), max))


@settings(max_examples=60, deadline=None)
@given(curves(), curves())
def test_lower_is_the_hull_of_the_pointwise_minimum(f, g):
    check(f.lower(g), lower_hull(*pointwise(polygon(f), polygon(g), min)))


@settings(max_examples=40, deadline=None)
@given(curves(), st.integers(1, 5))
def test_group_curve_applies_the_power_again_and_again(f, k):
    truth = polygon(f)
    for _ in range(k - 1):
        truth = chained(polygon(f), truth)
    check(f.compose_group(k), truth)


@settings(max_examples=60, deadline=None)
@given(curves())
def test_inverse_exchanges_the_two_laws(f):
    p, q = polygon(f).pair()
    p, q = [*p, 1 - sum(p)], [*q, 1 - sum(q)]
    check(f.inverse(), neyman_pearson(q, p))
    assert f.inverse().inverse() == f
    assert np.array_equal(f.inverse().inverse().alpha, f.alpha)


@settings(max_examples=60, deadline=None)
@given(curves())
def test_symmetrised_is_the_maximum_with_the_inverse(f):
    both = f.symmetrised()
    check(both, pointwise(polygon(f), polygon(f.inverse()), max))
    assert both.log_delta(0.7) == pytest.approx(both.inverse().log_delta(0.7), rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(curves())
def test_mu_is_the_largest_gap_of_quantiles_at_a_corner(f):
    truth = polygon(f)
    corners = [(a, b) for a, b in zip(truth.x, truth.y, strict=True) if 0 < a < 1]
    if truth.y[0] < 1 or any(b == 0 for _, b in corners):
        assert f.mu() == math.inf
        return
    with mp.workdps(40):
        gaps = [_quantile(1 - b) - _quantile(a) for a, b in corners]
    expected = max(gaps, default=mp.zero)
    assert expected <= f.mu() <= expected * (1 + mp.mpf("1e-12")) + 1e-13


def _quantile(p: Fraction) -> mp.mpf:
    """Phi^-1, by Newton's method on the logarithm of the smaller tail."""
    tail = min(p, 1 - p)
    target = mp.log(mp.mpf(tail.numerator) / mp.mpf(tail.denominator))
    z = -mp.sqrt(-2 * target) + mp.mpf("0.1")
    for _ in range(60):
        lower = mp.erfc(-z / mp.sqrt(2)) / 2
        step = (mp.log(lower) - target) * lower / mp.npdf(z)
        z -= step
        if abs(step) < mp.mpf("1e-35"):
            break
    return z if p == tail else -z


def test_the_same_curve_is_equal_whatever_the_order_of_points():
    f = PiecewiseCurve.from_points([0, 0.25, 0.5, 1], [1, 0.25, 0.125, 0])
    g = PiecewiseCurve.from_points([1, 0.25, 0, 0.625], [0, 0.25, 1, 0.125])
    straight = PiecewiseCurve.from_points([0, 0.25, 0.625, 1], [1, 0.25, 0.125, 0])
    assert g == straight == PiecewiseCurve.from_points([0, 0.25, 1], [1, 0.25, 0])
    assert hash(g) == hash(straight)
    assert f != g
    assert f.alpha.tolist() == [0, 0.25, 0.5, 1]
    assert not f.alpha.flags.writeable


@pytest.mark.parametrize(
    ("alpha", "beta", "words"),
    [
        ([0, 0.5, 1], [1, 0.6, 0], r"point 1, \(alpha, beta\) = \(0.5, 0.6\).*1 - alpha"),
        ([0, 0.2, 0.3, 1], [0.5, 0.1, 0.2, 0], r"point 2.*must not increase"),
        ([0, 0.1, 0.5, 1], [1, 0.4, 0.38, 0], r"point 2.*convex"),
        ([0, 0.5, 2], [1, 0.5, 0], r"point 2.*\[0, 1\]"),
        ([0, 0.5, 1], [1, math.nan, 0], r"point 1.*\[0, 1\]"),
        ([0.1, 0.15], [0.5, 0.1], r"point 0.*above \(0, 1\)"),
        ([0, 0.1, 0.2], [1, 0.5, 0.45], r"point 2.*above \(1, 0\)"),
        ([0.5, 0.5], [0.3, 0.2], "point 1.*no curve by itself"),
        ([0, 1], [1], "length"),
        ([], [], "length"),
    ],
)
def test_points_of_no_trade_off_curve_are_refused(alpha, beta, words):
    with pytest.raises(ValueError, match=words):
        PiecewiseCurve.from_points(alpha, beta)


def test_rounding_of_given_points_is_lowered_not_refused():
    alpha = np.linspace(0, 1, 11)
    f = PiecewiseCurve.from_points(alpha, 1 - alpha)
    assert np.all(f(alpha) <= 1 - alpha)
    assert f(0.35) == pytest.approx(0.65, rel=1e-14)


def test_outside_of_the_given_range_edges_go_on_in_a_straight_line():
    f = PiecewiseCurve.from_points([0.125, 0.25], [0.5, 0.25])
    assert f.alpha == pytest.approx([0, 0.375, 1])
    assert f.beta == pytest.approx([0.75, 0, 0])
    assert f.failure == pytest.approx(0.25)


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan])
def test_a_type_one_error_must_be_a_probability(alpha):
    f = PiecewiseCurve.from_points([0, 0.25, 1], [1, 0.25, 0])
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        f(alpha)


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 5.0, 40.0])
@pytest.mark.parametrize("delta", [0.0, 1e-300, 1e-20, 1e-5, 0.3])
def test_a_single_claim_gives_back_its_own_numbers(epsilon, delta):
    f = PiecewiseCurve.from_profile_points(epsilon, delta)
    assert f.epsilon_max == epsilon
    assert f.failure == pytest.approx(delta, rel=1e-14, abs=0)
    assert delta <= math.exp(f.log_delta(epsilon)) * (1 + 1e-12)
    if delta > 0:
        assert f.log_delta(epsilon) == pytest.approx(math.log(delta), rel=1e-14)
    else:
        assert f.log_delta(epsilon) == -math.inf
    with mp.workdps(60):
        rest = 1 - mp.mpf(delta)
        for e in (0.0, 0.5 * epsilon, -0.5 * epsilon):
            tilt, kept = mp.exp(mp.mpf(epsilon)), rest / (1 + mp.exp(mp.mpf(epsilon)))
            ahead = mp.mpf(delta) + kept * (tilt - mp.exp(abs(mp.mpf(e))))
            exact = ahead if e >= 0 else 1 - mp.exp(mp.mpf(e)) * (1 - ahead)
            assert exact <= mp.exp(mp.mpf(f.log_delta(e))) <= exact * (1 + mp.mpf("1e-13"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 8), st.floats(1e-12, 0.9) | st.sampled_from([0.0, 1e-30])),
        min_size=1,
        max_size=6,
    )
)
def test_claims_give_the_greatest_of_their_curves(claims):
    f = PiecewiseCurve.from_profile_points(*zip(*claims, strict=True))
    own = polygon(f)
    for epsilon, delta in claims:
        assert math.exp(f.log_delta(epsilon)) <= delta * (1 + 1e-12)
    with mp.workdps(60):
        for a in own.samples():
            x = mp.mpf(a.numerator) / a.denominator
            terms = [(mp.exp(mp.mpf(e)), 1 - mp.mpf(d)) for e, d in claims]
            truth = max(max(0, r - t * x, (r - x) / t) for t, r in terms)
            value = mp.mpf(own.at(a).numerator) / own.at(a).denominator
            assert truth - mp.mpf("1e-13") <= value <= truth


def test_claims_that_others_imply_do_not_matter():
    strong = PiecewiseCurve.from_profile_points([0.5, 2.0], [1e-3, 1e-9])
    weak = [0.5, 2.0, 3.0, 0.6, 0.5, 1e16, 1.0]
    redundant = PiecewiseCurve.from_profile_points(weak, [1e-3, 1e-9, 1e-9, 1.0, 0.1, 0.0, 9e-4])
    assert redundant == strong
    assert PiecewiseCurve.from_profile_points(1.0, 1.0).beta.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(-0.1, 0.1), (math.inf, 0), (1, 1.5), (1, math.nan)]
)
def test_claims_outside_of_the_domain_are_refused(epsilon, delta):
    with pytest.raises(ValueError, match="claim 1"):
        PiecewiseCurve.from_profile_points([1.0, epsilon], [0.1, delta])
