"""Mistakes on the command line: each ends in a sentence, or in an object of JSON."""

from __future__ import annotations

import json
import re

import pytest

from tightrope.cli import run

MISUSE = [
    (("conver",), "convert"),
    (("convert", "zcdp:0.5"), "--to"),
    (("convert", "--to", "gdp"), "EVENT"),
    (("convert", "zcdp:0.5", "--to", "gdp", "--fro", "1"), "--fro"),
    (("convert", "zcpd:0.5", "--to", "gdp"), "did you mean 'zcdp'?"),
    (("convert", "zcdp:0.5", "--to", "gpd"), "did you mean 'gdp'?"),
    (("convert", "zcdp:0.5", "--to", "pure"), "PureDP cannot be reached"),
    (("convert", "zcdp:0.5", "--to", "approx"), "--to approx needs --delta or --epsilon"),
    (("convert", "gdp:1", "--to", "approx", "--delta", "1e-6", "--epsilon", "1"), "one of the two"),
    (("convert", "gdp:1", "--to", "gdp", "--delta", "1e-6"), "--delta belongs to --to approx"),
    (("convert", "gdp:1", "--to", "approx", "--delta", "2"), "strictly between 0 and 1"),
    (
        ("convert", "gdp:1", "--to", "approx", "--delta", "x"),
        "--delta must be a number",
    ),
    (("convert", "pure:1", "--to", "approx", "--delta", "0"), "for which ask by --to pure"),
    (("convert", "gdp:1", "--to", "approx", "--delta", ""), "--delta must be a number"),
    (("convert", "gdp:1", "--to"), "convert needs a value for --to."),
    (("convert", "gdp:1", "--too", "gdp"), "Did you mean --to instead of --too?"),
    (("convert", "gdp:1", "zcdp", "--to", "gdp"), "convert does not take 'zcdp'"),
    (("convert", "gdp", "--to", "gdp"), "gdp needs its parameters, as in gdp:0.5"),
    (("convert", "Gaussian", "--to", "gdp"), "Gaussian needs its parameters, as in Gaussian(...)"),
    (("convert", "GDP(1) * 3", "--to", "gdp"), "are event ** n"),
    (("convert", "Gaussian(sigma=1)", "--to", "gdp"), "did you mean 'noise_scale'?"),
    (("convert", "Gausian(1)", "--to", "gdp"), "did you mean 'Gaussian'?"),
    (("convert", "zcdp:-1", "--to", "gdp"), "a finite number of at least 0; you passed -1"),
    (("convert", "zcdp:nan", "--to", "gdp"), "a finite number of at least 0"),
    (("convert", "", "--to", "gdp"), "text must describe an event"),
    (("convert", "1" * 5000, "--to", "gdp"), "cannot read"),
    (("convert", "(" * 500 + ")" * 500, "--to", "gdp"), "cannot read"),
    (("convert", "zcdp:0.5\x00", "--to", "gdp"), "parse"),
    (("convert", "__import__('os')", "--to", "gdp"), "unknown name '__import__'"),
    (("convert", "ZCDP(0.5).__class__", "--to", "gdp"), "parse"),
    (("convert", "nosuch.toml", "--to", "gdp"), "nosuch.toml: No such file or directory"),
    (("convert", "/", "--to", "gdp"), "Is a directory"),
    (("account",), "account needs a SPEC.toml or an event"),
    (("account", "nosuch.toml"), "No such file"),
    (("account", "gdp:1", "--delta", "0"), "--delta must be above 0"),
    (("account", "gdp:1", "--delta", "abc"), "--delta must be a number"),
    (("calibrate", "Gaussian(noise_scale=1)", "--target", "gdp:1"), "a free parameter named x"),
    (("calibrate", "Gaussian(noise_scale=x)", "--target", "gpd:1"), "did you mean 'gdp'?"),
    (
        ("calibrate", "Gaussian(noise_scale=x)", "--target", "gdp:1", "--low", "a"),
        "--low must",
    ),
    (("calibrate", "Gaussian(x)", "--target", "gdp:1", "integer=True"), "options begin with two"),
    (("calibrate", "Gaussian(x)", "--target", "approx:1"), "epsilon, delta; 1 number is given"),
    (("explain", "foo"), "nothing is called 'foo'; give"),
    (("calibrate", "Gaussian(x)", "--target", "gdp:1", "--high", "0.5"), "no parameter in"),
    (("calibrate", "Gaussian(x)", "--target", "gdp:1", "--low", "9", "--high", "1"), "ascending"),
    (("explain", "zcpd"), "did you mean 'zcdp'?"),
    (("explain", "zcdp:1", "--to", "advantage"), "a derivation leads to a guarantee"),
    (("check", "gdp:1"), "--claims"),
    (("convert", "zcdp:0,5", "--to", "gdp"), "'0,5' reads as one: write zcdp:0.5"),
    (("check", "gdp:1", "--claims", "gdp:0,5"), "'0,5' reads as one: write gdp:0.5"),
    (("calibrate", "Gaussian(9) ** x", "--target", "gdp:1"), "give --integer for a whole number"),
    (("calibrate", "Gaussian(x)", "--target", "gdp:1", "--low", "9", "--high", "1"), "--low and"),
    (("calibrate", "Gaussian(x)", "--target", "rdp:2=1"), "--target rdp:2=1: write a text like"),
    (("audit", "Laplace(2)", "--seed", "-1"), "audit: --seed must be"),
    (("audit", "Laplace(2)", "--trials", "5"), "audit: --trials must be"),
    (("audit", "Laplace(2)", "--confidence", "2"), "audit: --confidence must be"),
    (("audit", "Laplace(2)", "--law", "Laplace(2)"), "audit: --law is for programs"),
    (("audit", "math:floor"), "a program needs --neighbors,"),
    (("audit", "math:floor", "--neighbors", "1., 2."), "a program needs --claim, such as pure:1"),
    (("audit", "math:floor", "--neighbors", "1.0"), "audit: --neighbors must be a pair"),
    (("audit", "FinitePair([0.5,0.5],[0.4,0.6])"), "pass a program that runs it, with --claim"),
    (("audit", "PermuteAndFlip(2)", "--neighbors", "1, 2"), "one or more numbers"),
    (("audit", "SparseVector(1)", "--neighbors", "1, 2"), "--neighbors must be two lists"),
    (("audit", "RandomizedResponse(1)", "--neighbors", "[1], [2]"), "--neighbors must be two"),
    (("convert", "Gaussian(1).shuffled(10)", "--to", "gdp"), "with neighbors=replace_one."),
    (("check", "gdp:1", "--claims", "gdp"), "a text like zcdp:0.5"),
    (("check", "gdp:1", "--claims", "Gaussian(1)"), "must be a guarantee such as approx:3,1e-5"),
    (("check", "gdp:1", "--claims", "rdp:2=1"), "--claims rdp:2=1: "),
]


@pytest.mark.parametrize(("arguments", "words"), MISUSE)
def test_misuse_is_one_sentence_and_exit_code_2(tightrope, arguments, words):
    code, out, err = tightrope(*arguments)
    assert code == 2
    assert out == ""
    assert words in err
    assert err.startswith("tightrope: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not re.search(r"\btr\.|entropy|pass integer=|bounds=|claim=", err)


@pytest.mark.parametrize(("arguments", "words"), MISUSE)
def test_misuse_in_json_is_one_object_with_the_same_exit_code(as_json, arguments, words):
    code, record = as_json(*arguments)
    assert code == record["exit_code"] == 2
    assert set(record) == {"version", "command", "exit_code", "error"}
    assert words in record["error"]


def test_json_of_no_command(tightrope):
    code, out, err = tightrope("--json")
    assert (code, err) == (2, "")
    assert json.loads(out)["command"] is None


def test_a_missing_file_is_answered_with_one_of_a_similar_name(tightrope, tmp_path):
    (tmp_path / "survey.toml").touch()
    for wrong in ("survey.tml", "survy.toml"):
        code, _, err = tightrope("account", str(tmp_path / wrong))
        assert code == 2
        assert f"No such file or directory; did you mean '{tmp_path / 'survey.toml'}'?" in err
    assert "did you mean" not in tightrope("account", str(tmp_path / "quite-another.toml"))[2]
    assert "did you mean" not in tightrope("account", str(tmp_path / "no" / "survey.toml"))[2]


@pytest.mark.parametrize("text", ["ZCDP:0.5", "Zcdp:0.5", "zcdp:1/2"])
def test_capitals_in_a_short_form_are_as_good(tightrope, tmp_path, text):
    assert "GDP(mu=1.284)" in tightrope("convert", text, "--to", "gdp")[1]
    assert tightrope("check", "gdp:1", "--claims", text)[0] == 0
    path = tmp_path / "capitals.toml"
    path.write_text(f'release = [{{ guarantee = "{text}" }}]')
    assert "GDP(mu=1.284)" in tightrope("convert", str(path), "--to", "gdp")[1]


DEEP = "release = [" + "{ compose = [" * 5000 + '{ guarantee = "gdp:1" }' + "] }" * 5000 + "]"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "line 1: nothing was run: give one of release, parallel, jointly"),
        (b"hello world", "line 1: not valid TOML"),
        (bytes(range(256)) * 20, "line 2: "),
        (b"\x80\x81\xfe\xff" * 100, "line 1: the file is not a text in UTF-8"),
        (DEEP.encode(), "line 1: brackets nest deeper than 50 levels"),
        (b"a = " + b"[" * 100_000, "line 1: "),
        (b"a." * 5000 + b"a = 1", "line 1: "),
    ],
    ids=["empty", "words", "all bytes", "garbage", "deep nodes", "open brackets", "deep keys"],
)
@pytest.mark.parametrize("command", [("account",), ("convert", "--to", "gdp"), ("explain",)])
def test_a_file_that_is_no_specification(tightrope, tmp_path, content, words, command):
    path = tmp_path / "given.toml"
    path.write_bytes(content)
    code, out, err = tightrope(*command, str(path))
    assert (code, out) == (2, "")
    assert err.startswith(f"tightrope: {path}, {words}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("(" * 99 + "GDP(1)" + ")" * 99, ""),
        ("(" * 5000 + "GDP(1)" + ")" * 5000, "cannot read"),
        ("GDP(1)" + ".sampled(0.5)" * 5000, "nested"),
        ("parallel(" * 5000 + "GDP(1)" + ")" * 5000, "cannot read"),
        ("-" * 100_000 + "1", ""),
        (" + ".join(["GDP(0.001)"] * 5000), ""),
    ],
)
def test_deep_texts_are_read_or_refused_in_one_sentence(tightrope, event, words):
    code, _, err = tightrope("convert", event, "--to", "gdp")
    assert code in (0, 2)
    assert words in err
    assert err.count("\n") == (code != 0)
    assert "mistake in tightrope" not in err


def test_repetitions_are_told_as_people_say_them(tightrope, tmp_path):
    path = tmp_path / "runs.toml"
    path.write_text(
        "[[release]]\nlabel = 'training'\nmechanism = 'gaussian'\nnoise_scale = 1\nrate = 0.01\n"
        "times = 10000\n[[release]]\nlabel = 'tables'\ncompose = ["
        + "{ mechanism = 'laplace', noise_scale = 2, times = 2 }," * 5
        + "]\n"
    )
    out = tightrope("account", str(path))[1]
    assert "training: Gaussian, noise scale 1, on a sample at rate 0.01, run 10,000 times\n" in out
    assert "tables: 5 × Laplace, noise scale 2, run 2 times each\n" in out
    assert "gain nothing by Poisson sampling" in " ".join(out.split())


def test_a_mistake_in_a_specification_is_told_with_its_line(tightrope, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text('title = "x"\nrelease = [{ mechanism = "laplce" }]\n')
    code, _, err = tightrope("account", str(path))
    assert code == 2
    assert f"{path}, line 2: release[1].mechanism: unknown mechanism 'laplce'; did you mean" in err


def test_delta_belongs_to_events(tightrope, spec):
    code, _, err = tightrope("account", spec, "--delta", "1e-6")
    assert code == 2
    assert "--delta is for events" in err


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("1/0"), 70, "please report it: ZeroDivisionError: 1/0"),
        (RecursionError(), 2, "too large to compute"),
        (OverflowError(), 2, "too large to compute"),
        (BrokenPipeError(), 141, ""),
        (PermissionError(13, "Permission denied", "x.toml"), 2, "x.toml: Permission denied"),
    ],
)
def test_every_error_ends_quietly(monkeypatch, capsys, raised, code, words):
    def fail(_):
        raise raised

    monkeypatch.setattr("tightrope.cli.convert.event_of", fail)
    monkeypatch.setattr("tightrope.cli._forget_stdout", lambda: None)
    assert run(("convert", "gdp:1", "--to", "gdp")) == code
    told = capsys.readouterr()
    assert words in told.err
    assert "Traceback" not in told.err
