"""``tightrope account --certificate`` and ``tightrope verify``, by their exit codes and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope.cli import run

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
