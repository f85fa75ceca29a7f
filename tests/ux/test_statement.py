"""Statements of books: what they say, in every face, and that nothing in them is unescaped."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from test_report import HOSTILE, Page

import tightrope as tr
from tightrope.ledger import Partition, Statement, Units, Windows
from tightrope.reporting.dates import time_axis
from tightrope.reporting.statements.over_time import MOST_POINTS, picture, thinned

ROOT = Path(__file__).parents[2]
WRITTEN = HOSTILE.replace("\x00", "") + "\x1b[31m"
"""What somebody may write into a note: everything but NUL."""


@pytest.fixture
def store(tmp_path):
    with tr.Ledger(tmp_path / "budget.db") as found:
        yield found


@pytest.fixture
def book(store):
    """Two charges, a reservation that is open, one that was given back, and a share."""
    made = store.create("census", budget=tr.GDP(1.0), unit="person", note="The census")
    made.charge(tr.Gaussian(noise_scale=4.0), note="table 1", by="ann")
    made.charge(tr.Laplace(noise_scale=20.0), note="table 2", by="ben")
    made.reserve(tr.Gaussian(noise_scale=4.0), note="regression", key="job-17")
    made.reserve(tr.Gaussian(noise_scale=4.0), note="never ran", key="job-18").release()
    made.share("geography", tr.GDP(0.5))
    return made


@pytest.fixture
def told(book) -> Statement:
    return book.statement()


# --- the record -------------------------------------------------------------------------------


def test_it_says_what_the_book_says(book, told):
    assert told.budget == book.budget == book.guarantee
    assert told.spending == book.spent()
    assert told.remaining == book.remaining()
    assert told.head == book.head()
    assert [line.hash for line in told.lines] == [entry.hash for entry in book.entries()]
    assert told.theorem.cite == "smith2022"
    assert repr(told).startswith("Statement('census': GDP(mu=1.0")


def test_reservations_are_open_committed_or_released(book):
    assert [(line.key, line.status) for line in book.statement().open_reservations] == [
        ("job-17", "open")
    ]
    book.reservation("job-17").commit()
    told = book.statement()
    assert told.open_reservations == ()
    held = [line.status for line in told.lines if line.kind == "reserve"]
    assert held == ["committed", "released"]


def test_consumption_over_time_counts_reservations_and_falls_when_they_are_released(told):
    shares = [round(moment.consumed, 6) for moment in told.moments]
    laplace = tr.Laplace(noise_scale=20.0).to(tr.GDP).mu ** 2
    expected = [0, 1 / 16, 1 / 16 + laplace, 1 / 8 + laplace, 3 / 16 + laplace, 1 / 8 + laplace]
    assert shares == [round(share, 6) for share in [*expected, 3 / 8 + laplace]]
    assert [moment.reserved for moment in told.moments[3:]] == [1 / 16, 1 / 8, 1 / 16, 1 / 16]


def test_a_pure_book_has_a_running_guarantee_and_others_have_none(store, told):
    pure = store.create("pure", budget=tr.PureDP(1.0))
    pure.charge(tr.Laplace(noise_scale=4.0))
    assert pure.statement().odometer.guarantee == tr.PureDP(0.25)
    assert "guaranteed until now" in pure.statement().to_text()
    assert told.odometer.guarantee is None
    assert "no theorem makes a running sum" in " ".join(told.to_text().split())


def test_windows_begin_at_nothing(store):
    book = store.create("web", budget=tr.ZCDP(0.5), structure=Windows(3600))
    book.charge(tr.Gaussian(noise_scale=2.0))
    told = book.statement()
    assert [moment.consumed for moment in told.moments] == [0.0, 0.0, 0.25]
    assert told.lines[-1].about.startswith("window from 20")
    assert "grows without end" in " ".join(told.to_text().split())


def test_every_face_says_that_a_window_is_one_window_only(store):
    book = store.create("web", budget=tr.GDP(0.5), structure=Windows(3600), unit="person")
    for _ in range(2):
        book.charge(tr.Gaussian(noise_scale=8.0))
    told = book.statement()
    per, over = "per window of 1 hour", "k windows up to mu = 0.5 sqrt(k)"
    page = " ".join(Page(told.to_html()).texts)
    for face in (page, told.to_text(), told.to_latex(), told._repr_html_()):
        words = " ".join(face.split())
        assert per in words
        assert f"over {over}" in words or f"Over {over}" in words
    record = json.loads(told.to_json())
    assert record["guaranteed"]["scope"] == {"per": "window of 1 hour", "over": over}
    assert record["guaranteed"]["unit"] == f"person {per}"
    assert record["statement"]["units_of_privacy"] == [f"person {per}"]
    assert [series.label for series in picture(told).series][1] == f"the budget {per}"
    assert "0.125 is consumed" not in page
    figure = pytest.importorskip("matplotlib.figure").Figure
    axes = tr.plots.consumption_over_time(told, axes=figure().subplots())
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels[-1] == f"the budget: GDP(mu=0.5) {per}"


def test_the_certificate_of_windows_is_about_one_window(store):
    pytest.importorskip("flint")
    from tightrope.verify import verify

    book = store.create("web", budget=tr.GDP(0.5), structure=Windows(3600), unit="person")
    made = book.statement().certificate()
    assert "per window of 1 hour; over k windows up to mu = 0.5 sqrt(k)" in (made.content["about"])
    assert made.content["statement"]["units_of_privacy"] == ["person per window of 1 hour"]
    assert "person per window of 1 hour" in json.dumps(made.content["claims"])
    assert verify(made.to_json()).exit_code == 0


def test_parts_are_told_one_by_one(store):
    shape = Partition("state", ("north", "south"))
    book = store.create("states", budget=tr.ZCDP(0.5), structure=shape)
    book.charge(tr.Gaussian(noise_scale=2.0), part="north")
    book.charge(tr.Gaussian(noise_scale=4.0))
    told = book.statement()
    assert [(p.part, p.spending.words) for p in told.parts] == [
        ("north", "rho = 0.1563"),
        ("south", "rho = 0.03125"),
    ]
    assert [part.remaining for part in told.parts] == [
        book.remaining(part=name) for name in shape.parts
    ]
    plain = told.to_text().split("The budget\n")[0]
    assert "* Part north: rho = 0.1563 consumed, ZCDP(rho=0.3437) remains." in plain
    assert "* Part south: rho = 0.03125 consumed, ZCDP(rho=0.4687) remains." in plain


def test_nobody_learns_from_a_statement_who_took_part(store):
    book = store.create("stream", budget=tr.GDP(1.0), structure=Units())
    book.admit(tr.Gaussian(noise_scale=2.0), ["alice", "bob"])
    told = book.statement()
    assert (told.spending, told.remaining, told.odometer, told.moments) == (None, None, None, ())
    for face in (told.to_json(), told.to_html(), told.to_latex(), told.to_text(), repr(told)):
        assert "alice" not in face
        assert "Gaussian" in face or face == repr(told)


def test_nothing_is_stated_of_a_book_that_contradicts_itself(store, tmp_path, book):
    with sqlite3.connect(tmp_path / "budget.db") as raw:
        raw.executescript(
            "DROP TRIGGER IF EXISTS tightrope_entries_no_update;"
            "DROP TRIGGER IF EXISTS tightrope_no_update;"
        )
        for (name,) in raw.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger'"
        ).fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE tightrope_entries SET body = replace(body, 'table 1', 'table 9')")
    raw.close()
    with pytest.raises(tr.StoreUnavailable, match=r"contradicts itself.*entry 2 was changed"):
        book.statement()


# --- JSON -------------------------------------------------------------------------------------


def every_kind(store):
    """A book of every notion and structure, with a charge in each."""
    yield store.create("pure", budget=tr.PureDP(1.0)), tr.Laplace(noise_scale=9.0), None
    yield store.create("approx", budget=tr.ApproxDP(1.0, 1e-6)), tr.Gaussian(40.0), None
    advanced = store.create("adv", budget=tr.ApproxDP(1.0, 1e-6), filter="advanced")
    yield advanced, tr.Laplace(noise_scale=90.0), None
    orders = tr.RDP([2.0, 8.0], [0.5, 2.0])
    yield store.create("rdp", budget=orders), tr.Gaussian(noise_scale=4.0), None
    plan = [tr.Gaussian(noise_scale=4.0)] * 2
    yield store.create("plan", budget=tr.GDP(1.0), plan=plan), plan[0], None
    parts = Partition("state", ("a", "b"))
    moving = store.create("p", budget=tr.GDP(1.0), structure=parts, neighbors=tr.replace_one)
    yield moving, tr.Gaussian(noise_scale=4.0), "a"


def test_the_document_follows_its_schema(store, told):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "statement.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(json.loads(told.to_json()))
    for book, event, part in every_kind(store):
        book.charge(event, part=part)
        made = book.statement()
        validator.validate(json.loads(made.to_json()))
        assert made.to_html().startswith("<!DOCTYPE html>")
        assert made.to_latex().endswith("\\end{document}\n")
        assert book.name in made.to_text()


def test_amounts_in_json_are_exact(told):
    record = json.loads(told.to_json())
    assert record["entries"][1]["amounts"] == ["0.0625"]
    assert record["filter"]["capacity"] == ["1"]
    assert record["guaranteed"]["budget"].startswith("GDP(mu=1.0")
    assert record["statement"]["mechanisms"] == ["Gaussian", "Laplace"]
    assert record["statement"]["units_of_privacy"] == ["person"]
    assert record["anchor"] == str(told.head)


# --- pages ------------------------------------------------------------------------------------


def test_the_page_needs_nothing_from_elsewhere_and_is_accessible(told):
    page = Page(told.to_html())
    assert page.all("script", "link", "img", "iframe", "object", "embed", "base") == []
    ids = [named["id"] for _, named in page.elements if "id" in named]
    assert len(ids) == len(set(ids))
    inside = {named["href"][1:] for named in page.all("a") if named["href"].startswith("#")}
    assert inside <= set(ids)
    assert len(page.all("caption")) == len(page.all("table"))
    assert len(page.all("svg")) == 1
    assert [named["href"] for named in page.all("a")][-1] == "https://arxiv.org/abs/2210.17520"


def test_the_page_says_what_a_running_sum_is_not(told):
    text = " ".join("".join(Page(told.to_html()).texts).split())
    assert "is consumed" in text
    assert "It is no guarantee of its own" in text
    assert "nothing better than the budget is promised" in text
    assert str(told.head) in text


def test_notes_are_escaped_wherever_they_are_shown(store):
    book = store.create("hostile", budget=tr.GDP(1.0), note=WRITTEN, unit="person")
    book.charge(tr.Gaussian(noise_scale=4.0), note=WRITTEN, by=WRITTEN)
    book.charge(tr.Gaussian(noise_scale=4.0).then(WRITTEN))
    book.reserve(tr.Gaussian(noise_scale=4.0), note=WRITTEN, key=WRITTEN)
    told = book.statement()
    page = Page(told.to_html())
    assert page.all("script") == []
    assert not any(key.startswith("on") for _, named in page.elements for key in named)
    assert "\\input" not in told.to_latex()
    for face in (told.to_html(), told.to_latex(), told.to_text(), told.to_json(), str(told)):
        assert not {"\x1b", "\u202e", "\x00"} & set(face)
    bare = told.to_latex().replace("\\{", "").replace("\\}", "")
    assert bare.count("{") == bare.count("}")
    assert json.loads(told.to_json())["entries"][1]["note"] == WRITTEN
    for shown in (told._repr_html_(), told._repr_latex_(), told._repr_markdown_()):
        assert "<script" not in shown


def test_a_notebook_shows_the_plain_words(told):
    assert "is consumed" in told._repr_html_()
    assert ".write(" in told._repr_html_()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX")
def test_the_document_compiles(told, tmp_path):
    told.write(tmp_path / "s.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "s.tex"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0


def test_files_are_written_as_their_names_say(told, tmp_path):
    for ending, start in ((".html", "<!DOCTYPE"), (".tex", "%"), (".json", "{"), (".txt", "Stat")):
        told.write(tmp_path / f"s{ending}")
        assert (tmp_path / f"s{ending}").read_text("utf-8").startswith(start)
    with pytest.raises(tr.InvalidArgument, match=r"must end in \.html"):
        told.write(tmp_path / "s.pdf")
    with pytest.raises(tr.InvalidArgument, match="there is no folder"):
        told.write(tmp_path / "no" / "s.html")


# --- the certificate --------------------------------------------------------------------------


def test_the_certificate_of_a_book_is_verified(told):
    pytest.importorskip("flint")
    from tightrope.verify import verify

    made = told.certificate(delta=1e-9)
    assert verify(made.to_json()).exit_code == 0
    assert str(told.head) in made.content["about"]
    assert "Smith and Thakurta (2022)" in made.content["about"]
    claims = {claim["notion"]: claim["values"] for claim in made.content["claims"]}
    assert claims["GDP"] == {"mu": "1.0"}


def test_the_certificate_of_a_plan_is_about_its_events(store):
    plan = [tr.Gaussian(noise_scale=4.0)] * 4
    book = store.create("plan", budget=tr.GDP(1.0), plan=plan)
    claims = book.statement().certificate().content["claims"]
    (mu,) = (claim["values"]["mu"] for claim in claims if claim["notion"] == "GDP")
    assert float(mu) == 0.5


def test_a_certificate_needs_a_delta(told):
    with pytest.raises(tr.InvalidArgument, match="delta"):
        told.certificate(delta=0)


# --- pictures ---------------------------------------------------------------------------------


def test_the_picture_never_leaves_the_budget_and_steps(told):
    drawn = picture(told)
    consumed, budget, reserved = drawn.series
    assert {y for _, y in budget.points} == {100.0}
    assert all(y <= 100 for _, y in consumed.points)
    assert reserved.label == "reserved, not committed"
    assert consumed.points[-1][1] == 100 * told.moments[-1].consumed


def test_long_histories_are_thinned_to_their_largest_moments():
    from tightrope.ledger.statement import Moment

    moments = [Moment(float(at), at / 10_000, 0.0) for at in range(10_000)]
    moments[5_000] = Moment(5_000.0, 1.0, 0.0)
    few = thinned(moments)
    assert len(few) <= MOST_POINTS + 1
    assert max(moment.consumed for moment in few) == 1.0
    assert few[-1] == moments[-1]


@pytest.mark.parametrize("span", [0.0, 7.0, 4e3, 1e5, 3e6, 4e7, 9e8, 3e9])
def test_every_span_of_time_has_a_few_marks(span):
    axis = time_axis("time", 1.9e9, 1.9e9 + span)
    assert 1 <= len(axis.marks) <= 7
    assert all(axis.low <= value <= axis.high for value, _ in axis.marks)
    assert len({text for _, text in axis.marks}) == len(axis.marks)


def test_the_plot_draws_what_was_consumed(told, store):
    figure = pytest.importorskip("matplotlib.figure").Figure
    axes = tr.plots.consumption_over_time(told, axes=figure().subplots())
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["consumed", "of it reserved", "the budget: GDP(mu=1.0)"]
    drawn = axes.get_lines()[0].get_ydata()
    assert [float(y) for y in drawn] == [100 * moment.consumed for moment in told.moments]
    assert len({str(line.get_color()) for line in axes.get_lines()}) == 3
    units = store.create("stream", budget=tr.GDP(1.0), structure=Units()).statement()
    with pytest.raises(tr.InvalidArgument, match="not shown"):
        tr.plots.consumption_over_time(units)
    with pytest.raises(tr.InvalidArgument, match=r"book\.statement"):
        tr.plots.consumption_over_time(tr.GDP(1.0))
