"""Every repr reads back as an equal event; everything else is refused in words."""

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tightrope as tr

PERSON = tr.replace_one.of("person").keeping("a (strange) 'fact'")

EVENTS = [
    tr.PureDP(0.1),
    tr.ApproxDP(1, 1e-6),
    tr.ZCDP(Fraction(1, 3)),
    tr.ZCDP(0.5, xi=0.1),
    tr.TCDP(0.01, 200),
    tr.RDP([2, 32], [0.5, 1.0]),
    tr.GDP(1),
    tr.BoundedRange(0.5),
    tr.LogisticDP(2.5),
    tr.TradeOff([0, 0.25, 1], [1, 0.25, 0]),
    tr.Profile([0.5, 1.0], [1e-3, 1e-6]),
    tr.Gaussian(4.0, 2),
    tr.Gaussian(variance=Fraction(4099, 104), neighbors=PERSON),
    tr.DiscreteGaussian(2.5, sensitivity=3),
    tr.Laplace(1.5),
    tr.DiscreteLaplace(2.0, 3),
    tr.Logistic(1.0),
    tr.Exponential(0.1),
    tr.PermuteAndFlip(0.2),
    tr.ReportNoisyMax(0.3, noise="gumbel", monotone=True),
    tr.SparseVector(1.0, cutoff=5, monotone=True),
    tr.GaussianSparseVector(0.5, length=100, monotone=True),
    tr.RandomizedResponse(1.0, categories=7, neighbors=PERSON),
    tr.Gaussian(4.0).sampled(0.01) ** 1000 + tr.Exponential(0.1) ** 3,
    (tr.GDP(1) + tr.ZCDP(0.1)).sampled(0.5).group(2).then("table (3)"),
    tr.parallel(tr.GDP(1), tr.GDP(0.5), fixed_parts=True),
    tr.jointly(tr.GDP(1, neighbors=PERSON), tr.GDP(1, neighbors=tr.add_or_remove.of("home"))),
    tr.GDP(1).restated(tr.replace_one.of("person")),
    tr.ZCDP(0.5).to(tr.TradeOff),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: repr(event)[:40])
def test_repr_round_trips(event):
    assert tr.parse(repr(event)) == event


@given(st.floats(min_value=0, max_value=1e300), st.integers(min_value=2, max_value=10**9))
def test_every_number_round_trips(value, times):
    event = tr.GDP(value) ** times
    assert tr.parse(repr(event)) == event


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("pure:1", tr.PureDP(1)),
        ("approx:1,1e-6", tr.ApproxDP(1, 1e-6)),
        ("zcdp:0.5", tr.ZCDP(0.5)),
        ("zcdp:0.5,0.1", tr.ZCDP(0.5, 0.1)),
        ("zcdp:104/4099", tr.ZCDP(Fraction(104, 4099))),
        ("tcdp:0.01,200", tr.TCDP(0.01, 200)),
        ("gdp:1", tr.GDP(1)),
        ("br:0.5", tr.BoundedRange(0.5)),
        ("logistic:0.5", tr.LogisticDP(0.5)),
        ("rdp:2=0.5,32=1", tr.RDP([2, 32], [0.5, 1])),
        ("tr.GDP(1) + tr.ZCDP(1/2)", tr.GDP(1) + tr.ZCDP(Fraction(1, 2))),
        ("Gaussian(variance=(542/339)**2)", tr.Gaussian(variance=Fraction(542, 339) ** 2)),
        ("GDP(mu=1, neighbors=tr.replace_one)", tr.GDP(1, neighbors=tr.replace_one)),
    ],
)
def test_short_forms_and_expressions(text, event):
    assert tr.parse(text) == event


def test_a_long_sum_is_not_deep():
    text = " + ".join(f"ZCDP(rho={i + 1}e-9)" for i in range(5000))
    assert len(tr.parse(text).counts) == 5000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must describe an event"),
        ("zdcp:1", "did you mean 'zcdp'"),
        ("zcdp:x", "is not a number"),
        ("zcdp:1/0", "is not a number"),
        ("zcdp:-1", "rho must be a finite number of at least 0"),
        ("Gausian(1)", "did you mean 'Gaussian'"),
        ("Gaussian(noise_scal=1)", "noise_scal"),
        ("GDP(1).sampeld(0.1)", "did you mean 'sampled'"),
        ("__import__('os').system('true')", "no method 'system'"),
        ("GDP.__class__", "not allowed"),
        ("[GDP(1)]", "gives a list"),
        ("1 + 1", "gives an int"),
        ("lambda: 1", "unknown notion"),
        ("GDP(lambda x: 1)", "not allowed"),
        ("GDP(1) if 1 else 2", "not allowed"),
        ("GDP(9**9**9)", "whole power of at most 64"),
        ("GDP(1) - GDP(1)", "not allowed"),
        ("GDP(1) + 1", "cannot read"),
        ("GDP(", "cannot read"),
        ("GDP(1e400)", "finite"),
        ("(" * 300 + "GDP(1)" + ")" * 300, "cannot read"),
        ("-" * 5000 + "1", "parse: "),
    ],
)
def test_everything_else_is_refused_in_words(text, words):
    with pytest.raises(tr.InvalidArgument) as caught:
        tr.parse(text)
    assert words in str(caught.value)


@settings(max_examples=300)
@given(st.text(alphabet="GDPZC().,+*1=:e-'\"[]{}_ \n\\x", max_size=60))
def test_random_texts_never_crash(text):
    with contextlib.suppress(tr.TightropeError):
        tr.parse(text)
