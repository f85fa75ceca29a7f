"""The commands that convert, calibrate, explain and check: what they print, and how they end."""

from __future__ import annotations

import pytest

import tightrope as tr

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
