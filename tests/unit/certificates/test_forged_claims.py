"""What is claimed of a part says so, and what is shown is rounded to the safe side."""

from __future__ import annotations

import pytest

from tightrope.cli import run

from .forging import Forged, gaussian


def test_a_claim_about_a_part_says_so():
    made = gaussian(noise_scale="1000").node("c", "Composed", [("a", 10**6)])
    report = made.step("Gaussian.gdp", "a", [], "GDP", mu="0.001").claim("gdp").report()
    assert report.sentence == "verified: 1 claim, 1 of them about parts only, by 1 step"
    assert report.of_parts == 1
    assert tuple(map(str, report.claims)) == (
        "GDP(mu = 0.001) about Gaussian(noise_scale = 1000, sensitivity = 1) only, "
        "for neighbours: add or remove one unit",
    )


def test_a_part_is_named_by_what_it_is():
    made = gaussian().node("b", "PostProcessed", [("a", 1)], label="the first; for neighbours: x")
    made.step("Gaussian.gdp", "a", [], "GDP", mu="1").step(
        "post_processing", "b", [0], "GDP", mu="1"
    )
    report = made.claim("gdp").node("c", "Composed", [("b", 3)]).report()
    assert "about PostProcessed(label = 'the first; for neighbours: x', Gaussian(" in str(
        report.claims[0]
    )


def test_the_command_names_the_part(tmp_path, capsys):
    made = gaussian(noise_scale="1000").node("c", "Composed", [("a", 10**6)])
    path = tmp_path / "part.json"
    path.write_text(made.step("Gaussian.gdp", "a", [], "GDP", mu="0.001").claim("gdp").text())
    assert run(["verify", str(path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "A part only ─" in told
    assert "About Gaussian(noise_scale = 1000, sensitivity = 1) only, for neighbours: add" in told


def at_alpha(shown: str) -> Forged:
    made = Forged().node("a", "GDP", mu="3").step("given", "a", [], "GDP", mu="3")
    made.step("gaussian_tradeoff", "a", [0], "TradeOff", alpha="0.00010001", beta=BETA)
    return made.claim("tradeoff alpha=0.00010001", alpha=shown, beta="0.7639")


BETA = "0.76392683663166"


def of_order(shown: str) -> Forged:
    values = {"order": "2.0000001", "epsilon": "1.00000005000001"}
    made = gaussian().step("compose_rdp", "a", [], "RDP", **values)
    return made.claim("rdp order=2.0000001", order=shown, epsilon="1.001")


@pytest.mark.parametrize(
    ("made", "safe", "unsafe"), [(at_alpha, "0.0001", "0.0001001"), (of_order, "2", "2.001")]
)
def test_alpha_and_order_are_rounded_down(made, safe, unsafe):
    assert made(safe).report().verdict == "verified"
    assert "unsafe side" in made(unsafe).report().reason


def test_what_is_written_rounds_alpha_and_order_down():
    from tightrope.certifying.claims import _shown

    values = {"alpha": "0.00010001", "beta": "0.76387", "order": "2.0000001", "epsilon": "1.00001"}
    told = {"alpha": "0.0001", "beta": "0.7638", "order": "2.0", "epsilon": "1.001"}
    assert dict(_shown(values)) == told


def test_the_worst_part_at_the_least_alpha():
    made = (
        Forged()
        .node("a", "GDP", mu="3")
        .node("b", "GDP", mu="2")
        .node("p", "Parallel", [("a", 1), ("b", 1)])
    )
    made.step("given", "a", [], "GDP", mu="3").step("given", "b", [], "GDP", mu="2")
    made.step("gaussian_tradeoff", "a", [0], "TradeOff", alpha="0.00010001", beta=BETA)
    made.step("gaussian_tradeoff", "b", [1], "TradeOff", alpha="0.5", beta="0.0227501319481792")
    made.step("parallel_one_part", "p", [2, 3], "TradeOff", alpha="0.5", beta="0.0227501319481792")
    assert made.claim("tradeoff alpha=0.5").report().reason.startswith("alpha is not that")
