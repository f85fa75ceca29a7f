"""The command line around its commands: help, completion, start-up, pipes and terminals."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

import tightrope as tr

COMMANDS = (
    "convert",
    "account",
    "calibrate",
    "explain",
    "check",
    "audit",
    "figures",
    "verify",
    "report",
    "compare",
    "graph",
)


def test_help_lists_every_command(tightrope):
    code, out, err = tightrope("--help")
    assert (code, err) == (0, "")
    for command in (*COMMANDS, "--version", "--install-completion"):
        assert command in out


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_examples_and_json(tightrope, command):
    code, out, _ = tightrope(command, "--help")
    assert code == 0
    assert "For example:" in out
    assert f"tightrope {command} " in out.split("For example:")[1]
    assert "--json" in out


def test_help_fits_a_terminal():
    """In a process of its own, since the width of the help is read once."""
    script = (
        "import sys\n"
        "from tightrope.cli import run\n"
        "for command in sys.argv[1:]:\n"
        "    run([command, '--help'])\n"
        "    print('\\f')\n"
    )
    pages = subprocess.run(
        [sys.executable, "-c", script, *COMMANDS],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "80"},
    ).stdout.split("\f\n")
    for command, page in zip(COMMANDS, pages, strict=False):
        lines = [line.rstrip() for line in page.splitlines()]
        assert len(lines) <= 24, command
        assert max(map(len, lines)) <= 80
        examples = [line for line in lines if line.startswith(" ")]
        assert all(line.startswith(" tightrope ") for line in examples)


def test_shares_near_the_whole_are_told_as_such(tightrope):
    out = " ".join(tightrope("convert", "gdp:8", "--to", "advantage")[1].split())
    assert "largest advantage of an attacker: more than 99.9 %" in out
    assert "may tell whether one unit was added or removed almost without fail" in out
    assert "may detect more than 99.9 % of the cases" in out


def test_an_omega_without_bound_is_told_as_such(tightrope, tmp_path):
    path = tmp_path / "tcdp.toml"
    path.write_text('report = ["tcdp"]\nrelease = [{ guarantee = "gdp:1" }]')
    assert "ρ = 0.5, ω = unbounded" in tightrope("account", str(path))[1]


def test_version(tightrope):
    assert tightrope("--version") == (0, f"{tr.__version__}\n", "")


def test_completion_installs(tightrope, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    code, _, _ = tightrope("--install-completion", "--shell", "bash")
    assert code == 0
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert any("calibrate" in text for text in written)


def test_colours_stay_away_from_pipes(tightrope, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in tightrope("account", "gdp:1")[1]


def test_help_and_version_load_no_numerical_library():
    script = (
        "import sys\n"
        "from tightrope.cli import run\n"
        "for arguments in (['--help'], ['--version'], *[[c, '--help'] for c in sys.argv[1:]]):\n"
        "    assert run(arguments) == 0\n"
        "loaded = {'numpy', 'scipy', 'tightrope.plan'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {loaded}' if loaded else 0)\n"
    )
    subprocess.run([sys.executable, "-c", script, *COMMANDS], check=True, stdout=subprocess.DEVNULL)


def test_a_closed_pipe_is_no_error():
    command = [sys.executable, "-m", "tightrope", "account", "--schema"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_a_person_who_waits_is_told_why_on_stderr(tightrope, monkeypatch):
    def slow(_):
        time.sleep(0.3)
        return tr.GDP(1)

    monkeypatch.setattr("tightrope.cli.output.PATIENCE", 0.01)
    monkeypatch.setattr("tightrope.cli.explain.event_of", slow)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = tightrope("explain", "gdp:1 ", "--to", "gdp")
    assert code == 0
    assert "deriving gdp" in err
    assert "deriving" not in out
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    assert tightrope("explain", "gdp:1 ", "--to", "gdp")[2] == ""
