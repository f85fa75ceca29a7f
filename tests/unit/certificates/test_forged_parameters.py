"""Every parameter of every node has its range; anything else is unreadable, by its name."""

from __future__ import annotations

import pytest

from .forging import Forged, gaussian

REPLACED = "replace_one"

STRANGE = [
    ("Gaussian", {"noise_scale": "0", "sensitivity": "1"}, "noise_scale"),
    ("Gaussian", {"noise_scale": "1", "sensitivity": "-1"}, "sensitivity"),
    ("Gaussian", {"variance": "-1", "sensitivity": "1"}, "variance"),
    ("DiscreteGaussian", {"noise_scale": "1", "sensitivity": "0.5"}, "sensitivity"),
    ("DiscreteLaplace", {"noise_scale": "1", "sensitivity": "1/2"}, "sensitivity"),
    ("DiscreteGaussianVector", {"variance": "1", "dimension": "1.5"}, "dimension"),
    ("Laplace", {"noise_scale": "-1", "sensitivity": "1"}, "noise_scale"),
    ("PureDP", {"epsilon": "-1"}, "epsilon"),
    ("ApproxDP", {"epsilon": "1", "delta": "2"}, "delta"),
    ("GDP", {"mu": "-1"}, "mu"),
    ("ZCDP", {"rho": "-1", "xi": "0"}, "rho"),
    ("TCDP", {"rho": "1", "omega": "1"}, "omega"),
    ("RandomizedResponse", {"epsilon": "1", "categories": "1"}, "categories"),
    ("SparseVector", {"epsilon": "1", "cutoff": "0"}, "cutoff"),
    ("SparseVector", {"epsilon": "1", "monotone": "yes"}, "monotone"),
    ("ReportNoisyMax", {"epsilon": "1", "noise": True}, "noise"),
    ("GaussianMixture", {"shifts": ["1"], "weights": ["0.5"], "noise_scale": "1"}, "weights"),
    ("GaussianMixture", {"shifts": ["-1"], "weights": ["1"], "noise_scale": "1"}, "shifts"),
    ("FinitePair", {"p": ["2"], "q": ["1"]}, "p must"),
    ("GaussianSparseVector", {"mu": "1", "length": "0"}, "length"),
    ("Gaussian", {"noise_scale": "\u0661", "sensitivity": "1"}, "noise_scale"),
]
AROUND = [
    ("Grouped", {"size": "0"}, "size"),
    ("Grouped", {"size": "0.5"}, "size"),
    ("Grouped", {"size": "1.9"}, "size"),
    ("Grouped", {"size": "-2"}, "size"),
    ("Repeated", {"law": "NegativeBinomialRepetitions", "eta": "0", "gamma": "2"}, "gamma"),
    ("Repeated", {"law": "NegativeBinomialRepetitions", "eta": "-1", "gamma": "0.5"}, "eta"),
    ("Repeated", {"law": "PoissonRepetitions", "mean": "-1"}, "mean"),
    ("Repeated", {"law": "Once"}, "law"),
    ("WithReplacement", {"batch_size": "0.001", "population": "2"}, "batch_size"),
    ("WithoutReplacement", {"batch_size": "0.5", "population": "100"}, "batch_size"),
    ("WithoutReplacement", {"batch_size": "-1", "population": "-100"}, "batch_size"),
    ("WithoutReplacement", {"batch_size": "3", "population": "2"}, "batch_size"),
    ("Sampled", {"rate": "1.5"}, "rate"),
    ("Sampled", {"rate": "-0.5"}, "rate"),
    ("TruncatedSample", {"rate": "0.1", "max_batch": "1.5", "population": "10"}, "max_batch"),
    ("Shuffled", {"reports": "0"}, "reports"),
    ("PostProcessed", {"label": True}, "label"),
]


@pytest.mark.parametrize(("kind", "parameters", "name"), STRANGE)
def test_parameters_of_leaves_have_their_ranges(kind, parameters, name):
    made = Forged(REPLACED).node("a", kind, **parameters).node("b", "GDP", mu="1")
    report = made.step("given", "b", [], "GDP", mu="1").claim("gdp").report()
    assert report.verdict == "unreadable"
    assert name in report.reason
    assert kind in report.reason


@pytest.mark.parametrize(("kind", "parameters", "name"), AROUND)
def test_parameters_of_nodes_around_others_have_their_ranges(kind, parameters, name):
    made = (
        Forged(REPLACED).node("a", "PureDP", epsilon="1").node("b", kind, [("a", 1)], **parameters)
    )
    report = made.step("given", "a", [], "PureDP", epsilon="1").claim("pure").report()
    assert report.verdict == "unreadable"
    assert name in report.reason
    assert kind in report.reason


def test_parallel_parts_are_fixed_or_not():
    made = gaussian().node("p", "Parallel", [("a", 1)], fixed_parts="false")
    report = made.step("Gaussian.gdp", "a", [], "GDP", mu="1").claim("gdp").report()
    assert "fixed_parts" in report.reason


def test_a_leaf_hides_no_part():
    made = gaussian().node("b", "Laplace", [("a", 1)], noise_scale="9", sensitivity="1")
    report = made.step("Laplace.pure", "b", [], "PureDP", epsilon="1/9").claim("pure").report()
    assert report.reason == "a node of kind Laplace has no parts"
