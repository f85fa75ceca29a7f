"""Digits are ASCII, and nothing in a file controls a terminal."""

from __future__ import annotations

import json

import pytest

import tightrope as tr
from tightrope._errors import InvalidArgument
from tightrope.cli import run
from tightrope.verify import verify

from .forging import gaussian

CONTROLS = "x\x1b[31m\r\x9b1m\u202e\u2066\u2028\nverified"


@pytest.mark.parametrize(
    "number", ["\u0665", "\u0665.\u0660", "0x1.0p+\u0661", "1/\u0967", "1e\uff11"]
)
def test_digits_of_other_scripts_are_no_numbers(number):
    made = gaussian(sensitivity="5").step("Gaussian.gdp", "a", [], "GDP", mu="5")
    report = made.claim("gdp", mu=number).report()
    assert (report.verdict, "is no number" in report.reason) == ("unreadable", True)


def test_nothing_in_a_file_controls_the_terminal(tmp_path, capsys):
    made = gaussian()
    made.unit = CONTROLS
    made.nodes.clear()
    made.node("a", "Gaussian", noise_scale="1", sensitivity="1")
    made.step("Gaussian.gdp", "a", [], "GDP", mu="1").claim("gdp")
    report = made.report()
    assert report.verdict == "verified"
    assert not set("\x1b\r\x9b\u202e\u2066\u2028\n") & set("".join(map(str, report.claims)))
    path = tmp_path / "c.json"
    path.write_text(made.text(), encoding="utf-8")
    for options in ([], ["--json"]):
        assert run(["verify", str(path), *options]) == 0
        assert not set("\x1b\r\x9b\u202e\u2066\u2028") & set(capsys.readouterr().out)


def test_a_reason_controls_nothing():
    content = json.loads(
        gaussian().step("Gaussian.gdp", "a", [], "GDP", mu="1").claim("gdp").text()
    )
    content["claims"][0]["question"] = CONTROLS
    report = verify(json.dumps(content))
    assert not set("\x1b\r\x9b\u202e\u2066\u2028\n") & set(report.where + report.reason)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_titles_of_a_specification_control_nothing(tmp_path, capsys, options):
    path = tmp_path / "a.toml"
    lines = ['title = "a\\u001b[31m\\u202eb\\u009b"', "[[release]]", 'label = "c\\u202e"']
    path.write_text("\n".join([*lines, 'mechanism = "gaussian"', "noise_scale = 4"]))
    assert run(["account", str(path), *options]) == 0
    out = capsys.readouterr().out
    assert not set("\x1b\r\x9b\u202e") & set(out)
    assert not options or json.loads(out)["account"]["title"] == "a\x1b[31m\u202eb\x9b"


def test_a_title_that_no_file_can_hold_is_refused():
    with pytest.raises(InvalidArgument, match="title must be a text of whole Unicode characters"):
        tr.certificate(tr.Gaussian(1.0), title="\ud800")
    with pytest.raises(InvalidArgument, match="title must be a text"):
        tr.certificate(tr.Gaussian(1.0), title=3)


def test_a_label_that_no_file_can_hold_is_refused():
    with pytest.raises(InvalidArgument, match="every name in the event"):
        tr.certificate(tr.Gaussian(1.0).then("\ud800"), title="t")
