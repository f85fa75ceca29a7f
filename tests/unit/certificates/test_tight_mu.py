"""The tight mu of a composition is claimed, and a smaller one is refuted."""

from __future__ import annotations

import json

import pytest

import tightrope as tr
from tightrope.verify import verify

from .mutations import sealed


def with_mu(event: tr.Event, factor: float):
    """The tight mu that is claimed, and the verdict on a multiple of it."""
    content = json.loads(tr.certificate(event).to_json())
    step = next(s for s in content["steps"] if s["theorem"] == "tight_mu_of_composition")
    mu = float.fromhex(step["values"]["mu"])
    step["values"]["mu"] = (mu * factor).hex()
    return mu, verify(json.dumps(sealed(content)))


def test_the_mu_of_two_responses():
    # with p = 1/(1 + e) and q = 1 - p the worst test errs with p^2 and 1 - q^2: by mpmath
    # -Phi^-1(p^2) - Phi^-1(1 - q^2) = 1.54511154157669
    mu, report = with_mu(tr.PureDP(1.0) ** 2, 1)
    assert mu == pytest.approx(1.54511154157669, rel=1e-9)
    assert report.verdict == "verified"


@pytest.mark.parametrize(
    "event",
    [tr.PureDP(0.1) ** 10, tr.Laplace(2.0) ** 3, tr.Laplace(1.0) + tr.Gaussian(1.0)],
    ids=repr,
)
def test_a_smaller_mu_is_refuted_and_a_larger_one_is_not_checked(event):
    assert with_mu(event, 0.999)[1].verdict == "refuted"
    report = with_mu(event, 1.01)[1]
    assert report.verdict == "not checked"
    assert "mu is not the tight one" in report.reason


def test_of_disjoint_parts_the_greatest_tight_mu_is_certified():
    first = tr.Laplace(4.0, sensitivity=2.0) + tr.Exponential(0.5)
    second = tr.RandomizedResponse(1.1) + tr.RandomizedResponse(0.5, categories=8)
    made = tr.certificate(tr.parallel(first, second))
    (mu,) = [one["values"]["mu"] for one in made.content["claims"] if one["question"] == "gdp"]
    assert float.fromhex(mu) == pytest.approx(second.to(tr.GDP).mu, rel=1e-9)
    assert verify(made.to_json()).verdict == "verified"
