"""``tightrope figures``: what it writes, and its mistakes."""

from __future__ import annotations

import sys

import matplotlib
import pytest

from tightrope import plots
from tightrope.cli import run
from tightrope.plots.paper import figures

STAND_INS = {6, 7, 8, 11}
SOME = {number: figures.DRAWINGS[number] for number in (7, 10)}


@pytest.fixture
def few(monkeypatch):
    """Two figures in place of fourteen."""
    monkeypatch.setattr(figures, "DRAWINGS", SOME)


@pytest.mark.slow
def test_all_figures_are_written(tmp_path):
    assert run(["figures", "--out", str(tmp_path)]) == 0
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == [f"figure-{n:02}.pdf" for n in range(1, 15)]
    assert all(path.read_bytes().startswith(b"%PDF") for path in files)


@pytest.mark.usefixtures("few")
def test_files_are_written_to_a_directory_that_is_made(tmp_path):
    folder = tmp_path / "new" / "folder"
    before = dict.copy(matplotlib.rcParams)  # as stored: a look at the backend would choose one
    assert run(["figures", "--out", str(folder), "--format", "svg"]) == 0
    assert dict.copy(matplotlib.rcParams) == before
    assert sorted(path.name for path in folder.iterdir()) == ["figure-07.svg", "figure-10.svg"]
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert text.startswith("<?xml")
        assert "<dc:date>" not in text


def test_the_figures_are_1_to_14():
    assert list(figures.DRAWINGS) == list(range(1, 15))


@pytest.mark.parametrize("number", range(1, 15))
def test_every_panel_is_labelled_and_stand_ins_say_so(number):
    panels = plots.paper_figure(number).axes
    for axes in panels:
        assert axes.get_xlabel()
        assert axes.get_ylabel()
        assert axes.get_title()
        assert axes.get_legend() is not None
    assert all("stand-in" in axes.get_title() for axes in panels) == (number in STAND_INS)


@pytest.mark.usefixtures("few")
def test_the_files_are_named_on_stdout(tightrope, as_json, tmp_path):
    folder = tmp_path / ("long" * 30)
    files = [str(folder / f"figure-{number}.png") for number in ("07", "10")]
    code, out, err = tightrope("figures", "--out", str(folder), "--format", "PNG")
    assert (code, out.splitlines(), err) == (0, files, "")
    code, record = as_json("figures", "--out", str(folder), "--format", "png")
    assert (code, record["command"], record["files"]) == (0, "figures", files)


def test_a_bad_format_is_one_sentence(tightrope, tmp_path):
    code, out, err = tightrope("figures", "--out", str(tmp_path / "x"), "--format", "gif")
    assert (code, out) == (2, "")
    assert err == "tightrope: --format must be one of pdf, png, svg; you passed 'gif'\n"
    assert not (tmp_path / "x").exists()


def test_a_bad_directory_is_one_sentence(tightrope, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file")
    for place in (taken, taken / "below"):
        code, out, err = tightrope("figures", "--out", str(place))
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert str(place) in err


def test_out_is_needed(tightrope):
    code, _, err = tightrope("figures")
    assert code == 2
    assert "--out" in err


def test_without_matplotlib_it_says_what_to_install(tightrope, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = tightrope("figures", "--out", str(tmp_path / "x"))
    assert (code, out) == (2, "")
    assert err == 'tightrope: to draw plots, install matplotlib: pip install "tightrope[plots]"\n'
    assert not (tmp_path / "x").exists()
