"""Small files that would take very long end in a report, quickly."""

from __future__ import annotations

import pytest

from tightrope.verify import steps

from .forging import Forged, gaussian


def composed(made: Forged, theorem: str = "exact_composition_attained") -> Forged:
    top = made.nodes[-1]["id"]
    made.step(theorem, top, [], "ApproxDP", epsilon="1", delta="0.2")
    return made.claim("approx epsilon=1")


def verdict(made: Forged) -> str:
    return made.report().verdict


def test_disjoint_parts_that_double():
    made = gaussian().node("p0", "PostProcessed", [("a", 1)], label="x")
    for n in range(1, 50):
        made.node(f"p{n}", "Parallel", [(f"p{n - 1}", 1), (f"p{n - 1}", 1)], fixed_parts=False)
    found = verdict(composed(made))
    assert found == "not checked"


def test_compositions_that_double():
    made = gaussian().node("p0", "PostProcessed", [("a", 1)], label="x")
    for n in range(1, 25):
        made.node(f"c{n}", "Composed", [(f"p{n - 1}", 1), (f"p{n - 1}", 1)])
        made.node(f"p{n}", "PostProcessed", [(f"c{n}", 1)], label="x")
    found = verdict(composed(made))
    assert found in ("not checked", "refuted")


def test_groups_that_are_all_different():
    made = gaussian().node("p0", "PostProcessed", [("a", 1)], label="x")
    for n, prime in enumerate((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43), start=1):
        made.node(f"g{n}", "Grouped", [(f"p{n - 1}", 1)], size=str(prime))
        made.node(f"c{n}", "Composed", [(f"p{n - 1}", 1), (f"g{n}", 1)])
        made.node(f"p{n}", "PostProcessed", [(f"c{n}", 1)], label="x")
    found = verdict(composed(made))
    assert found in ("not checked", "refuted")


@pytest.mark.parametrize(
    ("kind", "parameters", "count"),
    [
        ("ZCDP", {"rho": "1e300", "xi": "0"}, 2),
        ("ZCDP", {"rho": "1e-300", "xi": "0"}, 2),
        ("ApproxDP", {"epsilon": "1", "delta": "0.1"}, 10**18),
        ("DiscreteLaplace", {"noise_scale": "1", "sensitivity": "1" + "0" * 18}, 10**18),
        ("DiscreteGaussian", {"noise_scale": "1e-300", "sensitivity": "1"}, 2),
        ("PureDP", {"epsilon": "1e1000"}, 2),
    ],
)
def test_numbers_that_are_far_too_large(kind, parameters, count):
    for theorem in ("exact_composition_attained", "exact_composition_cover"):
        made = Forged().node("a", kind, **parameters).node("c", "Composed", [("a", count)])
        found = verdict(composed(made, theorem))
        assert found != "verified"
    made = Forged().node("a", kind, **parameters).node("c", "Composed", [("a", count)])
    made.step("compose_rdp", "c", [], "RDP", order="2", epsilon="1").claim("rdp order=2")
    found = verdict(made)
    assert found != "verified"


def test_the_work_at_one_file_ends(monkeypatch):
    monkeypatch.setattr(steps, "MOST_SECONDS", -1)
    made = gaussian().step("Gaussian.gdp", "a", [], "GDP", mu="1").claim("gdp")
    assert made.report().verdict == "verified"
    made.step("Gaussian.zcdp", "a", [], "ZCDP", rho="0.5", xi="0").claim("zcdp")
    report = made.report()
    assert report.verdict == "not checked"
    assert "1 step is left" in report.reason


def test_answers_whose_best_order_is_nowhere():
    made = Forged().node("a", "RandomizedResponse", epsilon="1e300", categories="10")
    made.step("RandomizedResponse.zcdp", "a", [], "ZCDP", rho="1e300", xi="0").claim("zcdp")
    found = verdict(made)
    assert found == "not checked"  # it is true: epsilon-DP is at most epsilon-zCDP


def test_compositions_of_one_long_composition():
    made = gaussian()
    for n in range(300):
        made.node(f"b{n}", "PureDP", epsilon=f"1/{n + 2}")
    made.node("c", "Composed", [(f"b{n}", 1) for n in range(300)])
    made.node("d", "Composed", [("c", 1)] * 30_000)
    made.step("given", "b0", [], "PureDP", epsilon="1/2").claim("pure")
    found = verdict(made)
    assert found == "verified"
