"""``tightrope account``: all that is told of an analysis, and of what was reported about it."""

from __future__ import annotations

import pytest

import tightrope as tr


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
