"""The site in docs/: it builds without a warning, and it leaves nothing out."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import tightrope as tr

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NEEDED = ("sphinx", "furo", "myst_parser", "sphinxcontrib.bibtex")


@pytest.fixture
def extensions(monkeypatch):
    """The site's own modules can be imported."""
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))


def missing() -> list[str]:
    """What of Sphinx and its extensions is not installed."""
    return [name for name in NEEDED if find_spec(name.split(".")[0]) is None]


@pytest.mark.slow
@pytest.mark.skipif(bool(missing()), reason=f"the site needs {missing()}: install the group docs")
def test_the_site_builds_without_a_warning(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    built = subprocess.run(
        [*command, "-d", str(tmp_path / "doctrees"), str(DOCS), str(tmp_path / "html")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )
    assert built.returncode == 0, built.stderr
    for page in DOCS.rglob("*.md"):
        html = tmp_path / "html" / page.relative_to(DOCS).with_suffix(".html")
        assert html.exists(), page
    graph = (tmp_path / "html" / "theory" / "conversions.html").read_text(encoding="utf-8")
    assert graph.count('marker-end="url(#head)"') > 30
    assert "bibliography.html#id" in graph


def test_every_public_name_is_in_the_reference_once(extensions):
    from public_names import GROUPS

    listed = [name for group in GROUPS.values() for name in group]
    assert sorted(listed) == sorted(tr.__all__)
    pages = "".join(p.read_text(encoding="utf-8") for p in (DOCS / "reference").glob("*.md"))
    assert sorted(re.findall(r"\{public-names\} (.*)", pages)) == sorted(GROUPS)


def test_no_arrow_of_a_special_case_is_drawn_as_a_way_back(extensions):
    import conversion_graph

    drawing = conversion_graph.drawing()
    (arrow,) = (line for line in drawing.splitlines() if "<title>ZCDP to PureDP" in line)
    assert 'class="conditional"' in arrow
    assert "only if rho = 0" in arrow
    (arrow,) = (line for line in drawing.splitlines() if "<title>PureDP to ZCDP" in line)
    assert 'class="sharp"' in arrow
    assert "RDP to pure DP from the order infinity alone" in drawing


def test_every_error_is_explained(extensions):
    from error_table import errors

    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^## (\w+)$", page, re.MULTILINE))
    assert {error.__name__ for error in errors()} - {"TightropeError"} <= told


def test_every_notion_has_a_page_and_a_place_in_the_drawing(extensions):
    from registry_tables import NOTIONS, PAGES

    from tightrope.theorems.arrows import arrows

    assert {name for arrow in arrows() for name in arrow[:2]} <= set(NOTIONS)
    for name in NOTIONS:
        assert (DOCS / "theory" / f"{PAGES[name]}.md").exists()


def test_the_bibliography_of_the_site_is_that_of_the_package(extensions):
    from linked_citations import as_bibtex

    from tightrope._cite import bibliography

    text = as_bibtex()
    assert re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE) == [
        key for key in bibliography() if key != "tightrope"
    ]
    assert "author = {Chen and Pandey and Awan}" in text
    assert "author = {Riess and others}" in text


def test_a_page_of_theorems_gets_its_sources_as_links(extensions):
    from linked_citations import linked

    table = (
        "| GDP | GDP | s | sharp | Dong, Roth and Su (2022), Corollary 3.3 |\n"
        "| ZCDP | GDP | s | sharp | docs/theory.md, zCDP with an offset |\n"
    )
    page = linked(table + "## References\n* Dong, Roth and Su (2022)")
    assert "| {cite:t}`dong2022`, Corollary 3.3 |" in page
    assert "| [zCDP with an offset](theory.md#zcdp-with-an-offset) |" in page
    assert "## References" not in page


def test_the_plan_of_the_data_steward_reads_and_is_the_event_beside_it():
    from tightrope.spec.reader import loads

    page = (DOCS / "start" / "data-steward.md").read_text(encoding="utf-8")
    plan = loads(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])
    beside = tr.Laplace(noise_scale=4, sensitivity=2) + tr.DiscreteGaussian(noise_scale=10) ** 12
    assert plan.event.epsilon(delta=1e-6) == beside.epsilon(delta=1e-6)
