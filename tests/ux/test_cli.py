"""The command line: what it prints where, its exit codes, and that mistakes end in a sentence."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time

import pytest

import tightrope as tr
from tightrope.cli import run

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
SMALL = 'unit = "person"\nrelease = [{ label = "a", guarantee = "gdp:1" }]\n'


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return str(path)


# --- convert --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("zcdp:0.5", "--to", "gdp"), "GDP(mu=1.284)"),
        (("ZCDP(0.5)", "--to", "GDP"), "GDP(mu=1.284)"),
        (("zcdp:0.5", "--to", "approx", "--delta", "1e-6"), "ApproxDP(epsilon=5.222, delta=1e-06)"),
        (("zcdp:0.5", "--to", "approx", "--delta", "1/1000000"), "ApproxDP(epsilon=5.222"),
        (("zcdp:0.5", "--to", "approx delta=1e-6"), "ApproxDP(epsilon=5.222"),
        (("gdp:1", "--to", "approx", "--epsilon", "2"), "ApproxDP(epsilon=2"),
        (("br:0.1", "--to", "zcdp"), "ZCDP(rho="),
        (("gdp:1", "--to", "advantage"), "largest advantage of an attacker: 38.3 %"),
        (("gdp:1", "--to", "tpr 0.01"), "attacker's hits at 1 % false alarms: 9.24 %"),
        (("zcdp:0.5", "--to", "rdp order=8"), "Renyi DP: ε at order 8: 4.0"),
    ],
)
def test_convert_prints_the_guarantee_its_theorem_and_its_meaning(tightrope, arguments, words):
    code, out, err = tightrope("convert", *arguments)
    assert (code, err) == (0, "")
    assert words in out
    assert "for neighbours: add or remove one unit" in out
    assert "Nobody who sees the results" in out


def test_convert_names_the_theorem(tightrope):
    out = tightrope("convert", "zcdp:0.5", "--to", "gdp")[1]
    assert "[sharp] Chen, Pandey and Awan (2026), Theorem 6" in " ".join(out.split())


def test_convert_gives_all_digits_in_json(as_json):
    code, record = as_json("convert", "zcdp:0.5", "--to", "gdp")
    assert code == 0
    assert record["version"] == tr.__version__
    assert record["command"] == "convert"
    assert record["converted"]["values"] == {"mu": tr.ZCDP(0.5).to(tr.GDP).mu}
    assert set(record["converted"]) == {
        "event",
        "shown",
        "values",
        "reason",
        "neighbors",
        "meaning",
    }


def test_convert_reads_specifications(tightrope, spec):
    assert "ZCDP(rho=0.5" in tightrope("convert", spec, "--to", "zcdp")[1]


# --- account --------------------------------------------------------------------------------


def test_account_of_an_event_as_text(tightrope):
    code, out, err = tightrope("account", "Gaussian(noise_scale=4) ** 12", "--delta", "1e-5")
    assert (code, err) == (0, "")
    for words in (
        "What was run",
        "(ε, δ)-DP: ε at δ = 1e-5",
        "GDP: μ",
        "one unit is added or removed",
        "pure DP: ε has no finite answer",
        "An attacker",
    ):
        assert words in out


def test_account_record(as_json, spec):
    code, record = as_json("account", spec)
    assert code == 0
    account = record["account"]
    assert account["columns"][0]["event"] == "GDP(mu=1, neighbors=add_or_remove.of('person'))"
    assert tr.parse(account["columns"][0]["event"]).mu == 1
    by_name = {row["query"]["name"]: row["answers"][0] for row in account["rows"]}
    assert by_name["gdp"]["values"] == {"mu": 1.0}
    assert by_name["pure"]["values"] == {}
    assert by_name["pure"]["reasons"]
    assert account["compared"] == []


def test_account_of_parallel_parts_has_a_column_for_each(tightrope, tmp_path):
    path = tmp_path / "parts.toml"
    path.write_text(
        'report = ["gdp"]\n[[parallel]]\nlabel = "north"\nguarantee = "gdp:1"\n'
        '[[parallel]]\nlabel = "south"\nguarantee = "gdp:2"\n'
    )
    lines = [line.split() for line in tightrope("account", str(path))[1].splitlines()]
    assert ["north", "south", "all", "parts"] in lines
    assert ["GDP:", "μ", "1.0", "2.0", "2.0"] in lines


REPORTED = """report = ["gdp"]
[[parallel]]
label = "north"
mechanism = "gaussian"
noise_scale = 1
[[parallel]]
label = "south"
guarantee = "zcdp:0.5"
[[published]]
part = "north"
epsilon = 4
delta = 1e-5
[[published]]
part = "south"
epsilon = 1
delta = 1e-5
[[published]]
epsilon = 5
delta = 1e-5
[[published]]
epsilon = 0.5
delta = 1e-5
"""


def test_every_report_that_does_not_hold_is_named(tightrope, as_json, tmp_path):
    """Gaussian noise leaks 4.377 at that delta; zCDP allows 4.729."""
    path = tmp_path / "claimed.toml"
    path.write_text(REPORTED)
    page = tightrope("account", str(path))[1]
    flat = " ".join(page.split())
    for words in (
        "FALSE: epsilon = 4 was reported for north at delta = 0.00001. What was run leaks more: "
        "no epsilon below 4.3771 holds there, and epsilon = 4.3772 is proved.",
        "NOT CONFIRMED: epsilon = 1 was reported for south at delta = 0.00001. It does not follow "
        "from what is stated here, from which epsilon = 4.7284 does.",
        "In short: epsilon = 5 was reported at delta = 0.00001; for the same noise, "
        "epsilon = 4.7284 is proved here.",
        "FALSE: epsilon = 0.5 was reported at delta = 0.00001.",
    ):
        assert words in flat, words
    assert ["north", "south", "all", "parts", "all", "parts", "(2)"] in [
        line.split() for line in page.splitlines()
    ]
    compared = as_json("account", str(path))[1]["account"]["compared"]
    found = [row["outcome"] for row in compared]
    assert found == ["false", "does not follow", "holds", "false"]


def test_parts_without_a_label_take_a_name_that_is_free(tightrope, tmp_path):
    path = tmp_path / "parts.toml"
    path.write_text(
        'report = ["gdp"]\nparallel = [{ guarantee = "gdp:2", label = "part 2" }, '
        '{ guarantee = "gdp:1" }, { guarantee = "gdp:3", label = "all parts" }]'
    )
    lines = [" ".join(line.split()) for line in tightrope("account", str(path))[1].splitlines()]
    assert "part 2 part 2 (2) all parts all parts (2)" in lines
    assert "GDP: μ 2.0 1.0 3.0 3.0" in lines


def test_disjoint_parts_of_one_kind_are_told_as_such(tightrope, tmp_path):
    path = tmp_path / "many.toml"
    parts = '{ mechanism = "laplace", noise_scale = 2 },' * 5
    path.write_text(f'report = ["pure"]\nparallel = [{parts}]')
    assert "5 × Laplace, noise scale 2, in 5 parallel parts\n" in tightrope("account", str(path))[1]


def test_estimates_are_marked_where_nothing_was_reported(tightrope, as_json, tmp_path):
    path = tmp_path / "estimated.toml"
    path.write_text(
        'estimates = ["continuous"]\nreport = ["approx delta=1e-6"]\n'
        'release = [{ mechanism = "discrete_gaussian", noise_scale = 2, times = 3 }]\n'
    )
    assert "ESTIMATE, no guarantee: continuous noise" in tightrope("account", str(path))[1]
    account = as_json("account", str(path))[1]["account"]
    estimate, proved = (account[key][0]["answers"][0] for key in ("estimates", "rows"))
    near = pytest.approx(proved["values"]["epsilon"], rel=0.02)  # on either side of it
    assert estimate["values"]["epsilon"] == near


def test_many_releases_are_told_in_one_line(tightrope, tmp_path):
    nodes = ",\n".join(f'{{ mechanism = "laplace", noise_scale = {n} }}' for n in range(1, 8))
    path = tmp_path / "many.toml"
    path.write_text(f'report = ["pure"]\nrelease = [\n{nodes}\n]')
    assert "7 × Laplace, noise scale 1.0 to 7.0" in tightrope("account", str(path))[1]


@pytest.mark.parametrize("question", ["tradeoff 0.05", "tpr 0.01", "rdp order=8", "advantage"])
def test_every_question_can_be_asked_of_an_event(tightrope, question):
    code, out, _ = tightrope("convert", "Gaussian(noise_scale=4)", "--to", question)
    assert code == 0
    assert "What that means" in out


# --- calibrate ------------------------------------------------------------------------------


def test_calibrate_finds_the_smallest_noise(as_json):
    template = "Gaussian(noise_scale=x) ** 12"
    code, record = as_json("calibrate", template, "--target", "gdp:1/2")
    assert code == 0
    assert record["x"] == pytest.approx(2 * 12**0.5, rel=1e-12)
    assert tr.parse(record["event"]).to(tr.GDP).mu <= 0.5
    assert record["wanted"] == {"notion": "gdp", "values": {"mu": 0.5}}
    assert record["reached"]["values"]["mu"] == tr.parse(record["event"]).to(tr.GDP).mu
    assert set(record) == {
        "version",
        "command",
        "template",
        "target",
        "x",
        "event",
        "achieved",
        "wanted",
        "reached",
    }


def test_calibrate_finds_the_largest_whole_number_of_steps(tightrope):
    arguments = ("Gaussian(noise_scale=10) ** x", "--target", "gdp:1", "--integer")
    code, out, _ = tightrope("calibrate", *arguments, "--high", "1000")
    assert code == 0
    assert out.splitlines()[0] == "x = 100"


def test_calibrate_takes_the_relation_of_the_event(tightrope):
    template = "Laplace(noise_scale=x, neighbors=replace_one)"
    code, out, _ = tightrope("calibrate", template, "--target", "pure:2", "--low", "0.1")
    assert code == 0
    assert "replace one unit" in out


def test_calibrate_takes_parameters_that_are_not_admissible_everywhere(tightrope):
    code, out, _ = tightrope("calibrate", "TCDP(0.1, x)", "--target", "tcdp:0.1,3", "--high", "9")
    assert (code, out.splitlines()[0][:6]) == (0, "x = 3.")


# --- explain --------------------------------------------------------------------------------


def test_explain_draws_the_derivation(tightrope):
    code, out, _ = tightrope("explain", "Exponential(epsilon=0.1) ** 10", "--to", "gdp")
    assert code == 0
    assert out.startswith("GDP(mu=0.1632)")
    for words in (
        "by ",
        "└──",
        "10 × ",
        "Exponential(epsilon=0.1)",
        "for neighbours: add or remove",
    ):
        assert words in out


def test_explain_in_json_is_the_tree(as_json):
    _, record = as_json("explain", "zcdp:0.5", "--to", "gdp")
    step = record["derivation"]["steps"][0]
    assert step["claim"] == "GDP(mu=1.284)"
    assert step["grade"] == "sharp"
    assert step["inputs"][0]["claim"] == "ZCDP(rho=0.5)"


def test_explain_of_many_leaves_stays_short(tightrope):
    event = " + ".join(f"Laplace({n})" for n in range(1, 40))
    out = tightrope("explain", event, "--to", "zcdp")[1]
    assert "more of the kind" in out
    assert len(out.splitlines()) < 100


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("zcdp", "zCDP (notion)"),
        ("GDP", "GDP (notion)"),
        ("discrete_gaussian", "discrete Gaussian mechanism (mechanism)"),
        ("RandomizedResponse", "its zCDP: "),
        ("zcdp_to_gdp", "grade: sharp"),
        ("subsampled-zcdp", "counterexample: "),
        ("krr_kl", "use instead: "),
    ],
)
def test_explain_tells_what_a_name_stands_for(tightrope, as_json, name, words):
    code, out, _ = tightrope("explain", name)
    assert code == 0
    assert words in out
    assert as_json("explain", name)[1]["entry"]["title"] in out


# --- check ----------------------------------------------------------------------------------

SIXTEEN = "Gaussian(noise_scale=4) ** 16"
CHOICES = "Exponential(epsilon=1) ** 10"


@pytest.mark.parametrize(
    ("event", "claims", "code", "words"),
    [
        (SIXTEEN, ["gdp:1"], 0, "gdp:1: holds"),
        (SIXTEEN, ["zcdp:1/2"], 0, "zcdp:1/2: holds"),
        (SIXTEEN, ["ZCDP(0.5)"], 0, "ZCDP(0.5): holds"),
        (SIXTEEN, ["gdp:0.9"], 1, "gdp:0.9: false"),
        (SIXTEEN, ["gdp:1", "gdp:0.9"], 1, "gdp:1: holds"),
        ("zcdp:0.5", ["approx:1,1e-5"], 4, "approx:1,1e-5: does not follow"),
        (CHOICES, ["gdp:1.6"], 4, "gdp:1.6: not decidable"),
        (CHOICES, ["pure:10", "gdp:1.6"], 4, "pure:10: holds"),
        (CHOICES, ["gdp:1.6", "pure:8"], 1, "pure:8: false"),
    ],
)
def test_check_tells_the_verdict_by_its_exit_code(tightrope, as_json, event, claims, code, words):
    options = [option for claim in claims for option in ("--claims", claim)]
    found, out, err = tightrope("check", event, *options)
    assert (found, err) == (code, "")
    assert words in out
    found, record = as_json("check", event, *options)
    assert found == code == record["exit_code"]
    assert [set(verdict) for verdict in record["verdicts"]] == [
        {"outcome", "claim", "notion", "values", "lower", "upper", "sentence"}
    ] * len(claims)


def test_check_tells_the_claims_by_their_numbers_and_null_where_none_is_finite(as_json):
    options = ("--claims", "approx:1,1/1000", "--claims", "pure:3")
    _, record = as_json("check", "GDP(1)", *options)
    first, second = record["verdicts"]
    assert (first["notion"], first["values"]) == ("approx", {"epsilon": 1, "delta": "1/1000"})
    assert (second["values"], second["lower"], second["upper"]) == ({"epsilon": 3}, None, None)


def test_check_takes_the_relation_of_the_event(tightrope, spec):
    assert tightrope("check", spec, "--claims", "gdp:1")[0] == 0
    event = "Laplace(2, neighbors=replace_one)"
    assert tightrope("check", event, "--claims", "pure:0.5")[0] == 0
    code, _, err = tightrope("check", event, "--claims", "PureDP(0.5)")
    assert code == 2
    assert "different neighbours" in err


# --- misuse ---------------------------------------------------------------------------------

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
    (tmp_path / "survey.toml").write_text(SMALL)
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


# --- help, completion and start-up ----------------------------------------------------------


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
