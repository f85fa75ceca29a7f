"""Where a Poisson sample gains less than one would expect, that is said beside the number."""

import pytest

import tightrope as tr
from tightrope.plan import remarks

REPLACED = tr.Gaussian(1.0, 2, neighbors=tr.replace_one).sampled(0.01) ** 1000
RUN = tr.Gaussian(1.0).sampled(0.01) ** 1000


def test_a_sample_under_replace_one_gains_nothing_and_says_so():
    told = remarks(REPLACED)
    assert len(told) == 1
    assert "The Poisson sample gains nothing here" in told[0]
    assert "restated(tr.replace_one)" in told[0]
    better = (tr.Gaussian(1.0).sampled(0.01) ** 1000).restated(tr.replace_one)
    assert better.epsilon(1e-5) < REPLACED.epsilon(1e-5) / 100
    assert "gains nothing here" not in " ".join(remarks(better))


def test_why_and_check_say_it():
    for notion, point in ((tr.GDP, {}), (tr.ApproxDP, {"delta": 1e-5}), (None, {})):
        assert told_once(repr(REPLACED.why(notion, **point)), "The Poisson sample gains nothing")
    verdict = tr.check(REPLACED, tr.ApproxDP(3.0, 1e-5, neighbors=tr.replace_one))
    assert verdict.outcome != "holds"
    assert told_once(verdict.sentence, "The Poisson sample gains nothing")
    assert REPLACED.why().to_dict()["remarks"] == list(remarks(REPLACED))


def told_once(text, words):
    return text.count(words) == 1


def test_a_local_report_hides_nothing_more():
    told = remarks(tr.RandomizedResponse(1.0).sampled(0.1))
    assert len(told) == 1
    assert "local report" in told[0]


def test_mu_and_rho_of_a_run_gain_nothing():
    assert RUN.to(tr.GDP).mu == pytest.approx(1000**0.5)
    for notion in (tr.GDP, tr.ZCDP, None):
        assert told_once(repr(RUN.why(notion)), "gain nothing by Poisson sampling")
    assert "gain nothing" not in repr(RUN.why(tr.ApproxDP, delta=1e-5))
    false = tr.check(RUN, tr.GDP(1.0))
    assert false.outcome == "false"
    assert "tr.fit_gdp(event)" in false.sentence
    assert tr.fit_gdp(RUN).mu < 1


@pytest.mark.parametrize(
    "event",
    [
        tr.Gaussian(1.0),
        tr.Gaussian(1.0).sampled(1),
        tr.Gaussian(1.0).sampled(0),
        tr.Laplace(1.0).sampled(0.1) ** 10,
        tr.Exponential(1.0).sampled(0.1),
        tr.ApproxDP(1.0, 1e-6).sampled(0.1),
    ],
    ids=repr,
)
def test_nothing_is_said_where_nothing_surprises(event):
    assert remarks(event) == ()


def test_each_thing_is_said_once_wherever_the_sample_stands():
    parts = tr.parallel(RUN.then("a model"), RUN.group(2) + tr.Gaussian(2.0).sampled(0.1))
    assert len(remarks(parts)) == 1
