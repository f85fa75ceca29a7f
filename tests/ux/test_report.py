"""Reports: well-formed, self-contained, every number linked to its theorem, nothing unescaped."""

from __future__ import annotations

import math
import shutil
import subprocess
from itertools import pairwise

import pytest
from report_page import HOSTILE, Page

import tightrope as tr
from tightrope._latex import escaped as latex
from tightrope.reporting import report_of
from tightrope.reporting.markup import tag
from tightrope.spec.reader import load

RUN = tr.Gaussian(noise_scale=4.0) ** 12


@pytest.fixture(scope="module")
def made():
    return tr.report(RUN, title="Twelve counts")


@pytest.fixture(scope="module")
def page(made):
    return Page(made.to_html())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A report in which every text that somebody can choose is hostile."""
    name = (
        HOSTILE.replace("\\", "\\\\").replace('"', '\\"').replace("\x00", "").replace("\u202e", "")
    )
    path = tmp_path_factory.mktemp("spec") / "hostile.toml"
    path.write_text(
        f'title = "{name}"\nabout = "{name}"\nunit = "{name}"\ninvariants = ["{name}"]\n'
        'report = ["approx delta=1e-6"]\n'
        f'[[parallel]]\nlabel = "{name}"\nguarantee = "gdp:1"\nthen = "{name}"\n'
        '[[parallel]]\nlabel = "b"\nguarantee = "gdp:2"\n'
        f'[[published]]\nepsilon = 3\ndelta = 1e-6\nsource = "{name}"\nnote = "{name}"\n',
        encoding="utf-8",
    )
    return report_of(load(path))


# --- the page -------------------------------------------------------------------------------


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing(page):
    assert page.all("script", "link", "img", "iframe", "object", "embed", "base") == []
    assert not any(key.startswith("on") for _, named in page.elements for key in named)
    assert {"src", "srcset", "data"}.isdisjoint(key for _, named in page.elements for key in named)
    (style,) = (text for text in page.texts if ":root" in text)
    assert "@import" not in style
    assert "url(" not in style


def test_every_anchor_leads_somewhere_and_every_id_is_there_once(page):
    ids = [named["id"] for _, named in page.elements if "id" in named]
    assert len(ids) == len(set(ids))
    inside = {named["href"][1:] for named in page.all("a") if named["href"].startswith("#")}
    assert inside <= set(ids)
    outside = {named["href"] for named in page.all("a") if not named["href"].startswith("#")}
    assert outside
    assert all(link.startswith(("https://arxiv.org/abs/", "https://doi.org/")) for link in outside)


def test_every_number_links_to_a_theorem_with_its_paper(made, page):
    assert len(page.numbers) > 30
    known = {f"#theorem-{source.key}": source for source in made.contents.sources}
    for _, links in page.numbers:
        (link,) = links
        assert known[link].citation
        assert known[link].paper


def test_the_page_is_accessible(page):
    assert page.all("html")[0]["lang"] == "en"
    levels = [int(tag[1]) for tag, _ in page.elements if tag in ("h1", "h2", "h3", "h4")]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert {named.get("scope") for named in page.all("th")} == {"col", "row"}
    assert len(page.all("caption")) == len(page.all("table"))
    pictures = page.all("svg")
    assert len(pictures) == 3
    ids = {named.get("id") for _, named in page.elements}
    for named in pictures:
        assert named["role"] == "img"
        assert set(named["aria-labelledby"].split()) <= ids


def _luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_and_links_have_contrast_in_light_dark_and_print(page):
    (style,) = (text for text in page.texts if ":root" in text)
    themes = [block.partition("}")[0] for block in style.split(":root {")[1:]]
    assert len(themes) == 3
    for theme in themes:
        pairs = (item.split(":") for item in theme.split(";") if "--" in item)
        colours = {name.strip(): value.strip() for name, value in pairs}
        for name in ("--ink", "--soft", "--link"):
            for paper in ("--paper", "--tint"):
                a, b = sorted((_luminance(colours[name]), _luminance(colours[paper])))
                assert (b + 0.05) / (a + 0.05) >= 4.5


def test_the_plain_meaning_comes_first(page):
    text = "".join(page.texts)
    places = [
        text.index(words) for words in ("an advantage of at most", "zCDP: ρ", "do not promise")
    ]
    assert places == sorted(places)
    assert "If 5 units change together" in text


def test_paper_has_the_first_inputs_of_a_step_and_says_where_the_rest_is():
    many = tr.report(sum((tr.Gaussian(n) for n in range(2, 8)), tr.Laplace(20)))
    told = Page(many.to_html())
    hidden = [named for named in told.all("div") if named.get("class") == "screen"]
    assert hidden
    assert "4 more, in this report on a screen and in a certificate" in told.texts
    assert "4 more, in the page of this report and in a certificate" in many.to_latex()


def test_inputs_that_stand_under_an_earlier_question_are_referred_to():
    rows = tr.report(sum((tr.Gaussian(n) for n in range(2, 8)), tr.Laplace(20))).contents.parts[0]
    below = [row.derivation for row in rows.rows if row.derivation]
    same = [tree for tree in below if tree.same]
    assert same
    for tree in same:
        assert not tree.inputs
        first = next(row.derivation for row in rows.rows if row.question == tree.same)
        assert len(_widest(first).inputs) == 7


def _widest(branch):
    return max((branch, *map(_widest, branch.inputs)), key=lambda b: len(b.inputs))


# --- its numbers ----------------------------------------------------------------------------


def test_numbers_are_those_of_the_library(made, page):
    told = {value for value, _ in page.numbers}
    group = RUN.group(5)
    for value in (
        RUN.to(tr.GDP).mu,
        RUN.to(tr.ZCDP).rho,
        RUN.epsilon(delta=1e-6),
        RUN.advantage(),
        RUN.tpr(0.01),
        RUN.tpr(0.001),
        RUN.tradeoff(0.05),
        group.advantage(),
        group.tpr(0.01),
        group.epsilon(delta=1e-6),
        RUN.epsilon(delta=1e-12),
    ):
        assert repr(float(value)) in told
    (row,) = (r for r in made.contents.parts[0].rows if r.question.startswith("(ε, δ)-DP"))
    low, high = map(float, row.number.interval.split(" to "))
    lower, upper = RUN.epsilon_interval(delta=1e-6)
    assert low <= lower <= upper <= high <= low * (1 + 1e-8)


def test_what_has_no_answer_says_why(made):
    (row,) = (r for r in made.contents.parts[0].rows if r.question.startswith("pure DP"))
    assert row.number is None
    assert row.reasons == ("the log-ratio of Gaussian noise is unbounded",)


def test_curves_are_those_of_the_library(made):
    profile, errors, groups = made.contents.pictures
    assert [y for _, y in profile.series[0].points] == RUN.delta(
        [x for x, _ in profile.series[0].points]
    ).tolist()
    assert [y for _, y in errors.series[0].points] == RUN.tradeoff(
        [x for x, _ in errors.series[0].points]
    ).tolist()
    assert groups.series[0].points[1] == (2.0, RUN.group(2).epsilon(delta=1e-6))


@pytest.mark.parametrize(
    "event",
    [
        tr.ApproxDP(1.0, 1e-5),
        tr.GDP(1.0).then("published"),
        tr.parallel(tr.GDP(1.0), tr.GDP(0.3)),
        tr.ZCDP(0),
    ],
)
def test_every_kind_of_event_has_a_report(event):
    made = tr.report(event)
    told = Page(made.to_html())
    assert all(len(links) == 1 for _, links in told.numbers)
    assert float(told.numbers[0][0]) == event.advantage()
    assert made.to_latex().endswith("\\end{document}\n")


def test_numbers_in_the_remarks_on_reported_ones_are_linked_too(hostile):
    (proved,) = (row[3] for row in hostile.contents.reported.rows)
    linked = [
        piece
        for remark in hostile.contents.remarks
        for piece in remark
        if not isinstance(piece, str)
    ]
    assert [(piece.source, piece.digits) for piece in linked] == [(proved.source, proved.digits)]


def test_a_number_in_a_label_is_no_number_of_ours(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(
        '[[jointly]]\nlabel = "epsilon = 4.8867"\nguarantee = "gdp:1"\n'
        '[[jointly]]\nlabel = "b"\nunit = "home"\nguarantee = "gdp:1"\n'
        '[[published]]\npart = "epsilon = 4.8867"\nepsilon = 3\ndelta = 1e-6\n',
        encoding="utf-8",
    )
    (remark, *_) = report_of(load(path)).contents.remarks
    (place,) = (n for n, piece in enumerate(remark) if not isinstance(piece, str))
    assert "was reported for epsilon = 4.8867 at delta" in "".join(remark[:place])
    assert remark[place - 1] == "epsilon = "
    assert remark[place].shown.startswith("4.886")


# --- hostile names --------------------------------------------------------------------------


def test_nothing_that_somebody_wrote_becomes_an_element(hostile):
    told = Page(hostile.to_html())
    assert told.all("script") == []
    assert not any(key.startswith("on") for _, named in told.elements for key in named)
    assert "<script>alert('x')</script>" in "".join(told.texts)


def test_control_characters_do_not_reach_the_page():
    text = tr.report(tr.GDP(1.0), title=HOSTILE).to_html()
    assert "\x00" not in text
    assert "\u202e" not in text


def test_nothing_that_somebody_wrote_is_a_command_of_latex(hostile):
    text = hostile.to_latex()
    assert "\\input" not in text
    assert r"\textbackslash{}input\{/etc/passwd\}" in text


def test_braces_of_latex_match(made, hostile):
    for text in (made.to_latex(), hostile.to_latex()):
        bare = text.replace("\\{", "").replace("\\}", "")
        assert bare.count("{") == bare.count("}")
        assert text.count("\\begin{") == text.count("\\end{")


@pytest.mark.parametrize("character", [*'\\{}$&#%_^~<>|"[]\n\x00\u202eε'])
def test_no_special_character_of_latex_is_left_as_it_is(character):
    assert latex(character) != character


def test_links_of_latex_have_targets(made):
    text = made.to_latex()
    links = {piece.partition("}")[0] for piece in text.split("\\hyperlink{")[1:]}
    targets = [piece.partition("}")[0] for piece in text.split("\\hypertarget{")[1:]]
    assert links <= set(targets)
    assert len(targets) == len(set(targets))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_prints_the_documents(made, hostile, tmp_path):
    for name, report in (("a", made), ("b", hostile)):
        report.write(tmp_path / f"{name}.tex")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
        ran = subprocess.run(
            command,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert ran.returncode == 0, ran.stdout[-800:]


# --- files ----------------------------------------------------------------------------------


def test_a_file_is_written_as_its_name_says(tmp_path):
    tr.report(tr.GDP(1.0), tmp_path / "a.html")
    tr.report(tr.GDP(1.0), tmp_path / "a.tex", delta=1e-9, title="One")
    assert (tmp_path / "a.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert r"\title{One}" in (tmp_path / "a.tex").read_text("utf-8")
    with pytest.raises(tr.InvalidArgument, match=r"must end in \.html, \.htm, \.tex"):
        tr.report(tr.GDP(1.0), tmp_path / "a.pdf")


def test_misuse_is_refused():
    with pytest.raises(tr.InvalidArgument):
        tr.report("gdp:1")
    with pytest.raises(tr.InvalidArgument, match="delta"):
        tr.report(tr.GDP(1.0), delta=0)


def test_the_command_writes_a_page(tightrope, tmp_path):
    out = tmp_path / "r.html"
    code, told, err = tightrope("report", "gdp:1", "--delta", "1e-9", "--out", str(out))
    assert (code, err) == (0, "")
    assert str(out) in told
    assert "ε at δ = 1e-9" in "".join(Page(out.read_text("utf-8")).texts)


def test_the_command_prints_and_refuses(tightrope, as_json, tmp_path):
    assert tightrope("report", "gdp:1")[1].startswith("<!DOCTYPE html>")
    assert r"\documentclass" in tightrope("report", "gdp:1", "--format", "latex")[1]
    record = as_json("report", "gdp:1")[1]["report"]
    assert record["parts"][0]["rows"]
    for arguments in (
        ("--out", "r.pdf"),
        ("--format", "pdf"),
        ("--out", str(tmp_path / "a/b.html")),
    ):
        assert tightrope("report", "gdp:1", *arguments)[0] == 2


@pytest.mark.slow
def test_the_report_of_the_census_says_what_was_reported(root):
    contents = report_of(load(root / "examples" / "census2020.toml")).contents
    assert [part.title for part in contents.parts] == ["persons", "housing units", "both"]
    assert contents.reported is not None
    shown = [row[3].shown for row in contents.reported.rows]
    assert shown == ["16.47", "2.364", "16.75"]
    assert math.isclose(
        float(contents.reported.rows[0][3].digits), 16.46515537605287, rel_tol=1e-11
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "event",
    [
        tr.PureDP(0.5),
        tr.TCDP(0.1, 20),
        tr.GDP(1.0).sampled(rate=0.1),
        tr.TradeOff([0.0, 0.5, 1.0], [1.0, 0.3, 0.0]),
    ],
)
def test_events_whose_groups_take_long_have_a_report(event):
    told = Page(tr.report(event).to_html())
    assert all(len(links) == 1 for _, links in told.numbers)


def test_a_share_near_the_whole_is_at_most_the_whole():
    found = tr.report(tr.Gaussian(noise_scale=0.2) ** 12).to_html()
    assert "more than 99.9" not in found
    assert "100 %" in found


def test_a_folder_that_is_not_there_is_told_before_anything_is_computed(tmp_path):
    with pytest.raises(tr.InvalidArgument, match=r"there is no folder '.*nodir'"):
        tr.report(tr.GDP(1), tmp_path / "nodir" / "x.html")
    assert not (tmp_path / "nodir").exists()


# --- lines ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("hits at 0.1 % of all", "0.1 %"),
        ("delta = 1e-10; more", "1e-10"),
        ("7.5 % to", "7.5 %"),
        ("2e-6", "2e-6"),
    ],
)
def test_no_number_of_a_page_is_broken_into_lines(text, kept):
    assert f'<span class="whole">{kept}</span>' in tag("p", text)


def test_long_texts_of_events_break_between_words():
    assert "Gaussian(<wbr/>noise_scale=<wbr/>Fraction(" in tag(
        "li", "Gaussian(noise_scale=Fraction("
    )


def test_attributes_are_no_prose():
    assert tag("p", title="at 1 %") == '<p title="at 1 %"></p>'


def test_a_terminal_is_told_to_give_a_file(tightrope, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    code, out, err = tightrope("report", "gdp:1")
    assert (code, out) == (2, "")
    assert "--out report.html" in err
    assert tightrope("report", "gdp:1", "--json")[0] == 0
