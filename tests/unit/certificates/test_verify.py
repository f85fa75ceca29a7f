"""Certificates of events of all kinds are verified; what cannot be derived again is said."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

import tightrope as tr
from tightrope.certifying import certificate_of
from tightrope.certifying.proof import UNCHECKED
from tightrope.spec.account import spec_about
from tightrope.theorems.registry import theorems
from tightrope.verify import verify
from tightrope.verify.citations import CITATIONS
from tightrope.verify.steps import RULES

from .mutations import sealed

R = tr.replace_one
EVENTS = [
    tr.ZCDP(0.1) ** 10,
    tr.PureDP(0.1) ** 20 + tr.PureDP(0.25) ** 7,
    tr.ApproxDP(0.1, 1e-9) ** 20,
    tr.Laplace(2.0) ** 3 + tr.Laplace(3.0) ** 2 + tr.PureDP(0.2) ** 2,
    tr.Logistic(2.0) ** 4,
    tr.Exponential(0.5) ** 3,
    tr.DiscreteGaussian(2.0) ** 5 + tr.DiscreteGaussian(3.0),
    tr.DiscreteGaussian(0.5) ** 5,
    tr.DiscreteGaussian(2.0, 3),
    tr.GDP(0.5) + tr.DiscreteGaussian(3.0) ** 2,
    tr.RandomizedResponse(1.0, 5, neighbors=R) ** 10,
    (tr.Gaussian(4.0) ** 3 + tr.Laplace(5)).group(3),
    tr.ZCDP(0.1).group(4),
    tr.Gaussian(1.0).sampled(0.01) ** 1000,
    tr.Gaussian(1.1).sampled(0.01) ** 2000 + tr.Gaussian(8.0) ** 3,
    (tr.Gaussian(2.0) ** 2 + tr.GDP(0.1)).sampled(0.1) ** 200,
    tr.RandomizedResponse(0.5, 8),
    tr.parallel(tr.Laplace(2.0, neighbors=R), tr.Gaussian(3.0, neighbors=R), fixed_parts=True),
    tr.PureDP(1.0).sampled(0.1, max_batch=200, population=1000),
    tr.PureDP(0.1).best_of(tr.NegativeBinomialRepetitions(eta=1, gamma=0.1)),
    tr.GaussianMixture([0, 1], [0.9, 0.1], 2.0),
    tr.SparseVector(1.0) ** 2 + tr.PermuteAndFlip(0.5) + tr.ReportNoisyMax(0.5),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_certificates_are_verified(event):
    made = tr.certificate(event)
    report = verify(made.to_json())
    assert report.sentence.startswith("verified"), report.sentence
    assert len(report.claims) == len(made.content["claims"])


def test_every_theorem_has_its_citation_here_too():
    assert {t.name: t.citation for t in theorems()} | {"given": ""} == CITATIONS


def test_what_is_not_derived_again_is_said_and_not_passed():
    content = tr.certificate(tr.ZCDP(0.5)).content
    steps = [dict(step) for step in content["steps"]]
    gdp = next(n for n, step in enumerate(steps) if step["theorem"] == "zcdp_to_gdp")
    steps[gdp] |= {
        "theorem": "offset_zcdp_to_gdp",
        "citation": CITATIONS["offset_zcdp_to_gdp"],
    }
    report = verify(json.dumps(sealed(content | {"steps": steps})))
    assert (report.exit_code, report.verdict) == (4, "not checked")
    assert steps[gdp]["id"] in report.where


def test_theorems_that_are_not_certified_are_not_checked():
    assert not UNCHECKED & set(RULES)


@pytest.mark.parametrize("missing", ["exact_noise", "fresh_noise", "bounded_sensitivity"])
def test_a_missing_assumption_is_named(missing):
    content = tr.certificate(tr.Gaussian(2.0)).content
    left = [given for given in content["assumptions"] if given["id"] != missing]
    report = verify(json.dumps(sealed(content | {"assumptions": left})))
    assert report.exit_code == 1
    assert missing in report.reason


@pytest.mark.slow
def test_ten_thousand_steps():
    run = tr.compose(*(tr.ZCDP(0.001 + 1e-7 * n) for n in range(10_000)))
    asked = spec_about(run, "many releases")
    few = tuple(query for query in asked.report if query.name in ("zcdp", "gdp"))
    made = certificate_of(replace(asked, report=few))
    assert len(made.content["steps"]) > 10_000
    assert verify(made.to_json()).sentence.startswith("verified: 2 claims")


def test_the_checker_loads_nothing_of_the_rest():
    code = (
        "import sys, tightrope.verify.checker; "
        "print(sorted(m for m in sys.modules if m.startswith('tightrope') or m == 'numpy'))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = [name.strip(" '[]\n") for name in told.stdout.split(",")]
    strangers = {n for n in names if not n.startswith("tightrope.verify")}
    assert strangers == {"tightrope", "tightrope._version"}


def test_the_entry_for_the_registry_has_its_layout():
    entry = tr.certificate(tr.Gaussian(4.0), title="noise").registry_entry()["deployment"]
    assert entry["dp_variant"]["variant_name"] == "Zero-concentrated DP"
    assert entry["privacy_loss"]["privacy_parameters"] == {"rho": 0.03125}
    assert entry["basic"]["name"] == "noise"
