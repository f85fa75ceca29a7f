"""What the tests of the command line and of specifications share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tightrope.cli import output, run
from tightrope.spec.account import account
from tightrope.spec.reader import load

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def census():
    """The account of the 2020 Census, computed once."""
    return account(load(ROOT / "examples" / "census2020.toml"))


@pytest.fixture
def tightrope(capsys, monkeypatch):
    """Run a command in this process; gives its exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(output, "SILENCE", 3600.0)  # a busy machine is no reason to talk

    def command(*arguments):
        code = run(arguments)
        told = capsys.readouterr()
        return code, told.out, told.err

    return command


@pytest.fixture
def as_json(tightrope):
    """Run a command with ``--json``; gives its exit code and the record."""

    def command(*arguments):
        code, out, err = tightrope(*arguments, "--json")
        assert err == ""
        return code, json.loads(out)

    return command


@pytest.fixture
def spec(tmp_path):
    """The path of a small specification."""
    path = tmp_path / "small.toml"
    path.write_text('unit = "person"\nrelease = [{ label = "a", guarantee = "gdp:1" }]\n')
    return str(path)
