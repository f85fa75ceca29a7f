"""``tightrope account --certificate`` and ``tightrope verify``, by their exit codes and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope.cli import run
from tightrope.verify import verify_file

from .mutations import sealed

TWO_UNITS = """
title = "two units"
report = ["zcdp", "pure"]

[[jointly]]
unit = "person"
mechanism = "gaussian"
noise_scale = 2

[[jointly]]
unit = "house"
mechanism = "gaussian"
noise_scale = 3
"""
CENSUS = Path(__file__).parents[3] / "examples" / "census2020.toml"


@pytest.fixture
def certificate(tmp_path):
    path = tmp_path / "certificate.json"
    assert run(["account", "Gaussian(noise_scale=4) ** 12", "--certificate", str(path)]) == 0
    return path


def test_what_was_written_is_verified(certificate, capsys):
    assert run(["verify", str(certificate)]) == 0
    assert "verified: 5 claims" in capsys.readouterr().out


def test_a_changed_digit_is_refuted(certificate, capsys):
    certificate.write_text(certificate.read_text().replace("0.375", "0.374"))
    assert run(["verify", str(certificate)]) == 1
    assert "refuted: the digest" in capsys.readouterr().out


def test_the_report_as_json(certificate, capsys):
    capsys.readouterr()
    assert run(["verify", str(certificate), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "verified"


def test_what_cannot_be_read(tmp_path, capsys):
    path = tmp_path / "nothing.json"
    path.write_text("[" * 1000)
    assert run(["verify", str(path)]) == 2
    assert run(["verify", str(tmp_path / "missing.json")]) == 2


def test_a_script_tells_the_outcomes_apart(certificate, tmp_path, capsys):
    refuted, unreadable = tmp_path / "refuted.json", tmp_path / "unreadable.json"
    refuted.write_text(certificate.read_text().replace("0.375", "0.374"))
    unreadable.write_text("{}")
    unchecked = tmp_path / "unchecked.json"
    weaker = json.loads(certificate.read_text())
    weaker["steps"][0]["values"] = dict.fromkeys(weaker["steps"][0]["values"], "5")
    unchecked.write_text(json.dumps(sealed(weaker)))
    gone = tmp_path / "gone.json"
    files = [certificate, unchecked, unreadable, gone, refuted]
    for last, code in zip(range(1, 6), (0, 4, 2, 2, 1), strict=True):
        assert run(["verify", *map(str, files[:last])]) == code
    capsys.readouterr()
    assert run(["verify", *map(str, files), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    verdicts = [one["verdict"] for one in told["certificates"]]
    assert verdicts == ["verified", "not checked", "unreadable", "unreadable", "refuted"]
    assert [one["exit_code"] for one in told["certificates"]] == [0, 4, 2, 2, 1]
    assert told["exit_code"] == 1
    assert told["certificates"][3]["file"] == str(gone)


def test_who_hands_over_something_else_is_told_how_a_certificate_is_written(tmp_path, capsys):
    for file in (str(CENSUS), str(tmp_path / "missing.json"), "Gaussian(4)"):
        assert run(["verify", file, "--json"]) == 2
        reason = json.loads(capsys.readouterr().out)["reason"]
        assert file in reason
        assert "tightrope account" in reason
        assert "--certificate" in reason


def test_a_part_is_called_the_same_wherever_it_is_named(tmp_path, capsys):
    path, plan = tmp_path / "two.json", tmp_path / "two.toml"
    plan.write_text(TWO_UNITS)
    assert run(["account", str(plan), "--certificate", str(path)]) == 0
    capsys.readouterr()
    assert run(["verify", str(path)]) == 0
    told = capsys.readouterr().out
    for name in ("Part 1 of 2 ─", "Part 2 of 2 ─", "The whole ─", "Part 1 of 2:", "Part 2 of 2:"):
        assert told.count(name) == 1
    assert told.count("is unbounded") == 1
    assert "pure of part 1 of 2, part 2 of 2 and the whole" in told


def test_every_line_has_room_and_what_goes_on_is_indented(certificate, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    capsys.readouterr()
    assert run(["verify", str(certificate)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 60
    bullets = [n for n, line in enumerate(lines) if line.startswith("•")]
    assert any(lines[n + 1].startswith("  ") for n in bullets[:-1])


def test_the_steps_are_counted_while_they_are_derived(certificate):
    told = []
    report = verify_file(certificate, tell=lambda step, of: told.append((step, of)))
    assert told == [(n + 1, report.steps) for n in range(report.steps)]


def test_an_entry_for_the_registry(tmp_path):
    path = tmp_path / "entry.json"
    assert run(["account", "Laplace(2)", "--registry", str(path)]) == 0
    entry = json.loads(path.read_text())["deployment"]
    assert entry["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5}


@pytest.mark.slow
def test_the_census_is_verified(tmp_path, capsys):
    path = tmp_path / "census.json"
    assert run(["account", str(CENSUS), "--certificate", str(path)]) == 0
    capsys.readouterr()
    assert run(["verify", str(path)]) == 0
    assert "verified: 15 claims" in capsys.readouterr().out
