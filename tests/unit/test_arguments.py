"""Bad input: one clear error each, tested by its text."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr

INF, NAN = math.inf, math.nan


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tr.GDP(-1), "GDP: mu must be a finite number of at least 0; you passed -1"),
        (lambda: tr.GDP(NAN), "GDP: mu must be a finite number of at least 0; you passed nan"),
        (lambda: tr.GDP(INF), "GDP: mu must be a finite number of at least 0; you passed inf"),
        (lambda: tr.GDP("1"), "you passed '1', which is a str"),
        (lambda: tr.GDP(None), "GDP: mu must be a finite number of at least 0; none was given"),
        (lambda: tr.GDP(True), "you passed True, which is a bool"),
        (lambda: tr.GDP(1j), "which is a complex"),
        (lambda: tr.GDP(np.array([1.0, 2.0])), "which is a ndarray"),
        (lambda: tr.ApproxDP(1, 1), "delta must be a probability in [0, 1); you passed 1"),
        (lambda: tr.ApproxDP(1, 1.5), "delta must be a probability in [0, 1); you passed 1.5"),
        (lambda: tr.ZCDP(0.5, xi=-0.1), "ZCDP: xi must be a finite number of at least 0"),
        (lambda: tr.TCDP(0.5, 1), "TCDP: omega must be a finite order above 1; you passed 1"),
        (lambda: tr.GDP(1, neighbors="person"), "neighbors must be a relation such as tr.replace"),
        (lambda: tr.Gaussian(), "Gaussian: give noise_scale or variance, one of the two"),
        (lambda: tr.Gaussian(1, variance=1), "one of the two; you passed noise_scale=1"),
        (lambda: tr.Gaussian(0), "Gaussian: noise_scale must be a finite number above 0"),
        (lambda: tr.Gaussian(1, -1), "Gaussian: sensitivity must be a finite number of at least 0"),
        (lambda: tr.DiscreteGaussian(1, 0.5), "sensitivity must be a whole number of at least 0"),
        (lambda: tr.DiscreteLaplace(1, 1.5), "sensitivity must be a whole number of at least 0"),
        (lambda: tr.RandomizedResponse(1, 1), "categories must be a whole number of at least 2"),
        (lambda: tr.RandomizedResponse(1, 2.5), "categories must be a whole number of at least 2"),
        (lambda: tr.ReportNoisyMax(1, noise="normal"), "noise must be one of 'exponential'"),
        (lambda: tr.ReportNoisyMax(1, monotone=1), "monotone must be True or False"),
        (lambda: tr.SparseVector(1, cutoff=0), "cutoff must be a whole number of at least 1"),
        (lambda: tr.RDP([0.5], [1]), "RDP: orders must be orders of at least 1; you passed 0.5"),
        (lambda: tr.RDP([2], [-1]), "RDP: epsilons must be bounds of at least 0; you passed -1"),
        (lambda: tr.RDP([2], [NAN]), "RDP: epsilons must be bounds of at least 0; you passed nan"),
        (lambda: tr.RDP([2, 3], [1]), "orders and epsilons must have one length"),
        (lambda: tr.RDP([], []), "must not be empty"),
        (lambda: tr.RDP([2]), "epsilons must be a sequence"),
        (lambda: tr.TradeOff([0, 1], [1, 0.5, 0]), "alpha and beta must have one length"),
        (lambda: tr.TradeOff([0, 0.5, 1], [1, 0.9, 0]), "0.9"),
        (lambda: tr.Profile([1.0], [2.0]), "2.0"),
        (lambda: tr.Profile([], []), "must be a sequence of finite numbers"),
        (lambda: tr.compose(), "compose: at least one event is needed; you passed none"),
        (lambda: tr.parallel(), "parallel: at least one event is needed; you passed none"),
        (lambda: tr.compose(tr.GDP(1), 2), "compose: argument 2 must be an event or a guarantee"),
        (
            lambda: tr.GDP(1) ** 0,
            "n must be a whole number of at least 1 and at most",
        ),
        (
            lambda: tr.GDP(1) ** -2,
            "n must be a whole number of at least 1 and at most",
        ),
        (
            lambda: tr.GDP(1) ** 1.5,
            "n must be a whole number of at least 1 and at most",
        ),
        (lambda: tr.GDP(1).sampled(1.2), "rate must be a sampling rate in [0, 1]; you passed 1.2"),
        (lambda: tr.GDP(1).sampled(1200 / 1000), "are the two swapped?"),
        (lambda: tr.GDP(1).sampled(NAN), "rate must be a sampling rate in [0, 1]; you passed nan"),
        (
            lambda: tr.GDP(1).group(0),
            "size must be a whole number of at least 1 and at most",
        ),
        (lambda: tr.GDP(1).group(2.5), "size must be a whole number of at least 1"),
        (lambda: tr.GDP(1).then(""), "label must be a text"),
        (lambda: tr.replace_one.of(""), "unit must be a name such as 'person'"),
        (lambda: tr.GDP(1).to("gdp"), "notion must be a notion such as tr.GDP"),
        (lambda: tr.GDP(1).to(tr.Gaussian), "notion must be a notion such as tr.GDP"),
        (lambda: tr.GDP(1).to(tr.ApproxDP), "give delta=... to get the smallest epsilon"),
        (lambda: tr.GDP(1).to(tr.ApproxDP, delta=1e-6, epsilon=1), "give delta=..."),
        (lambda: tr.GDP(1).to(tr.ApproxDP, delta=1), "delta must be a probability in [0, 1)"),
        (lambda: tr.GDP(1).to(tr.ApproxDP, epsilon=-1), "epsilon must be a finite number of at"),
        (lambda: tr.GDP(1).to(tr.ZCDP, delta=1e-6), "delta and epsilon belong to tr.ApproxDP"),
        (lambda: tr.GDP(1).epsilon(2), "epsilon: delta must be a probability in [0, 1)"),
        (lambda: tr.GDP(1).epsilon("x"), "epsilon: delta must be a probability in [0, 1)"),
        (lambda: tr.GDP(1).delta(INF), "epsilon must be a finite number; you passed inf"),
        (lambda: tr.GDP(1).delta("x"), "epsilon must be finite numbers; you passed 'x'"),
        (lambda: tr.GDP(1).tradeoff(1.5), "alpha must be a probability in [0, 1]"),
        (lambda: tr.GDP(1).tpr(-0.5), "fpr must be a probability in [0, 1]"),
        (lambda: tr.calibrate(1, tr.GDP(1)), "f must be a function to an event"),
        (lambda: tr.calibrate(tr.Gaussian, 1), "target must be a guarantee, such as"),
        (
            lambda: tr.calibrate(tr.Gaussian, tr.GDP(1), bounds=(2, 1)),
            "bounds must be two ascending",
        ),
        (lambda: tr.calibrate(lambda x: x, tr.GDP(1)), "f must give an event"),
        (lambda: tr.check(tr.GDP(1), 2), "claim must be a guarantee"),
    ],
)
def test_invalid_arguments_say_what_is_admissible(call, words):
    with pytest.raises(tr.InvalidArgument) as caught:
        call()
    assert words in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_delta_zero_where_it_is_impossible():
    with pytest.raises(tr.NotReachable, match=r"at delta = 0 cannot be reached.*unbounded"):
        tr.GDP(1).to(tr.ApproxDP, delta=0)
    assert tr.PureDP(1.0).to(tr.ApproxDP, delta=0).epsilon == 1.0
    assert tr.GDP(1.0).epsilon(0) == INF


def test_numbers_of_all_kinds_are_taken_exactly():
    for value in (Fraction(1, 2), Decimal("0.5"), np.float64(0.5), np.float32(0.5), 0.5):
        assert tr.ZCDP(value) == tr.ZCDP(0.5)
    assert tr.ZCDP(np.int64(2)) == tr.ZCDP(2)
    assert tr.ZCDP(Decimal("0.1")).rho == Fraction(1, 10)
    assert tr.Gaussian(np.float32(2)).variance == 4


def test_extreme_parameters_give_numbers_or_clear_errors():
    for value in (0, 5e-324, 1e-300, 1e-8, 1e8, 1e300):
        for notion in (tr.PureDP, tr.ZCDP, tr.GDP, tr.BoundedRange, tr.LogisticDP):
            event = notion(value)
            assert 0 <= event.advantage() <= 1
            assert 0 <= event.tpr(0.01) <= 1
            epsilon = tr.compose(event).to(tr.Profile).epsilon(1e-6)
            assert epsilon >= 0
            assert not math.isnan(epsilon)


def test_classic_formulas_are_refused_outside_of_their_conditions():
    from tightrope.theorems.false_claims import classic_gaussian_scale, subsampled_zcdp

    assert classic_gaussian_scale(1, 1e-5) == pytest.approx(4.845, abs=5e-4)
    with pytest.raises(tr.FalseClaim, match=r"(?s)epsilon <= 1.*tr\.calibrate"):
        classic_gaussian_scale(1.01, 1e-5)
    with pytest.raises(tr.FalseClaim, match="stays rho at every rate"):
        subsampled_zcdp(0.5, 0.01)


@pytest.mark.parametrize(
    "given", ["0.1", b"1", ["0.1"], np.array(["1"]), True, np.array([True]), None, 1j, {0.1: 1}]
)
@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (tr.Gaussian(1).delta, "delta: epsilon must be"),
        (tr.Gaussian(1).tradeoff, "tradeoff: alpha must be"),
        (tr.Gaussian(1).delta_interval, "delta_interval: epsilon must be"),
    ],
)
def test_what_only_converts_to_a_number_is_none(ask, words, given):
    with pytest.raises(tr.InvalidArgument, match=words):
        ask(given)


def test_dates_are_no_epsilons():
    with pytest.raises(tr.InvalidArgument, match="delta: epsilon must be"):
        tr.Gaussian(1).delta(np.datetime64("2020-01-01"))


def test_exact_numbers_are_asked_about_as_doubles():
    event = tr.Gaussian(1)
    assert (
        event.delta([Fraction(1, 2), Decimal(1), 2]).tolist() == event.delta([0.5, 1, 2]).tolist()
    )


def test_exact_numbers_between_doubles_are_rounded_to_the_safe_side():
    """Rounded to nearest, epsilon came to the end of the losses, and delta to 0."""
    whole = 2**53 + 4
    assert tr.Laplace(Fraction(1, whole)).delta(whole - 1) >= 0.3934
    below = Fraction(1, 10) - Fraction(1, 10**20)
    for asked in (below, Decimal("0.09999999999999999999"), np.longdouble(1) / np.longdouble(10)):
        event = tr.Laplace(10)
        if float(asked) == 0.1:
            assert event.delta(asked) > 0
            assert event.delta_interval(asked)[0] <= 5e-21
    alpha = Fraction(1, 2) + Fraction(1, 10**20)
    event = tr.RandomizedResponse(1)
    assert event.tradeoff(alpha) <= event.tradeoff(0.5)
    assert event.tradeoff_interval(alpha)[1] >= event.tradeoff_interval(0.5)[0]


@pytest.mark.parametrize(
    "ask",
    [
        tr.Gaussian,
        tr.Laplace,
        tr.Gaussian(1).epsilon,
        tr.Gaussian(1).sampled,
        lambda span: tr.Gaussian(1) ** span,
        lambda span: tr.Gaussian(5).delta(np.array([Fraction(1, 2), span], dtype=object)),
        lambda span: tr.Gaussian(5).tradeoff(np.array([span], dtype=object)),
    ],
)
@pytest.mark.parametrize("unit", ["s", "ns"])
def test_spans_of_time_are_no_numbers(ask, unit):
    with pytest.raises(tr.InvalidArgument):
        ask(np.timedelta64(1, unit))


def test_too_deep_a_list_is_no_array():
    deep = 0.1
    for _ in range(40):
        deep = [deep]
    with pytest.raises(tr.InvalidArgument, match="delta: epsilon must be finite numbers"):
        tr.Gaussian(1).delta(deep)
    with pytest.raises(tr.InvalidArgument, match="epsilon_grid: arrays"):
        tr.epsilon_grid(tr.Gaussian, deep, delta=1e-5)
