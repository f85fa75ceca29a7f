"""Reports of certificates: verified, refuted, not checked, unreadable; the numbers of the file."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from report_page import HOSTILE, Page

import tightrope as tr
from tightrope.certifying.certificate import digest
from tightrope.reporting import report_of_certificate

pytest.importorskip("flint")

RUN = tr.Gaussian(noise_scale=4.0) ** 12


def forged(content, **changes):
    """The certificate with other fields, and the digest that belongs to them."""
    changed = content | changes
    return json.dumps(changed | {"digest": digest(changed)}).encode()


def with_mu(content, factor):
    """The certificate in which mu is so many times what it was, wherever it stands."""
    (mu,) = (claim["values"]["mu"] for claim in content["claims"] if claim["notion"] == "GDP")
    text = json.dumps(content)
    assert text.count(mu) == 3
    return forged(json.loads(text.replace(mu, (float.fromhex(mu) * factor).hex())))


def exact(text):
    """The number that a certificate writes."""
    return Fraction(float.fromhex(text)) if "x" in text else Fraction(text)


def words(page):
    return "".join(page.texts)


@pytest.fixture(scope="module")
def content():
    """A small certificate."""
    return json.loads(tr.certificate(RUN, delta=1e-6).to_json())


@pytest.fixture
def reported(tightrope, tmp_path):
    """Run ``tightrope report`` on a certificate; gives the exit code, the page and stderr."""

    def command(data):
        path, out = tmp_path / "certificate.json", tmp_path / "report.html"
        path.write_bytes(data)
        code, _, err = tightrope("report", str(path), "--out", str(out))
        return code, Page(out.read_text("utf-8")) if out.exists() else None, err

    return command


# --- verified -------------------------------------------------------------------------------


def test_a_verified_certificate_has_a_report(reported, content):
    code, page, err = reported(forged(content))
    assert (code, err) == (0, "")
    text = words(page)
    assert "it is verified: 5 claims by 10 steps" in text
    assert content["digest"] in text
    assert "DOES NOT VERIFY" not in text
    assert text.index("it is verified") < text.index("an advantage of at most 33.5")
    assert "Every number is proved" in text
    assert page.all("svg") == []
    assert {"Groups", "Pictures"}.isdisjoint(page.texts)


def test_every_number_is_one_of_the_certificate(reported, content):
    _, page, _ = reported(forged(content))
    claimed = {key: exact(v) for claim in content["claims"] for key, v in claim["values"].items()}
    known = {float(exact(v)) for claim in content["claims"] for v in claim["values"].values()}
    known.add(float(1 - claimed["beta"]))  # hits are told, and not what is missed
    told = {float(value) for value, _ in page.numbers}
    assert told <= known
    assert len(told) == 5


def test_every_number_leads_to_the_theorem_of_its_step_and_to_its_paper(content):
    contents = report_of_certificate(forged(content))[0].contents
    steps = {step["id"]: step for step in content["steps"]}
    sources = {source.key: source for source in contents.sources}
    (part,) = contents.parts
    rows = [row for row in part.rows if row.number]
    assert len(rows) == len(content["claims"])
    for claim, row in zip(content["claims"], rows, strict=True):
        step, source = steps[claim["step"]], sources[row.number.source]
        assert source.citation == step["citation"]
        assert source.key == step["theorem"] == row.derivation.source
        assert source.statement
        assert source.paper
    page = Page(report_of_certificate(forged(content))[0].to_html())
    ids = {named.get("id") for _, named in page.elements}
    assert len(page.numbers) == 7  # five answers, and two of them in plain words
    assert all(link[1:] in ids for _, (link,) in page.numbers)
    outside = [named["href"] for named in page.all("a") if not named["href"].startswith("#")]
    assert all(link.startswith(("https://arxiv.org/", "https://doi.org/")) for link in outside)


def test_the_steps_are_told_to_what_was_run(content):
    (part,) = report_of_certificate(forged(content))[0].contents.parts
    branch = next(row.derivation for row in part.rows if row.question.startswith("GDP"))
    told = []
    while branch.inputs:
        told.append((branch.times, branch.claim, branch.source))
        (branch,) = branch.inputs
    assert told == [
        (1, "GDP(mu=0.8661)", "compose_gdp"),
        (1, "GDP(mu=0.8661)", "compose_gdp"),
        (12, "GDP(mu=0.25)", "Gaussian.gdp"),
    ]
    assert branch.source == "given"


def test_both_ends_of_a_composed_number_are_those_of_the_step():
    content = json.loads(tr.certificate(tr.Laplace(2.0) ** 10, delta=1e-6).to_json())
    steps = {step["id"]: step for step in content["steps"]}
    claim = next(claim for claim in content["claims"] if claim["question"].startswith("approx"))
    low, high = map(exact, steps[claim["step"]]["interval"]["epsilon"])
    (part,) = report_of_certificate(json.dumps(content).encode())[0].contents.parts
    row = next(row for row in part.rows if row.question.startswith("(ε, δ)-DP"))
    told = [Fraction(end) for end in row.number.interval.split(" to ")]
    assert told[0] <= low <= high <= told[-1]
    assert told[-1] - told[0] < Fraction(1, 10**6)
    assert row.derivation.note


def test_parts_are_told_apart(tightrope, reported, tmp_path):
    plan, path = tmp_path / "plan.toml", tmp_path / "made.json"
    plan.write_text(
        '[[jointly]]\nunit = "person"\nguarantee = "gdp:1"\n'
        '[[jointly]]\nunit = "home"\nguarantee = "gdp:2"\n',
        encoding="utf-8",
    )
    assert tightrope("account", str(plan), "--certificate", str(path))[0] == 0
    code, page, _ = reported(path.read_bytes())
    assert code == 0
    titles = [text for text in page.texts if text.startswith("part ") or text == "everything"]
    assert {title.partition(": ")[2] for title in titles} == {"one person", "one home", ""}
    values = {value for value, _ in page.numbers}
    assert {"1.0", "2.0"} <= values


def test_a_certificate_without_claims_about_attackers_says_so(tightrope, reported, tmp_path):
    plan, path = tmp_path / "plan.toml", tmp_path / "made.json"
    plan.write_text('report = ["gdp"]\n[[release]]\nguarantee = "gdp:1"\n', encoding="utf-8")
    assert tightrope("account", str(plan), "--certificate", str(path))[0] == 0
    code, page, _ = reported(path.read_bytes())
    assert code == 0
    assert "claims nothing about attackers" in words(page)


def test_long_compositions_are_cut_short_and_say_so():
    run = sum((tr.Gaussian(float(n)) for n in range(2, 22)), tr.Laplace(20.0))
    data = tr.certificate(run, delta=1e-6).to_json()
    report, code = report_of_certificate(data.encode())
    assert code == 0
    assert report.contents.ran[0] == (0, "Composed of 21 parts")
    assert report.contents.ran[-1] == (1, "and 9 more")
    left = max(len(step["inputs"]) for step in json.loads(data)["steps"]) - 12
    assert left > 0
    assert f"and {left} more of the kind" in Page(report.to_html()).texts


# --- not verified ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "code", "verdict", "shown"),
    [(0.99, 1, "refuted", "0.8574"), (1.01, 4, "not checked", "0.8747")],
)
def test_what_does_not_verify_is_told_first_and_means_nothing(
    reported, content, factor, code, verdict, shown
):
    found, page, err = reported(with_mu(content, factor))
    assert found == code
    assert f"THE CERTIFICATE DOES NOT VERIFY. It is {verdict} at " in err
    assert "step s4" in err
    text = words(page)
    assert text.index("DOES NOT VERIFY") < text.index("In plain words")
    assert "what it says about attackers is not known to be true" in text
    assert "an advantage of at most" not in text
    assert "Every number is proved" not in text
    assert shown in text  # as it stands in the file: nothing is computed anew


def test_a_changed_file_is_told_by_its_digest(reported, content):
    code, page, _ = reported(json.dumps(content | {"title": "Twelve counts"}).encode())
    assert code == 1
    assert "the digest is not that of the content" in words(page)


def test_the_record_of_a_certificate_carries_the_verdict(tightrope, tmp_path, content):
    path = tmp_path / "c.json"
    for factor, code in ((1.0, 0), (0.99, 1), (1.01, 4)):
        path.write_bytes(with_mu(content, factor))
        found, out, err = tightrope("report", str(path), "--json")
        told = json.loads(out)
        assert (found, told["exit_code"], err) == (code, code, "")
        origin = told["report"]["origin"]
        assert origin["verified"] == (code == 0)
        assert ("DOES NOT VERIFY" in origin["verdict"]) == (code != 0)


def test_a_document_says_it_before_anything_else_too(content):
    text = report_of_certificate(with_mu(content, 0.99))[0].to_latex()
    assert text.index("DOES NOT VERIFY") < text.index(r"\section*{In plain words}")
    assert "Every number is proved" not in text
    assert r"\section*{Groups}" not in text


# --- unreadable -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[1]", b"\xff\xfe", b'{"a": 1, "a": 2}', b"[" * 100_000, b"1e999999999"],
    ids=["empty", "nothing", "list", "bytes", "twice", "deep", "huge"],
)
def test_what_is_no_certificate_has_no_report(reported, data):
    code, page, err = reported(data)
    assert (code, page) == (2, None)
    assert "the certificate is unreadable" in err
    assert err.count("\n") <= 3


def test_a_certificate_that_makes_no_sense_has_no_report(reported, content):
    claims = [claim | {"question": "zcdp rho=?"} for claim in content["claims"]]
    code, page, err = reported(forged(content, claims=claims))
    assert (code, page) == (2, None)
    assert "the certificate is" in err


def test_a_file_that_is_not_there_and_a_delta_are_refused(tightrope, tmp_path, content):
    assert tightrope("report", str(tmp_path / "none.json"))[0] == 2
    path = tmp_path / "c.json"
    path.write_bytes(forged(content))
    code, _, err = tightrope("report", str(path), "--delta", "1e-9")
    assert code == 2
    assert "a certificate has the numbers that it has" in err


# --- words of the author --------------------------------------------------------------------


def test_words_of_the_author_are_no_commands_and_are_said_to_be_unchecked(content):
    left_out = [record | {"reason": HOSTILE} for record in content["left_out"]]
    data = forged(content, title=HOSTILE, about=HOSTILE, left_out=left_out)
    report, code = report_of_certificate(data)
    assert code == 0
    page = Page(report.to_html())
    assert page.all("script") == []
    assert not any(key.startswith("on") for _, named in page.elements for key in named)
    assert "words of its author, which nobody checked" in words(page)
    assert "\x00" not in report.to_html()
    assert "\\input" not in report.to_latex()


def test_only_what_does_not_verify_raises_an_alarm(reported, content):
    good = reported(forged(content))[1]
    bad = reported(with_mu(content, 0.99))[1]
    assert [named for named in good.all("p") if named.get("role") == "alert"] == []
    assert [named["class"] for named in bad.all("p") if named.get("role") == "alert"] == [
        "checked alarm"
    ]
    assert "what is promised" in words(good)
    assert "what is promised" not in words(bad)
    assert "what is claimed, and does not verify" in words(bad)
    assert "None of them is known to be true" in words(bad)
    assert not {"proved", "proved to lie within"} & set(bad.texts)
    frames = [
        r"\fbox{" in report_of_certificate(data)[0].to_latex()
        for data in (forged(content), with_mu(content, 0.99))
    ]
    assert frames == [False, True]
