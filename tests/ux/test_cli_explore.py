"""The commands that explore: explain an event, compare two, show the graph; plots in text."""

from __future__ import annotations

import json
import math
import time
from statistics import NormalDist

import pytest

import tightrope as tr
from tightrope.cli import output, run
from tightrope.cli.pieces import bullet
from tightrope.cli.plot import HEIGHT, plot
from tightrope.reporting.graph import graph as registered
from tightrope.reporting.record import Axis
from tightrope.theorems.registry import impossibilities, theorems

UNIT = Axis("across", 0.0, 1.0), Axis("up", 0.0, 1.0)
FALLING = [(0.0, 1.0), (1.0, 0.0)]
RISING = [(0.0, 0.0), (1.0, 1.0)]


# --- plots ----------------------------------------------------------------------------------


def test_a_plot_in_dots_goes_from_corner_to_corner_within_80_columns():
    lines = plot(*UNIT, {"A": FALLING}, plain=False)
    assert max(map(len, lines)) <= 80
    body = [line.partition("│")[2] for line in lines[1 : HEIGHT + 1]]
    assert "\u2800" < body[0][0] <= "\u28ff"
    assert "\u2800" < body[-1].rstrip()[-1] <= "\u28ff"
    assert all(body)


def test_a_plot_in_ascii_marks_where_curves_meet():
    lines = plot(*UNIT, {"A": FALLING, "B": RISING}, plain=True)
    assert "".join(lines).isascii()
    body = [line.partition("|")[2] for line in lines[1 : HEIGHT + 1]]
    assert body[0][0] == "A"
    assert body[-1][0] == "B"
    assert "*" in body[HEIGHT // 2]


def test_letters_tell_curves_apart_in_dots():
    text = "\n".join(plot(*UNIT, {"A": FALLING, "B": RISING}, plain=False)[1 : HEIGHT + 1])
    assert text.count("A") >= 4
    assert text.count("B") >= 4


# --- explain --------------------------------------------------------------------------------


def test_explain_tells_an_event_in_plain_words_and_numbers(tightrope, as_json):
    code, out, err = tightrope("explain", "Gaussian(noise_scale=4) ** 12")
    assert (code, err) == (0, "")
    for words in ("Nobody who sees the results", "GDP: μ", "0.8661", "type II error", "by mu ="):
        assert words in out
    record = as_json("explain", "Gaussian(noise_scale=4) ** 12")[1]
    assert set(record) == {"version", "command", "derivation", "meaning", "numbers"}
    numbers = {told["question"]: told["values"] for told in record["numbers"]}
    assert numbers["gdp"] == {"mu": (tr.Gaussian(4) ** 12).to(tr.GDP).mu}
    assert numbers["pure"] == {}


def test_explain_cuts_an_event_that_is_pages_long(tightrope, as_json):
    people = " + ".join(f"Laplace({k}, neighbors=replace_one.of('a'))" for k in range(9, 40))
    event = f"jointly({people}, Gaussian(30, neighbors=replace_one.of('b')))"
    assert "more characters (--json has all)" in " ".join(tightrope("explain", event)[1].split())
    claims = json.dumps(as_json("explain", event)[1]["derivation"])
    assert "Laplace(noise_scale=39" in claims
    assert "more characters" not in claims


# --- compare --------------------------------------------------------------------------------


def test_compare_finds_where_curves_cross(as_json):
    code, record = as_json("compare", "gdp:1", "approx:1,1e-5")
    assert code == 0
    stretches = record["compared"]["stretches"]
    assert [one["better"] for one in stretches] == ["A", "B", "A", "B", "A"]
    normal = NormalDist()
    for place, line in (
        (stretches[1]["high"], lambda a: 1 - 1e-5 - math.e * a),
        (stretches[2]["high"], lambda a: (1 - 1e-5 - a) / math.e),
    ):
        errors = normal.cdf(normal.inv_cdf(1 - place) - 1)
        assert errors == pytest.approx(line(place), abs=1e-6)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("gdp:1", "gdp:2", "A is stronger"),
        ("zcdp:0.5", "gdp:1", "B is stronger"),
        ("gdp:1", "Gaussian(noise_scale=1)", "Against no test"),
        ("gdp:1", "approx:1,1e-5", "Neither is stronger"),
        ("gdp:3", "approx:0.1,1e-9", "Neither is stronger"),
        ("gdp:3", "approx:0.1,1e-30", "Neither is stronger"),
        ("zcdp:50", "approx:1,1e-17", "Neither is stronger"),
    ],
)
def test_compare_says_which_is_stronger(tightrope, first, second, words):
    code, out, err = tightrope("compare", first, second, "--delta", "1e-9")
    assert (code, err) == (0, "")
    assert out.startswith(words)
    assert "ε at δ = 1e-9" in out
    assert max(map(len, out.splitlines())) <= 100


def test_compare_names_the_smaller_number(as_json):
    lines = as_json("compare", "gdp:1", "approx:1,1e-5")[1]["compared"]["lines"]
    better = {
        line["query"]["name"]: line["better"] for line in lines if line["query"]["name"] != "tpr"
    }
    assert better == {"pure": "", "zcdp": "A", "gdp": "A", "approx": "A", "advantage": "A"}


def test_compare_refuses_different_neighbours(tightrope):
    code, _, err = tightrope("compare", "GDP(1)", "GDP(1, neighbors=replace_one)")
    assert code == 2
    assert "cannot be compared" in err
    event = "GDP(1, neighbors=replace_one)"
    assert tightrope("compare", event, "gdp:2")[0] == 0


@pytest.mark.parametrize(
    "arguments",
    [("gdp:1",), ("gdp:1", "gdpp:1"), ("gdp:1", "gdp:2", "--delta", "2"), ("", "gdp:1")],
)
def test_compare_tells_misuse(tightrope, arguments):
    code, out, err = tightrope("compare", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("tightrope: ")


# --- graph ----------------------------------------------------------------------------------


def test_graph_is_the_registry(as_json):
    graph = as_json("graph")[1]["graph"]
    assert {edge["theorem"] for edge in graph["edges"]} == {t.name for t in theorems("conversion")}
    assert len(graph["gaps"]) == len(impossibilities())
    (edge,) = (edge for edge in graph["edges"] if edge["theorem"] == "zcdp_to_gdp")
    assert (edge["source"], edge["target"], edge["grade"]) == ("ZCDP", "GDP", "sharp")


def test_graph_as_text_names_every_theorem(tightrope):
    code, out, err = tightrope("graph")
    assert (code, err) == (0, "")
    assert all(theorem.name in out for theorem in theorems("conversion"))
    assert "What cannot be" in out
    assert "only if rho = 0" in " ".join(out.split())


# --- report ---------------------------------------------------------------------------------


def test_a_missing_file_is_told_before_the_rules_of_options(tightrope):
    _, out, err = tightrope("report", "nosuch.toml", "--out", "x.html", "--json")
    assert "nosuch.toml: No such file" in out + err
    _, out, err = tightrope("report", "gdp:1", "--out", "x.html", "--json")
    assert "leave out --out" in out + err
    _, out, err = tightrope("report", "gdp:1", "--out", "nodir/x.html")
    assert "there is no folder 'nodir'" in out + err


def test_a_log_is_told_now_and_then_what_is_being_worked_on(monkeypatch, capsys):
    monkeypatch.setattr(output, "SILENCE", 0.01)
    with output.progress() as step:
        step("the proofs")
        time.sleep(0.1)
    told = capsys.readouterr().err.splitlines()
    assert len(told) > 1
    assert set(told) == {"tightrope: working on the proofs"}


def test_lists_of_numbers_stand_on_one_line_in_json(capsys):
    told = {"numbers": [1, 2.5, None], "text": "[\n1,  2]", "deep": [[1], [2]]}
    output.show_json("x", told)
    text = capsys.readouterr().out
    assert '"numbers": [1, 2.5, null]' in text
    assert {key: json.loads(text)[key] for key in told} == told


def test_explain_asks_for_nothing_that_its_table_has(tightrope):
    out = tightrope("explain", "zcdp:0.5")[1]
    assert "ε at δ" in out
    assert "needs one of the two" not in out


# --- lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", range(30, 60))
def test_no_line_ends_between_a_number_and_its_per_cent_sign(capsys, monkeypatch, width):
    from rich.text import Text

    monkeypatch.setenv("COLUMNS", str(width))
    told = "an advantage of at most 74.2 % (hits minus false alarms), ε at δ = 1e-10 or 100 %"
    output.show(Text(told), bullet(told))
    out = capsys.readouterr().out
    assert " ".join(out.split()) == f"{told} • {told}"
    for whole in ("74.2 %", "δ = 1e-10", "100 %"):
        assert out.count(whole) == 2


def test_names_of_theorems_are_whole_at_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    run(("graph",))
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    for edge in registered().edges:
        assert f" {edge.theorem} " in out
