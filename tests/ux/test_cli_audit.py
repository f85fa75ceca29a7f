"""``tightrope audit``: verdicts by exit code, programs by name, and mistakes in a sentence."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAMS = """
import random

state = random.Random(5)

def noisy(x):
    return x + state.gauss(0.0, 1.0)

def broken(x):
    raise KeyError("no such column")

def quits(x):
    raise SystemExit(0)

class Deep:
    @staticmethod
    def silent(x):
        return None
"""


@pytest.fixture
def programs(tmp_path, monkeypatch):
    (tmp_path / "some_programs.py").write_text(PROGRAMS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("some_programs", None)


def test_a_mechanism_keeps_its_own_claim(tightrope):
    code, out, err = tightrope("audit", "Laplace(noise_scale=2)", "--seed", "1", "--trials", "5000")
    assert (code, err) == (0, "")
    for words in ("not refuted", "values", "scale of the noise", "would have seen", "no guarantee"):
        assert words in out


def test_a_false_claim_ends_with_code_1(tightrope, as_json):
    arguments = ("audit", "PermuteAndFlip(2)", "--claim", "zcdp:0.5", "--trials", "5000")
    arguments = (*arguments, "--neighbors", "[1, 0], [0, 1]", "--seed", "2")
    code, out, _ = tightrope(*arguments)
    assert code == 1
    assert "REFUTED" in out
    code, record = as_json(*arguments)
    assert code == record["exit_code"] == 1
    assert record["subject"] == "PermuteAndFlip(epsilon=2)"
    (verdict,) = record["verdicts"]
    assert verdict["outcome"] == "refuted"
    assert verdict["sentence"].startswith("refuted, p = ")
    assert verdict["p_value"] < 1e-3
    assert {bound["notion"] for bound in verdict["lower_bounds"]} == {"approx", "gdp"}
    assert not verdict["secure"]


def test_audit_and_check_have_one_shape(as_json):
    _, checked = as_json("check", "Laplace(2)", "--claims", "pure:1")
    arguments = ("audit", "Laplace(2)", "--claim", "pure:1", "--seed", "1", "--trials", "1000")
    _, audited = as_json(*arguments)
    assert set(checked) - set(audited) == {"neighbors"}
    assert set(audited) - set(checked) == {"inputs"}
    assert {"claim", "outcome", "sentence"} <= set(audited["verdicts"][0])
    assert {"claim", "outcome", "sentence"} <= set(checked["verdicts"][0])


def test_a_program_is_found_by_its_name(tightrope, programs):
    claim = ("--claim", "gdp:1", "--neighbors", "0.0, 1.0", "--trials", "5000")
    code, out, _ = tightrope("audit", "some_programs:noisy", *claim)
    assert code == 1
    assert "last bits" in out
    assert tightrope("audit", "some_programs:Deep.silent", *claim)[0] == 0


def test_a_program_in_the_current_directory_is_found_by_a_process(tmp_path):
    (tmp_path / "my_programs.py").write_text(PROGRAMS)
    claim = ["--claim", "pure:1", "--neighbors", "0, 1", "--trials", "200", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "tightrope", "audit", "my_programs:Deep.silent", *claim],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["subject"] == "Deep.silent"


MISUSE = [
    (("some_programs:noisy",), "a program needs --neighbors,"),
    (("some_programs:noisy", "--neighbors", "0, 1"), "a program needs --claim,"),
    (("some_programs:noisy", "--claim", "gdp:1"), "--neighbors"),
    (("some_programs:noisy", "--claim", "gpd:1", "--neighbors", "0, 1"), "did you mean 'gdp'?"),
    (("some_programs:noisy", "--claim", "gdp:1", "--neighbors", "0; 1"), "--neighbors must be two"),
    (("some_programs:noisy", "--claim", "gdp:1", "--neighbors", "0"), "must be a pair"),
    (("some_programs:broken", "--claim", "gdp:1", "--neighbors", "0, 1"), "raised KeyError"),
    (("some_programs:quits", "--claim", "gdp:1", "--neighbors", "0, 1"), "raised SystemExit"),
    (("some_programs:noisy", "--claim", "gdp:1", "--neighbors", "0, 0"), "two inputs that differ"),
    (("some_programs:none", "--claim", "gdp:1", "--neighbors", "0, 1"), "cannot load"),
    (("no_such_module:f", "--claim", "gdp:1", "--neighbors", "0, 1"), "ModuleNotFoundError"),
    (("Laplace(2) ** 3",), "a mechanism must be one"),
    (("Laplace(2)", "--trials", "7"), "a whole number from 100"),
    (("Laplace(2)", "--trials", "many"), "--trials must be a number"),
    (("Laplace(2)", "--confidence", "1"), "strictly between 0 and 1"),
    (("Laplace(2)", "--law", "Laplace(2)"), "law is for programs"),
    (("Laplace(2)", "--seed", "-1"), "seed must be a non-negative integer"),
    (("Laplace(scale=2)",), "it takes no 'scale' (did you mean 'noise_scale'?)"),
]


@pytest.mark.parametrize(("arguments", "words"), MISUSE)
def test_misuse_is_one_sentence_and_exit_code_2(tightrope, programs, arguments, words):
    code, out, err = tightrope("audit", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
