"""What the library writes is verified; what stays open is not called refuted."""

from __future__ import annotations

import json
import math

import pytest

import tightrope as tr
from tightrope.certifying import Certificate
from tightrope.cli import run
from tightrope.verify import verify

from .forging import Forged
from .mutations import sealed

EVENTS = [
    tr.Exponential(0.01) ** 2,
    tr.Exponential(0.01) ** 3,
    tr.Exponential(0.1) ** 3,
    tr.ReportNoisyMax(0.01) ** 5,
    tr.BoundedRange(0.1) ** 3,
    tr.DiscreteGaussian(4) ** 12 + tr.Laplace(2.0),
    tr.DiscreteGaussian(3) + tr.BoundedRange(0.2),
    tr.DiscreteGaussian(1) + tr.DiscreteGaussian(2) + tr.DiscreteGaussian(3),
    tr.DiscreteGaussian(0.5) + tr.Gaussian(2.0),
    (tr.DiscreteGaussian(3) ** 2).group(2),
    tr.PureDP(0.1) + tr.PureDP(0.2) + tr.PureDP(0.35) + tr.PureDP(0.47),
    tr.Skellam(noise_scale=4.0),
    tr.SkellamVector(4.0, 1, 5),
    tr.DiscreteLaplace(3) ** 5,
    tr.PureDP(1.0) ** 3 + tr.Gaussian(2.0),
    tr.Laplace(2.0) ** 10,
    tr.DiscreteGaussian(60),
    tr.DiscreteGaussian(100),
    tr.DiscreteGaussian(100) ** 3,
    tr.DiscreteGaussian(100) + tr.DiscreteGaussian(70),
    tr.DiscreteGaussian(4.84) ** 99,
    tr.DiscreteGaussian(2.173) + tr.ZCDP(0.332),
    tr.DiscreteLaplace(8.213).sampled(0.031),
    tr.ApproxDP(1.0, 1e-7),
    tr.ApproxDP(0.3, 1e-7) + tr.ApproxDP(0.2, 1e-8),
    tr.ApproxDP(0.0, 1e-3),
    tr.ApproxDP(0.0, 1e-8) ** 3 + tr.Gaussian(2.0),
    tr.ApproxDP(0.0, 1e-8) + tr.Laplace(2.0),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_what_is_written_is_verified(event):
    report = verify(tr.certificate(event).to_json())
    assert report.verdict == "verified", report.sentence


@pytest.mark.parametrize(("factor", "verdict"), [(1.0000001, "verified"), (0.999, "refuted")])
def test_failures_are_counted(factor, verdict):
    """1e-3 of all is lost, and of the rest what one response of epsilon 1 leaks at 0."""
    truth = 1e-3 + (1 - 1e-3) * math.tanh(0.5)
    made = Forged().node("a", "ApproxDP", epsilon="1", delta="0.001")
    delta = (truth * factor).hex()
    made.step("exact_composition_attained", "a", [], "ApproxDP", epsilon="0", delta=delta)
    assert made.claim("advantage").report().verdict == verdict


@pytest.mark.parametrize(
    "event", [tr.DiscreteGaussian(100), tr.DiscreteGaussian(100) + tr.DiscreteGaussian(70)]
)
def test_fine_noise_has_an_answer_to_every_question_but_pure_dp(event):
    content = tr.certificate(event).content
    assert [left["question"] for left in content["left_out"]] == ["pure"]


@pytest.mark.parametrize(
    "event",
    [
        tr.ReportNoisyMax(0.974) + tr.DiscreteGaussian(7.058),
        tr.Skellam(noise_scale=6.0) ** 15 + tr.RandomizedResponse(0.3, 5),
    ],
)
def test_where_the_best_route_cannot_be_written_down_another_one_is(event):
    content = tr.certificate(event).content
    (told,) = (one for one in content["claims"] if one["question"].startswith("approx"))
    epsilon = float.fromhex(told["values"]["epsilon"])
    assert event.epsilon(1e-6) <= epsilon < 5
    assert verify(json.dumps(content)).verdict == "verified"


@pytest.mark.parametrize(
    ("factor", "verdict"), [(0.5, "refuted"), (0.99999, "refuted"), (1.01, "not checked")]
)
def test_only_what_is_false_is_refuted(factor, verdict):
    content = json.loads(tr.certificate(tr.Skellam(noise_scale=4.0)).to_json())
    step = content["steps"][0]
    step["values"]["rho"] = (float.fromhex(step["values"]["rho"]) * factor).hex()
    assert verify(json.dumps(sealed(content))).verdict == verdict


@pytest.mark.parametrize(
    ("theorem", "parameters", "notion", "values"),
    [
        ("DiscreteGaussian.gdp", {"noise_scale": "2", "sensitivity": "1"}, "GDP", {"mu": "0.6"}),
        (
            "RandomizedResponse.zcdp",
            {"epsilon": "1", "categories": "10"},
            "ZCDP",
            {"rho": "1", "xi": "0"},
        ),
    ],
)
def test_more_than_is_needed_is_not_refuted(theorem, parameters, notion, values):
    made = Forged().node("a", theorem.partition(".")[0], **parameters)
    report = made.step(theorem, "a", [], notion, **values).claim(notion.lower()).report()
    assert report.verdict == "not checked"
    assert "but more" in report.reason


@pytest.mark.parametrize(("factor", "verdict"), [(0.05, "refuted"), (0.999, "not checked")])
def test_a_delta_below_that_of_normal_noise_is_refuted(factor, verdict):
    content = json.loads(tr.certificate(tr.ZCDP(0.1)).to_json())
    step = next(step for step in content["steps"] if step["theorem"] == "zcdp_profile")
    step["values"]["delta"] = (float.fromhex(step["values"]["delta"]) * factor).hex()
    assert verify(json.dumps(sealed(content))).verdict == verdict


def test_the_background_of_the_claims(tmp_path, capsys):
    path = tmp_path / "certificate.json"
    tr.certificate(tr.Laplace(2.0) ** 2 + tr.PureDP(0.1).sampled(0.5), title="mine").write(path)
    assert run(["verify", str(path)]) == 0
    told = capsys.readouterr().out
    for words in ("2 x Laplace(noise_scale = 2.0", "in Sampled(rate = 0.5)", "nobody checked"):
        assert words in told
    assert run(["verify", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["background"]["title"] == "mine"


def test_claims_in_words():
    claims = [str(claim) for claim in verify(tr.certificate(tr.Laplace(1.0)).to_json()).claims]
    assert any("advantage over guessing of at most 39.4 %" in claim for claim in claims)
    assert any("hits at 1 % false alarms" in claim for claim in claims)


def test_one_claim_by_one_step():
    made = Forged().node("a", "GDP", mu="1").step("given", "a", [], "GDP", mu="1").claim("gdp")
    assert made.report().sentence == "verified: 1 claim by 1 step"
    written = Certificate(json.loads(made.text()))
    assert repr(written).endswith("1 claim, 1 step)")


@pytest.mark.parametrize("wrong", [tr.certificate(tr.Laplace(1.0)), {}, "demo/certificate.json"])
def test_what_verify_takes_is_said(wrong):
    with pytest.raises(TypeError, match="verify_file"):
        verify(wrong)


def test_why_nothing_is_certified_is_said_in_plain_words():
    with pytest.raises(tr.InvalidArgument, match="whole Renyi curve"):
        tr.certificate(tr.RDP(2, 1.0))


def test_beside_failures_a_theorem_may_know_more_than_the_pairs():
    event = tr.ApproxDP(0.85, 1e-7) + tr.ZCDP(0.125) + tr.PureDP(0.463)
    assert verify(tr.certificate(event).to_json()).verdict == "verified"
